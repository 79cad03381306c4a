/// A decimal number as the binary one below it, in a floating-point type's own bits, and on which side of the middle
/// between that one and the next it lies.
///
/// The method is that of Eisel and Lemire (Number Parsing at a Gigabyte per Second, 2021) without its proofs: the
/// decimal is known to lie in an interval, and where the middle lies in it too, the side is left open.
struct BinaryRounding {
    enum Side {
        case below, above, unknown
    }

    /// The bit pattern without a sign.
    ///
    /// The next number's is one more, also where that one is infinity.
    private let floor: UInt64
    private let side: Side

    /// The nearest number's bit pattern; `nil` where it isn't known.
    @inline(__always)
    var nearest: UInt64? {
        switch side {
        case .below: floor
        case .above: floor + 1
        case .unknown: nil
        }
    }

    /// - Parameters:
    ///   - type: The type whose bits are asked for.
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
        // What stands behind a type's last bit; numbers below the normal ones have fewer bits.
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

    /// The side of a product whose factors are exact; where it is the middle, the even number is the nearest.
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
