/// The names of what is neither a type nor a request, by what they are of: those of schemes, scopes, servers.
///
/// It is a class because several planners add to it, one after another.
final class OtherNames {
    private let known: [String: [String: String]]
    /// The names for the next run.
    private(set) var kept: [String: [String: String]] = [:]

    init(_ known: [String: [String: String]]) {
        self.known = known
    }

    /// Names for the members of a group, with those of an earlier run.
    ///
    /// No member gets a reserved name, such as one that the library has.
    func members(of group: String, reserved: Set<String> = []) -> MemberNames {
        MemberNames(reserved: reserved, history: known[group] ?? [:])
    }

    /// Keeps the names of a group for the next run.
    func keep(_ names: MemberNames, of group: String) {
        let names = names.toKeep
        if !names.isEmpty { kept[group] = names }
    }

    /// The name that a text had in an earlier run.
    func name(of text: String, in group: String) -> String? { known[group]?[text] }

    func isTaken(_ name: String, in group: String) -> Bool { known[group]?.values.contains(name) ?? false }

    func keep(_ name: String, of text: String, in group: String) { kept[group, default: [:]][text] = name }
}
