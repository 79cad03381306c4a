/// What the alternatives of a choice are called, and what distinguishes them for the names of an earlier run.
///
/// A reference or a title says enough. Two objects may have none, or the same: then the text has their keys, too, so
/// that one doesn't take the other's name when the document lists it first.
struct AlternativeTexts {
    /// What an alternative is called, and its keys.
    struct Alternative {
        var label: String
        /// The keys of the object, or of the objects in the list.
        var keys: [String] = []
        /// The keys with what their values are: `status queued`, `labels texts`.
        var details: [String] = []
        /// Whether the label says only what kind of value it is.
        var isVague = false
    }

    /// The text of each alternative.
    private(set) var texts: [String]
    /// What each alternative's name is made of.
    private(set) var labels: [String]

    /// Makes the texts, where those of an earlier run with their names are known: an alternative that has changed keeps
    /// the text that fits best.
    init(_ alternatives: [Alternative], known: [String: String]) {
        labels = alternatives.map(\.label)
        let groups = Dictionary(grouping: alternatives.indices) { alternatives[$0].label }
        texts = alternatives.map { alternative in
            let isUnique = groups[alternative.label]?.count == 1 && !alternative.isVague
            return isUnique ? alternative.label : Self.text(of: alternative.label, alternative.keys)
        }
        let sameKeys = Dictionary(grouping: texts.indices) { texts[$0] }.values.filter { $0.count > 1 }
        for index in sameKeys.joined() {
            texts[index] = Self.text(of: alternatives[index].label, alternatives[index].details)
        }
        keepTexts(of: alternatives, Set(known.keys))
        for group in groups.values where group.count > 1 { distinguish(group, alternatives, known) }
    }

    private mutating func keepTexts(of alternatives: [Alternative], _ known: Set<String>) {
        var free = known.subtracting(texts)
        var changed = Set(texts.indices.filter { !known.contains(texts[$0]) })
        var pairs: [(index: Int, text: String, common: Int)] = []
        for index in changed {
            let keys = Set(alternatives[index].keys + alternatives[index].details)
            for text in free {
                guard let other = Self.keys(in: text, of: alternatives[index].label) else { continue }
                pairs.append((index, text, keys.intersection(other).count))
            }
        }
        pairs.sort { ($1.common, texts[$0.index], $0.text) < ($0.common, texts[$1.index], $1.text) }
        for pair in pairs where changed.contains(pair.index) && free.contains(pair.text) {
            changed.remove(pair.index)
            free.remove(pair.text)
            texts[pair.index] = pair.text
        }
    }

    /// Adds a key to the labels of alternatives that have the same, but for the first.
    private mutating func distinguish(_ group: [Int], _ alternatives: [Alternative], _ known: [String: String]) {
        let name = SwiftName.member(alternatives[group[0]].label)
        let order = group.sorted { one, other in
            let first = (known[texts[one]] == name ? 0 : 1, alternatives[one].keys.count, texts[one])
            return first < (known[texts[other]] == name ? 0 : 1, alternatives[other].keys.count, texts[other])
        }
        let usual = alternatives[order[0]]
        for index in order.dropFirst() {
            let alternative = alternatives[index]
            let isWith = alternative.label.hasPrefix("with ")
            if let key = Set(alternative.keys).subtracting(usual.keys).min() {
                labels[index] += isWith ? " and \(key)" : " with \(key)"
            } else if let detail = Set(alternative.details).subtracting(usual.details).min() {
                labels[index] = isWith ? "with \(detail)" : alternative.label + " with \(detail)"
            }
        }
    }

    private static func text(of label: String, _ keys: [String]) -> String {
        keys.isEmpty ? label : "\(label) {\(keys.sorted().joined(separator: ", "))}"
    }

    /// The keys in a text for a label; `nil` if it is one for another label.
    private static func keys(in text: String, of label: String) -> [String]? {
        if text == label { return [] }
        guard text.hasPrefix(label + " {"), text.hasSuffix("}") else { return nil }
        return text.dropFirst(label.count + 2).dropLast().split(separator: ", ").map(String.init)
    }
}
