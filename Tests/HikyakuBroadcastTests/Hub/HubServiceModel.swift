import Hikyaku
import HikyakuBroadcast

/// What a service has and a hub must show, written down plainly: as the whole history, judged anew each time.
struct HubServiceModel {
    struct Change {
        enum State { case isUndecided, isTaken, isRefused, isOver }

        let id: Int
        /// Counts the changes in the order in which they began.
        let number: Int
        let value: String
        /// What the service has when it has taken the change.
        let stored: String
        var state = State.isUndecided
    }

    struct Answer {
        let id: Int
        let sent: Int
        let value: String
    }

    struct Confirmation {
        let id: Int
        let number: Int
        let time: Int
        let value: String
    }

    static let ids = 0..<3

    private(set) var time = 0
    /// All values that the service ever had, by model; no value comes twice.
    private(set) var written = Dictionary(uniqueKeysWithValues: ids.map { ($0, ["w\($0)"]) })
    var changes: [Change] = []
    private(set) var answers: [Answer] = []
    private(set) var confirmations: [Confirmation] = []

    mutating func tick() -> Int {
        time += 1
        return time
    }

    mutating func write(_ value: String, to id: Int) { written[id, default: []].append(value) }

    func value(of id: Int) -> String { written[id]?.last ?? "" }

    mutating func answer(_ values: [Int: String], sent: Int) {
        for (id, value) in values { answers.append(Answer(id: id, sent: sent, value: value)) }
    }

    mutating func confirm(_ index: Int) {
        let change = changes[index]
        changes[index].state = .isOver
        // A change that began later and was confirmed earlier has settled it.
        guard change.number > lastConfirmation(of: change.id)?.number ?? -1 else { return }
        confirmations.append(
            Confirmation(id: change.id, number: change.number, time: tick(), value: change.stored)
        )
    }

    func lastConfirmation(of id: Int) -> Confirmation? { confirmations.last { $0.id == id } }

    /// The change that has to be on top of all else.
    func pending(_ id: Int) -> Change? {
        let confirmed = lastConfirmation(of: id)?.number ?? -1
        return changes.last { $0.id == id && $0.number > confirmed && $0.state != .isOver }
    }

    /// What has to be seen of a model when no change is pending, by a hub that has forgotten nothing.
    func base(of id: Int) -> String? {
        let confirmation = lastConfirmation(of: id)
        let news = answers.filter { $0.id == id && $0.sent > confirmation?.time ?? -1 }
        let newest = news.map(\.sent).max()
        return news.last { $0.sent == newest }?.value ?? confirmation?.value
    }

    /// What is wrong with a state that any hub shows while no change is pending; `nil` where nothing is.
    func fault(of seen: String, _ id: Int) -> String? {
        let written = written[id] ?? []
        guard let index = written.firstIndex(of: seen) else { return "the service never had \(seen)" }
        guard let confirmed = lastConfirmation(of: id)?.value, let least = written.firstIndex(of: confirmed) else {
            return nil
        }
        return index < least ? "\(seen) is older than the confirmed \(confirmed)" : nil
    }

    /// Whether any hub has to show an answer as soon as it comes.
    ///
    /// A hub with fewer confirmations than models may ignore more: rolling a change back to an answer keeps the time of
    /// its question as a confirmation, and a dropped confirmation applies to all models.
    func isNews(_ id: Int, sent: Int, confirmationsMax: Int) -> Bool {
        let compared = confirmationsMax < Self.ids.count ? answers : answers.filter { $0.id == id }
        return pending(id) == nil && sent > confirmations.last?.time ?? -1
            && sent >= compared.map(\.sent).max() ?? -1
    }
}
