import HikyakuBase

/// Finds the end of a number ([RFC 8259, section 6](https://www.rfc-editor.org/rfc/rfc8259#section-6)).
enum NumberScan {
    /// A number's end, and whether it has neither fraction nor exponent.
    struct Found {
        let end: UnsafePointer<UInt8>
        let isInteger: Bool
    }

    /// Reads a number as far as it goes; it begins with a minus or a digit.
    @inline(__always)
    static func number(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> Found {
        var place = start
        if place.pointee == Byte.minus { place += 1 }
        let digits = place
        place = digitsEnd(from: place, to: end)
        let count = place - digits
        guard count == 1 || count > 1 && digits.pointee != Byte.zero else {
            throw fault(count == 0 ? place : digits, end)
        }
        guard place < end, place.pointee == Byte.point || place.pointee | 0x20 == UInt8(ascii: "e") else {
            return Found(end: place, isInteger: true)
        }
        return Found(end: try tail(from: place, to: end), isInteger: false)
    }

    @inline(__always)
    private static func digitsEnd(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) -> UnsafePointer<UInt8> {
        var place = start
        while place < end, ASCII.isDigit(place.pointee) { place += 1 }
        return place
    }

    /// The fraction and the exponent.
    @inline(__always)
    private static func tail(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> UnsafePointer<UInt8> {
        var place = start
        if place.pointee == Byte.point {
            place = digitsEnd(from: place + 1, to: end)
            guard place > start + 1 else { throw fault(place, end) }
        }
        if place < end, place.pointee | 0x20 == UInt8(ascii: "e") {
            place += 1
            if place < end, place.pointee == Byte.plus || place.pointee == Byte.minus { place += 1 }
            let digits = place
            place = digitsEnd(from: place, to: end)
            guard place > digits else { throw fault(place, end) }
        }
        return place
    }

    private static func fault(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> TextScan.Fault {
        TextScan.Fault(place: place, kind: place == end ? .unexpectedEnd : .badNumber)
    }
}

/// The value of a number's text: `-12.5e3` is minus 125 times ten to the second power.
///
/// [RFC 8259, section 6](https://www.rfc-editor.org/rfc/rfc8259#section-6)
struct NumberParts {
    /// Any number of this many digits fits a `UInt64`.
    static let digitsMax = 19

    /// The first significant digits as a number, at most ``digitsMax`` of them.
    let mantissa: UInt64
    /// The power of ten by which the mantissa is multiplied; out of every type's range if the text is.
    ///
    /// Always 64 bits, which no number of digits of a document overflows.
    let exponent: Int64
    let isNegative: Bool
    /// Whether a digit other than 0 follows the mantissa: the number is larger by less than one unit of the mantissa's
    /// last digit.
    let isTruncated: Bool

    /// Parses a text in JSON's number grammar; the result for any other text is unspecified.
    @inline(__always)
    init(_ start: UnsafePointer<UInt8>, _ count: Int) {
        let end = start + count
        let isNegative = count > 0 && start.pointee == Byte.minus
        let digits = isNegative ? start + 1 : start
        // A local variable, so that it stays in a register.
        var mantissa: UInt64 = 0
        var position = Self.takeDigits(from: digits, to: end, into: &mantissa)
        var digitCount = position - digits
        var places = 0
        if position < end, position.pointee == Byte.point {
            let fraction = position + 1
            position = Self.takeDigits(from: fraction, to: end, into: &mantissa)
            places = position - fraction
            digitCount += places
        }
        let power = position < end ? Self.power(from: position, to: end) : 0
        guard digitCount > Self.digitsMax else {
            self.init(mantissa: mantissa, exponent: power - Int64(places), isNegative: isNegative, isTruncated: false)
            return
        }
        self.init(leadingDigitsFrom: digits, to: position, power: power, isNegative: isNegative)
    }

    @inline(__always)
    private init(mantissa: UInt64, exponent: Int64, isNegative: Bool, isTruncated: Bool) {
        self.mantissa = mantissa
        self.exponent = exponent
        self.isNegative = isNegative
        self.isTruncated = isTruncated
    }

    /// Reads digits, eight at a time if possible; a mantissa that is too large wraps around.
    @inline(__always)
    static func takeDigits(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
        into mantissa: inout UInt64,
    ) -> UnsafePointer<UInt8> {
        var position = start
        while end - position >= 8, let eight = EightDigits(position) {
            mantissa = mantissa &* 100_000_000 &+ eight.value
            position += 8
        }
        while position < end {
            let digit = position.pointee &- Byte.zero
            guard digit < 10 else { break }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            position += 1
        }
        return position
    }

    /// Reads the first significant digits of a number with too many, and counts the others.
    @inline(never)
    private init(
        leadingDigitsFrom start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
        power: Int64,
        isNegative: Bool,
    ) {
        var mantissa: UInt64 = 0
        var exponent = power
        var taken = 0
        var isFraction = false
        var isTruncated = false
        for byte in UnsafeBufferPointer(start: start, count: end - start) {
            let digit = byte &- Byte.zero
            if digit >= 10 {
                isFraction = true
            } else if taken == Self.digitsMax {
                isTruncated = isTruncated || digit != 0
                if !isFraction { exponent += 1 }
            } else {
                mantissa = mantissa * 10 + UInt64(digit)
                if mantissa != 0 { taken += 1 }
                if isFraction { exponent -= 1 }
            }
        }
        self.init(mantissa: mantissa, exponent: exponent, isNegative: isNegative, isTruncated: isTruncated)
    }

    /// Reads `e`, a sign and digits; a huge number is capped.
    @inline(never)
    static func power(from start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>) -> Int64 {
        var position = start + 1
        var isNegative = false
        if position < end, position.pointee == Byte.minus || position.pointee == Byte.plus {
            isNegative = position.pointee == Byte.minus
            position += 1
        }
        var number: Int64 = 0
        while position < end, position.pointee &- Byte.zero < 10 {
            // Larger than any count of digits, and far from overflow.
            if number < powerMax { number = number * 10 + Int64(position.pointee &- Byte.zero) }
            position += 1
        }
        return isNegative ? -number : number
    }

    private static let powerMax = Int64.max / 1000
}

/// Converts eight bytes of digits to their number.
private struct EightDigits {
    let value: UInt64

    /// - Returns: The number; `nil` if one of the eight bytes is not a digit.
    @inline(__always)
    init?(_ start: UnsafePointer<UInt8>) {
        let bytes = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
        let zeros: UInt64 = 0x3030_3030_3030_3030
        // A digit's upper half is 3, and still is when 6 is added.
        let others = (bytes ^ zeros) | ((bytes &+ 0x0606_0606_0606_0606) ^ zeros)
        guard others & 0xF0F0_F0F0_F0F0_F0F0 == 0 else { return nil }
        // Combines adjacent digits to numbers of two, four and eight digits.
        let twos = ((bytes ^ zeros) &* (1 + 10 << 8)) >> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (twos &* (1 + 100 << 16)) >> 16 & 0x0000_FFFF_0000_FFFF
        value = (fours &* (1 + 10_000 << 32)) >> 32
    }
}
