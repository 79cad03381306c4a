import HikyakuOpenAPI
import Testing

@testable import HikyakuGenerate

@Suite struct GenerateSummaryTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Shop, version: '1', license: {name: MIT}}
        servers: [{url: 'https://shop.example.com'}]
        x-one: 1
        paths:
          /dishes: {get: {operationId: listDishes, tags: [dishes], responses: {'200': {description: ok, content: \
        {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Dish'}}}}}}}}
        components: {schemas: {Dish: {type: object, properties: {price: {type: string, example: a, x-two: 2}, \
        name: {type: string, example: b, minLength: 1}}}}}
        """

    private func summary(_ words: String..., changes: (inout OutputFolder.Changes) -> Void = { _ in }) throws -> String
    {
        var reading = ReadingOptions()
        reading.loader = { _ in Array(Self.document.utf8) }
        let read = APIDocument.read(path: "api.yaml", options: reading)
        let result = Generator().generate(try #require(read.document))
        var all = OutputFolder.Changes()
        changes(&all)
        let words = try GenerateOptions.words(["api.yaml", "--output", "API"] + words, of: "generate")
        let options = try GenerateOptions(words, config: nil, command: "generate")
        return GenerateSummary(read: read, result: result, changes: all, options: options).text
    }

    @Test func countsWhatWasReadAndGenerated() throws {
        let text = try summary()
        #expect(text.hasPrefix("Shop, from api.yaml\n"))
        #expect(text.contains("  operations         1           1  requests\n"))
        #expect(text.contains("  properties         2           2  properties of types\n"))
        #expect(text.hasSuffix("lines in API, all up to date.\n"))
    }

    @Test func groupsNotesByKindTheMostCommonFirst() throws {
        let lines = try summary().split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex { $0.hasPrefix("What has no code of its own") })
        #expect(
            Array(lines[(start + 1)...].prefix(4)) == [
                "      2  the extension 'x-one'; it is ignored",
                "      2  a schema has an example; it is left out",
                "      1  'info' has 'license'; it is left out",
                "      1  a schema limits values by 'minLength'; values are checked by the service",
            ]
        )
    }

    @Test func aVerboseOneHasEachNoteInstead() throws {
        let text = try summary("--verbose")
        #expect(text.contains("api.yaml:4:1: note: the extension 'x-one'; it is ignored"))
        #expect(!text.contains("What has no code"))
    }

    @Test func saysWhatIsNextAfterTheFirstRun() throws {
        let first = try summary { $0.added = ["Shop.swift", "Shop+Models.swift", "Requests/Dishes+Requests.swift"] }
        #expect(first.contains(" in API: 3 new.\n"))
        #expect(first.hasSuffix("    try await APIClient().send(DishesAPI.ListDishes(…))\n"))
        #expect(try !summary { $0.changed = ["Shop.swift"] }.contains("Next"))
    }

    @Test func aDryRunListsWhatWouldChange() throws {
        let text = try summary("--dry-run") { changes in
            (changes.added, changes.removed) = (["A.swift"], ["B.swift"])
        }
        #expect(text.contains(" in API: 1 new, 1 removed (nothing was written).\n"))
        #expect(text.hasSuffix("\n  new      A.swift\n  removed  B.swift\n"))
    }

    @Test func numbersHaveCommas() {
        #expect(
            [0, 12, 999, 1_000, 45_706, 1_234_567].map { Count.text(of: $0) } == [
                "0", "12", "999", "1,000", "45,706", "1,234,567",
            ]
        )
        #expect(Count.text(of: 1, "file") == "1 file")
        #expect(Count.text(of: 2, "entry", "entries") == "2 entries")
    }
}
