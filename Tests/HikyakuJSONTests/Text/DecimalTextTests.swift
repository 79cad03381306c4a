import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct DecimalTextTests {
    private static func read(_ text: String) -> Decimal? { NumberTexts.withBytes(text, DecimalText.decimal) }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-0.000e99", "0"), ("0e999999999999999999999", "0"), ("1", "1"), ("-1.50", "-1.5"),
        ("0.1", "0.1"), ("19.99", "19.99"), ("12e3", "12000"), ("12E-3", "0.012"), ("100", "100"),
        ("9007199254740993", "9007199254740993"), ("18446744073709551616", "18446744073709551616"),
        ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
        ("-99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"),
        ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
        ("-3.40282366920938463463374607431768211455", "-3.40282366920938463463374607431768211455"),
        // Nothing is lost by zeros that say nothing.
        ("0.1000000000000000000000000000000000000000000000000", "0.1"),
        ("1000000000000000000000000000000000000000000000000e-48", "1"),
        ("1e127", "1" + String(repeating: "0", count: 127)), ("10e126", "1" + String(repeating: "0", count: 127)),
        ("1e-128", "0." + String(repeating: "0", count: 127) + "1"),
        ("120e-129", "0." + String(repeating: "0", count: 126) + "12"),
    ])
    func numbersKeepTheirDigits(text: String, digits: String) {
        #expect(Self.read(text)?.description == digits)
    }

    @Test(arguments: [
        "340282366920938463463374607431768211456", "-340282366920938463463374607431768211456",
        "999999999999999999999999999999999999999", "1234567890123456789012345678901234567890.1",
        "0.1234567890123456789012345678901234567891", "1e128", "1e-129", "1e400", "-1e-400",
        "1e999999999999999999999", "1e-999999999999999999999",
    ])
    func numbersOutOfRangeAreRejected(text: String) {
        #expect(Self.read(text) == nil)
    }

    @Test func generatedNumbersAreAsFoundationReadsThem() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        var wrong: [String] = []
        for _ in 0..<Effort.rounds(50_000) {
            let text = NumberTexts.any(digits: 1...38, exponents: -85...85, &random)
            let (ours, theirs) = (Self.read(text), Decimal(string: text))
            if ours != theirs || ours?.description != theirs?.description { wrong.append(text) }
        }
        #expect(wrong.prefix(5) == [], "seed \(seed)")
    }

    @Test func arithmeticGoesOnFromThem() throws {
        let price = try #require(Self.read("-0.100"))
        #expect(price * 3 == Decimal(string: "-0.3"))
        #expect(price + price.magnitude == 0)
        #expect(try #require(Self.read("0")) - 1 == -1)
        #expect(try #require(Self.read("-0.0")).isNaN == false)
        #expect(Set([price, try #require(Decimal(string: "-0.1"))]).count == 1)
    }
}
