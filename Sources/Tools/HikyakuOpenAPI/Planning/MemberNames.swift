/// Gives the members of a type different names.
///
/// A name that several texts lead to belongs to the one that had it in an earlier run, or else to the one that is
/// written so, or else to the first in the order of the texts; the others get a suffix that is made of their own texts.
struct MemberNames {
    private var texts: [String] = []
    /// The names that the texts lead to.
    private var usualNames: [String] = []
    private let reserved: Set<String>
    /// The names of an earlier run by their texts.
    let history: [String: String]

    init(reserved: Set<String> = [], history: [String: String] = [:]) {
        self.reserved = reserved
        self.history = history
    }

    /// The name that a text leads to, or a label in its place; ``resolve(_:)`` makes it unique.
    mutating func take(_ text: String, spelled label: String? = nil) -> String {
        let name = SwiftName.member(label ?? text)
        texts.append(text)
        usualNames.append(name)
        return name
    }

    /// Adds the property of the members that the document doesn't name, after all others.
    mutating func takeOthers(_ name: String) {
        texts.append(Self.othersText)
        usualNames.append(name)
    }

    /// No key is likely to be written so.
    private static let othersText = "(others)"

    /// The unique names of all texts, in their order.
    func names() -> [String] {
        var used = reserved
        // Texts that are equal are members of their own, of which the first keeps the name.
        var kept: [String: String] = [:]
        for text in texts where kept[text] == nil {
            if let name = history[text], used.insert(name).inserted { kept[text] = name }
        }
        let owners = owners()
        return zip(texts, usualNames).map { text, usual in
            if let name = kept.removeValue(forKey: text) { return name }
            var name = usual
            if text == Self.othersText {
                while used.contains(name) { name = "other" + SwiftName.part(name) }
            } else if owners[name] != text || used.contains(name) {
                name += SwiftName.suffix(text)
            }
            while !used.insert(name).inserted { name += "x" }
            return name
        }
    }

    /// The text to which each name belongs.
    private func owners() -> [String: String] {
        var owners: [String: String] = [:]
        for (text, name) in zip(texts, usualNames) {
            guard text != Self.othersText, let owner = owners[name] else {
                if owners[name] == nil { owners[name] = text }
                continue
            }
            if owner == Self.othersText || owner != name && (text == name || text < owner) { owners[name] = text }
        }
        return owners
    }

    /// The names that a further run needs to know: those that another text could take.
    var toKeep: [String: String] {
        Dictionary(zip(texts, names())) { first, _ in first }.filter { $0 != $1 }
    }

    func resolve(_ plans: inout [PropertyPlan]) {
        for (index, name) in zip(plans.indices, names()) { plans[index].name = name }
    }

    func resolve(_ plans: inout [ValuePlan]) {
        for (index, name) in zip(plans.indices, names()) { plans[index].name = name }
    }

    func resolve(_ plans: inout [UnionCasePlan]) {
        for (index, name) in zip(plans.indices, names()) { plans[index].name = name }
    }
}
