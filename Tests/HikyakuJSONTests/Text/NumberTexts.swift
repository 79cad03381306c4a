import TestSupport

@testable import HikyakuJSON

/// Texts of numbers for the tests that compare conversions.
enum NumberTexts {
    /// Provides a text's bytes, followed by a digit that must not be read.
    static func withBytes<Result>(_ text: String, _ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
        let bytes = Array(text.utf8) + [UInt8(ascii: "7")]
        return bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("there is a digit at least") }
            return body(start, buffer.count - 1)
        }
    }

    /// A number with as many digits as `digits` allows, with or without a fraction and an exponent.
    static func any(digits: ClosedRange<Int>, exponents: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
        let count = Int.random(in: digits, using: &random)
        var text = (0..<count).map { _ in String(UInt8.random(in: 0...9, using: &random)) }.joined()
        while text.count > 1, text.first == "0" { text.removeFirst() }
        if Bool.random(using: &random) {
            let place = text.index(text.startIndex, offsetBy: Int.random(in: 0..<text.count, using: &random))
            text = (place == text.startIndex ? "0" : text[..<place]) + "." + text[place...]
        }
        if Bool.random(using: &random) { text += "e\(Int.random(in: exponents, using: &random))" }
        return (Bool.random(using: &random) ? "-" : "") + text
    }

    /// All digits of `significand` times two to `exponent`, as an integer and a power of ten.
    static func exact(_ significand: UInt64, _ exponent: Int) -> (digits: [UInt8], exponent: Int) {
        // The least significant first.
        var digits = String(significand).utf8.reversed().map { $0 - 48 }
        // A division by two is a multiplication by five and a shift of the point.
        for _ in 0..<abs(exponent) { multiply(&digits, by: exponent < 0 ? 5 : 2) }
        return (digits.reversed(), min(0, exponent))
    }

    private static func multiply(_ digits: inout [UInt8], by factor: UInt8) {
        var carry: UInt8 = 0
        for index in digits.indices {
            let product = digits[index] * factor + carry
            digits[index] = product % 10
            carry = product / 10
        }
        if carry > 0 { digits.append(carry) }
    }

    /// The middle between a number's bit pattern and the next, exact to the last digit.
    static func middle<Value: BinaryFloatingPoint>(above floor: UInt64, _ type: Value.Type) -> (String, Int) {
        let bits = UInt64(Value.significandBitCount)
        let stored = Int(floor >> bits)
        let significand = floor & (1 << bits - 1) | (stored > 0 ? 1 << bits : 0)
        let bias = 1 << (Value.exponentBitCount - 1) - 1
        let (digits, exponent) = exact(2 * significand + 1, max(stored, 1) - bias - Int(bits) - 1)
        return (String(decoding: digits.map { $0 + 48 }, as: UTF8.self), exponent)
    }

    /// A natural number above 0, less one.
    static func decremented(_ digits: String) -> String {
        let zeros = digits.utf8.reversed().prefix { $0 == UInt8(ascii: "0") }.count
        var kept = digits.utf8.dropLast(zeros).map { $0 }
        kept[kept.count - 1] -= 1
        return String(decoding: kept, as: UTF8.self) + String(repeating: "9", count: zeros)
    }
}
