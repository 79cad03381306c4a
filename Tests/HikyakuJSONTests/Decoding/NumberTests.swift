import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// Numbers of all types, through containers and directly.
@Suite struct NumberTests {
    private let decoder = HikyakuJSONDecoder()

    /// Decodes a number in each of the ways that lead to it.
    private func outcomes<Value: Decodable & JSONReadable & Hashable>(
        _ type: Value.Type,
        _ text: String,
    ) -> Set<String> {
        var concrete = decoder
        if let key = ConcreteNumbers.key { concrete.userInfo[key] = "\(Value.self)" }
        let all = [
            decoder.outcome(type, text).map { "\($0)" },
            decoder.reading(type, text).map { "\($0)" },
            decoder.outcome([Value].self, "[\(text)]").map { "\($0[0])" },
            decoder.reading([Value].self, "[ \(text) ]").map { "\($0[0])" },
            decoder.outcome(Object<Value>.self, "{\"a\":\(text)}").map { "\($0.a)" },
            decoder.outcome([String: Value].self, "{\"a\":\(text)}").map {
                $0.mapValues { "\($0)" }["a", default: ""]
            },
            DecodingOutcome { try Elements<Value>.first(of: "[\(text)]") }.map { "\($0)" },
        ]
        let named = concrete.outcome(ConcreteNumbers.self, "{\"a\": [\(text)],\"b\":\(text)\n}").map { $0.texts }
        return Set(all.map { $0.value ?? Self.kind(of: $0.error) })
            .union(named.value?.subtracting([""]) ?? [Self.kind(of: named.error)])
    }

    private struct Object<Value: Decodable>: Decodable { let a: Value }

    private static func kind(of error: String?) -> String { error?.split(separator: " ").first.map(String.init) ?? "" }

    /// Takes the way of containers by the type's own requirement.
    private struct Elements<Value: Decodable>: Decodable {
        let first: Value

        init(from decoder: any Decoder) throws {
            var array = try decoder.unkeyedContainer()
            first = try array.superDecoder().singleValueContainer().decode(Value.self)
        }

        static func first(of document: String) throws -> Value {
            try HikyakuJSONDecoder().undiagnosed(Self.self, Data(document.utf8)).first
        }
    }

    private func expectRange<Value: Decodable & JSONReadable & FixedWidthInteger>(_ type: Value.Type) {
        #expect(outcomes(type, "\(Value.min)") == ["\(Value.min)"])
        #expect(outcomes(type, "\(Value.max)") == ["\(Value.max)"])
        #expect(outcomes(type, "0") == ["0"])
        #expect(outcomes(type, "-0") == ["0"])
        #expect(outcomes(type, "1e1") == ["10"])
        #expect(outcomes(type, "12.5e1") == ["125"])
        #expect(outcomes(type, "100.00") == ["100"])
        let above = NumberTexts.incremented("\(Value.max)")
        #expect(outcomes(type, above) == ["dataCorrupted"])
        #expect(outcomes(type, "\(above)0") == ["dataCorrupted"])
        #expect(outcomes(type, "\(above).0") == ["dataCorrupted"])
        let below = Value.min == 0 ? "-1" : "-" + NumberTexts.incremented("\(Value.min.magnitude)")
        #expect(outcomes(type, below) == ["dataCorrupted"])
        #expect(outcomes(type, "1e100") == ["dataCorrupted"])
        #expect(outcomes(type, "1e999999999999999999999") == ["dataCorrupted"])
        #expect(outcomes(type, "1.5") == ["dataCorrupted"])
        #expect(outcomes(type, "1e-1") == ["dataCorrupted"])
        #expect(outcomes(type, "0e-999999999999999999999") == ["0"])
        for other in [#""1""#, "true", "[]", "{}", "[1]"] {
            #expect(outcomes(type, other) == ["typeMismatch(\(Value.self))"])
        }
        #expect(outcomes(type, "null").subtracting(["valueNotFound(\(Value.self))"]).count <= 1)
    }

    @Test func integersHaveTheRangeOfTheirType() {
        expectRange(Int8.self)
        expectRange(Int16.self)
        expectRange(Int32.self)
        expectRange(Int64.self)
        expectRange(Int.self)
        expectRange(UInt8.self)
        expectRange(UInt16.self)
        expectRange(UInt32.self)
        expectRange(UInt64.self)
        expectRange(UInt.self)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func integersOf128BitsHaveTheRangeOfTheirType() {
        expectRange(Int128.self)
        expectRange(UInt128.self)
    }

    @Test(arguments: [
        ("0", "0.0"), ("-0", "-0.0"), ("-0.0", "-0.0"), ("-0e5", "-0.0"), ("1", "1.0"), ("0.1", "0.1"),
        ("1E2", "100.0"),
        ("1e+2", "100.0"), ("123456789012345678", "1.2345678901234568e+17"),
        ("9007199254740993", "9007199254740992.0"),
        ("9007199254740993.00000000000000000000000001", "9.007199254740994e+15"), ("5e-324", "5e-324"),
        ("2e-324", "0.0"),
        ("-1e-999999999999999999999", "-0.0"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("1.7976931348623158e308", "1.7976931348623157e+308"), ("0.000000000000000000000000000000000001e36", "1.0"),
        ("2.2250738585072011e-308", "2.225073858507201e-308"), ("1e23", "1e+23"), ("8.5e0", "8.5"),
    ])
    func doublesAreRoundedCorrectly(_ text: String, _ value: String) {
        #expect(outcomes(Double.self, text) == [value])
    }

    @Test(arguments: ["1e400", "-1e309", "1.7976931348623159e308", "1e999999999999999999999"])
    func numbersBeyondDoubleAreRejected(_ text: String) {
        #expect(outcomes(Double.self, text) == ["dataCorrupted"])
        #expect(outcomes(Float.self, text) == ["dataCorrupted"])
    }

    @Test(arguments: [
        ("0.1", "0.1"), ("-0", "-0.0"), ("16777217", "16777216.0"), ("16777217.0000001", "1.6777218e+07"),
        ("3.4028235e38", "3.4028235e+38"), ("1e-50", "0.0"), ("1e-45", "1e-45"),
        // Rounded to a double first, it would be rounded down then.
        ("1.00000017881393432617187500000001", "1.0000002"),
    ])
    func floatsAreRoundedOnce(_ text: String, _ value: String) {
        #expect(outcomes(Float.self, text) == [value])
        #expect(outcomes(Float.self, "3.4028236e38") == ["dataCorrupted"])
    }

    @Test(arguments: [
        ("0.1", "0.1"), ("-0.0", "0"), ("1e3", "1000"),
        ("12345678901234567890.0987654321", "12345678901234567890.0987654321"),
        ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
        ("1e-128", "0." + String(repeating: "0", count: 127) + "1"), ("100e-2", "1"),
    ])
    func decimalsKeepTheirDigits(_ text: String, _ value: String) {
        #expect(outcomes(Decimal.self, text) == [value])
    }

    @Test(arguments: [
        "340282366920938463463374607431768211456", "0.1234567890123456789012345678901234567891", "1e128", "1e400",
        "1e-129",
    ])
    func numbersBeyondDecimalAreRejected(_ text: String) {
        #expect(outcomes(Decimal.self, text) == ["dataCorrupted"])
    }

    @Test func textsAreReadAsNumbers() {
        var decoder = HikyakuJSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf",
            negativeInfinity: "-\"inf\"",
            nan: "飛",
        )
        let document = #"["inf","\u0069nf","-\"inf\"","\u98db","飛",1]"#
        let values = decoder.outcome([Double].self, document).value ?? []
        #expect(values.map { "\($0)" } == ["inf", "inf", "-inf", "nan", "nan", "1.0"])
        #expect(
            decoder.outcome([Float].self, document).value?.map { "\($0)" } == [
                "inf", "inf", "-inf", "nan", "nan", "1.0",
            ]
        )
        #expect(decoder.reading([Double].self, document).value?.map { "\($0)" } == values.map { "\($0)" })
        #expect(decoder.outcome([Double?].self, #"[null,"nan"]"#) == .error("typeMismatch(Double) at /Index 1"))
        // Only floating-point numbers know of it.
        #expect(decoder.outcome([String: Int].self, #"{"a":"inf"}"#) == .error("typeMismatch(Int) at /a"))
        #expect(decoder.outcome([String: Decimal].self, #"{"a":"inf"}"#) == .error("typeMismatch(Decimal) at /a"))
        #expect(HikyakuJSONDecoder().outcome([Double].self, #"["inf"]"#).error != nil)
        #expect(decoder.outcome([Double].self, "[1e400]").error != nil)
    }

    /// Doubles and integers of any kind, against Foundation, which reads them correctly if not quickly.
    @Test func generatedNumbersAreAsFoundationReadsThem() {
        struct Numbers: Decodable, Equatable {
            let double: Double
            let float: Float
            let int: Int?
        }
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(2000) {
            // Neither tiny nor huge: Foundation rejects numbers that a type rounds to 0.
            let text = NumberTexts.any(digits: 1...25, exponents: -12...12, &random)
            let document = #"{"double":\#(text),"float":\#(text)}"#
            let ours = decoder.outcome(Numbers.self, document)
            // A zero with an exponent is one of those for it.
            let theirs =
                Double(text) == 0
                ? .value(Numbers(double: 0, float: 0, int: nil)) : JSONDecoder().outcome(Numbers.self, document)
            #expect(ours.value != nil && ours == theirs, "seed \(seed): \(text)")
            let integer = String(text.prefix { $0 == "-" || $0.isNumber }.prefix(20))
            #expect(decoder.outcome(Int.self, integer).value == Int(integer), "seed \(seed): \(integer)")
            #expect(decoder.outcome(UInt64.self, integer).value == UInt64(integer), "seed \(seed): \(integer)")
        }
    }
}

extension NumberTexts {
    /// A natural number and one.
    static func incremented(_ digits: String) -> String {
        let nines = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "9") }.count
        var kept = digits.utf8.dropLast(nines).map { $0 }
        if kept.isEmpty { kept = [UInt8(ascii: "0")] }
        kept[kept.count - 1] += 1
        return String(decoding: kept, as: UTF8.self) + String(repeating: "0", count: nines)
    }
}
