import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct LenientDocumentTests {
    private static let all: HikyakuJSONDecoder.Leniency = [.trailingCommas, .byteOrderMark]

    private func strict(_ document: String, _ leniency: HikyakuJSONDecoder.Leniency) -> String {
        String(decoding: LenientDocument(Data(document.utf8), leniency.deviations).strict, as: UTF8.self)
    }

    private func decoder(_ leniency: HikyakuJSONDecoder.Leniency = all) -> HikyakuJSONDecoder {
        var decoder = HikyakuJSONDecoder()
        decoder.leniency = leniency
        return decoder
    }

    private func diagnosis<Value: Decodable>(_ type: Value.Type, _ document: String) -> DecodingDiagnosis? {
        #expect(throws: DecodingDiagnosis.self) { try decoder().decode(type, from: Data(document.utf8)) }
    }

    @Test(arguments: [
        ("[1,]", "[1 ]"), (#"{"a":[1 , ] ,}"#, #"{"a":[1   ]  }"#), ("[[],{},]", "[[],{} ]"), ("[,]", "[,]"),
        ("[1,,]", "[1,,]"), ("{,}", "{,}"), ("1,", "1,"), (#"["a,]",]"#, #"["a,]" ]"#), (#"["\",]",]"#, #"["\",]" ]"#),
        ("[1,//\n]", "[1,//\n]"), (#"{"a":,}"#, #"{"a":,}"#), ("[null,]", "[null ]"), ("]", "]"), (",]", ",]"),
        ("[\"a\nb,]\",]", "[\"a\nb,]\" ]"), (#"["a"#, #"["a"#), (#"["a\"#, #"["a\"#), (#"["\\",]"#, #"["\\" ]"#),
    ])
    func aCommaBehindTheLastBecomesASpace(_ document: String, _ result: String) {
        #expect(strict(document, .trailingCommas) == result)
    }

    @Test func optionsAddUp() {
        let document = "\u{FEFF}[1,]"
        #expect(strict(document, .trailingCommas) == "\u{FEFF}[1 ]")
        #expect(strict(document, Self.all) == "   [1 ]")
        #expect(strict(document, .byteOrderMark) == "   [1,]")
    }

    @Test(arguments: ["[1,]", "\u{FEFF}[1]"]) func nothingIsToleratedByDefault(_ document: String) throws {
        let bytes = Data(document.utf8)
        #expect(throws: DecodingDiagnosis.self) { try HikyakuJSONDecoder().decode(JSONAny.self, from: bytes) }
        #expect(throws: DecodingDiagnosis.self) { try HikyakuJSONDecoder().read(DirectAny.self, from: bytes) }
        #expect(try decoder().decode(JSONAny.self, from: bytes) == .array([.integer(1)]))
        #expect(try decoder().read(DirectAny.self, from: bytes).value == .array([.integer(1)]))
    }

    @Test(arguments: [
        // Each names the place of `x` or of the end.
        ("\u{FEFF}{\"a\": 1, \"b\": x}", 17, 1, 18), ("{\"a\":\n\t[5,], \"b\":\n [x,]}", 20, 3, 3),
        ("\u{FEFF}{\"a\": 1,", 11, 1, 12), ("{\"飛\": [1,], \"b\": x}", 19, 1, 20),
    ])
    func errorsNameThePlaceInTheDocument(_ document: String, _ offset: Int, _ line: Int, _ column: Int) {
        let found = diagnosis(JSONAny.self, document)
        #expect((found?.byteOffset, found?.line, found?.column) == (offset, line, column))
    }

    /// The diagnosis reads the document as it was received, without the options of the decoder.
    @Test(arguments: [
        "\u{FEFF}{\"a\": [{\"id\": 1}, {\"id\": \"x\"}]}", "{\"a\": [{\"id\": 1,}, {\"id\": \"x\"},]}",
        "{\"a\": [{\"id\": 1,}, {\"id\": 2}", "{\"a\": [{\"id\": 1},], \"b\" 1}",
    ])
    func lookingAgainWithValuesFindsTheSamePlace(_ document: String) throws {
        let body = Data(document.utf8)
        for (isCollecting, convertingKeys) in [(false, false), (true, false), (false, true)] {
            var decoder = decoder()
            decoder.collectsFailures = isCollecting
            if convertingKeys { decoder.keyDecodingStrategy = .convertFromSnakeCase }
            func diagnosis() throws -> DecodingDiagnosis {
                try #require(
                    #expect(throws: DecodingDiagnosis.self) {
                        try decoder.decode([String: [[String: Int]]].self, from: body)
                    }
                )
            }
            let masked = try diagnosis()
            decoder.revealsValues = true
            let whole = try diagnosis()
            var again = DecodingDiagnosis(
                try #require(masked.error),
                others: masked.further.compactMap(\.error),
                othersCount: masked.furtherCount,
                body: body,
                revealingValues: true,
            )
            // That it is not JSON, such an error says itself too.
            if whole.message == nil { again.message = nil }
            #expect(again == whole)
            var first = masked
            (first.further, first.furtherCount) = ([], 0)
            #expect(DecodingDiagnosis(try #require(again.error), body: body) == first)
        }
    }

    @Test func aTypesOwnErrorHasAPlaceToo() throws {
        struct Strict: Decodable {
            init(from decoder: any Decoder) throws {
                let path = decoder.codingPath
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "none of ours"))
            }
        }
        let body = Data("\u{FEFF}{\"a\": [\"x\",],}".utf8)
        let error = #expect(throws: DecodingDiagnosis.self) {
            try decoder().decode([String: [Strict]].self, from: body)
        }
        let found = try #require(error)
        #expect((found.pointer, found.byteOffset, found.line, found.column) == ("/a/0", 10, 1, 11))
        let again = DecodingDiagnosis(try #require(found.error), body: body, revealingValues: true)
        #expect((again.pointer, again.byteOffset) == ("/a/0", 10))
        #expect(again.found == "the string \"x\"")
    }

    @Test(
        .enabled(if: ConformanceCorpus.isThere, "the conformance corpus isn't there"),
        arguments: ConformanceCorpus.documents("y"),
    )
    func aStrictDocumentStaysAsItIs(_ document: ConformanceCorpus.Document) {
        #expect(LenientDocument(document.bytes, Self.all.deviations).strict == document.bytes)
    }

    @Test func anyBytesAreReadToTheirEnd() {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("{}[],:\"\\01e n\n\t".utf8) + [0xEF, 0xBB, 0xBF, 0xFF]
        for number in 0..<Effort.rounds(20_000) {
            let count = Int.random(in: 0..<24, using: &generator)
            let bytes = Data((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 })
            let decoder = decoder(HikyakuJSONDecoder.Leniency(rawValue: UInt8.random(in: 0..<4, using: &generator)))
            _ = try? decoder.decode(JSONAny.self, from: bytes)
            let strict = LenientDocument(bytes, Self.all.deviations).strict
            #expect(strict.count == count, "seed \(seed), document \(number)")
            #expect(
                LenientDocument(strict, Self.all.deviations).strict.elementsEqual(strict),
                "seed \(seed), document \(number)",
            )
        }
    }
}
