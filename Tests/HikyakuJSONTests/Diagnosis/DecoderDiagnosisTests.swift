import Foundation
import HikyakuJSON
import Testing

/// What our decoder says of documents that don't fit their types.
@Suite struct DecoderDiagnosisTests {
    private enum Color: String, Decodable { case red }

    private struct Dish: Decodable {
        let firstName: Int8
        let price: Double?
        let color: Color?
        let since: Date?
        let site: URL?
        let image: Data?
        let pair: Pair?
        let counts: [Int: Int]?
    }

    private struct Pair: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            _ = (try container.decode(Int.self), try container.decode(Int.self))
        }
    }

    /// As ``Dish``, by itself.
    private struct Plate: JSONReadable {
        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            let _: Int8 = try reader.member("first_name")
            let _: Double? = try reader.member("price")
            let _: Date? = try reader.member("since")
            try reader.endObject()
        }
    }

    private static let decoder: HikyakuJSONDecoder = {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dataDecodingStrategy = .base64
        return decoder
    }()

    private static func text(of body: String, _ decode: (Data) throws -> Void) throws -> String {
        let diagnosis = #expect(throws: DecodingDiagnosis.self) { try decode(Data(body.utf8)) }
        #expect(diagnosis?.error != nil)
        return try #require(diagnosis).description
    }

    /// The document, what differs where, and what is shown of the document.
    typealias Item = (body: String, text: String, snippet: String?)

    /// Each value that is masked here has a digit.
    private static func whole(_ item: Item) -> String {
        guard let snippet = item.snippet else { return item.text }
        return "\(item.text), in `\(snippet)`\(snippet.contains("9") ? " (values masked)" : "")"
    }

    private static let direct: [Item] = [
        (
            #"[{"first_name":"a1"}]"#,
            #"at /0/first_name: expected Int8, found a string masked as "a9" (line 1, column 16, byte 15)"#,
            #"[{"first_name":"a9"}]"#,
        ),
        (
            #"[{"first_name":null}]"#, "at /0/first_name: expected Int8, found null (line 1, column 16, byte 15)",
            #"[{"first_name":null}]"#,
        ),
        (
            #"[{"first_name":300}]"#,
            "at /0/first_name: expected Int8, found a number that is out of range (-128...127) (line 1, column 16, "
                + "byte 15)",
            #"[{"first_name":999}]"#,
        ),
        (
            #"[{"first_name":1.5}]"#,
            "at /0/first_name: expected Int8, found a number that has a fraction (line 1, column 16, byte 15)",
            #"[{"first_name":9.9}]"#,
        ),
        (
            #"[{"first_name":1,"price":1e400}]"#,
            "at /0/price: expected Double, found a number that is out of range (±1.7976931348623157e+308) (line 1, "
                + "column 26, byte 25)",
            #"[{"first_name":9,"price":9e999}]"#,
        ),
        (
            #"[{"first_name":1,"since":"2026-02-30T10:00"}]"#,
            #"at /0/since: expected a date in ISO 8601 with an offset, found a string masked as "9999-99-99A99:99" (line 1, column 26, byte 25)"#,
            #"[{"first_name":9,"since":"9999-99-99A99:99"}]"#,
        ),
        ("[[]]", "at /0: expected an object, found an array (line 1, column 2, byte 1)", "[[]]"),
        ("[true]", "at /0: expected an object, found a boolean (line 1, column 2, byte 1)", "[true]"),
        ("{}", "in the body as a whole: expected an array, found an object (line 1, column 1, byte 0)", "{}"),
        ("", "in the body as a whole: expected a JSON document, found an empty body", nil),
        (
            "<title>x</title>",
            #"in the body as a whole: expected a JSON document, found an HTML page of 16 bytes with a title masked as "a""#,
            nil,
        ),
        (
            #"[{"first_name":1"#,
            "at /0/first_name: expected the rest of the JSON document, found the end of the data, truncated at byte 16 (line 1, "
                + "column 17, byte 16)",
            #"[{"first_name":9"#,
        ),
    ]

    @Test(arguments: direct.indices)
    func bothWaysSayTheSame(_ index: Int) throws {
        let item = Self.direct[index]
        #expect(
            try Self.text(of: item.body) { _ = try Self.decoder.decode([Dish].self, from: $0) } == Self.whole(item)
        )
        #expect(try Self.text(of: item.body) { _ = try Self.decoder.read([Plate].self, from: $0) } == Self.whole(item))
    }

    private static let keyless: [Item] = [
        (
            #"[{"price":1,"id":{"a":2}}, {}]"#,
            #"found an object with the keys "price", "id" (line 1, column 2, byte 1)"#,
            #"[{"price":9,"id":{"a":9}}, {}]"#,
        ),
        ("[{ }]", "found an object without keys (line 1, column 2, byte 1)", "[{ }]"),
    ]

    @Test(arguments: keyless.indices)
    func aMissingKeyListsThoseThatAreThere(_ index: Int) throws {
        let item = Self.keyless[index]
        let coded = try Self.text(of: item.body) { _ = try Self.decoder.decode([Dish].self, from: $0) }
        #expect(coded == #"at /0: expected the key "firstName", "# + Self.whole(item))
        let direct = try Self.text(of: item.body) { _ = try Self.decoder.read([Plate].self, from: $0) }
        #expect(direct == #"at /0: expected the key "first_name", "# + Self.whole(item))
    }

    private static let coded: [(member: String, text: String, byte: Int, snippet: String)] = [
        (
            #""color":"blue""#, #"at /0/color: expected a value of Color, found a string masked as "aaaa""#, 25,
            #""color":"aaaa""#,
        ),
        (#""site":"""#, "at /0/site: expected a URL, found an empty string", 24, #""site":"""#),
        (#""image":"*""#, #"at /0/image: expected base64, found a string masked as "*""#, 25, #""image":"*""#),
        (#""pair":[1 ]"#, "at /0/pair/1: expected Int, found the end of an array of 1 element", 27, #""pair":[9 ]"#),
        (#""pair":[ ]"#, "at /0/pair/0: expected Int, found the end of an empty array", 26, #""pair":[ ]"#),
        (
            #""counts":{"a":1}"#, #"at /0/counts/a: expected an integer key, found the key "a""#, 31,
            #""counts":{"a":9}"#,
        ),
    ]

    @Test(arguments: coded.indices)
    func valuesThatOnlyCodableReadsAreDiagnosed(_ index: Int) throws {
        let (member, text, byte, snippet) = Self.coded[index]
        let found = try Self.text(of: #"[{"first_name":1,\#(member)}]"#) {
            _ = try Self.decoder.decode([Dish].self, from: $0)
        }
        let place = "line 1, column \(byte + 1), byte \(byte)"
        #expect(found == "\(text) (\(place)), in `[{\"first_name\":9,\(snippet)}]` (values masked)")
    }

    @Test func customKeysAreFoundWhereATypeThrowsItself() throws {
        struct Person: Decodable {
            let identity: Strict
        }
        struct Strict: Decodable {
            init(from decoder: any Decoder) throws {
                let path = decoder.codingPath
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "none of ours"))
            }
        }
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .custom { $0 == "x-id" ? "identity" : $0 }
        let text = try Self.text(of: #"{"x-id":7}"#) { _ = try decoder.decode(Person.self, from: $0) }
        #expect(
            text
                == "at /x-id: expected a valid value, found a number masked as 9 (line 1, column 9, byte 8), in "
                + "`{\"x-id\":9}` (values masked); the error says: none of ours"
        )
    }

    @Test func whatPrintsItsLocalizedDescriptionPrintsTheDiagnosis() throws {
        let error = #expect(throws: DecodingDiagnosis.self) {
            _ = try Self.decoder.decode([Int8].self, from: Data("[1,300]".utf8))
        }
        let diagnosis = try #require(error)
        let text =
            "at /1: expected Int8, found a number that is out of range (-128...127) (line 1, column 4, byte 3), in "
            + "`[9,999]` (values masked)"
        #expect((diagnosis as any Error).localizedDescription == "The document can't be decoded: \(text)")
        #expect(diagnosis.failureReason == text)
    }
}
