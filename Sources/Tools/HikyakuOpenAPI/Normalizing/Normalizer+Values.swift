import HikyakuJSON

extension Normalizer {
    /// The value after references; `nil` if there is none, or null.
    func resolved(_ cursor: Cursor?) -> Cursor? {
        guard let cursor, !cursor.node.isNull else { return nil }
        return resolver.resolved(cursor)
    }

    /// The text of a value, which may be a number, or a reference to a text.
    func text(_ cursor: Cursor?, _ name: String = "the value") -> String? {
        guard let cursor = resolved(cursor) else { return nil }
        if let text = cursor.node.scalarText { return text }
        report(cursor, name, isNot: "a string")
        return nil
    }

    func flag(_ cursor: Cursor?, _ name: String) -> Bool? {
        guard let cursor = resolved(cursor) else { return nil }
        if let bool = cursor.node.bool { return bool }
        switch cursor.node.scalarText?.lowercased() {
        case "true", "yes", "1":
            report(cursor, name, isNot: "a boolean", action: "it is read as true")
            return true
        case "false", "no", "0":
            report(cursor, name, isNot: "a boolean", action: "it is read as false")
            return false
        default:
            report(cursor, name, isNot: "a boolean")
            return nil
        }
    }

    /// A count: an integer from 0, also as `1.0e3`.
    func count(_ cursor: Cursor?, _ name: String) -> Int? {
        guard let cursor = resolved(cursor) else { return nil }
        let text = cursor.node.scalarText ?? ""
        guard let number = cursor.node.number ?? YAMLScalar.number(text), let count = number.int, count >= 0 else {
            report(.invalidNumber, cursor, "\(name) is \(described(cursor)), not a count", action: "it is ignored")
            return nil
        }
        return count
    }

    /// The text of a number.
    func numberText(_ cursor: Cursor?, _ name: String) -> String? {
        guard let cursor = resolved(cursor) else { return nil }
        if let number = cursor.node.number { return number.text }
        if let text = cursor.node.string, let number = YAMLScalar.number(text) {
            report(.invalidNumber, cursor, "\(name) is a string, not a number", action: "it is read as a number")
            return number.text
        }
        report(.invalidNumber, cursor, "\(name) is \(described(cursor)), not a number", action: "it is ignored")
        return nil
    }

    /// The elements of an array, which may be a reference; a single value is a list of one.
    func list(_ cursor: Cursor?, _ name: String = "the value") -> [Cursor] {
        guard let cursor = resolved(cursor) else { return [] }
        if cursor.node.array != nil { return cursor.elements }
        report(cursor, name, isNot: "an array", action: "it is read as an array of one")
        return [cursor]
    }

    /// The texts of an array.
    func texts(_ cursor: Cursor?, _ name: String) -> [String] {
        list(cursor, name).compactMap { text($0, "an element of \(name)") }
    }

    /// The members of an object, which may be a reference.
    func map(_ cursor: Cursor?, _ name: String) -> [(key: String, keyPosition: SourcePosition, value: Cursor)] {
        guard let cursor = resolved(cursor) else { return [] }
        guard cursor.node.object != nil else {
            report(cursor, name, isNot: "an object")
            return []
        }
        return cursor.members
    }

    /// The value as an object after references, with a diagnostic if it is none.
    func object(_ cursor: Cursor?, _ name: String) -> Cursor? {
        guard let cursor = resolved(cursor) else { return nil }
        guard cursor.node.object != nil else {
            report(cursor, name, isNot: "an object")
            return nil
        }
        return cursor
    }

    func extensions(of cursor: Cursor) -> [DocumentMember] {
        let members = (cursor.node.object ?? []).filter { $0.key.hasPrefix("x-") }
        for member in members { countExtension(member) }
        return members
    }

    /// The description beside a reference, which replaces that of its target.
    func description(beside cursor: Cursor) -> String? {
        cursor.reference == nil ? nil : text(cursor["description"], "'description'")
    }

    /// The name of a component by its location, or what names a piece in another file.
    func componentName(of cursor: Cursor, isReference: Bool) -> String? {
        guard isReference else { return nil }
        return names(of: cursor.location).first
    }

    /// The names by which a piece can be called, the most specific one first.
    func names(of location: String) -> [String] {
        let (file, pointer) = FilePath.parts(of: location)
        let all = Pointer.tokens(pointer)
        var tokens = all.filter { !Self.structuralNames.contains($0) && Int($0) == nil }
        if tokens.isEmpty || isComponent(all), let last = all.last { tokens = [last] }
        let folders = file.parts(by: "/").dropLast().filter { $0 != ".." && !$0.isEmpty }
        let stem = file.isEmpty ? [] : [FilePath.stem(of: file)]
        let names: [String] = tokens.reversed() + stem + folders.reversed()
        return names.isEmpty ? [location] : names
    }

    /// Whether a pointer is that of a component: `/components/schemas/Pet`, `/definitions/Pet`.
    private func isComponent(_ tokens: [String]) -> Bool {
        tokens.first == "components" ? tokens.count == 3 : tokens.count == 2
    }

    private static let structuralNames: Set<String> = [
        "components", "schemas", "definitions", "$defs", "properties", "items", "allOf", "anyOf", "oneOf", "schema",
        "content", "paths", "additionalProperties", "parameters", "responses", "requestBodies", "headers",
        "requestBody",
        "prefixItems", "patternProperties", "not", "callbacks", "pathItems", "examples", "application~1json",
    ]

    // MARK: Diagnostics

    func report(_ cursor: Cursor, _ name: String, isNot expected: String, action: String = "it is ignored") {
        report(.unexpectedType, cursor, "\(name) is \(described(cursor)), not \(expected)", action: action)
    }

    func report(_ code: Diagnostic.Code, _ cursor: Cursor, _ message: String, action: String) {
        findings.warn(code, at: cursor.position, message, action: action)
    }

    func note(_ code: Diagnostic.Code, _ cursor: Cursor, _ message: String, action: String) {
        findings.add(.note, code, at: cursor.position, message, action: action)
    }

    /// Notes members that OpenAPI doesn't have.
    func reportIgnored(in cursor: Cursor, known: Set<String>) {
        if let documentation = cursor["externalDocs"] { countDocumentation(documentation) }
        for member in cursor.node.object ?? [] where !known.contains(member.key) && !member.key.hasPrefix("x-") {
            findings.add(
                .note,
                .ignoredMember,
                at: member.keyPosition,
                "OpenAPI has no member \(member.key.quoted) here",
                action: "it is ignored",
            )
        }
    }

    private func described(_ cursor: Cursor) -> String {
        let node = cursor.node
        guard node.array == nil, node.object == nil, let text = node.scalarText else { return node.kindName }
        return node.bool == nil ? "\(node.kindName) (\(text.quoted))" : node.kindName
    }
}
