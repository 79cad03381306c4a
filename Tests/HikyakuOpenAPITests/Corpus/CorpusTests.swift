#if YAML
import Foundation
import Testing

@testable import HikyakuOpenAPI

/// The documents of others beside the checkout, where they are there.
struct CorpusDocument: Sendable, CustomTestStringConvertible {
    let path: String
    var operations = 0
    var namedSchemas = 0
    var testDescription: String { path }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../shared/openapi").standardizedFileURL

    static var isThere: Bool { FileManager.default.fileExists(atPath: folder.path) }

    /// What the README of the documents says of them.
    static let documents = [
        CorpusDocument(path: "petstore-2.0.yaml", operations: 3, namedSchemas: 3),
        CorpusDocument(path: "petstore-3.0.yaml", operations: 19, namedSchemas: 6),
        CorpusDocument(path: "netlify.yaml", operations: 174, namedSchemas: 100),
        CorpusDocument(path: "spotify.yaml", operations: 96, namedSchemas: 87),
        CorpusDocument(path: "figma.yaml", operations: 47, namedSchemas: 223),
        CorpusDocument(path: "github.json", operations: 761, namedSchemas: 288),
        CorpusDocument(path: "openai.yaml", operations: 288, namedSchemas: 1422),
        CorpusDocument(path: "twilio.json", operations: 197, namedSchemas: 148),
        CorpusDocument(path: "digitalocean/DigitalOcean-public.v2.yaml", operations: 659, namedSchemas: 0),
    ]

    static var examples: [CorpusDocument] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/examples")
        return (names ?? []).sorted().map { CorpusDocument(path: "examples/" + $0) }
    }

    func read() -> ReadingResult { APIDocument.read(path: Self.folder.path + "/" + path) }
}

@Suite(
    "Documents of others",
    .enabled(if: CorpusDocument.isThere, "needs ../shared/openapi, the documents of others"),
)
struct CorpusTests {
    @Test(arguments: CorpusDocument.documents)
    func readsDocuments(of corpus: CorpusDocument) throws {
        let result = corpus.read()
        let document = try #require(result.document)
        #expect(document.operations.count == corpus.operations)
        #expect(document.schemas.filter { $0.key.text.hasPrefix("#/") && $0.isComponent }.count == corpus.namedSchemas)
        #expect(result.diagnostics.filter { $0.severity > .note } == [])
        checkReferences(in: document)
    }

    @Test(arguments: CorpusDocument.examples)
    func readsExamples(of corpus: CorpusDocument) throws {
        let result = corpus.read()
        #expect(result.document != nil)
        #expect(result.diagnostics.filter { $0.severity > .note } == [])
    }

    /// Each reference must lead to a schema, and merging must come to an end.
    private func checkReferences(in document: APIDocument) {
        var dangling: Set<SchemaKey> = []
        for named in document.schemas {
            visit(named.schema) { schema in
                if let key = schema.reference, document[key] == nil { dangling.insert(key) }
                let mapped = schema.discriminator?.mapping.map(\.key) ?? []
                dangling.formUnion(mapped.filter { document[$0] == nil })
                _ = document.merged(schema)
            }
        }
        #expect(dangling == [])
        #expect(Set(document.schemas.map(\.key)).count == document.schemas.count)
    }

    private func visit(_ schema: Schema, _ body: (Schema) -> Void) {
        body(schema)
        for property in schema.properties { visit(property.schema, body) }
        for part in schema.allOf + schema.oneOf + schema.anyOf + schema.prefixItems { visit(part, body) }
        if let items = schema.items { visit(items, body) }
        if case .schema(let values) = schema.additionalProperties { visit(values, body) }
    }

    @Test func countsWhatTheFilesHave() throws {
        let github = CorpusDocument(path: "github.json").read().counts
        #expect(github.properties == 4870)
        let twilio = CorpusDocument(path: "twilio.json").read().counts
        #expect(twilio.properties == 2384 && twilio.schemas == 4228)
    }

    @Test func readsFilesOfOthersByReferences() throws {
        let document = try #require(CorpusDocument(path: "digitalocean/DigitalOcean-public.v2.yaml").read().document)
        #expect(document.files.count > 1000)
        let key = SchemaKey("resources/droplets/models/droplet.yml#")
        #expect(document[key]?.name == "droplet")
        #expect(document[key]?.outerNames == ["models", "droplets", "resources"])
    }
}
#endif
