import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct IntegerTextTests {
    /// An outcome as a text, so that tables can hold those of any type.
    private static func read<Value: FixedWidthInteger>(_ type: Value.Type, _ text: String) -> String {
        NumberTexts.withBytes(text) { start, count in
            switch IntegerText.integer(type, start, count) {
            case .value(let value): "\(value)"
            case .outOfRange: "out of range"
            case .notInteger: "not an integer"
            }
        }
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("7", "7"), ("-7", "-7"), ("12345678", "12345678"), ("-123456789", "-123456789"),
        ("999999999999999999", "999999999999999999"), ("-999999999999999999", "-999999999999999999"),
        ("1000000000000000000", "1000000000000000000"), ("-1000000000000000000", "-1000000000000000000"),
        ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "out of range"),
        ("-9223372036854775808", "-9223372036854775808"), ("-9223372036854775809", "out of range"),
        ("9999999999999999999", "out of range"), ("99999999999999999999", "out of range"),
        ("1.0", "1"), ("1e2", "100"), ("12.50e1", "125"), ("-12.50E+1", "-125"), ("125000e-3", "125"),
        ("0.000125e6", "125"), ("0.0", "0"), ("-0.0", "0"), ("0e400", "0"), ("0e-400", "0"), ("-0.00e99", "0"),
        ("9007199254740993.0", "9007199254740993"), ("922337203685477580.7e1", "9223372036854775807"),
        ("-0.9223372036854775808e19", "-9223372036854775808"), ("0.9223372036854775808e19", "out of range"),
        ("100000000000000000000000000000e-28", "10"), ("1e18", "1000000000000000000"), ("1e19", "out of range"),
        ("1.5", "not an integer"), ("1e-1", "not an integer"), ("125e-3", "not an integer"),
        ("1e-400", "not an integer"), ("0.1", "not an integer"), ("9223372036854775807.5", "not an integer"),
        ("99999999999999999999.5", "not an integer"),
        ("1e400", "out of range"), ("-1e400", "out of range"), ("1.5e400", "out of range"),
        ("1e999999999999999999999999999", "out of range"), ("1e-999999999999999999999999999", "not an integer"),
        ("1e9223372036854775807", "out of range"), ("0.1e-9223372036854775808", "not an integer"),
    ])
    func numbersAreReadWhole(text: String, outcome: String) {
        #expect(Self.read(Int64.self, text) == outcome)
        #expect(Self.read(Int.self, text) == outcome)
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-1", "out of range"), ("18446744073709551615", "18446744073709551615"),
        ("18446744073709551616", "out of range"), ("9223372036854775808", "9223372036854775808"),
        ("1844674407370955161.5e1", "18446744073709551615"), ("-0.0e3", "0"), ("-1e0", "out of range"),
    ])
    func unsignedNumbersAreReadWhole(text: String, outcome: String) {
        #expect(Self.read(UInt64.self, text) == outcome)
    }

    @Test func smallTypesHoldWhatTheyCan() {
        for number in -70_000...70_000 where number.magnitude < 1000 || number % 251 == 0 || abs(number) > 65_000 {
            for text in ["\(number)", "\(number).00", "\(number)e0", "\(number)0e-1"] {
                #expect(Self.read(Int8.self, text) == (Int8(exactly: number)?.description ?? "out of range"))
                #expect(Self.read(UInt8.self, text) == (UInt8(exactly: number)?.description ?? "out of range"))
                #expect(Self.read(Int16.self, text) == (Int16(exactly: number)?.description ?? "out of range"))
                #expect(Self.read(UInt16.self, text) == (UInt16(exactly: number)?.description ?? "out of range"))
                #expect(Self.read(Int32.self, text) == "\(number)")
            }
        }
    }

    @Test(arguments: [
        ("170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
        ("-170141183460469231731687303715884105728", "-170141183460469231731687303715884105728"),
        ("170141183460469231731687303715884105728", "out of range"),
        ("1.70141183460469231731687303715884105727e38", "170141183460469231731687303715884105727"),
        ("1e38", "1" + String(repeating: "0", count: 38)), ("1e39", "out of range"),
    ])
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func widerTypesHoldMore(text: String, outcome: String) {
        #expect(Self.read(Int128.self, text) == outcome)
    }

    @Test func generatedNumbersAreReadAsTheyAre() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        var wrong: [String] = []
        for _ in 0..<Effort.rounds(100_000) {
            let number = Int64(truncatingIfNeeded: random.next()) >> Int64.random(in: 0...63, using: &random)
            // The point is moved to the left, and the exponent moves it back.
            let digits = "\(number.magnitude)"
            let places = Int.random(in: 0...25, using: &random)
            let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
            let sign = number < 0 ? "-" : ""
            let text = "\(sign)\(padded.dropLast(places)).\(padded.suffix(places))0e\(places)"
            if Self.read(Int64.self, "\(number)") != "\(number)" { wrong.append("\(number)") }
            if Self.read(Int64.self, text) != "\(number)" { wrong.append(text) }
        }
        #expect(wrong.prefix(5) == [], "seed \(seed)")
    }
}
