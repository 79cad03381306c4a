/// Makes the model of a document from its tree.
///
/// It visits each piece of the document once: what operations share (parameters, responses, bodies) is kept by its
/// location. Schemas that references name are read one after another from a queue, so that they may refer to each
/// other.
final class Normalizer {
    let resolver: Resolver
    let findings: Findings
    var version = APIDocument.Version.v3_0
    var counts = DocumentCounts()

    // MARK: Schemas

    var named: [SchemaKey: NamedSchema] = [:]
    /// The keys of named schemas, in the order in which they were found.
    var order: [SchemaKey] = []
    var queue: [(key: SchemaKey, cursor: Cursor)] = []
    /// Components that only refer to a schema elsewhere, and that schema, which has their name then.
    var aliases: [SchemaKey: SchemaKey] = [:]
    var aliasNames: [SchemaKey: String] = [:]
    /// The locations of schemas that extend another one, and add nothing.
    var mereExtensions: Set<String> = []
    /// The nesting of what is being read, to end a recursion by references.
    var depth = 0
    /// The schemas and the parts of operations that were read, each as often as something leads to it.
    private var schemaCount = 0
    private var operationPartCount = 0

    // MARK: What operations share, by location

    var parameters: [String: Parameter?] = [:]
    var bodies: [String: RequestBody?] = [:]
    var responses: [String: APIResponseDescription?] = [:]
    /// The locations of responses, which in 2.0 are kept for each operation.
    var usedResponses: Set<String> = []
    var headers: [String: ResponseHeader?] = [:]
    var sharedSchemas: [String: Schema] = [:]
    var usedTags: [String] = []
    var operationIDs: [String: SourcePosition] = [:]
    /// What has no effect on generated code.
    var unused = Tally()
    /// The formats of schemas, each with its first place.
    var formats: [(name: String, position: SourcePosition)] = []
    var seenFormats: Set<String> = []

    // MARK: The document's own

    var consumes: [Cursor] = []
    var produces: [Cursor] = []
    var security: [SecurityAlternative] = []
    var securitySchemes: [SecurityScheme] = []
    var root: Cursor

    init(root: Cursor, resolver: Resolver, findings: Findings) {
        self.root = root
        self.resolver = resolver
        self.findings = findings
    }

    func document() -> APIDocument? {
        guard root.node.object != nil else {
            findings.add(
                .error,
                .unexpectedType,
                at: root.position,
                "the document is \(root.node.kindName), not an object",
                action: "it is left out",
            )
            return nil
        }
        version = readVersion()
        var document = APIDocument(version: version, info: info(root["info"]))
        document.servers = version == .v2_0 ? serversOfSwagger() : servers(root["servers"])
        securitySchemes = readSecuritySchemes()
        document.securitySchemes = securitySchemes
        security = root["security"].map { alternatives($0) } ?? []
        (consumes, produces) = (list(root["consumes"]), list(root["produces"]))
        registerComponents()
        document.operations = operations(ofPaths: root["paths"])
        document.webhooks = webhooks()
        document.tags = tags(root["tags"])
        document.extensions = extensions(of: root)
        readQueue()
        markSubtypes()
        document.setSchemas(namedSchemas())
        document.workMax = resolver.workMax
        reportUnusedComponents()
        reportConflicts(in: document)
        reportIgnored(in: root, known: Self.rootMembers)
        (document.unused, document.formats) = (unused, formats)
        return document
    }

    private static let rootMembers: Set<String> = [
        "openapi", "swagger", "info", "servers", "host", "basePath", "schemes", "consumes", "produces", "paths",
        "webhooks", "components", "definitions", "parameters", "responses", "securityDefinitions", "security", "tags",
        "externalDocs", "jsonSchemaDialect", "$self",
    ]

    /// Counts a schema that is read; `false` if there are too many.
    func countSchema(_ cursor: Cursor) -> Bool {
        schemaCount += 1
        let limit = resolver.workMax.schemas
        if schemaCount == limit + 1 {
            let message = "references and aliases make more than \(limit) schemas of the document"
            findings.warn(.limitExceeded, at: cursor.position, message, action: "further ones are any value")
        }
        return schemaCount <= limit
    }

    /// Counts what operations have; `false` if it is too much.
    func countOperationParts(_ count: Int, at position: SourcePosition) -> Bool {
        let limit = resolver.workMax.operationParts
        guard operationPartCount <= limit else { return false }
        operationPartCount += count
        guard operationPartCount > limit else { return true }
        let message = "references and aliases make operations of more than \(limit) parameters, responses and the like"
        findings.warn(.limitExceeded, at: position, message, action: "further operations are left out")
        return false
    }

    /// Calls a closure at a greater depth, or diagnoses that there is none.
    func nested<Value>(_ cursor: Cursor, _ fallback: @autoclosure () -> Value, _ body: () -> Value) -> Value {
        guard depth < 200 else {
            findings.warn(
                .limitExceeded,
                at: cursor.position,
                "too many values are nested, or they contain themselves",
                action: "it is read as any value",
            )
            return fallback()
        }
        depth += 1
        defer { depth -= 1 }
        return body()
    }
}
