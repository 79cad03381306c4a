import Foundation
import HikyakuJSON
import Testing

@Suite struct RawValueTests {
    enum Suit: String, JSONReadable, JSONWritable, Codable { case hearts, spades }

    enum Rank: Int, JSONReadable, JSONWritable { case ace = 1, two }

    struct Tag: RawRepresentable, JSONReadable, Equatable {
        let rawValue: [String]
    }

    @Test func aTypeWithARawValueReadsAndWritesThat() throws {
        let decoder = HikyakuJSONDecoder()
        #expect(try decoder.read([Suit].self, from: Data(#"["spades","h\u0065arts"]"#.utf8)) == [.spades, .hearts])
        #expect(try decoder.decode([String: Suit].self, from: Data(#"{"a":"spades"}"#.utf8)) == ["a": .spades])
        #expect(try decoder.read([Rank?].self, from: Data("[1, null, 2]".utf8)) == [.ace, nil, .two])
        #expect(try decoder.read(Tag.self, from: Data(#"["a","b"]"#.utf8)) == Tag(rawValue: ["a", "b"]))
        #expect(try HikyakuJSONEncoder().write([Rank.two]) == Data("[2]".utf8))
    }

    @Test func aRawValueThatTheTypeDoesNotKnowIsAnErrorWithItsPlace() throws {
        let error = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().read([Suit].self, from: Data(#"["spades", "clubs"]"#.utf8))
        }
        #expect(
            error?.description
                == #"at /1: expected Suit, found a string masked as "aaaaa" (line 1, column 12, byte 11), in `["aaaaaa", "aaaaa"]` (values masked)"#
        )
        let number = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().read(Rank.self, from: Data("7".utf8))
        }
        #expect(number?.kind == .invalidValue)
        let other = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().read(Suit.self, from: Data("7".utf8))
        }
        #expect(other?.kind == .typeMismatch)
    }

    @Test func theReaderStaysBeforeIt() throws {
        struct Either: JSONReadable {
            var text: String

            init(from reader: inout JSONReader) throws {
                let suit = try? Suit(from: &reader)
                text = try suit?.rawValue ?? "other: \(reader.read(String.self))"
            }
        }
        let texts = try HikyakuJSONDecoder().read([Either].self, from: Data(#"["spades","clubs"]"#.utf8)).map(\.text)
        #expect(texts == ["spades", "other: clubs"])
    }
}
