/// Why a type of number can't hold the number that stands in a document.
enum NumberFault {
    /// It has a fraction, and the type none.
    case fraction
    /// It is beyond the type's range, which is given in words.
    case range(String)
    /// It could be held, and the decoder wants it to be written otherwise.
    case form

    /// Looks at a number as it is written in the document; `nil` where the name isn't that of a type of number.
    init?(of number: some Collection<UInt8>, for typeName: String) {
        if let range = Self.floatingRanges[typeName] {
            self = .range(range)
        } else if let bounds = Self.bounds[typeName] {
            let digits = NumberDigits(number)
            guard digits.isInteger else {
                self = .fraction
                return
            }
            let bound = digits.isNegative ? bounds.min : bounds.max
            self = digits.isBeyond(bound) ? .range("\(bounds.min)...\(bounds.max)") : .form
        } else {
            return nil
        }
    }

    /// Int128 and UInt128 are newer than the oldest system of Apple's that this runs on, so that there are names only.
    private static let bounds: [String: (min: String, max: String)] = [
        "Int8": bounds(of: Int8.self), "Int16": bounds(of: Int16.self), "Int32": bounds(of: Int32.self),
        "Int64": bounds(of: Int64.self), "Int": bounds(of: Int.self), "UInt8": bounds(of: UInt8.self),
        "UInt16": bounds(of: UInt16.self), "UInt32": bounds(of: UInt32.self), "UInt64": bounds(of: UInt64.self),
        "UInt": bounds(of: UInt.self), "UInt128": ("0", "340282366920938463463374607431768211455"),
        "Int128": ("-170141183460469231731687303715884105728", "170141183460469231731687303715884105727"),
    ]

    private static func bounds<Value: FixedWidthInteger>(of type: Value.Type) -> (min: String, max: String) {
        ("\(Value.min)", "\(Value.max)")
    }

    private static let floatingRanges = [
        "Double": "±\(Double.greatestFiniteMagnitude)", "Float": "±\(Float.greatestFiniteMagnitude)",
        "Float16": "±65504.0", "Decimal": "38 digits, with exponents up to ±127",
    ]
}

/// A number as digits and a power of ten, however large.
private struct NumberDigits {
    let isNegative: Bool
    /// Without zeros at either end.
    private let digits: [UInt8]
    /// The power of ten of the last digit.
    private let exponent: Int64

    init(_ number: some Collection<UInt8>) {
        isNegative = number.first == Byte.minus
        let parts = number.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = (parts.first.map { Array($0) } ?? [])
        let fraction = mantissa.firstIndex(of: Byte.point).map { mantissa.count - $0 - 1 } ?? 0
        let all = mantissa.filter(Byte.isDigit).drop { $0 == Byte.zero }
        let zeros = all.reversed().prefix { $0 == Byte.zero }.count
        digits = Array(all.dropLast(zeros))
        exponent =
            Self.exponent(in: parts.dropFirst().first.map { Array($0) } ?? [])
            + Int64(zeros - fraction)
    }

    /// An exponent beyond all sizes is as good as a larger one.
    private static func exponent(in bytes: [UInt8]) -> Int64 {
        let value = bytes.filter(Byte.isDigit).reduce(0 as Int64) { min($0 * 10 + Int64($1 - Byte.zero), 1 << 40) }
        return bytes.first == Byte.minus ? -value : value
    }

    var isInteger: Bool { digits.isEmpty || exponent >= 0 }

    /// Whether an integer is further from zero than another, which may have a sign.
    func isBeyond(_ bound: String) -> Bool {
        let bound = bound.utf8.filter(Byte.isDigit)
        if digits.isEmpty { return false }
        if bound == [Byte.zero] { return true }
        let count = Int64(digits.count) + exponent
        guard count == bound.count else { return count > bound.count }
        let padded = digits + Array(repeating: Byte.zero, count: bound.count - digits.count)
        return bound.lexicographicallyPrecedes(padded)
    }
}
