import Foundation
import HikyakuJSON
import Testing

/// What our own encoder makes of values without a type.
@Suite struct JSONValueWritingTests {
    private static func text(
        _ value: some Encodable,
        _ formatting: HikyakuJSONEncoder.OutputFormatting = .sortedKeys,
    )
        throws -> String
    {
        var encoder = HikyakuJSONEncoder()
        encoder.outputFormatting = formatting
        // Keys of a document without a type are its own.
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1.50", "-12.5E+03", "1e400", "12345678901234567890123456789.0", "\"\"",
        "\"é😀\\n\"", "[]", "{}", "[1,[2,[3,[]]],{}]", #"{"":null,"aB":{"b":[true,false,"x",1.0]}}"#,
    ])
    func documentsAreWrittenAsTheyWereRead(text: String) throws {
        let value = try HikyakuJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(try Self.text(value) == text)
        #expect(try Self.text([value, value]) == "[\(text),\(text)]")
        var sorting = HikyakuJSONEncoder()
        sorting.outputFormatting = .sortedKeys
        #expect(try sorting.write([value]) == Data("[\(text)]".utf8))
    }

    private struct Envelope: Encodable {
        let sentAt: JSONNumber?
        let payLoad: JSONValue
    }

    @Test func valuesAreMembersOfOtherTypes() throws {
        let number = try #require(JSONNumber("1.500"))
        let envelope = Envelope(sentAt: number, payLoad: ["aB": [nil, .number(number)]])
        #expect(try Self.text(envelope) == #"{"pay_load":{"aB":[null,1.500]},"sent_at":1.500}"#)
        #expect(try Self.text(Envelope(sentAt: nil, payLoad: nil)) == #"{"pay_load":null}"#)
    }

    @Test func outputIsPrettyByChoice() throws {
        let value: JSONValue = ["b": [1], "a": nil]
        #expect(
            try Self.text(value, [.sortedKeys, .prettyPrinted])
                == "{\n  \"a\" : null,\n  \"b\" : [\n    1\n  ]\n}"
        )
    }

    @Test func depthHasALimit() throws {
        let deep = (0..<511).reduce([] as JSONValue) { value, _ in [value] }
        #expect(try Self.text(deep).count == 1024)
        #expect(throws: EncodingError.self) { try Self.text([deep]) }
        // A description is none of a document.
        #expect(JSONValue.array([deep]).description.count == 1026)
    }
}
