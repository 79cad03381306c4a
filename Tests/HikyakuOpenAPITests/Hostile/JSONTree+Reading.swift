import TestSupport

@testable import HikyakuOpenAPI

extension JSONTree {
    init(_ node: DocumentNode) {
        self =
            switch node.content {
            case .null: .other("null")
            case .bool(let value): .other(value ? "true" : "false")
            case .number(let text): .other(text)
            case .string(let text): .string(text)
            case .array(let elements): .array(elements.map { JSONTree($0) })
            case .object(let members): .object(members.map { Member(key: $0.key, value: JSONTree($0.value)) })
            }
    }

    /// Reads a tree of YAML or JSON.
    init(yaml text: String) throws {
        let findings = Findings(countMax: 10)
        let reader = DocumentReader(limits: ReadingLimits(), findings: findings)
        guard let node = reader.read(Array(text.utf8), file: 0, path: "api.yaml") else { throw NoDocument() }
        self.init(node)
    }

    private struct NoDocument: Error {}
}

extension CodeCheck {
    init(_ files: [GeneratedFile]) { self.init(Self.files(files)) }

    /// Checks one text that was inferred.
    init(_ text: String) { self.init(Self.files(text)) }

    static func files(_ files: [GeneratedFile]) -> [File] { files.map { ($0.path, $0.text) } }

    /// One text that was inferred.
    static func files(_ text: String) -> [File] { [("Inferred.swift", text)] }
}

/// Reads a document in JSON, with further files by their paths.
func read(json: [UInt8], files: [String: [UInt8]] = [:], overlays: [String] = []) -> ReadingResult {
    struct NoSuchFile: Error {}
    var options = ReadingOptions()
    options.overlays = overlays
    options.loader = { path in
        if path == "api.json" { return json }
        guard let file = files[path] else { throw NoSuchFile() }
        return file
    }
    return APIDocument.read(path: "api.json", options: options)
}
