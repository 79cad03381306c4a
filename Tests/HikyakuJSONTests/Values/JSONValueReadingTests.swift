import Foundation
import HikyakuJSON
import TestSupport
import Testing

/// What our own decoder makes of documents without a type.
@Suite struct JSONValueReadingTests {
    private static func value(_ text: String) throws -> JSONValue {
        try HikyakuJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test(arguments: [
        "null", "true", "false", "0", "-0", "1.50", "-12.5E+03", "1e400", "12345678901234567890123456789.0", "\"\"",
        "\"é😀\"", "[]", "{}", "[1,[2,[3,[]]],{}]", #"{"":null,"a":{"b":[true,false,"x",1.0]}}"#,
        "1234567890.1234", "1234567890.12345", "1234567890.123456",
    ])
    func documentsAreKeptAsTheyAre(text: String) throws {
        #expect(try Self.value(text).description == text)
        #expect(try HikyakuJSONDecoder().read(JSONValue.self, from: Data(text.utf8)).description == text)
        #expect(try Self.value(" [ \(text) ,\n\(text) ] ").description == "[\(text),\(text)]")
    }

    @Test func escapesAreUndone() throws {
        #expect(try Self.value(#"{"\u0061\n":"\"\/\ud83d\ude00"}"#) == ["a\n": "\"/😀"])
    }

    @Test func theLastOfEqualKeysWins() throws {
        #expect(try Self.value(#"{"a":1,"b":2,"a":3}"#) == ["a": 3, "b": 2])
    }

    @Test(arguments: [
        "", " ", "nul", "truex", "tru", "[1,]", "{\"a\"}", "{1:2}", "01", "1.", "-", "\"", "[", "x", "'a'", "1 2",
    ])
    func invalidDocumentsAreRejected(text: String) {
        #expect(throws: DecodingDiagnosis.self) { try Self.value(text) }
    }

    @Test func depthHasALimit() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        var value = try Self.value(nested(512))
        for _ in 0..<511 { value = try #require(value[0]) }
        #expect(value == [])
        #expect(throws: DecodingDiagnosis.self) { try Self.value(nested(513)) }
        #expect(throws: DecodingDiagnosis.self) { try Self.value(nested(100_000)) }
    }

    private struct Envelope: Decodable {
        let kind: String
        let payload: JSONValue
        let extra: JSONValue?
        let amount: JSONNumber
        let more: [String: [JSONNumber]]
    }

    @Test func valuesAreMembersOfOtherTypes() throws {
        let text = #"{"kind":"k","payload":{"a_b":[1.0,null]},"amount":0.10,"more":{"x":[1e2,-0]}}"#
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let envelope = try decoder.decode(Envelope.self, from: Data(text.utf8))
        #expect(envelope.payload.description == #"{"a_b":[1.0,null]}"#)
        #expect(envelope.extra == nil)
        #expect(envelope.amount.text == "0.10")
        #expect(envelope.more["x"]?.map(\.text) == ["1e2", "-0"])
    }

    @Test func aNumberIsNeitherTextNorNull() {
        for text in ["\"1\"", "null", "true", "[]", "{}"] {
            #expect(throws: DecodingDiagnosis.self) {
                try HikyakuJSONDecoder().decode(JSONNumber.self, from: Data(text.utf8))
            }
        }
    }

    /// A document of any kind, and its value.
    private static func generate(_ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
        let keys = ["", "a", "b c", "é", "\"", "\n", "long enough for no short text"]
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &random) {
        case 0: return nil
        case 1: return .bool(.random(using: &random))
        case 2: return .number(JSONNumber(Int64(truncatingIfNeeded: random.next()) >> 40))
        case 3: return .number(JSONNumber(Double.random(in: -1e9...1e9, using: &random)) ?? 0)
        case 4: return .string(keys.randomElement(using: &random) ?? "")
        case 5: return .array((0..<Int.random(in: 0...6, using: &random)).map { _ in generate(depth - 1, &random) })
        default:
            return .object(
                keys.shuffled(using: &random).prefix(Int.random(in: 0...7, using: &random)).reduce(into: [:]) {
                    $0[$1] = generate(depth - 1, &random)
                }
            )
        }
    }

    @Test func generatedValuesAreReadBackAsTheSame() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let value = Self.generate(4, &random)
            let bytes = Data(value.description.utf8)
            #expect(try HikyakuJSONDecoder().decode(JSONValue.self, from: bytes) == value, "seed \(seed)")
            #expect(try JSONDecoder().decode(JSONValue.self, from: bytes) == value, "seed \(seed)")
        }
    }
}
