/// How a property is read, which decides whether it satisfies a requirement of `APIRequest`.
enum Getter: Equatable, Sendable {
    /// One that can satisfy a requirement.
    case plain
    case lazy, mutating, async, `throws`

    /// The getter in a declaration such as `var body: RequestBody? { get throws }`.
    ///
    /// In a class, a lazy property can satisfy a requirement, and the compiler writes no `mutating`.
    init(declaration: String) {
        self = .plain
        guard let brace = declaration.lastIndex(of: "{"), declaration.last == "}" else { return }
        let words = declaration[declaration.index(after: brace)...].dropLast().split(separator: " ")
        let effects = words.drop { $0 != "get" }.dropFirst().prefix { $0 != "set" && $0 != "_modify" }
        if words.first == "mutating", words.dropFirst().first == "get" {
            self = declaration.contains("lazy var ") ? .lazy : .mutating
        } else if effects.contains("async") {
            self = .async
        } else if effects.contains(where: { $0.hasPrefix("throws") && $0 != "throws(Never)" }) {
            self = .throws
        }
    }
}
