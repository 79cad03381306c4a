/// Converts JSON numbers to the nearest floating-point number, with ties to even.
///
/// A number too small for its type becomes the smallest subnormal number or 0, as IEEE 754 rounds. A number too large
/// is rejected, because JSON has no infinity. `-0` keeps its sign.
enum DoubleText {
    /// - Parameters:
    ///   - start: A text in JSON's number grammar.
    ///   - count: Its length.
    /// - Returns: The number; `nil` if it is out of range.
    @inline(__always)
    static func double(_ start: UnsafePointer<UInt8>, _ count: Int) -> Double? {
        let parts = NumberParts(start, count)
        if !parts.isTruncated, let number = exact(parts.mantissa, parts.exponent) {
            return parts.isNegative ? -number : number
        }
        return magnitude(Double.self, parts, start, count).map {
            Double(bitPattern: $0 | (parts.isNegative ? 1 << 63 : 0))
        }
    }

    /// Like ``double(_:_:)``, but without a `Double` in between, which would round twice.
    @inline(__always)
    static func float(_ start: UnsafePointer<UInt8>, _ count: Int) -> Float? {
        let parts = NumberParts(start, count)
        return magnitude(Float.self, parts, start, count).map {
            Float(bitPattern: UInt32(truncatingIfNeeded: $0) | (parts.isNegative ? 1 << 31 : 0))
        }
    }

    /// The product of a mantissa and a power of ten if a `Double` represents both exactly, so that one operation rounds
    /// once.
    @inline(__always)
    static func exact(_ mantissa: UInt64, _ exponent: Int64) -> Double? {
        guard mantissa <= 1 << 53, -22...22 ~= exponent else { return nil }
        let number = Double(Int64(truncatingIfNeeded: mantissa))
        return exponent < 0 ? number / powersOfTen[Int(-exponent)] : number * powersOfTen[Int(exponent)]
    }

    private static let powersOfTen = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The bits of the nearest number, without its sign.
    @inline(never)
    private static func magnitude<Value: BinaryFloatingPoint>(
        _ type: Value.Type,
        _ parts: NumberParts,
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
    ) -> UInt64? {
        // Less than half of the smallest positive number.
        guard parts.mantissa != 0, parts.exponent >= PowersOfFive.exponents.lowerBound else { return 0 }
        guard parts.exponent <= PowersOfFive.exponents.upperBound else { return nil }
        let exponent = Int(parts.exponent)
        let rounding = BinaryRounding(type, mantissa: parts.mantissa, exponent: exponent)
        var nearest = rounding.nearest
        if parts.isTruncated {
            // The number lies between this mantissa and the next, which usually round to the same number.
            let next = BinaryRounding(type, mantissa: parts.mantissa + 1, exponent: exponent)
            if next.nearest != nearest { nearest = nil }
        }
        let bits = nearest ?? exactly(type, SignificantDigits(start, count))
        let infinity = (1 << UInt64(Value.exponentBitCount) - 1) << UInt64(Value.significandBitCount)
        return bits < infinity ? bits : nil
    }

    /// No midpoint between two numbers has more digits (767 for `Double`).
    ///
    /// Of further digits, only their presence matters.
    private static let digitsMax = 800

    /// The rare cases that ``BinaryRounding`` leaves open are decided by the standard library.
    private static func exactly<Value: BinaryFloatingPoint>(_ type: Value.Type, _ digits: SignificantDigits) -> UInt64 {
        var text: [UInt8] = []
        digits.forEach { if text.count < digitsMax { text.append(Byte.zero + $0) } }
        let isCut = digits.count > digitsMax
        // The last significant digit is not 0.
        if isCut { text.append(Byte.nine) }
        let exponent = Int(digits.exponent) + (isCut ? digits.count - digitsMax - 1 : 0)
        let number = String(decoding: text, as: UTF8.self) + "e\(exponent)"
        if type == Float.self { return UInt64((Float(number) ?? .infinity).bitPattern) }
        return (Double(number) ?? .infinity).bitPattern
    }
}

/// The floating-point number below a decimal number, and the side of the midpoint to the next one on which the
/// decimal lies.
///
/// The floating-point number is stored as its bit pattern. The method is that of Eisel and Lemire (Number Parsing at
/// a Gigabyte per Second, 2021) without its proofs. The decimal is known to lie in an interval. If the midpoint lies
/// in it too, the side is unknown.
struct BinaryRounding {
    enum Side {
        case below, above, unknown
    }

    /// The bit pattern without a sign.
    ///
    /// The next number's bit pattern is one more, also if it is infinity.
    private let floor: UInt64
    private let side: Side

    /// The nearest number's bit pattern; `nil` if it is not known.
    @inline(__always)
    var nearest: UInt64? {
        switch side {
        case .below: floor
        case .above: floor + 1
        case .unknown: nil
        }
    }

    /// - Parameters:
    ///   - type: The floating-point type.
    ///   - mantissa: Any number but 0.
    ///   - exponent: One of ``PowersOfFive/exponents``.
    @inline(__always)
    init<Value: BinaryFloatingPoint>(_ type: Value.Type, mantissa: UInt64, exponent: Int) {
        let shift = mantissa.leadingZeroBitCount
        let product = Product(mantissa << UInt64(shift), PowersOfFive.leadingBits(exponent))
        let topBit = Int(product.high >> 63)
        let binaryExponent = 63 + topBit + PowersOfFive.binaryExponent(exponent) + exponent - shift
        let bias = 1 << (Value.exponentBitCount - 1) - 1
        let stored = binaryExponent + bias
        // The number of bits after the type's last one; subnormal numbers have fewer bits.
        let discarded = 62 - Value.significandBitCount + topBit + max(0, 1 - stored)
        guard discarded <= 64 else {
            (floor, side) = (0, .below)
            return
        }
        let kept = product.high >> UInt64(discarded)
        // The first bit of a normal number isn't stored, and adds one to the exponent here.
        floor = UInt64(max(0, stored - 1)) << UInt64(Value.significandBitCount) + kept
        let rest = product.high & (UInt64.max >> UInt64(64 - discarded))
        let half = UInt64(1) << UInt64(discarded - 1)
        let isExact = 0...PowersOfFive.exactExponentMax ~= exponent
        side = isExact ? product.exactSide(rest, half, isOdd: kept & 1 == 1) : product.side(rest, half)
    }
}

/// The product of a mantissa and 128 bits.
private struct Product {
    let high: UInt64
    let middle: UInt64
    let low: UInt64

    @inline(__always)
    init(_ mantissa: UInt64, _ factor: (high: UInt64, low: UInt64)) {
        let upper = mantissa.multipliedFullWidth(by: factor.high)
        let lower = mantissa.multipliedFullWidth(by: factor.low)
        let (sum, overflow) = upper.low.addingReportingOverflow(lower.high)
        high = upper.high &+ (overflow ? 1 : 0)
        middle = sum
        low = lower.low
    }

    /// The side of a product whose factors are exact; at the midpoint, the even number is the nearest.
    @inline(__always)
    func exactSide(_ rest: UInt64, _ half: UInt64, isOdd: Bool) -> BinaryRounding.Side {
        if rest != half { return rest < half ? .below : .above }
        return middle | low != 0 || isOdd ? .above : .below
    }

    /// The side of a product that lacks up to one unit of ``middle`` and what ``low`` is, since its factor was cut off.
    @inline(__always)
    func side(_ rest: UInt64, _ half: UInt64) -> BinaryRounding.Side {
        if rest < half { return rest == half - 1 && middle == .max ? .unknown : .below }
        return rest == half && middle == 0 ? .unknown : .above
    }
}

/// The powers of five in the range of a `Double`, each truncated to its first 128 bits.
///
/// They are computed on first use, each from the previous one by a multiplication or a division of the exact number.
/// This is faster than reading them from a file.
enum PowersOfFive {
    static let exponents = -342...308
    /// The powers up to this one, from 0 on, are exact.
    static let exactExponentMax = 55

    private static let words = makeWords()

    /// The 128 bits; the highest one is always set.
    @inline(__always)
    static func leadingBits(_ exponent: Int) -> (high: UInt64, low: UInt64) {
        let index = (exponent - exponents.lowerBound) * 2
        return (words[index], words[index + 1])
    }

    /// The exponent of the highest bit: the power is at least two to this exponent, and less than twice that.
    @inline(__always)
    static func binaryExponent(_ exponent: Int) -> Int {
        // The logarithm of five to the base of two is 152,170 / 65,536, which is near enough for these exponents.
        (exponent * 152_170) >> 16
    }

    private static func makeWords() -> [UInt64] {
        var words = [UInt64](repeating: 0, count: exponents.count * 2)
        func keep(_ number: Natural, _ exponent: Int) {
            let index = (exponent - exponents.lowerBound) * 2
            (words[index], words[index + 1]) = number.leadingBits
        }
        var power = Natural(words: [1])
        for exponent in 0...exponents.upperBound {
            keep(power, exponent)
            power.multiplyByFive()
        }
        // Of two to the 960th, 166 bits are left after the last division: enough for 128 that are right, since
        // rounding down at each step rounds down the whole.
        var reciprocal = Natural(words: Array(repeating: 0, count: 15) + [1])
        for exponent in (exponents.lowerBound..<0).reversed() {
            reciprocal.divideByFive()
            keep(reciprocal, exponent)
        }
        return words
    }
}

/// A natural number of any size.
private struct Natural {
    /// From the least significant on; the last of them isn't 0.
    var words: [UInt64]

    mutating func multiplyByFive() {
        var carry: UInt64 = 0
        for index in words.indices {
            let product = words[index].multipliedFullWidth(by: 5)
            let (low, overflow) = product.low.addingReportingOverflow(carry)
            words[index] = low
            carry = product.high + (overflow ? 1 : 0)
        }
        if carry > 0 { words.append(carry) }
    }

    /// Divides and rounds down.
    mutating func divideByFive() {
        var remainder: UInt64 = 0
        for index in words.indices.reversed() {
            // By halves of words, since a division of whole ones takes more than one machine word.
            let upper = remainder << 32 | words[index] >> 32
            let lower = (upper % 5) << 32 | words[index] & 0xFFFF_FFFF
            words[index] = (upper / 5) << 32 | lower / 5
            remainder = lower % 5
        }
        if words.last == 0 { words.removeLast() }
    }

    /// The first 128 bits from the highest set one, padded with zeros.
    var leadingBits: (high: UInt64, low: UInt64) {
        func word(_ place: Int) -> UInt64 { place < words.count ? words[words.count - 1 - place] : 0 }
        let shift = UInt64(word(0).leadingZeroBitCount)
        // A shift by 64 gives 0.
        return (word(0) << shift | word(1) >> (64 - shift), word(1) << shift | word(2) >> (64 - shift))
    }
}
