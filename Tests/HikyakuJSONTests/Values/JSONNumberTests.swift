import Foundation
import HikyakuJSON
import Testing

@Suite struct JSONNumberTests {
    @Test(arguments: [
        "0", "-0", "1.50", "1e400", "-12.5E+03", "1e999999999", "123456789012345678901234567890.1", "0e0",
    ])
    func aNumberKeepsItsDigits(text: String) throws {
        let number = try #require(JSONNumber(text))
        #expect(number.text == text)
        #expect(number.description == text)
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", ".5", "1.", "1e", "1e+", "0x1F", "1 ", " 1", "1_000", "inf", "nan", "Infinity", "١",
        "1,5", "1.5.5", "1e5e5", "--1", "1\0", "true", "\"1\"",
    ])
    func invalidNumbersAreRejected(text: String) {
        #expect(JSONNumber(text) == nil)
    }

    @Test func anyNumberOfSwiftBecomesOne() {
        #expect(JSONNumber(Int.min).text == "-9223372036854775808")
        #expect(JSONNumber(UInt64.max).text == "18446744073709551615")
        #expect(JSONNumber(UInt8(7)).text == "7")
        #expect(JSONNumber(Double("0.1") ?? 0)?.text == "0.1")
        #expect(JSONNumber(Double(5))?.text == "5")
        #expect(JSONNumber(-Double.zero)?.text == "-0")
        #expect(JSONNumber(Double.greatestFiniteMagnitude)?.double == .greatestFiniteMagnitude)
        #expect(JSONNumber(Double.leastNonzeroMagnitude)?.double == .leastNonzeroMagnitude)
        #expect(JSONNumber(Double.infinity) == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(Decimal(sign: .minus, exponent: -3, significand: 125))?.text == "-0.125")
        #expect(JSONNumber(Decimal.nan) == nil)
        #expect(([7, -2.5] as [JSONNumber]).map(\.text) == ["7", "-2.5"])
    }

    @Test func aNumberConvertsToTheRequestedType() throws {
        let hundred = try #require(JSONNumber("1.00e2"))
        #expect(hundred.int == 100)
        #expect(hundred.double == 100)
        #expect(hundred.decimal == 100)
        #expect(hundred.converted(to: Int8.self) == 100)
        let large = try #require(JSONNumber("300.0"))
        #expect(large.converted(to: UInt8.self) == nil)
        #expect(large.converted(to: UInt16.self) == 300)
        let tenth = try #require(JSONNumber("0.1"))
        #expect(tenth.int == nil)
        #expect(tenth.double == 0.1)
        #expect(tenth.decimal == Decimal(string: "0.1"))
        let beyond = try #require(JSONNumber("-1e400"))
        #expect(beyond.int == nil)
        #expect(beyond.double == nil)
        #expect(beyond.decimal == nil)
    }

    @Test(arguments: [
        ["1", "1.0", "10e-1", "0.1E1", "1e0", "1e+00", "1.000000000000000000000000000000000000000000000"],
        ["0", "-0", "0.0", "-0.00e5", "0e999999999999999999999"],
        ["-12500", "-125e2", "-1.25e4", "-0.0125E6", "-12500.0"],
        ["12345678901234567890.12345", "1234567890123456789012345e-5", "0.1234567890123456789012345e20"],
        ["1e999999999", "10e999999998", "0.1e1000000000"],
    ])
    func equalNumbersAreEqualHoweverTheyAreWritten(texts: [String]) throws {
        let numbers = try texts.map { try #require(JSONNumber($0)) }
        #expect(Set(numbers).count == 1)
        for number in numbers { #expect(number == numbers[0]) }
    }

    @Test(arguments: [
        ("1", "-1"), ("1", "10"), ("1", "1.1"), ("12", "21"), ("1e5", "1e6"), ("105", "15"), ("1.05", "1.5"),
        ("0.1", "0.10000000000000000000000000000000000001"), ("9007199254740993", "9007199254740992"),
        ("0", "1e-400"), ("1e999999999", "1e999999998"),
        ("1e99999999999999999998", "1e99999999999999999999"), ("1e-99999999999999999998", "1e-99999999999999999999"),
    ])
    func differentNumbersDiffer(first: String, second: String) throws {
        #expect(try #require(JSONNumber(first)) != #require(JSONNumber(second)))
    }

    @Test func numbersOfTheSameDigitsModuloAWordHashApart() throws {
        let numbers = try (0..<100).map { index in
            // Two to the 64th more each time.
            var number = try #require(Decimal(string: "18446744073709551616"))
            number *= Decimal(index)
            return try #require(JSONNumber(number + 1))
        }
        #expect(Set(numbers.map(\.hashValue)).count > 90)
    }

    /// The hash of such a number depends on its whole text; otherwise colliding numbers would be easy to construct.
    @Test(arguments: ["", "-"])
    func exponentsThatAreNotReadToTheirEndHashApart(sign: String) throws {
        let numbers = try (0..<100).map { try #require(JSONNumber("1e\(sign)1111111111111111111\(1000 + $0)")) }
        #expect(Set(numbers).count == 100)
        #expect(Set(numbers.map(\.hashValue)).count > 90)
    }

    @Test func hugeExponentsCostNothing() throws {
        let number = try #require(JSONNumber("1e999999999999"))
        #expect(number.int == nil)
        #expect(number.converted(to: UInt64.self) == nil)
        #expect(number.double == nil)
        #expect(number.decimal == nil)
        #expect(Set([number]).contains(number))
        let tiny = try #require(JSONNumber("1e-999999999999"))
        #expect(tiny.int == nil)
        #expect(tiny.double == 0)
        #expect(tiny.decimal == nil)
    }
}
