import HikyakuBase

/// Converts JSON numbers to integers, without a floating-point number in between.
///
/// A fraction or an exponent is accepted if the value is a whole number: JSON's grammar does not distinguish integers,
/// and `1e2` and `100.0` are 100 ([RFC 8259, section 6](https://www.rfc-editor.org/rfc/rfc8259#section-6)).
enum IntegerText {
    enum Outcome<Value: FixedWidthInteger> {
        case value(Value)
        /// A whole number that the type can't hold.
        case outOfRange
        case notInteger
    }

    /// - Parameters:
    ///   - type: The type of integer.
    ///   - start: A text in JSON's number grammar.
    ///   - count: Its length.
    /// - Returns: The number, or why the type can't hold it.
    @inline(__always)
    static func integer<Value: FixedWidthInteger>(
        _ type: Value.Type,
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
    ) -> Outcome<Value> {
        let isNegative = count > 0 && start.pointee == Byte.minus
        let digits = isNegative ? start + 1 : start
        guard count <= NumberParts.digitsMax else { return long(type, start, count) }
        var magnitude: UInt64 = 0
        let end = NumberParts.takeDigits(from: digits, to: start + count, into: &magnitude)
        guard end == start + count else { return long(type, start, count) }
        guard let number = Int64(exactly: magnitude) else {
            // A negative number of this size has too many digits to get here.
            return Value(exactly: magnitude).map(Outcome.value) ?? .outOfRange
        }
        return Value(exactly: isNegative ? -number : number).map(Outcome.value) ?? .outOfRange
    }

    /// Reads numbers of many digits, and those with a fraction or an exponent.
    @inline(never)
    private static func long<Value: FixedWidthInteger>(
        _ type: Value.Type,
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
    ) -> Outcome<Value> {
        let digits = SignificantDigits(start, count)
        guard digits.count > 0 else { return .value(0) }
        guard digits.exponent >= 0 else { return .notInteger }
        // A number with more digits than bits is too large. This check also bounds the loop over the exponent.
        guard digits.exponent <= Value.bitWidth, digits.count <= Value.bitWidth else { return .outOfRange }
        var number: Value = 0
        var hasOverflow = false
        func append(_ digit: UInt8) {
            let product = number.multipliedReportingOverflow(by: 10)
            let digit = Value(truncatingIfNeeded: digit)
            let sum =
                digits.isNegative
                ? product.partialValue.subtractingReportingOverflow(digit)
                : product.partialValue.addingReportingOverflow(digit)
            hasOverflow = hasOverflow || product.overflow || sum.overflow
            number = sum.partialValue
        }
        digits.forEach(append)
        for _ in 0..<digits.exponent { append(0) }
        return hasOverflow ? .outOfRange : .value(number)
    }

    /// A whole number of at most 18 digits, the usual case; `nil` for the general function.
    @inline(__always)
    static func short(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int64? {
        let isNegative = start.pointee == Byte.minus
        guard count <= 18 else { return nil }
        var value: Int64 = 0
        var place = isNegative ? 1 : 0
        while place < count {
            value = value &* 10 &+ Int64(start[place] &- Byte.zero)
            place += 1
        }
        return isNegative ? -value : value
    }

    /// The same for a number whose end is unknown; `nil` for a fraction, an exponent or a leading zero.
    @inline(__always)
    static func short(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) -> (Int64, UnsafePointer<UInt8>)? {
        var place = start
        guard place < end else { return nil }
        let isNegative = place.pointee == Byte.minus
        if isNegative { place += 1 }
        let first = place
        var value: Int64 = 0
        while place < end, ASCII.isDigit(place.pointee) {
            value = value &* 10 &+ Int64(place.pointee &- Byte.zero)
            place += 1
        }
        let count = place - first
        guard count > 0, count <= 18, count == 1 || first.pointee != Byte.zero else { return nil }
        if place < end, place.pointee == Byte.point || place.pointee | 0x20 == UInt8(ascii: "e") { return nil }
        return (isNegative ? -value : value, place)
    }
}
