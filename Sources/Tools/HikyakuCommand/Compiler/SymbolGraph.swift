import Foundation

/// The declarations of a module with their comments, locations and conformances, as the compiler writes them for
/// documentation.
struct SymbolGraph: Equatable, Sendable {
    let module: String
    let symbols: [Symbol]
    let relationships: [Relationship]

    struct Symbol: Equatable, Sendable {
        /// The unique identifier: `s:` and the mangled name for a Swift symbol.
        let identifier: String
        /// The kind of symbol, such as `swift.struct`.
        let kind: String
        /// The names from the outermost type to the symbol itself.
        let path: [String]
        /// The lines of the comment, without the slashes.
        let documentation: [String]
        /// The location of its name; `nil` for a symbol without a source file.
        let location: Location?
        /// The module of the extended type, if the symbol is in an extension.
        let extendedModule: String?
        /// Whether it is in a conditional extension.
        let isConstrained: Bool
        /// The declaration as it is written, with types in full; empty if the compiler wrote none.
        var declaration = ""
        /// The identifier of the type, or the other alias, that an alias is a plain name for.
        var alias: String?
    }

    struct Location: Equatable, Sendable {
        let file: String
        /// Counted from 1.
        let line: Int
    }

    struct Relationship: Equatable, Sendable, Decodable {
        let kind: String
        let source: String
        let target: String
    }
}

extension SymbolGraph {
    /// Reads a symbol graph that the compiler wrote.
    init(from data: Data) throws {
        self = try JSONDecoder().decode(SymbolGraph.self, from: data)
    }
}

extension SymbolGraph: Decodable {
    private enum Key: String, CodingKey {
        case module, symbols, relationships, name
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        module = try container.nestedContainer(keyedBy: Key.self, forKey: .module).decode(String.self, forKey: .name)
        symbols = try container.decode([Symbol].self, forKey: .symbols)
        relationships = try container.decode([Relationship].self, forKey: .relationships)
    }
}

extension SymbolGraph.Symbol: Decodable {
    private struct Kind: Decodable { let identifier: String }
    private struct Identifier: Decodable { let precise: String }
    private struct Fragment: Decodable {
        let spelling: String
        let preciseIdentifier: String?
    }
    private struct Comment: Decodable {
        struct Line: Decodable { let text: String }
        let lines: [Line]
    }
    private struct SourceLocation: Decodable {
        struct Position: Decodable { let line: Int }
        let uri: String
        let position: Position
    }
    private struct Extension: Decodable {
        struct Constraint: Decodable {}
        let extendedModule: String
        let constraints: [Constraint]?
    }

    private enum CodingKeys: String, CodingKey {
        case kind, identifier, pathComponents, docComment, location, swiftExtension, declarationFragments
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.decode(Kind.self, forKey: .kind).identifier
        identifier = try container.decode(Identifier.self, forKey: .identifier).precise
        path = try container.decode([String].self, forKey: .pathComponents)
        let comment = try container.decodeIfPresent(Comment.self, forKey: .docComment)
        documentation = comment?.lines.map(\.text) ?? []
        let source = try container.decodeIfPresent(SourceLocation.self, forKey: .location)
        location = source.flatMap { source in
            URL(string: source.uri).map {
                // The compiler counts lines from 0 here.
                SymbolGraph.Location(file: $0.path(percentEncoded: false), line: source.position.line + 1)
            }
        }
        let ownExtension = try container.decodeIfPresent(Extension.self, forKey: .swiftExtension)
        extendedModule = ownExtension?.extendedModule
        isConstrained = !(ownExtension?.constraints ?? []).isEmpty
        let fragments = try container.decodeIfPresent([Fragment].self, forKey: .declarationFragments) ?? []
        declaration = fragments.map(\.spelling).joined()
        alias = kind == "swift.typealias" ? Self.alias(fragments, declaration) : nil
    }

    /// The type's name is the last fragment: `[Item]` ends with a bracket, `Item?` with a question mark.
    private static func alias(_ fragments: [Fragment], _ declaration: String) -> String? {
        guard let start = declaration.firstRange(of: " = ")?.upperBound,
            declaration[start...].allSatisfy({ $0.isPartOfName || $0 == "." })
        else { return nil }
        return fragments.last?.preciseIdentifier
    }
}
