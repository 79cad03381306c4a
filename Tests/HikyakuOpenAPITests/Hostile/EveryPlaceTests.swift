#if YAML
import Foundation
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// Nothing that a document says becomes code, wherever it says it.
///
/// Each text and each key of three documents, which have all keywords that are read, is replaced by texts that try to
/// end a comment or a literal. With full effort all of them are tried; otherwise a seed chooses some.
@Suite(.timeLimit(.minutes(Effort.isFull ? 300 : 60)))
struct EveryPlaceTests {
    static let documents = ["places-2.0.yaml", "places-3.1.yaml", "places-3.2.yaml"]

    @Test(arguments: documents)
    func noTextBecomesCode(document: String) async throws {
        let search = PlaceSearch(document, in: try Self.tree(document), sample: 12)
        // Each way of writing is tried with each kind of place.
        let ways = Self.ways
        let found = await search.findingsInCode(ways: ways.count) { changed, attempt in
            guard let document = read(json: changed.json).document else { return [] }
            let (options, isMerged) = ways[attempt.number % ways.count]
            var result = Generator(options: options).generate(document)
            // Which of several files needs an import depends on names and lengths.
            if isMerged { result.merge(to: 1, name: "Merged") }
            return CodeCheck.files(result.files)
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    /// Each access, with models in a module of their own and without, and files that are merged.
    private static let ways: [(options: GeneratorOptions, isMerged: Bool)] = {
        let all = GeneratorOptions.Access.allCases.flatMap { access in
            [nil, "SharedModels"].map { module in
                var options = GeneratorOptions()
                options.access = access
                options.modelsModule = module
                options.baseURL = "https://base.example"
                return options
            }
        }
        return all.map { ($0, false) } + all.suffix(2).map { ($0, true) }
    }()

    static func tree(_ document: String) throws -> JSONTree {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Documents")
        return try JSONTree(yaml: String(contentsOf: folder.appending(path: document), encoding: .utf8))
    }

    /// The documents are read without an error, and generate what the tests change.
    @Test(arguments: documents)
    func documentsAreSound(document: String) throws {
        let result = read(json: try Self.tree(document).json)
        #expect(result.diagnostics.filter { $0.severity == .error } == [])
        let files = Generator().generate(try #require(result.document)).files
        #expect(CodeCheck(files).faults == [])
    }

    /// A member that is read at any place of the three versions is in one of the documents.
    @Test func documentsHaveAllKeywordsOfSchemas() throws {
        let keys = Set(try Self.documents.flatMap { try Self.tree($0).places().filter(\.isKey).map(\.text) })
        let without: Set<Keyword> = [
            // Without effect, or said in another way.
            .not, .if, .then, .else, .dependentSchemas, .dependentRequired, .dependencies, .contains, .minContains,
            .maxContains, .vocabulary, .schema, .dynamicAnchor, .dynamicReference, .oldID, .unevaluatedProperties,
            .unevaluatedItems, .additionalItems, .nullable, .exclusiveMinimum, .exclusiveMaximum, .maximum,
            .minLength, .minItems, .maxItems, .uniqueItems, .minProperties, .maxProperties,
        ]
        let missing = Keyword.allCases.filter { !without.contains($0) && !keys.contains($0.rawValue) }
        #expect(missing == [])
    }
}
#endif
