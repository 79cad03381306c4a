import Foundation
import HikyakuJSON
import Testing

@Suite struct ForeignDecoderTests {
    private struct Menu: Decodable {
        let dishes: [Dish]
    }

    private struct Dish: Decodable {
        let id: Int
        let name: String
        let since: Date
        let tags: [String: Int]
    }

    private static func diagnosis<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> DecodingDiagnosis {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let bytes = Data(text.utf8)
        let error = #expect(throws: DecodingError.self) { _ = try decoder.decode(type, from: bytes) }
        return DecodingDiagnosis(try #require(error), body: bytes)
    }

    @Test(arguments: [
        (#"{"dishes":[{"id":"seven"}]}"#, "at /dishes/0/id: expected Int, found a string"),
        (#"{"dishes":[{"id":null}]}"#, "at /dishes/0/id: expected Int, found null"),
        (#"{"dishes":[{"id":1}]}"#, #"at /dishes/0: expected the key "name", found an object without it"#),
        (#"{"dishes":{}}"#, "at /dishes: expected an array, found an object"),
        (#"{"dishes":[true]}"#, "at /dishes/0: expected an object, found a boolean"),
        (#"{"dishes":[{"id":1,"name":"a","since":"secret"}]}"#, "at /dishes/0: expected another value"),
        ("[]", "in the body as a whole: expected an object, found an array"),
        ("", "in the body as a whole: expected a document, found an empty body"),
        (" \n", "in the body as a whole: expected a document, found an empty body"),
        ("<html>", "in the body as a whole: expected a document, found markup such as HTML or XML"),
        (
            #"{"dishes": "#,
            "in the body as a whole: expected a well-formed document, found 11 bytes that are not",
        ),
    ])
    func eachDifferenceIsToldInASentence(body: String, text: String) throws {
        #expect(try Self.diagnosis(Menu.self, body).description == text)
    }

    @Test func aValueThatItsTypeCannotHoldIsNoMalformedDocument() throws {
        #expect(try Self.diagnosis([Int8].self, "[300]").kind == .invalidValue)
        #expect(try Self.diagnosis([Int].self, "[1.5, {\"a\": [null, true, \"x\"]}]").kind == .invalidValue)
        #expect(try Self.diagnosis(UUID.self, "\"hunter2\"").kind == .invalidValue)
        #expect(try Self.diagnosis([Int8].self, "[300").kind == .malformed)
    }

    @Test func keysAreEscapedInThePointer() throws {
        let body = #"{"dishes":[{"id":1,"name":"a","since":"2026-01-01T00:00:00Z","tags":{"a/b~c":"x"}}]}"#
        let diagnosis = try Self.diagnosis(Menu.self, body)
        #expect(diagnosis.pointer == "/dishes/0/tags/a~1b~0c")
        #expect(diagnosis.kind == .typeMismatch)
    }

    @Test func aKeyOfThePeerCanNeitherBreakNorFloodALog() throws {
        let key = "a\\nb\u{202E}c\u{2028}d" + String(repeating: "x", count: 5000)
        let diagnosis = try Self.diagnosis([String: Int].self, #"{"\#(key)":"x"}"#)
        #expect(!diagnosis.description.unicodeScalars.contains { ["\n", "\u{202E}", "\u{2028}"].contains($0) })
        #expect(diagnosis.description.count < 300)
        #expect(diagnosis.pointer.count > 5000)
    }
}
