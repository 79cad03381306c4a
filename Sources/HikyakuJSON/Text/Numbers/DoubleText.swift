/// Numbers of JSON as the floating-point numbers nearest to them; of two that are equally near, the even one.
///
/// A number too small for its type is the smallest there is, or 0, as IEEE 754 rounds; one too large is refused, since
/// JSON has no infinity. `-0` keeps its sign.
enum DoubleText {
    /// - Parameters:
    ///   - start: A text that follows the grammar of JSON's numbers.
    ///   - count: Its length.
    /// - Returns: The number; `nil` where it is beyond all finite ones.
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

    /// As ``double(_:_:)``, without a `Double` in between, which would round twice.
    @inline(__always)
    static func float(_ start: UnsafePointer<UInt8>, _ count: Int) -> Float? {
        let parts = NumberParts(start, count)
        return magnitude(Float.self, parts, start, count).map {
            Float(bitPattern: UInt32(truncatingIfNeeded: $0) | (parts.isNegative ? 1 << 31 : 0))
        }
    }

    /// What a mantissa and a power of ten make where both have a `Double` of their own, so that one operation rounds
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

    /// The bits of the number nearest to a text's, without its sign.
    @inline(never)
    private static func magnitude<Value: BinaryFloatingPoint>(
        _ type: Value.Type,
        _ parts: NumberParts,
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
    ) -> UInt64? {
        // Less than half of the smallest number that is not 0.
        guard parts.mantissa != 0, parts.exponent >= PowersOfFive.exponents.lowerBound else { return 0 }
        guard parts.exponent <= PowersOfFive.exponents.upperBound else { return nil }
        let exponent = Int(parts.exponent)
        let rounding = BinaryRounding(type, mantissa: parts.mantissa, exponent: exponent)
        var nearest = rounding.nearest
        if parts.isTruncated {
            // It lies between this mantissa and the next, for which mostly the same number is the nearest.
            let next = BinaryRounding(type, mantissa: parts.mantissa + 1, exponent: exponent)
            if next.nearest != nearest { nearest = nil }
        }
        let bits = nearest ?? exactly(type, SignificantDigits(start, count))
        let infinity = (1 << UInt64(Value.exponentBitCount) - 1) << UInt64(Value.significandBitCount)
        return bits < infinity ? bits : nil
    }

    /// No middle between two numbers has more digits, of two `Double`s 767 at most; of digits behind, it matters only
    /// that there are any.
    private static let digitsMax = 800

    /// What ``BinaryRounding`` had to leave open, which is rare: the standard library decides it.
    private static func exactly<Value: BinaryFloatingPoint>(_ type: Value.Type, _ digits: SignificantDigits) -> UInt64 {
        var text: [UInt8] = []
        digits.forEach { if text.count < digitsMax { text.append(Byte.zero + $0) } }
        let isCut = digits.count > digitsMax
        // The last of all digits isn't 0.
        if isCut { text.append(Byte.nine) }
        let exponent = Int(digits.exponent) + (isCut ? digits.count - digitsMax - 1 : 0)
        let number = String(decoding: text, as: UTF8.self) + "e\(exponent)"
        if type == Float.self { return UInt64((Float(number) ?? .infinity).bitPattern) }
        return (Double(number) ?? .infinity).bitPattern
    }
}
