/// The roles of ASCII bytes in HTTP and in URLs.
public enum ASCII {
    /// Whether the byte is one of `0`-`9`.
    @inlinable @inline(__always)
    public static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// Whether the byte is one of `A`-`Z` and `a`-`z`.
    @inlinable @inline(__always)
    public static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// Whether the byte is one of `A`-`Z`.
    @inlinable @inline(__always)
    public static func isUppercase(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }

    /// Whether the byte may be part of a token (RFC 9110, section 5.6.2); a bit set has one bit for each byte of ASCII.
    @inlinable @inline(__always)
    public static func isToken(_ byte: UInt8) -> Bool {
        let bits: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return byte < 128 && bits >> (byte & 63) & 1 == 1
    }

    /// Whether the byte is unreserved in URLs: a letter, a digit, `-`, `.`, `_` or `~` (RFC 3986, section 2.3).
    ///
    /// A host name has no other bytes, and no percent-encoding.
    @inlinable @inline(__always)
    public static func isUnreserved(_ byte: UInt8) -> Bool {
        let bits: UInt64 = byte < 64 ? 0x03FF_6000_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return byte < 128 && bits >> (byte & 63) & 1 == 1
    }

    /// Whether the byte may be part of a field's value or of a reason phrase: visible ASCII, space, tab, or a byte
    /// outside of ASCII (RFC 9110, section 5.5).
    @inlinable @inline(__always)
    public static func isFieldContent(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }

    /// The byte in lower case if it is one of `A`-`Z`, otherwise unchanged.
    @inlinable @inline(__always)
    public static func lowercased(_ byte: UInt8) -> UInt8 { isUppercase(byte) ? byte | 0x20 : byte }

    /// The value of a hexadecimal digit; `nil` for any other byte.
    @inlinable @inline(__always)
    public static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    /// The hexadecimal digit of a value below 16, in upper case.
    @inlinable @inline(__always)
    public static func hexadecimalDigit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? 0x30 : 0x37) }

    /// The hexadecimal digit of a value below 16, in lower case.
    @inlinable @inline(__always)
    public static func lowercaseHexadecimalDigit(_ value: UInt8) -> UInt8 { value &+ (value < 10 ? 0x30 : 0x57) }

    /// The number that the decimal digits represent; `nil` for other bytes, and for a number too large for an `Int`.
    @inlinable
    public static func decimal(_ digits: some Sequence<UInt8>) -> Int? {
        var number: Int?
        for byte in digits {
            guard isDigit(byte) else { return nil }
            let (tens, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: 10)
            let (sum, isOverflowing) = tens.addingReportingOverflow(Int(byte &- 0x30))
            guard !isTooLarge, !isOverflowing else { return nil }
            number = sum
        }
        return number
    }
}
