import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A number's digits without leading and trailing zeros: `-0.01250e9` is minus 125 times ten to the fifth.
///
/// Two texts represent the same number exactly if all of these properties are equal.
struct SignificantDigits {
    let isNegative: Bool
    /// The number of digits; 0 for the number 0.
    let count: Int
    /// The power of ten by which the digits, as a whole number, are multiplied; 0 for the number 0.
    let exponent: Int64
    /// The first digit; the decimal point may be among the following ones.
    private let start: UnsafePointer<UInt8>

    /// Parses a text in JSON's number grammar.
    init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        let end = start + count
        var firstDigit = start
        // Zeros are counted separately, because they are significant only if another digit follows.
        var (significantCount, zeroCount, fractionCount, isFraction) = (0, 0, 0, false)
        var position = start
        while position < end, position.pointee | 0x20 != UInt8(ascii: "e") {
            defer { position += 1 }
            guard ASCII.isDigit(position.pointee) else {
                isFraction = position.pointee == Byte.point
                continue
            }
            if isFraction { fractionCount += 1 }
            if position.pointee == Byte.zero {
                zeroCount += 1
            } else {
                if significantCount == 0 { (firstDigit, zeroCount) = (position, 0) }
                significantCount += zeroCount + 1
                zeroCount = 0
            }
        }
        let power = position < end ? NumberParts.power(from: position, to: end) : 0
        // 0 has no sign.
        isNegative = significantCount > 0 && start.pointee == Byte.minus
        self.start = firstDigit
        self.count = significantCount
        exponent = significantCount == 0 ? 0 : power + Int64(zeroCount - fractionCount)
    }

    /// Calls a closure with each digit, as a number from 0 to 9.
    @inline(__always)
    func forEach(_ body: (UInt8) -> Void) {
        var position = start
        var left = count
        while left > 0 {
            let digit = position.pointee &- Byte.zero
            position += 1
            if digit < 10 {
                body(digit)
                left -= 1
            }
        }
    }

}

extension SignificantDigits: Hashable {
    /// Whether the exponent is so large that it was capped.
    var isBeyondCounting: Bool { exponent.magnitude > Int64.max.magnitude / 10_000 }

    static func == (first: SignificantDigits, second: SignificantDigits) -> Bool {
        guard first.isNegative == second.isNegative, first.count == second.count, first.exponent == second.exponent
        else { return false }
        var (firstRest, secondRest) = (first.start, second.start)
        for _ in 0..<first.count where nextDigit(&firstRest) != nextDigit(&secondRest) { return false }
        return true
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(isNegative)
        hasher.combine(exponent)
        // In chunks that fit. All digits are hashed, or it would be easy to create collisions.
        var chunk: UInt64 = 0
        var chunkCount = 0
        forEach { digit in
            chunk = chunk * 10 + UInt64(digit)
            chunkCount += 1
            if chunkCount == NumberParts.digitsMax {
                hasher.combine(chunk)
                (chunk, chunkCount) = (0, 0)
            }
        }
        hasher.combine(chunk)
    }

    private static func nextDigit(_ position: inout UnsafePointer<UInt8>) -> UInt8 {
        while !ASCII.isDigit(position.pointee) { position += 1 }
        defer { position += 1 }
        return position.pointee
    }
}

/// Converts JSON numbers to Foundation's `Decimal` digit by digit, without a `Double` in between: 0.1 is exactly 0.1.
enum DecimalText {
    /// - Parameters:
    ///   - start: A text in JSON's number grammar.
    ///   - count: Its length.
    /// - Returns: The exact number, or `nil` if a `Decimal` can't hold it. The digits without leading and trailing
    ///   zeros must fit in 128 bits, which hold at least 38 digits. Their power of ten must be in -128...127.
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

    /// The number of digits of the largest 128-bit integer.
    private static let digitsMax = 39
    /// Any number of this many digits fits a `UInt64`.
    private static let partDigits = 19
    /// The largest 128-bit integer in parts of 19 digits.
    private static let greatest: (UInt64, UInt64, UInt64) = (3, 4_028_236_692_093_846_346, 3_374_607_431_768_211_455)
}
