import Testing

@testable import HikyakuOpenAPI

/// Reads a document from a text, with further files by their paths.
func read(
    _ text: String,
    files: [String: String] = [:],
    overlays: [String] = [],
    limits: ReadingLimits = ReadingLimits(),
    urls: [String: String]? = nil,
) -> ReadingResult {
    struct NoSuchFile: Error {}
    var options = ReadingOptions()
    options.overlays = overlays
    options.limits = limits
    options.loader = { path in
        if path == "api.yaml" { return Array(text.utf8) }
        guard let file = files[path] else { throw NoSuchFile() }
        return Array(file.utf8)
    }
    if let urls {
        options.urlLoader = { url in
            guard let text = urls[url] else { throw NoSuchFile() }
            return Array(text.utf8)
        }
    }
    return APIDocument.read(path: "api.yaml", options: options)
}

/// Reads the schemas of a document of 3.1 that has nothing else.
///
/// They are in YAML by their names, without indentation.
func readSchemas(_ schemas: String, version: String = "3.1.0") throws -> (document: APIDocument, result: ReadingResult)
{
    let indented = schemas.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    let text = """
        openapi: \(version)
        info: {title: Test, version: '1'}
        paths: {}
        components:
          schemas:

        """
    let result = read(text + indented.joined(separator: "\n"))
    return (try #require(result.document), result)
}

extension APIDocument {
    /// The schema of a component.
    func schema(_ name: String) throws -> Schema {
        try #require(self[SchemaKey("#/components/schemas/" + name)]).schema
    }

    func operation(_ method: String, _ path: String) throws -> APIOperation {
        try #require(operations.first { $0.method == method && $0.path.text == path })
    }
}

extension Schema {
    func property(_ name: String) throws -> Schema {
        try #require(properties.first { $0.name == name }).schema
    }
}

extension Schema.OpenContent {
    var short: String {
        switch self {
        case .unspecified: "unspecified"
        case .anything: "anything"
        case .nothing: "nothing"
        case .schema(let schema): schema.types.words
        }
    }
}

extension ReadingResult {
    /// The diagnostics in short: `warning danglingReference 3:5`.
    var summary: [String] {
        diagnostics.map { "\($0.severity) \($0.code) \($0.line):\($0.column)" }
    }

    func diagnostics(_ code: Diagnostic.Code) -> [Diagnostic] { diagnostics.filter { $0.code == code } }
}

extension DocumentNode {
    /// The value in short, for comparisons: `{a: 1, b: ["x", null]}`.
    var short: String {
        switch content {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "\"\(text)\""
        case .array(let elements): "[" + elements.map(\.short).joined(separator: ", ") + "]"
        case .object(let members): "{" + members.map { "\($0.key): \($0.value.short)" }.joined(separator: ", ") + "}"
        }
    }
}

/// Reads the tree of a file.
func readTree(
    _ text: String,
    path: String = "api.yaml",
    limits: ReadingLimits = ReadingLimits(),
) -> (node: DocumentNode?, diagnostics: [Diagnostic]) {
    readTree(Array(text.utf8), path: path, limits: limits)
}

func readTree(
    _ bytes: [UInt8],
    path: String = "api.yaml",
    limits: ReadingLimits = ReadingLimits(),
) -> (node: DocumentNode?, diagnostics: [Diagnostic]) {
    let findings = Findings(countMax: limits.diagnosticsMax)
    findings.files = [path]
    let node = DocumentReader(limits: limits, findings: findings).read(bytes, file: 0, path: path)
    return (node, findings.diagnostics)
}
