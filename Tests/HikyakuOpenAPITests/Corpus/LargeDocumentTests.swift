#if YAML
import Foundation
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// Documents that were made to take a long time.
@Suite struct LargeDocumentTests {
    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let time = try ContinuousClock().measure(body)
        return Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    }

    @Test func aLongChainOfReferencesIsNotFollowed() throws {
        let count = 3_000
        let schemas = (0..<count).map { "S\($0): {$ref: '#/components/schemas/S\($0 + 1)'}" }
        let (document, result) = try readSchemas((schemas + ["S\(count): {type: string}"]).joined(separator: "\n"))
        let found = result.diagnostics.filter { $0.code == .limitExceeded }
        #expect(found.count == count - 64)
        #expect(found.first?.message == "more than 64 references lead to each other")
        #expect(try document.schema("S\(count)").types == [.string])
    }

    /// What the fuzzer kept never traps here, either.
    @Test func inputsOfTheFuzzerAreRead() throws {
        let inputs = try FuzzCorpus.inputs(of: "openapi")
        #expect(inputs.count > 50)
        for input in inputs {
            let result = read(String(decoding: input.document, as: UTF8.self))
            #expect(result.document != nil || !result.diagnostics.isEmpty, "\(input.name)")
            if let document = result.document { _ = Generator().generate(document) }
        }
    }

    @Test func aShortChainOfReferencesIsFollowed() throws {
        let schemas = (0..<64).map { "S\($0): {$ref: '#/components/schemas/S\($0 + 1)'}" }
        let (_, result) = try readSchemas((schemas + ["S64: {type: string}"]).joined(separator: "\n"))
        #expect(!result.diagnostics.contains { $0.code == .limitExceeded })
    }

    @Test func aliasesOfAliasesAreLimited() {
        var text = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"
        text += "components:\n  schemas:\n    S0: &s0 {type: string}\n"
        for index in 0..<30 {
            text += "    S\(index + 1): &s\(index + 1) {properties: {a: *s\(index), b: *s\(index), c: *s\(index)}}\n"
        }
        let result = read(text)
        #expect(result.counts.schemas > 1_000)
        #expect(result.counts.schemas < 100_000)
        let found = result.diagnostics(.limitExceeded).first { $0.message.hasPrefix("aliases repeat more than ") }
        #expect(found?.action == "the rest of it is left out")
    }

    @Test func aFileMayRepeatManyValues() {
        let written = (0..<5_000).map { "x-\($0): [a, b, c]\n" }.joined()
        let repeated = "x-a: &a {\((0..<50).map { "k\($0): v" }.joined(separator: ", "))}\n"
        let aliases = (0..<4_000).map { "x-b\($0): *a\n" }.joined()
        let result = read("openapi: 3.1.0\n" + written + repeated + aliases)
        #expect(!result.diagnostics.contains { $0.code == .limitExceeded })
    }

    @Test func whatIsNestedFarTooDeeplyEndsTheFile() {
        // libyaml takes some 25 seconds for all of it.
        let time = seconds {
            let result = read("openapi: 3.1.0\nx-a: " + String(repeating: "[", count: 100_000))
            let messages = result.diagnostics.map(\.message)
            #expect(messages.contains("this is not YAML: more than 1200 arrays and objects are nested"))
        }
        #expect(time < 10)
    }
}
#endif
