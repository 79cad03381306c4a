#if YAML
import Foundation
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// Nothing that a document says becomes code, wherever it says it.
///
/// Each text and each key of three documents, which have all keywords that are read, is replaced by texts that try to
/// end a comment or a literal. `HIKYAKU_EVERY_PLACE=all` tries all of them; otherwise a seed chooses some.
@Suite(.timeLimit(.minutes(60)))
struct EveryPlaceTests {
    static let documents = ["places-2.0.yaml", "places-3.1.yaml", "places-3.2.yaml"]

    @Test(arguments: documents)
    func noTextBecomesCode(document: String) async throws {
        let tree = try Self.tree(document)
        let search = PlaceSearch(document, in: tree, sample: 30)
        let shapes = Self.shapes(of: tree, for: search.tries)
        let found = await search.findings { changed, attempt in
            guard let document = read(json: changed.json).document else { return [] }
            // Each way of writing is tried with each kind of place.
            let number = attempt.number % Self.options.count
            var result = Generator(options: Self.options[number]).generate(document)
            var faults = CodeCheck(result.files).faults
            if attempt.place.isDescription, CodeCheck.shape(of: result.files) != shapes[number] {
                faults.append("other tokens than without it")
            }
            if attempt.isRenamed, attempt.place.isComponent, !attempt.text.isEmpty {
                let other = Self.tokenCounts(of: tree, with: attempt.place, Self.options[number])
                if CodeCheck.tokenCounts(of: result.files) != other {
                    faults.append("other tokens than by a plain name")
                }
            }
            if attempt.number % 7 == 0 {
                result.merge(to: 3, name: "Merged")
                faults += CodeCheck(result.files).faults
            }
            return faults
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    /// Each access, with models in a module of their own and without.
    private static let options: [GeneratorOptions] = GeneratorOptions.Access.allCases.flatMap { access in
        [nil, "SharedModels"].map { module in
            var options = GeneratorOptions()
            options.access = access
            options.modelsModule = module
            options.baseURL = "https://base.example"
            return options
        }
    }

    /// The tokens of the unchanged document, for the ways of writing that are compared with them.
    private static func shapes(of tree: JSONTree, for tries: [PlaceSearch.Try]) -> [Int: [String]] {
        let numbers = Set(tries.filter(\.place.isDescription).map { $0.number % options.count })
        guard let document = read(json: tree.json).document else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: numbers.map { number in
                (number, CodeCheck.shape(of: Generator(options: options[number]).generate(document).files))
            }
        )
    }

    /// The tokens of the document with a harmless name.
    private static func tokenCounts(of tree: JSONTree, with place: Place, _ options: GeneratorOptions) -> [String: Int]
    {
        let text = place.text + " harmless name"
        let changed = tree.replacing(place, with: text).renaming(place.text, to: text)
        guard let document = read(json: changed.json).document else { return [:] }
        return CodeCheck.tokenCounts(of: Generator(options: options).generate(document).files)
    }

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
