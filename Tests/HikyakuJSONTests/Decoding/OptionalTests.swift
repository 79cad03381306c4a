import Foundation
import Testing

@testable import HikyakuJSON

/// `null` and missing values, read in every way.
@Suite struct OptionalTests {
    private struct Synthesized: Codable, Equatable {
        var number: Int?
        var text: String?
        var list: [Int?]?
        var map: [String: String?]?
        var inner: Inner?
        var date: Date?
        var twice: Int??

        struct Inner: Codable, Equatable { var value: Double? }
    }

    @Test(arguments: [
        "{}",
        #"{"number":null,"text":null,"list":null,"map":null,"inner":null,"date":null,"twice":null}"#,
        #"{"number":1,"text":"","list":[null,1,null],"map":{"a":null,"b":"c"},"inner":{},"date":5,"twice":2}"#,
        #"{"list":[],"map":{},"inner":{"value":null}}"#,
        #"{"inner":{"value":1e5},"list":[null]}"#,
    ])
    func membersMayBeMissingOrNull(_ document: String) {
        var decoder = HikyakuJSONDecoder()
        decoder.dateDecodingStrategy = .deferredToDate
        let value = decoder.outcome(Synthesized.self, document)
        #expect(value.value != nil)
        #expect(value == JSONDecoder().outcome(Synthesized.self, document))
    }

    @Test(arguments: [
        (#"{"number":"1"}"#, "typeMismatch(Int) at /number"),
        (#"{"text":{}}"#, "typeMismatch(String) at /text"),
        (#"{"list":[1,"2"]}"#, "typeMismatch(Int) at /list/Index 1"),
        (#"{"list":1}"#, "typeMismatch(Array<Any>) at /list"),
        (#"{"map":{"a":1}}"#, "typeMismatch(String) at /map/a"),
        (#"{"map":[]}"#, "typeMismatch(Dictionary<String, Any>) at /map"),
        (#"{"inner":[]}"#, "typeMismatch(Dictionary<String, Any>) at /inner"),
        (#"{"inner":{"value":"a"}}"#, "typeMismatch(Double) at /inner/value"),
        (#"{"twice":[]}"#, "typeMismatch(Int) at /twice"),
    ])
    func whatIsThereHasToBeOfTheType(_ document: String, _ error: String) {
        #expect(HikyakuJSONDecoder().outcome(Synthesized.self, document) == .error(error))
        #expect(JSONDecoder().outcome(Synthesized.self, document) == .error(error))
    }

    /// Reads one member in each of the possible ways.
    private struct Ways<Value: Decodable>: Decodable {
        let log: [String]

        init(from decoder: any Decoder) throws {
            let object = try decoder.container(keyedBy: TextKey.self)
            let key: TextKey = "a"
            log = [
                "\(DecodingOutcome { try object.decode(Value.self, forKey: key) })",
                "\(DecodingOutcome { try object.decode(Value?.self, forKey: key) as Any })",
                "\(DecodingOutcome { try object.decode(Value??.self, forKey: key) as Any })",
                "\(DecodingOutcome { try object.decodeIfPresent(Value.self, forKey: key) as Any })",
                "\(DecodingOutcome { try object.decodeIfPresent(Value?.self, forKey: key) as Any })",
                "\(DecodingOutcome { try object.decodeIfPresent([Value?].self, forKey: key) as Any })",
                "\(DecodingOutcome { try object.decodeNil(forKey: key) })",
                "\(object.contains(key))",
                "\(DecodingOutcome { try object.superDecoder(forKey: key).singleValueContainer().decodeNil() })",
            ]
        }
    }

    private func expectSame<Value: Decodable>(_ type: Value.Type, _ document: String) {
        let ours = HikyakuJSONDecoder().outcome(Ways<Value>.self, document).value?.log
        #expect(ours != nil && ours == JSONDecoder().outcome(Ways<Value>.self, document).value?.log)
    }

    @Test(arguments: ["{}", #"{"a":null}"#, #"{"a":1}"#, #"{"a":"x"}"#, #"{"a":[null]}"#, #"{"a":{}}"#, #"{"a":true}"#])
    func eachWayToReadMatchesFoundation(_ document: String) {
        expectSame(Int.self, document)
        expectSame(String.self, document)
        expectSame(Double.self, document)
        expectSame(UInt8.self, document)
        expectSame([Int].self, document)
        expectSame([String: Int].self, document)
        expectSame(Decimal.self, document)
        expectSame(Synthesized.self, document)
        expectSame(JSONAny.self, document)
    }

    /// Foundation says of a `Bool` that is `null` that it is of another type.
    @Test func nullIsNotABoolean() {
        #expect(HikyakuJSONDecoder().outcome([Bool].self, "[null]") == .error("valueNotFound(Bool) at /Index 0"))
        #expect(JSONDecoder().outcome([Bool].self, "[null]") == .error("typeMismatch(Bool) at /Index 0"))
    }

    @Test func nullAtTheTop() {
        #expect(HikyakuJSONDecoder().outcome(Int?.self, "null") == .value(nil))
        #expect(HikyakuJSONDecoder().outcome(Synthesized?.self, " null ") == .value(nil))
        #expect(HikyakuJSONDecoder().outcome(Synthesized??.self, "null") == .value(nil))
        #expect(HikyakuJSONDecoder().outcome([Int]?.self, "[1]") == .value([1]))
        #expect(HikyakuJSONDecoder().outcome(Int.self, "null") == .error("valueNotFound(Int) at /"))
        #expect(
            HikyakuJSONDecoder().outcome(Synthesized.self, "null")
                == .error("valueNotFound(Dictionary<String, Any>) at /")
        )
        #expect(HikyakuJSONDecoder().outcome(Int?.self, "nul").error == "dataCorrupted at /")
        #expect(HikyakuJSONDecoder().outcome(Int?.self, "nullx").error == "dataCorrupted at /")
    }

    @Test func nullInADirectType() {
        #expect(HikyakuJSONDecoder().reading(Int?.self, "null") == .value(nil))
        #expect(HikyakuJSONDecoder().reading([Int?].self, "[null,1,null]") == .value([nil, 1, nil]))
        #expect(
            HikyakuJSONDecoder().reading([String: [Int]?].self, #"{"a":null,"b":[1]}"#) == .value(["a": nil, "b": [1]])
        )
        #expect(HikyakuJSONDecoder().reading(Int??.self, "null") == .value(nil))
        #expect(HikyakuJSONDecoder().reading(Int??.self, "1") == .value(1))
        #expect(HikyakuJSONDecoder().reading(Int?.self, #""1""#) == .error("typeMismatch(Int) at /"))
    }
}
