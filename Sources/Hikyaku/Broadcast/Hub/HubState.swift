/// All that a hub knows, behind one lock, so that every subscriber hears of changes in one order.
struct HubState {
    private let valuesMax: Int
    private var shelves: [ObjectIdentifier: any HubShelfKind] = [:]
    /// All entries of all types.
    private var recency = RecencyList<any HubEntryKind>()
    /// Counts changes, and what becomes of them.
    private(set) var lastChange = 0

    init(valuesMax: Int) {
        self.valuesMax = max(0, valuesMax)
    }

    /// How many broadcasts there are.
    var watchedCount: Int { shelves.values.reduce(0) { $0 + $1.watchedCount } }

    mutating func shelf<Model>(of type: Model.Type) -> HubShelf<Model> {
        if let shelf = shelves[ObjectIdentifier(type)] as? HubShelf<Model> { return shelf }
        let shelf = HubShelf<Model>()
        shelves[ObjectIdentifier(type)] = shelf
        return shelf
    }

    mutating func value<Model: HubModel>(of id: Model.ID) -> HubUpdate<Model>? {
        guard let entry = shelf(of: Model.self).entries[id] else { return nil }
        recency.touch(entry.place)
        return entry.update
    }

    /// Publishes updates of models that overtake all changes of theirs; `asked` is the last change there was when the
    /// service was asked for them: what was changed since is newer.
    mutating func publish<Model: HubModel>(
        _ updates: [HubUpdate<Model>],
        _ ids: [Model.ID],
        asked: Int?,
    ) -> HubTypeOutcome<Model> {
        let shelf = shelf(of: Model.self)
        var outcome = HubTypeOutcome<Model>()
        if shelf.hasChanged, let asked, asked < lastChange {
            let news = updates.indices.filter { (shelf.entries[ids[$0]]?.changed ?? 0) <= asked }
            if news.count < updates.count {
                return publish(news.map { updates[$0] }, news.map { ids[$0] }, asked: nil)
            }
        }
        if !shelf.pending.isEmpty {
            for id in ids { outcome.drop(shelf.pending.removeValue(forKey: id)) }
        }
        show(updates, ids, on: shelf, &outcome)
        return outcome
    }

    /// Keeps updates and hands them to all who watch.
    private mutating func show<Model: HubModel>(
        _ updates: [HubUpdate<Model>],
        _ ids: [Model.ID],
        on shelf: HubShelf<Model>,
        _ outcome: inout HubTypeOutcome<Model>,
    ) {
        let isAnyWatched = !shelf.byID.isEmpty
        // Two arrays side by side are slow to go through by their sequences, where their types aren't known.
        var index = 0
        while index < updates.count {
            keep(updates[index], ids[index], on: shelf, &outcome)
            if isAnyWatched, let one = shelf.byID[ids[index]] {
                outcome.outcomes.append(one.offer(contentsOf: [updates[index]]))
            }
            index += 1
        }
        shelf.lastID = ids.last ?? shelf.lastID
        if let all = shelf.all { outcome.outcomes.append(all.offer(contentsOf: updates)) }
    }

    private mutating func keep<Model: HubModel>(
        _ update: HubUpdate<Model>,
        _ id: Model.ID,
        on shelf: HubShelf<Model>,
        _ outcome: inout HubTypeOutcome<Model>,
    ) {
        if let entry = shelf.entries[id] {
            outcome.replaced.append(entry.update)
            entry.update = update
            return recency.touch(entry.place)
        }
        guard valuesMax > 0 else { return }
        if recency.count == valuesMax, let oldest = recency.removeOldest() {
            oldest.leaveShelf()
            outcome.evicted.append(oldest)
        }
        let entry = HubEntry(id, update, on: shelf)
        entry.place = recency.insert(entry)
        shelf.entries[id] = entry
    }
}

// MARK: - Changes

extension HubState {
    /// Shows a change above what is seen; `before` is what it is rolled back to where the hub doesn't know.
    mutating func change<Model: HubModel>(
        _ update: HubUpdate<Model>,
        _ id: Model.ID,
        before: HubUpdate<Model>?,
    ) -> (number: Int, outcome: HubTypeOutcome<Model>) {
        let shelf = shelf(of: Model.self)
        lastChange += 1
        var pending = shelf.pending[id] ?? HubPending(base: shelf.entries[id]?.update ?? before)
        pending.changes.append((lastChange, update))
        shelf.pending[id] = pending
        var outcome = HubTypeOutcome<Model>()
        show([update], [id], on: shelf, &outcome)
        shelf.noteChange(lastChange, of: id)
        return (lastChange, outcome)
    }

    /// Takes a change back; what was there before is shown if the change is what is seen.
    mutating func rollBack<Model: HubModel>(
        _ number: Int,
        of id: Model.ID,
        _ type: Model.Type,
    ) -> HubTypeOutcome<Model> {
        let shelf = shelf(of: Model.self)
        var outcome = HubTypeOutcome<Model>()
        guard var pending = shelf.pending[id],
            let index = pending.changes.firstIndex(where: { $0.number == number })
        else { return outcome }
        let isSeen = index == pending.changes.count - 1
        outcome.replaced.append(pending.changes.remove(at: index).update)
        if let base = pending.base { outcome.replaced.append(base) }
        shelf.pending[id] = pending.changes.isEmpty ? nil : pending
        if pending.changes.isEmpty { shelf.noteChange(0, of: id) }
        guard isSeen else { return outcome }
        if let before = pending.seen {
            show([before], [id], on: shelf, &outcome)
        } else if let entry = shelf.entries.removeValue(forKey: id) {
            recency.remove(entry.place)
            outcome.evicted.append(entry)
        }
        return outcome
    }

    /// Makes a change, and those below it, what is there.
    mutating func confirm<Model: HubModel>(
        _ number: Int,
        of id: Model.ID,
        _ type: Model.Type,
    ) -> HubTypeOutcome<Model> {
        let shelf = shelf(of: Model.self)
        var outcome = HubTypeOutcome<Model>()
        guard let pending = shelf.pending[id],
            let index = pending.changes.firstIndex(where: { $0.number == number })
        else { return outcome }
        outcome.drop(pending)
        // Who asked before the service had said yes may not have been told of it.
        lastChange += 1
        shelf.noteChange(lastChange, of: id)
        let above = Array(pending.changes[(index + 1)...])
        shelf.pending[id] = above.isEmpty ? nil : HubPending(base: pending.changes[index].update, changes: above)
        return outcome
    }
}

extension HubTypeOutcome {
    fileprivate mutating func drop(_ pending: HubPending<Model>?) {
        guard let pending else { return }
        replaced.append(pending.base)
        replaced.append(contentsOf: pending.changes.map(\.update))
    }
}

extension HubShelf {
    fileprivate func noteChange(_ number: Int, of id: Model.ID) {
        hasChanged = true
        entries[id]?.changed = number
    }
}
