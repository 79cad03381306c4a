/// The names that earlier runs gave.
///
/// Two texts of a document may lead to the same name, of which one then has to give way. It is the newer one, but no
/// document says which that is: so a file beside the generated ones keeps the names that were given.
package struct NameHistory: Sendable, Equatable {
    /// A type that was generated.
    struct TypeEntry: Sendable, Equatable {
        var name: String
        /// The name that it would have had without others, if that was another one.
        var wish: String?
        /// The names of properties, values and cases by their texts, apart from those that are equal to their texts.
        var members: [String: String] = [:]

        var wishedName: String { wish ?? name }
    }

    /// A request that was generated.
    struct RequestEntry: Sendable, Equatable {
        var name: String
        /// The names of properties by place and key: `query page`.
        var members: [String: String] = [:]
    }

    /// The name of the API; `nil` if there is no history.
    package var apiName: String?
    /// By ``NameWish/identity``.
    var types: [String: TypeEntry] = [:]
    /// By namespace, and then by ``RequestPlan/id``.
    var requests: [String: [String: RequestEntry]] = [:]
    /// The names of failures that are one of several types, by the names of these types.
    var failures: [String: String] = [:]

    /// Further names by what they are of: `providers`, `scopes of oauth`, `servers`.
    var others: [String: [String: String]] = [:]

    package init() {}

    /// The names that no new type may take, since requests have them.
    var requestNames: Set<String> { Set(requests.values.flatMap { $0.values.map(\.name) }) }
}

// MARK: The file

extension NameHistory {
    /// The name of the file in the output folder; a hidden one, so that no build tool takes it for a source.
    package static let fileName = ".hikyaku-names.json"

    /// The file for the output folder.
    package var file: GeneratedFile { GeneratedFile(path: Self.fileName, text: text) }

    /// Reads the file.
    ///
    /// - Returns: What is wrong with it; empty if nothing is.
    package mutating func read(path: String, loader: ReadingOptions.Loader? = nil) -> [Diagnostic] {
        let findings = Findings(countMax: 100)
        var reading = ReadingOptions()
        reading.loader = loader
        let store = FileStore(path: path, options: reading, findings: findings)
        guard let root = store.readFirst()?.node else { return findings.sorted() }
        do {
            self = try Self(root)
        } catch {
            let action = "restore the file, or remove it to name everything anew"
            findings.add(.error, .invalidSyntax, at: error.position, error.message, action: action)
        }
        return findings.sorted()
    }

    private struct Invalid: Error {
        var position: SourcePosition
        var message: String
    }

    private init(_ root: DocumentNode) throws(Invalid) {
        guard root.object != nil else {
            throw Invalid(position: root.position, message: "the names are not an object")
        }
        apiName = try root["api"].map { value throws(Invalid) in try Self.typeName(value) }
        for member in root["types"]?.object ?? [] {
            var entry = TypeEntry(name: try Self.typeName(member.value["name"] ?? member.value))
            entry.wish = try member.value["wish"].map { wish throws(Invalid) in try Self.name(wish) }
            entry.members = try Self.members(member.value["members"])
            types[member.key] = entry
        }
        for group in root["requests"]?.object ?? [] {
            for member in group.value.object ?? [] {
                let entry = RequestEntry(
                    name: try Self.typeName(member.value["name"] ?? member.value),
                    members: try Self.members(member.value["members"]),
                )
                requests[group.key, default: [:]][member.key] = entry
            }
        }
        for member in root["failures"]?.object ?? [] { failures[member.key] = try Self.typeName(member.value) }
        for group in root["others"]?.object ?? [] {
            for member in group.value.object ?? [] {
                others[group.key, default: [:]][member.key] = try Self.name(member.value)
            }
        }
    }

    private static func name(_ value: DocumentNode) throws(Invalid) -> String {
        guard let text = value.string, SwiftName.isName(text), !SwiftName.impossible.contains(text) else {
            throw Invalid(
                position: value.position,
                message: "\((value.string ?? value.kindName).quoted) is not a name",
            )
        }
        return text
    }

    /// The name of a type, which is written without backticks.
    private static func typeName(_ value: DocumentNode) throws(Invalid) -> String {
        let text = try name(value)
        guard !SwiftName.keywords.contains(text) else {
            throw Invalid(position: value.position, message: "\(text.quoted) is not a name of a type")
        }
        return text
    }

    /// Reads an array of texts whose names are the usual ones, and of pairs of a text and its name.
    private static func members(_ value: DocumentNode?) throws(Invalid) -> [String: String] {
        var names: [String: String] = [:]
        for element in value?.array ?? [] {
            if let text = element.string {
                names[text] = SwiftName.member(text)
            } else if let pair = element.array, pair.count == 2, let text = pair[0].string {
                names[text] = try name(pair[1])
            } else {
                let message = "a member is neither a text nor a pair of texts"
                throw Invalid(position: element.position, message: message)
            }
        }
        return names
    }

    /// The content of the file: sorted, with one line for each type and each request.
    var text: String {
        var sections: [String] = []
        if let apiName { sections.append("  \"api\": \(Self.json(apiName))") }
        sections += Self.section("types", types) { entry in
            let wish = entry.wish.map { ", \"wish\": " + Self.json($0) } ?? ""
            return "{\"name\": \(Self.json(entry.name))\(wish)\(Self.list(entry.members))}"
        }
        let groups = requests.sorted { $0.key < $1.key }.map { namespace, entries in
            let lines = entries.sorted { $0.key < $1.key }.map { id, entry in
                "      \(Self.json(id)): {\"name\": \(Self.json(entry.name))\(Self.list(entry.members))}"
            }
            return "    \(Self.json(namespace)): {\n\(lines.joined(separator: ",\n"))\n    }"
        }
        if !groups.isEmpty { sections.append("  \"requests\": {\n\(groups.joined(separator: ",\n"))\n  }") }
        sections += Self.section("failures", failures) { Self.json($0) }
        sections += Self.section("others", others) { names in
            let pairs = names.sorted { $0.key < $1.key }.map { "\(Self.json($0.key)): \(Self.json($0.value))" }
            return "{\(pairs.joined(separator: ", "))}"
        }
        return "{\n\(sections.joined(separator: ",\n"))\n}\n"
    }

    private static func section<Value>(
        _ name: String,
        _ entries: [String: Value],
        _ text: (Value) -> String,
    ) -> [String] {
        guard !entries.isEmpty else { return [] }
        let lines = entries.sorted { $0.key < $1.key }.map { "    \(json($0.key)): \(text($0.value))" }
        return ["  \"\(name)\": {\n\(lines.joined(separator: ",\n"))\n  }"]
    }

    private static func list(_ members: [String: String]) -> String {
        guard !members.isEmpty else { return "" }
        let elements = members.sorted { $0.key < $1.key }.map { text, name in
            SwiftName.member(text) == name ? json(text) : "[\(json(text)), \(json(name))]"
        }
        return ", \"members\": [\(elements.joined(separator: ", "))]"
    }

    private static func json(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.isInvisible: result += scalar.escapedInJSON
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
