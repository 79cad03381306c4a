import Foundation
import HikyakuJSON
import Testing

/// What any coder makes of values, by those of Foundation.
@Suite struct JSONValueCodingTests {
    private static let text =
        #"{"a_b":[1,-2,2.5,0.1,1e300,18446744073709551615,null,true,false,"x",{},[]],"c":{"d":{"e":"f"}},"g":"1"}"#

    private static let value: JSONValue = [
        "a_b": [1, -2, 2.5, 0.1, 1e300, .number(JSONNumber(UInt64.max)), nil, true, false, "x", [:], []],
        "c": ["d": ["e": "f"]], "g": "1",
    ]

    @Test func foundationsDecoderReadsValues() throws {
        let decoder = JSONDecoder()
        // Keys of a document without a type are its own.
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        #expect(try decoder.decode(JSONValue.self, from: Data(Self.text.utf8)) == Self.value)
    }

    @Test func foundationsEncoderWritesValues() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys]
        let written = try encoder.encode(["aB": Self.value])
        #expect(try JSONDecoder().decode([String: JSONValue].self, from: written) == ["aB": Self.value])
    }

    @Test func propertyListsHoldValuesWithoutNull() throws {
        let value: JSONValue = ["a": [1, -2.5, true, "x", [:]], "b": .number(JSONNumber(UInt64.max))]
        let list = try PropertyListEncoder().encode(value)
        #expect(try PropertyListDecoder().decode(JSONValue.self, from: list) == value)
    }

    @Test(arguments: [
        "0", "7", "-9223372036854775808", "18446744073709551615", "0.1", "-2.5e-7", "1e300", "12.345678901234567890123",
        "340282366920938463463374607431768211455", "0.12345678901234567890123456789012345678",
    ])
    func numbersLoseNothing(text: String) throws {
        let number = try #require(JSONNumber(text))
        let written = try JSONEncoder().encode([number])
        let writtenText = String(decoding: written.dropFirst().dropLast(), as: UTF8.self)
        #expect(JSONNumber(writtenText) == number, "\(writtenText)")
        #expect(try JSONDecoder().decode([JSONNumber].self, from: Data("[\(text)]".utf8)) == [number])
    }

    @Test func numbersThatNoTypeHoldsAreTheNearest() throws {
        let long = try #require(JSONNumber("0.1000000000000000000000000000000000000000000000001"))
        #expect(try JSONDecoder().decode([Double].self, from: JSONEncoder().encode([long])) == [0.1])
    }

    @Test func numbersBeyondAllTypesAreRejected() throws {
        let huge = try #require(JSONNumber("-1e400"))
        let error = #expect(throws: EncodingError.self) { try JSONEncoder().encode(["a": [huge]]) }
        guard case .invalidValue(let value, let context) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(value as? JSONNumber == huge)
        #expect(context.codingPath.map(\.stringValue) == ["a", "Index 0"])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([JSONNumber].self, from: Data("[1e400]".utf8)) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([JSONNumber].self, from: Data(#"["1"]"#.utf8)) }
    }

    /// A decoder that is at home at any depth.
    private struct Deep: Decoder {
        let codingPath: [any CodingKey]
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw Nothing() }
        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Nothing() }
        func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Nothing() }
    }

    private struct Nothing: Error {}

    private struct Place: CodingKey {
        var stringValue: String { "0" }
        var intValue: Int? { 0 }
        init() {}
        init?(stringValue: String) { nil }
        init?(intValue: Int) { nil }
    }

    @Test func depthHasALimit() {
        let deep = Deep(codingPath: Array(repeating: Place(), count: 513))
        #expect(throws: DecodingError.self) { try JSONValue(from: deep) }
        let allowed = Deep(codingPath: Array(repeating: Place(), count: 512))
        #expect(throws: Nothing.self) { try JSONValue(from: allowed) }
    }

    @Test func nestedFailuresHaveTheirPaths() throws {
        let text = #"{"a":[1,{"b":1e400}]}"#
        // Foundation rejects the number without a path; a list with a date has one.
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
        let list = try PropertyListEncoder().encode(["a": ["b": [Date(timeIntervalSince1970: 0)]]])
        let error = #expect(throws: DecodingError.self) {
            try PropertyListDecoder().decode(JSONValue.self, from: list)
        }
        guard case .typeMismatch(_, let context) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["a", "b", "Index 0"])
    }
}
