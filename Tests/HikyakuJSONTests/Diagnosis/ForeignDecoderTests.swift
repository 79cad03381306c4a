import Foundation
import HikyakuJSON
import Testing

/// What Foundation's decoder and types of one's own throw.
@Suite struct ForeignDecoderTests {
    private enum Color: String, Decodable { case red }

    private enum Choice: Decodable {
        case one(x: Int)
        case other
    }

    private struct Dish: Decodable {
        let firstName: Int
        let color: Color?
        let site: URL?
        let id: UUID?
        let image: Data?
        let since: Date?
        let choice: Choice?
        let pair: Pair?
        let counts: [Int: Int]?
    }

    private struct Pair: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            _ = (try container.decode(Int.self), try container.decode(Int.self))
        }
    }

    private struct Picky: Decodable {
        init(from decoder: any Decoder) throws {
            let text = try decoder.singleValueContainer().decode(String.self)
            let path = decoder.codingPath
            throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "\(text) is wrong"))
        }
    }

    private static func diagnosis<Value: Decodable>(
        _ type: Value.Type,
        _ text: String,
        revealing: Bool = false,
    ) throws -> DecodingDiagnosis {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let bytes = Data(text.utf8)
        let error = #expect(throws: DecodingError.self) { _ = try decoder.decode(type, from: bytes) }
        return DecodingDiagnosis(try #require(error), body: bytes, revealingValues: revealing)
    }

    @Test(arguments: [
        (
            #"[{"first_name":"a1"}]"#,
            #"at /0/first_name: expected Int, found a string masked as "a9" (line 1, column 16, byte 15)"#,
        ),
        (
            #"[{"first_name":""}]"#,
            "at /0/first_name: expected Int, found an empty string (line 1, column 16, byte 15)",
        ),
        (#"[{"first_name":null}]"#, "at /0/first_name: expected Int, found null (line 1, column 16, byte 15)"),
        (#"[{"first_name":{}}]"#, "at /0/first_name: expected Int, found an object (line 1, column 16, byte 15)"),
        (
            #"[{"name":1,"id":2}]"#,
            #"at /0: expected the key "firstName", found an object with the keys "name", "id" (line 1, column 2, byte 1)"#,
        ),
        ("[{}]", #"at /0: expected the key "firstName", found an object without keys (line 1, column 2, byte 1)"#),
        ("[[]]", "at /0: expected an object, found an array (line 1, column 2, byte 1)"),
        ("[true]", "at /0: expected an object, found a boolean (line 1, column 2, byte 1)"),
        ("[null]", "at /0: expected an object, found null (line 1, column 2, byte 1)"),
        ("[12]", "at /0: expected an object, found a number masked as 99 (line 1, column 2, byte 1)"),
        ("{}", "in the body as a whole: expected an array, found an object (line 1, column 1, byte 0)"),
        (
            #"[{"first_name":1,"color":"blue"}]"#,
            #"at /0/color: expected a value of Color, found a string masked as "aaaa" (line 1, column 26, byte 25)"#,
        ),
        (
            #"[{"first_name":1,"id":"xY"}]"#,
            #"at /0/id: expected a UUID, found a string masked as "aA" (line 1, column 23, byte 22)"#,
        ),
        (
            #"[{"first_name":1,"site":""}]"#,
            "at /0/site: expected a URL, found an empty string (line 1, column 25, byte 24)",
        ),
        (
            #"[{"first_name":1,"image":"*"}]"#,
            #"at /0/image: expected data in Base64, found a string masked as "*" (line 1, column 26, byte 25)"#,
        ),
        (
            #"[{"first_name":1,"since":"x"}]"#,
            "at /0: expected a date in ISO 8601 with an offset, found an object with an invalid string (line 1, column 2, byte 1)",
        ),
        (
            #"[{"first_name":1,"pair":[1]}]"#,
            "at /0/pair/1: expected Int, found the end of an array of 1 element (line 1, column 27, byte 26)",
        ),
        (
            #"[{"first_name":1,"pair":[ ]}]"#,
            "at /0/pair/0: expected Int, found the end of an empty array (line 1, column 27, byte 26)",
        ),
        (
            #"[{"first_name":1,"choice":{"three":{}}}]"#,
            "at /0/choice: expected Choice as an object with one key, the name of a case, found an object with the key "
                + #""three" (line 1, column 27, byte 26)"#,
        ),
        (
            #"[{"first_name":1,"counts":{"a":1}}]"#,
            #"at /0/counts/a: expected an integer key, found the key "a" (line 1, column 32, byte 31)"#,
        ),
    ])
    func eachDifferenceIsReported(body: String, text: String) throws {
        let diagnosis = try Self.diagnosis([Dish].self, body)
        let beginning = diagnosis.description.components(separatedBy: ", in `")[0]
        #expect(beginning == text)
        #expect(diagnosis.error != nil)
    }

    @Test func theParagraphShowsTheSurroundings() throws {
        let body = """
            [
                {"first_name": 1, "note": "For Aki, 12 pieces"},
                {"first_name": null, "note": "none"}
            ]
            """
        #expect(
            try Self.diagnosis([Dish].self, body).description
                == "at /1/first_name: expected Int, found null (line 3, column 20, byte 74), in "
                + #"`…ame": 9, "note": "Aaa Aaa, 99 aaaaaa"}, {"first_name": null, "note": "aaaa"} ]` "#
                + "(values masked)"
        )
    }

    @Test func aNumberThatDoesNotFitHasNoPlace() throws {
        let text =
            "in the body as a whole: expected numbers that their types can represent, found a number that is out of range "
            + "or has a fraction (the decoder gives no position)"
        #expect(try Self.diagnosis([Int8].self, "[300]").description == text)
        #expect(try Self.diagnosis([Int].self, "[1.5, {\"a\": [null, true, \"x\"]}]").kind == .invalidValue)
        #expect(try Self.diagnosis([Int8].self, "[300").kind == .truncated)
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        #expect(try Self.diagnosis(Dish.self, deep).kind == .tooDeep)
    }

    @Test func valuesInWhatATypeThrowsAreShownByChoiceAlone() throws {
        let place = " (line 1, column 2, byte 1), in "
        #expect(
            try Self.diagnosis([Picky].self, #"["hunter2"]"#).description
                == #"at /0: expected a valid value, found a string masked as "aaaaaa9"\#(place)`["aaaaaa9"]` (values masked)"#
                + "; the error says: … is wrong"
        )
        #expect(
            try Self.diagnosis([Picky].self, #"["hunter2"]"#, revealing: true).description
                == #"at /0: expected a valid value, found the string "hunter2"\#(place)`["hunter2"]`"#
                + "; the error says: hunter2 is wrong"
        )
    }

    @Test func keysAreEscapedInThePointer() throws {
        let diagnosis = try Self.diagnosis([String: Int].self, #"{"a/b~c":"x"}"#)
        #expect(diagnosis.pointer == "/a~1a~0a" && diagnosis.isPointerMasked)
        #expect(diagnosis.kind == .typeMismatch)
    }

    @Test func aKeyOfThePeerCanNeitherBreakNorFloodALog() throws {
        let key = "a\\nb\u{202E}c\u{2028}d" + String(repeating: "x", count: 5000)
        let diagnosis = try Self.diagnosis([String: Int].self, #"{"\#(key)":"x"}"#)
        #expect(!diagnosis.description.unicodeScalars.contains { ["\n", "\u{202E}", "\u{2028}"].contains($0) })
        #expect(diagnosis.description.count < 500)
        #expect(diagnosis.pointer.count > 5000)
        let longer = String(repeating: "x", count: 20_000)
        #expect(try Self.diagnosis([String: [Int]].self, #"{"\#(longer)":["x"]}"#).pointer == "")
    }

    @Test func aByteOrderMarkThatTheDecoderAllowsIsNotAFault() throws {
        let diagnosis = try Self.diagnosis([Int].self, "\u{FEFF}[true]")
        #expect(
            diagnosis.description
                == "at /0: expected Int, found a boolean (line 1, column 5, byte 4), in `[true]`"
        )
    }
}
