#if YAML
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// Small documents that stand for very much: what is done for them is counted, and has a limit.
@Suite struct BombTests {
    private struct Made {
        var read: ReadingResult
        var result: Generator.Result
        /// The messages of limits that were exceeded.
        var exceeded: [Diagnostic]
        var text: String { result.files.map(\.text).joined(separator: "\n") }
    }

    private static let limits = [
        "references and combinations would make more than", "the schemas refer to each other in too many ways",
        "the parts of 'allOf' are too much work", "choices that all apply have more than",
        "references and aliases make",
    ]

    private func make(_ text: String, files: [String: String] = [:]) throws -> Made {
        let read = HikyakuOpenAPITests.read(text, files: files)
        let result = Generator().generate(try #require(read.document))
        let exceeded = (read.diagnostics + result.diagnostics).filter { diagnostic in
            Self.limits.contains { diagnostic.message.hasPrefix($0) }
        }
        return Made(read: read, result: result, exceeded: exceeded)
    }

    private func make(schemas: [String], more: String = "") throws -> Made {
        let indented = schemas.map { "    " + $0 }.joined(separator: "\n")
        return try make(Self.head + "\(more)\ncomponents:\n  schemas:\n\(indented)\n")
    }

    private func ref(_ index: Int) -> String { "{$ref: '#/components/schemas/S\(max(0, index))'}" }

    private static let head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"
    private static let leaf = "S0: {type: object, properties: {x: {type: string}}}"

    /// What is bounded for any document of ten kilobytes.
    private func expectBounded(_ made: Made, _ comment: Testing.Comment) {
        let most = Work(bytes: BombDocument.bytesMax)
        #expect(made.result.work.merges <= most.merges, comment)
        #expect(made.result.work.steps <= most.steps, comment)
        #expect(made.result.work.members <= most.members, comment)
        #expect(made.result.work.refusals < 20_000, comment)
        #expect(made.result.counts.types <= most.members, comment)
        #expect(made.result.counts.lines < 60_000, comment)
        #expect(made.read.diagnostics.count + made.result.diagnostics.count < 3_000, comment)
        // Each limit is diagnosed once, as a warning with its place.
        let messages = made.exceeded.map { $0.message.split(separator: " (here").first ?? "" }
        #expect(Set(messages).count == messages.count, comment)
        #expect(made.exceeded.allSatisfy { $0.severity == .warning && $0.line > 0 }, comment)
    }

    @Test func randomDocumentsAreBounded() throws {
        let seed = testSeed()
        print("seed of the bombs: \(seed)")
        var generator = SeededGenerator(seed: seed)
        for number in 0..<40 {
            let shape = BombDocument.random(using: &generator)
            var files = shape.documents(using: &generator)
            let text = files.removeValue(forKey: "api.yaml") ?? ""
            let size = files.values.reduce(text.utf8.count) { $0 + $1.utf8.count }
            #expect(size <= BombDocument.bytesMax)
            expectBounded(try make(text, files: files), "seed \(seed), document \(number): \(shape)")
        }
    }

    /// `../shared/cases/53-union-bomb`: time and memory doubled with each level.
    @Test(arguments: [6, 8, 30]) func choicesOfTwoChoicesAreBounded(depth: Int) throws {
        let made = try make(
            schemas: [Self.leaf]
                + (1...depth).map {
                    let own = "{type: object, required: [a\($0)], properties: {a\($0): {type: string}}}"
                    return "S\($0): {oneOf: [\(ref($0 - 1)), \(own)], anyOf: [\(ref($0 - 1)), {type: string}]}"
                }
        )
        expectBounded(made, "depth \(depth)")
        #expect(made.exceeded.count == 1)
        #expect(made.exceeded.first?.action == "it is generated as JSONValue")
        #expect(made.text.contains("JSONValue"))
        #expect(made.result.counts.types < 1_000)
    }

    @Test func aChoiceThatIsInheritedTwiceAppliesOnce() throws {
        let made = try make(
            schemas: [
                "S0: {oneOf: [{title: A, properties: {a: {type: string}}}, {title: B, properties: {b: {type: string}}}]}",
                "S1: {allOf: [\(ref(0)), \(ref(0))], properties: {c: {type: string}}}",
            ]
        )
        #expect(made.exceeded.isEmpty)
        let merged = try #require(made.read.document).merged(try #require(made.read.document).schema("S1"))
        #expect(merged.oneOf.count == 2)
        #expect(merged.allOf.isEmpty)
    }

    @Test func choicesOfPartsDoNotDouble() throws {
        let made = try make(
            schemas: [Self.leaf]
                + (1...36).map { index in
                    let choice = "{oneOf: [{title: A\(index), properties: {a\(index): {}}}, {title: B\(index)}]}"
                    return "S\(index): {allOf: [\(ref(index - 1)), \(ref(index - 1)), \(choice)]}"
                }
        )
        expectBounded(made, "chain of parts")
        let document = try #require(made.read.document)
        #expect(document.merged(try document.schema("S36")).allOf.count < 36)
    }

    /// A member that two parts have is both: where it is in itself again, it is the same type.
    @Test func aMemberThatContainsItselfIsOneType() throws {
        let made = try make(
            schemas: [
                "S0: {type: object, properties: {child: \(ref(0)), a: {type: string}}}",
                "S1: {allOf: [\(ref(0)), {properties: {child: \(ref(1)), b: {type: string}}}]}",
            ]
        )
        #expect(made.exceeded.isEmpty)
        #expect(made.result.counts.types < 6)
        #expect(!made.result.diagnostics.contains { $0.message.hasPrefix("types are nested more than") })
    }

    @Test func aListOfItselfHasAName() throws {
        let list = "{type: array, items: {allOf: [\(ref(1))], minItems: 1}}"
        let made = try make(schemas: [Self.leaf, "S1: \(list)", "S2: {oneOf: [\(list), {type: string}]}"])
        #expect(made.text.contains("case "))
    }

    @Test func aHeaderMayBeAChoiceOfItself() throws {
        let made = try make(
            schemas: [Self.leaf, "S1: {oneOf: [\(ref(1)), \(ref(1))]}"],
            more: "paths: {/a: {get: {responses: {'200': {headers: {A: {schema: \(ref(1))}}}}}}}",
        )
        #expect(made.result.counts.requests == 1)
    }

    @Test func longChainsOfChoicesAreBounded() throws {
        let schemas = (1...1_000).map { index in
            let own = "{type: object, required: [a\(index)], properties: {a\(index): {type: string}}}"
            return "S\(index): {oneOf: [\(ref(index - 1)), \(own)]}"
        }
        let made = try make(schemas: [Self.leaf] + schemas)
        #expect(made.exceeded.isEmpty)
        #expect(made.result.work.steps < 200_000)
    }

    @Test func schemasThatAreNotTypesAreLookedUpOnce() throws {
        let made = try make(
            schemas: ["S0: {type: string}"]
                + (1...40).map { "S\($0): {patternProperties: {a: \(ref($0 - 1)), b: \(ref($0 - 1))}}" }
        )
        #expect(made.exceeded.isEmpty)
        #expect(made.result.work.steps < 2_000)
    }

    @Test func membersOfChoicesThatReferToEachOtherAreBounded() throws {
        let made = try make(
            schemas: (0..<40).map { index in
                let others = (1...4).map { ref((index + $0) % 40) }.joined(separator: ", ")
                return "S\(index): {anyOf: [\(others)], properties: {m\(index): \(ref((index + 7) % 40))}}"
            }
        )
        expectBounded(made, "choices in a circle")
    }

    @Test func pathsThatShareTheirParametersAreBounded() throws {
        let parameters = (0..<40).map { "{name: p\($0), in: query, schema: {type: string}}" }.joined(separator: ", ")
        let methods = ["get", "put", "post", "delete", "patch"].map { "\($0): {responses: {}}" }.joined(separator: ", ")
        let others = (0..<250).map { "  /b\($0): {$ref: '#/paths/~1a'}\n" }.joined()
        let paths = "paths:\n  /a: {parameters: [\(parameters)], \(methods)}\n\(others)"
        let made = try make(Self.head + paths)
        expectBounded(made, "shared parameters")
        #expect(made.exceeded.map(\.action) == ["further operations are left out"])
        #expect(made.result.counts.parameters < 6_000)
        #expect(made.result.counts.requests > 50)
    }

    @Test func callbacksOfCallbacksAreBounded() throws {
        let callbacks = (0..<30).map { "c\($0): {/x: {$ref: '#/paths/~1a'}}" }.joined(separator: ", ")
        let methods = ["get", "put", "post", "delete", "patch"].map { "\($0): {callbacks: {\(callbacks)}}" }
        let paths = "paths:\n  /a: {\(methods.joined(separator: ", "))}\n"
        let made = try make(Self.head + paths)
        expectBounded(made, "callbacks")
        #expect(made.exceeded.map(\.action) == ["further operations are left out"])
    }

    @Test func placesOfPagesAreBounded() {
        func object(_ inner: String) -> TypePlan.Kind {
            let keys = (0..<60).map { "meta" + String(repeating: "-", count: $0) }
            let properties = keys.enumerated().map { PropertyPlan(name: "meta\($0)", key: $1, type: .model(inner)) }
            return .object(properties, others: nil)
        }
        let plans = (0..<5).map { TypePlan(id: "\($0)", name: "T\($0)", kind: object("\($0 + 1)")) }
        let places = ResponsePlaces(plans).all(in: .model("0"))
        #expect(places.count <= 2_000)
        #expect(places.first?.path == "meta0")
    }

    /// Each action makes four values of each; the actions of all overlays have a limit together.
    @Test func overlaysThatGrowTheDocumentAreBounded() throws {
        let action = "  - {target: '$.x..*', update: {a: {}, b: {}, c: {}}}\n"
        let overlay = "overlay: 1.0.0\nactions:\n" + String(repeating: action, count: 30)
        let findings = Findings(countMax: 100)
        var root = try #require(readTree("openapi: 3.1.0\nx: {y: {}}").node)
        let most = Work(bytes: 10_240).overlaid
        var budget = Budget(most)
        Overlay(findings: findings).apply(try #require(readTree(overlay).node), to: &root, &budget)
        #expect(root.size < most)
        #expect(findings.diagnostics.map(\.code).contains(.limitExceeded))
    }

    @Test func aServerIsNotLongerThanAURL() throws {
        let variables = "variables: {a: {default: \(String(repeating: "b", count: 3_000))}}"
        let url = "https://" + String(repeating: "{a}", count: 1_000)
        let made = try make(Self.head + "servers: [{url: '\(url)', \(variables)}]\npaths: {}\n")
        #expect(made.result.diagnostics.map(\.code).contains(.invalidServer))
        #expect(made.text.utf8.count < 20_000)
    }

    @Test func aliasesMakeNoMoreSchemasThanAllowed() throws {
        var text = Self.head + "components:\n  schemas:\n    S0: &s0 {type: string}\n"
        for index in 0..<30 {
            text += "    S\(index + 1): &s\(index + 1) {properties: {a: *s\(index), b: *s\(index), c: *s\(index)}}\n"
        }
        expectBounded(try make(text), "aliases")
    }
}
#endif
