#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Numbers of JSON as Foundation's `Decimal`, digit by digit: 0.1 is 0.1, not what a `Double` makes of it.
enum DecimalText {
    /// - Parameters:
    ///   - start: A text that follows the grammar of JSON's numbers.
    ///   - count: Its length.
    /// - Returns: The number exactly; `nil` where that isn't possible: the digits without zeros before and behind are
    ///   more than 128 bits hold, which is 38 digits at least, or their power of ten is beyond -128 and 127.
    static func decimal(_ start: UnsafePointer<UInt8>, _ count: Int) -> Decimal? {
        let digits = SignificantDigits(start, count)
        guard digits.count > 0 else { return Decimal() }
        guard digits.count <= digitsMax, -128...127 ~= digits.exponent else { return nil }
        var parts: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var left = digits.count
        digits.forEach { digit in
            left -= 1
            switch left / partDigits {
            case 0: parts.2 = parts.2 * 10 + UInt64(digit)
            case 1: parts.1 = parts.1 * 10 + UInt64(digit)
            default: parts.0 = parts.0 * 10 + UInt64(digit)
            }
        }
        guard parts <= greatest else { return nil }
        var magnitude = Decimal(parts.2)
        if parts.1 > 0 { magnitude += Decimal(sign: .plus, exponent: partDigits, significand: Decimal(parts.1)) }
        if parts.0 > 0 { magnitude += Decimal(sign: .plus, exponent: 2 * partDigits, significand: Decimal(parts.0)) }
        return Decimal(
            sign: digits.isNegative ? .minus : .plus,
            exponent: Int(digits.exponent),
            significand: magnitude,
        )
    }

    /// So many digits has the largest number of 128 bits.
    private static let digitsMax = 39
    /// So many digits fit a `UInt64` whatever they are.
    private static let partDigits = 19
    /// The largest number of 128 bits, in parts of so many digits.
    private static let greatest: (UInt64, UInt64, UInt64) = (3, 4_028_236_692_093_846_346, 3_374_607_431_768_211_455)
}
