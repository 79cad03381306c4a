extension Code {
    /// The code of a type that a user names: `Decimal`, `[String: Money.Amount]`, `Set<Tag>?`.
    ///
    /// `nil` if the text is not a type of names, optionals, arrays, dictionaries and generic arguments.
    package init?(type text: String) {
        guard text.utf8.count <= 500 else { return nil }
        var parser = TypeParser(text)
        guard let code = parser.type(depth: 0), parser.isAtEnd else { return nil }
        self = code
    }

    /// The code of a module that a user names: `Money`, or one of its submodules.
    package init?(module text: String) {
        guard text.utf8.count <= 500 else { return nil }
        var parser = TypeParser(text)
        guard let code = parser.dottedName(), parser.isAtEnd else { return nil }
        self = code
    }

    /// Whether a text is the name of a module, and not of a submodule.
    package static func isModule(_ text: String) -> Bool { SwiftName.isName(text) && Code(module: text) != nil }
}

/// Reads the names of types by scalars, and makes their code anew.
private struct TypeParser {
    private var rest: Substring.UnicodeScalarView
    private static let depthMax = 16
    private static let refused = SwiftName.keywords.union(SwiftName.impossible).union([
        "any", "some", "each", "repeat", "sending", "borrowing", "consuming", "isolated", "_const", "__owned",
        "__shared",
    ]).subtracting(["Any"])

    init(_ text: String) {
        rest = text.unicodeScalars[...]
        skipSpaces()
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func type(depth: Int) -> Code? {
        guard depth < Self.depthMax, var type = takes("[") ? list(depth) : generic(depth) else { return nil }
        while takes("?") { type = "\(type)?" }
        return type
    }

    /// An array or a dictionary after its first bracket.
    private mutating func list(_ depth: Int) -> Code? {
        guard let first = type(depth: depth + 1) else { return nil }
        guard takes(":") else { return takes("]") ? "[\(first)]" : nil }
        guard let second = type(depth: depth + 1), takes("]") else { return nil }
        return "[\(first): \(second)]"
    }

    private mutating func generic(_ depth: Int) -> Code? {
        guard let name = dottedName() else { return nil }
        guard takes("<") else { return name }
        var arguments: [Code] = []
        repeat {
            guard let argument = type(depth: depth + 1) else { return nil }
            arguments.append(argument)
        } while takes(",")
        return takes(">") ? "\(name)<\(arguments.joined(separator: ", "))>" : nil
    }

    mutating func dottedName() -> Code? {
        var names: [Code] = []
        repeat {
            let name = String(rest.prefix { $0 == "_" || $0.properties.isXIDContinue })
            guard SwiftName.isName(name), !Self.refused.contains(name) else { return nil }
            rest.removeFirst(name.unicodeScalars.count)
            skipSpaces()
            names.append("\(SwiftName.bare(name))")
        } while takes(".")
        return names.joined(separator: ".")
    }

    private mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        skipSpaces()
        return true
    }

    private mutating func skipSpaces() {
        while rest.first == " " { rest.removeFirst() }
    }
}
