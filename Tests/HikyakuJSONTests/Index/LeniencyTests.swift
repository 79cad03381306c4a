import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct LeniencyTests {
    private func decoder(_ leniency: HikyakuJSONDecoder.Leniency) -> HikyakuJSONDecoder {
        var decoder = HikyakuJSONDecoder()
        decoder.leniency = leniency
        return decoder
    }

    private func diagnosis<Value: Decodable>(_ type: Value.Type, _ document: String) -> DecodingDiagnosis? {
        #expect(throws: DecodingDiagnosis.self) { try decoder(.json5).decode(type, from: Data(document.utf8)) }
    }

    @Test(arguments: ["[1//\n]", "[1,]", "\u{FEFF}[1]", "['a']", "[+1]", "[NaN]"])
    func nothingIsToleratedByDefault(_ document: String) {
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode(JSONAny.self, from: Data(document.utf8))
        }
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().read(DirectAny.self, from: Data(document.utf8))
        }
    }

    @Test func bothWaysToReadAreLenient() throws {
        let document = Data("{a: [1, 0x10, 'b',], /* c */}".utf8)
        let value = JSONAny.object(["a": .array([.integer(1), .integer(16), .string("b")])])
        #expect(try decoder(.json5).decode(JSONAny.self, from: document) == value)
        #expect(try decoder(.json5).read(DirectAny.self, from: document).value == value)
    }

    @Test(arguments: [("Infinity", Double.infinity), ("-Infinity", -.infinity), ("+Infinity", .infinity)])
    func infinityIsANumber(_ document: String, _ value: Double) throws {
        let bytes = Data("[\(document)]".utf8)
        var decoder = decoder(.json5)
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "∞",
            negativeInfinity: "-∞",
            nan: "?",
        )
        #expect(try decoder.decode([Double].self, from: bytes) == [value])
        #expect(try decoder.read([Double].self, from: bytes) == [value])
        #expect(try decoder.decode([Float].self, from: bytes) == [Float(value)])
        #expect(try decoder.read([Float].self, from: bytes) == [Float(value)])
        #expect(try decoder.decode([String: Double].self, from: Data("{a:\(document)}".utf8)) == ["a": value])
    }

    @Test(arguments: ["NaN", "-NaN", "+NaN"])
    func notANumberIsOne(_ document: String) throws {
        #expect(try decoder(.json5).decode(Double.self, from: Data(document.utf8)).isNaN)
        #expect(try decoder(.json5).read(Float.self, from: Data(document.utf8)).isNaN)
        #expect(
            try decoder(.json5).decode([String: Float].self, from: Data("{a:\(document)}".utf8))["a"]?.isNaN == true
        )
    }

    @Test func otherTypesCantHoldThem() {
        #expect(diagnosis([Int].self, "[Infinity]")?.kind == .outOfRange)
        #expect(diagnosis([UInt8].self, "[NaN]")?.kind == .outOfRange)
        #expect(diagnosis([Decimal].self, "[Infinity]") != nil)
        #expect(diagnosis([String].self, "[NaN]")?.kind == .typeMismatch)
        #expect(diagnosis([Double].self, "[1e400]")?.kind == .outOfRange)
    }

    @Test(arguments: ["Infinity", "-Infinity", "+Infinity", "NaN", "-NaN"])
    func aNumberOfAnySizeIsFinite(_ document: String) {
        for type in [JSONValue.self, [JSONNumber].self] as [any Decodable.Type] {
            let found = diagnosis(type, "[\(document)]")
            #expect(found?.kind == .invalidValue)
            #expect(found?.pointer == "/0")
            #expect(found?.expected == "a finite number")
        }
    }

    @Test(arguments: LenientNumber.allCases)
    func aDocumentsOwnNumberIsWhatItIs(_ number: LenientNumber) throws {
        #expect(diagnosis([Double].self, "[\(number.rawValue)]")?.kind == .outOfRange)
        #expect(diagnosis([Float].self, "[-\(number.rawValue)]")?.kind == .outOfRange)
        let pointed = number.rawValue.replacing("e", with: ".e")
        #expect(diagnosis([Double].self, "[\(pointed)]")?.kind == .outOfRange)
        #expect(diagnosis([Float].self, "[-\(pointed)]")?.kind == .outOfRange)
        let document = Data("[\(number.rawValue), +\(number.rawValue), -\(number.rawValue)0]".utf8)
        let values = try decoder(.json5).decode([JSONNumber].self, from: document)
        let texts = [number.rawValue, number.rawValue, "-\(number.rawValue)0"]
        #expect(values == texts.compactMap { JSONNumber($0) })
    }

    @Test func placeholderNumbersAreInvalidElsewhere() {
        for number in LenientNumber.allCases {
            #expect(throws: DecodingDiagnosis.self) {
                try decoder([.comments, .trailingCommas]).decode(Double.self, from: Data(number.rawValue.utf8))
            }
        }
    }

    @Test func hexadecimalIntegersAreExact() throws {
        let document = Data("[0xFFFFFFFFFFFFFFFF, 0x8000000000000000]".utf8)
        #expect(try decoder(.json5).decode([UInt64].self, from: document) == [.max, 1 << 63])
        #expect(try decoder(.json5).decode(Int64.self, from: Data("-0x8000000000000000".utf8)) == .min)
    }

    @Test(arguments: [
        // Each names the place of `x` or of the end in the document as it came.
        ("{a: 1, b: x}", 10, 1, 11), ("{'a':\n\t.5, b:\n [x]}", 16, 3, 3), ("/* a\n b */ [1, NaN, x]", 20, 2, 16),
        ("{a: '\\\n\\\n', b: x}", 15, 3, 7), ("{a: 1, b:", 9, 1, 10), ("[0x10, 'b', /* c */ ,]", 20, 1, 21),
        ("{飛: 1, b: x}", 12, 1, 13),
    ])
    func errorsNameThePlaceInTheDocumentAsItCame(_ document: String, _ offset: Int, _ line: Int, _ column: Int) {
        let found = diagnosis(JSONAny.self, document)
        #expect(found?.byteOffset == offset)
        #expect(found?.line == line)
        #expect(found?.column == column)
    }

    @Test func whatDoesntFitNamesItsPlaceToo() throws {
        let document = "{items: [{id: 1}, {id: 'a'}]} // two"
        let found = try #require(diagnosis([String: [[String: Int]]].self, document))
        #expect(found.pointer == "/items/1/id")
        #expect(found.byteOffset == 23)
        #expect(found.column == 24)
        #expect(found.kind == .typeMismatch)
        // The diagnosis reads the document as it was received.
        let again = DecodingDiagnosis(try #require(found.error), body: Data(document.utf8))
        #expect(again == found)
    }

    /// The diagnosis reads the document as it was received, without the options of the decoder.
    @Test(arguments: [
        "{a: [{id: 1}, {id: 'x'}]}", #"{'a': [{'id': 'it\'s, [2'}, {'id': 'x'}]}"#, "{a: [{id: .5}, {id: Infinity}]}",
        "{/*\n*/ a: [{id: 0x1}\n, {id: 'x'} /*,*/], }", "{a: [{id: 1}, {id: 2}", "{a: [{id: 1}, {id: 2}] b}",
        "{a: 1 /*",
        "/* <html> */ {a: [/*", "{a: [{id: 1}, 'x',]}", "{a: {id: '\\\n'}}",
    ])
    func lookingAgainWithValuesFindsTheSamePlace(_ document: String) throws {
        let body = Data(document.utf8)
        for (isCollecting, convertingKeys) in [(false, false), (true, false), (false, true)] {
            var decoder = decoder(.json5)
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
            // That it is no JSON, such an error says itself too.
            if whole.message == nil { again.message = nil }
            #expect(again == whole)
            var first = masked
            (first.further, first.furtherCount) = ([], 0)
            #expect(DecodingDiagnosis(try #require(again.error), body: body) == first)
        }
    }

    @Test func aTypesOwnErrorHasAPlaceInALenientDocumentToo() throws {
        struct Strict: Decodable {
            init(from decoder: any Decoder) throws {
                let path = decoder.codingPath
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "none of ours"))
            }
        }
        struct Second: Decodable {
            init(from decoder: any Decoder) throws {
                var array = try decoder.unkeyedContainer()
                _ = try array.decode(Int.self)
                _ = try array.decode(Strict.self)
            }
        }
        let body = Data("{a: [1, 'x']} // two".utf8)
        let error = #expect(throws: DecodingDiagnosis.self) {
            try decoder(.json5).decode([String: Second].self, from: body)
        }
        let found = try #require(error)
        #expect((found.pointer, found.byteOffset, found.line, found.column) == ("/a/1", 8, 1, 9))
        let again = DecodingDiagnosis(try #require(found.error), body: body, revealingValues: true)
        #expect((again.pointer, again.byteOffset, again.line, again.column) == ("/a/1", 8, 1, 9))
        #expect(again.found == "the string \"x\"")
    }

    @Test func aTruncatedDocumentsLengthIsItsOwn() {
        #expect(diagnosis(JSONAny.self, "{a: {b: 1")?.found == "the end of the data, truncated at byte 9")
        #expect(diagnosis(JSONAny.self, "{a: 1 /*")?.found == "the end of the data, truncated at byte 8")
    }

    /// What a comment begins in that never ends may be no JSON at all, or be wrong before it.
    @Test(arguments: [HikyakuJSONDecoder.Leniency.comments, .json5])
    func anUnendedCommentHidesNothing(_ leniency: HikyakuJSONDecoder.Leniency) throws {
        let texts = [
            "<!DOCTYPE html><title>502 Bad Gateway</title>Accept: */*":
                "in the body as a whole: expected a JSON document, found an HTML page of 56 bytes with a title masked as "
                + "\"999 Aaa Aaaaaaa\"",
            "Accept: */*": "in the body as a whole: expected a JSON document, found plain text",
            "{\"a\": [1 2 /* 3": "at /a: expected a comma or \"]\", found a digit (line 1, column 10, byte 9), "
                + "in `{\"a\": [9 9 /* 9` (values masked)",
            "/* a */ [1, ] 2 /* 3": leniency == .comments
                ? "at /1: expected a value, found \"]\" after a comma (line 1, column 13, byte 12), in `[9, ] 9 /* 9` (values masked)"
                : "in the body as a whole: expected the end of the document, found a digit after it "
                    + "(line 1, column 15, byte 14), in `[9 ] 9 /* 9` (values masked)",
        ]
        for (document, text) in texts {
            let found = #expect(throws: DecodingDiagnosis.self) {
                try decoder(leniency).decode(JSONAny.self, from: Data(document.utf8))
            }
            #expect(found?.description == text)
            let direct = #expect(throws: DecodingDiagnosis.self) {
                try decoder(leniency).read(DirectAny.self, from: Data(document.utf8))
            }
            #expect(direct?.description == text)
        }
    }

    @Test(arguments: [
        "/*", " /* a", "1 /*", "[1, 2 /* ]", "{\"a\" /*", "{\"a\": /*", "[1] /* *", "{/*", "[1,/* x\n */ /*/",
    ])
    func aDocumentThatEndsInACommentIsTruncated(_ document: String) {
        for leniency in [HikyakuJSONDecoder.Leniency.comments, .json5] {
            for revealing in [false, true] {
                var decoder = decoder(leniency)
                decoder.revealsValues = revealing
                let found = #expect(throws: DecodingDiagnosis.self) {
                    try decoder.decode(JSONAny.self, from: Data(document.utf8))
                }
                #expect(found?.kind == .truncated)
                #expect(found?.byteOffset == document.utf8.count)
                #expect(found?.found == "the end of the data, truncated at byte \(document.utf8.count)")
            }
        }
    }

    @Test func aDiagnosisOfAnotherDocumentInsideStaysAsItIs() throws {
        struct Nested: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                _ = try HikyakuJSONDecoder().decode(Int.self, from: Data(text.utf8))
            }
        }
        let found = try #require(diagnosis([String: Nested].self, "{a: 'x'}"))
        #expect(found.byteOffset == 0)
    }

    @Test func keysAreComparedAsTheyAreMeant() {
        var rejecting = decoder(.json5)
        rejecting.duplicateKeys = .rejected
        let error = #expect(throws: DecodingDiagnosis.self) {
            try rejecting.decode(JSONAny.self, from: Data(#"{ab: 1, c: 2, 'a\u0062': 3}"#.utf8))
        }
        #expect(error?.kind == .duplicateKey)
        #expect(error?.byteOffset == 14)
    }
}
