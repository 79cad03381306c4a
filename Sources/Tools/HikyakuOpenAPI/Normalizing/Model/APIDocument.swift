/// A description of an API, of any version of OpenAPI.
package struct APIDocument: Sendable {
    /// The versions of OpenAPI.
    package enum Version: String, Sendable, Comparable {
        case v2_0 = "2.0"
        case v3_0 = "3.0"
        case v3_1 = "3.1"
        case v3_2 = "3.2"

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    package var version: Version
    package var info: Info
    /// In the order of the document; those of 2.0 are made of `schemes`, `host` and `basePath`.
    package var servers: [Server]
    package var tags: [Tag]
    /// The operations of all paths, in the order of the document.
    package var operations: [APIOperation]
    package var webhooks: [Webhook]
    /// Components in the order of the document, and then all other schemas that something refers to, sorted by key.
    package private(set) var schemas: [NamedSchema]
    package var securitySchemes: [SecurityScheme]
    package var extensions: [DocumentMember]
    /// The paths of the files, by ``SourcePosition/file``.
    package var files: [String]
    /// How much may be made of it.
    package var workMax = Work.unlimited
    /// What was read, or not, without an effect on generated code.
    package var unused = Tally()
    /// The formats of schemas, each with its first place.
    package var formats: [(name: String, position: SourcePosition)] = []
    private var schemaIndexes: [SchemaKey: Int] = [:]

    package init(version: Version, info: Info) {
        self.version = version
        self.info = info
        (servers, tags, operations, webhooks) = ([], [], [], [])
        (schemas, securitySchemes, extensions, files) = ([], [], [], [])
    }

    /// The schema with a key.
    ///
    /// Each reference of a schema in the document has one.
    package subscript(key: SchemaKey) -> NamedSchema? {
        schemaIndexes[key].map { schemas[$0] }
    }

    package mutating func setSchemas(_ schemas: [NamedSchema]) {
        self.schemas = schemas
        schemaIndexes = Dictionary(schemas.indices.map { (schemas[$0].key, $0) }) { first, _ in first }
    }
}

extension APIDocument {
    /// Facts about the API.
    package struct Info: Sendable {
        package var title: String
        package var version: String
        package var summary: String?
        package var description: String?
        package var termsOfService: String?
        package var licenseName: String?
        package var extensions: [DocumentMember] = []

        package init(title: String, version: String) {
            self.title = title
            self.version = version
        }
    }
}

/// Where an API is.
package struct Server: Sendable {
    /// A part of a server's URL.
    package struct Variable: Sendable, Hashable {
        package var name: String
        package var defaultValue: String
        /// The allowed values; empty if any is.
        package var values: [String]
        package var description: String?
    }

    /// The URL, which may have variables in braces and be relative: `https://{region}.example.com/v1`.
    package var url: String
    /// The name (3.2).
    package var name: String?
    package var description: String?
    /// In the order of the URL; each variable of the URL has one.
    package var variables: [Variable]
    package var extensions: [DocumentMember]
    package var position: SourcePosition
}

/// A group of operations.
package struct Tag: Sendable {
    package var name: String
    package var summary: String?
    package var description: String?
    /// The name of the enclosing tag (3.2).
    package var parent: String?
    /// What the tag is for: `nav`, `badge`, `audience` (3.2).
    package var kind: String?
    /// Whether the document declares it in `tags`, and not only uses it.
    package var isDeclared: Bool
    package var extensions: [DocumentMember]
}

/// How much a document has, to be compared with what is generated from it.
///
/// Each piece that is written once counts once, however often it is referred to.
package struct DocumentCounts: Sendable, Hashable {
    package var operations = 0
    /// Parameters of operations, of paths, and of components; in 2.0 also bodies and the fields of forms.
    package var parameters = 0
    /// Entries of `properties`, in all schemas.
    package var properties = 0
    /// All schemas, named or not.
    package var schemas = 0
    /// Operations of webhooks and callbacks, which are not among ``operations``.
    package var payloadOperations = 0

    package init() {}
}
