import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that grow at their end, without the checks and the reference counts of an array.
///
/// Appending functions reserve memory first; the unchecked stores of the other files stay inside it.
struct ByteBuffer: ~Copyable {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        base = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    deinit {
        base.deallocate()
    }

    /// The bytes so far; they move with the next append.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: base, count: count)
    }

    /// Reserves memory for more bytes, and returns its address.
    @inline(__always) mutating func reserve(_ length: Int) -> UnsafeMutablePointer<UInt8> {
        if capacity - count < length { grow(by: length) }
        return base + count
    }

    /// Adds bytes that were written after ``reserve(_:)`` to the count.
    @inline(__always) mutating func advance(by length: Int) {
        count += length
    }

    @inline(__always) mutating func append(_ byte: UInt8) {
        reserve(1).pointee = byte
        count += 1
    }

    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count).update(from: start, count: bytes.count)
        count += bytes.count
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append($0) }
    }

    mutating func append(repeating byte: UInt8, count length: Int) {
        reserve(length).update(repeating: byte, count: length)
        count += length
    }

    /// Discards all bytes after a length.
    @inline(__always) mutating func truncate(to length: Int) {
        count = min(count, length)
    }

    /// Overwrites existing bytes.
    mutating func replace(from offset: Int, with bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress, offset >= 0, offset + bytes.count <= count else { return }
        (base + offset).update(from: start, count: bytes.count)
    }

    /// Moves the bytes out and begins anew; a large buffer is not copied.
    mutating func takeData() -> Data {
        defer { count = 0 }
        guard count >= 4096 else { return Data(bytes: base, count: count) }
        let data = Data(bytesNoCopy: base, count: count, deallocator: .custom { start, _ in start.deallocate() })
        base = .allocate(capacity: 0)
        capacity = 0
        return data
    }

    @inline(never) private mutating func grow(by length: Int) {
        let larger = max(capacity * 2, count + length, 64)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.update(from: base, count: count)
        base.deallocate()
        base = moved
        capacity = larger
    }
}

extension ByteBuffer {
    /// The digits of 00 to 99.
    private static var pairs: UnsafePointer<UInt8> {
        let text: StaticString = """
            0001020304050607080910111213141516171819\
            2021222324252627282930313233343536373839\
            4041424344454647484950515253545556575859\
            6061626364656667686970717273747576777879\
            8081828384858687888990919293949596979899
            """
        return text.utf8Start
    }

    /// Writes an integer of any width in decimal digits.
    @inline(__always) mutating func appendInteger<Value: FixedWidthInteger>(_ value: Value) {
        if Value.bitWidth > 64 {
            if value < 0 { append(UInt8(ascii: "-")) }
            appendWide(value.magnitude)
        } else if Value.isSigned {
            appendSigned(Int64(truncatingIfNeeded: value))
        } else {
            appendUnsigned(UInt64(truncatingIfNeeded: value))
        }
    }

    private mutating func appendSigned(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendUnsigned(value.magnitude)
    }

    private mutating func appendUnsigned(_ value: UInt64) {
        let length = Self.digitCount(of: value)
        Self.store(value, length: length, to: reserve(length))
        advance(by: length)
    }

    /// Writes a number with zeros in front up to a length that it doesn't exceed.
    mutating func append(_ value: UInt64, paddedTo length: Int) {
        Self.store(value, length: length, to: reserve(length))
        advance(by: length)
    }

    /// Writes the digits from the last to the first, two with each division.
    @inline(__always) static func store(_ value: UInt64, length: Int, to out: UnsafeMutablePointer<UInt8>) {
        let pairs = Self.pairs
        var rest = value
        var index = length
        while index >= 2 {
            index &-= 2
            let pair = Int(truncatingIfNeeded: rest % 100) &* 2
            rest /= 100
            out[index] = pairs[pair]
            out[index &+ 1] = pairs[pair &+ 1]
        }
        if index == 1 { out[0] = UInt8(truncatingIfNeeded: rest % 10) &+ 0x30 }
    }

    @inline(__always) private static func digitCount(of value: UInt64) -> Int {
        var rest = value
        var count = 1
        while true {
            if rest < 10 { return count }
            if rest < 100 { return count &+ 1 }
            if rest < 1000 { return count &+ 2 }
            if rest < 10_000 { return count &+ 3 }
            rest /= 10_000
            count &+= 4
        }
    }

    private mutating func appendWide(_ value: some UnsignedInteger & FixedWidthInteger) {
        let chunk = 10_000_000_000_000_000_000 as UInt64
        guard value > chunk else { return appendUnsigned(UInt64(value)) }
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: numericCast(chunk))
        appendWide(quotient)
        append(UInt64(remainder), paddedTo: 19)
    }
}

extension ByteBuffer {
    /// Writes the shortest digits that read back as the same number; a whole number has no `.0`.
    ///
    /// The caller has checked that the number is finite.
    mutating func appendFinite(_ value: Double) {
        let magnitude = value.magnitude
        guard magnitude < 9_007_199_254_740_992 else { return appendDescription(value.description) }
        if value.sign == .minus { append(UInt8(ascii: "-")) }
        let whole = Int64(magnitude)
        if Double(whole) == magnitude { return appendUnsigned(whole.magnitude) }
        if magnitude >= 0.001, appendDecimal(magnitude) { return }
        appendDescription(magnitude.description)
    }

    mutating func appendFinite(_ value: Float) {
        guard value.magnitude < 16_777_216, value == value.rounded(.towardZero) else {
            return appendDescription(value.description)
        }
        if value.sign == .minus { append(UInt8(ascii: "-")) }
        appendUnsigned(UInt64(value.magnitude))
    }

    /// Writes a number with few decimal places, such as a price or a coordinate.
    ///
    /// No two decimals of 15 digits have the same `Double`, so one that divides back to the number is the shortest,
    /// apart from trailing zeros. None is missed, since the error of the product is less than a quarter.
    private mutating func appendDecimal(_ magnitude: Double) -> Bool {
        let isSmall = magnitude < 1e8
        guard isSmall || magnitude < 1e12 else { return false }
        let scale = isSmall ? 1e7 : 1e3
        let product = magnitude * scale
        let digits = UInt64(product + 0.5)
        let nearest = Double(digits)
        // The division is slow, and most numbers are rejected without it.
        guard (product - nearest).magnitude <= product * 0x1p-51, nearest / scale == magnitude else { return false }
        let power: UInt64 = isSmall ? 10_000_000 : 1000
        var fraction = digits % power
        var places = isSmall ? 7 : 3
        while fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        appendUnsigned(digits / power)
        append(UInt8(ascii: "."))
        append(fraction, paddedTo: places)
        return true
    }

    /// Swift writes the shortest digits too, with `.0` after whole numbers.
    private mutating func appendDescription(_ description: String) {
        var text = description
        text.withUTF8 { digits in
            let isWhole = digits.count > 2 && digits[digits.count - 1] == 0x30 && digits[digits.count - 2] == 0x2E
            append(UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
        }
    }
}

extension ByteBuffer {
    /// The alphabets of RFC 4648, sections 4 and 5.
    enum Base64Alphabet {
        /// With `+` and `/`, and `=` up to a multiple of four characters.
        case standard
        /// With `-` and `_`, and no padding.
        case url

        fileprivate var characters: StaticString {
            switch self {
            case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            case .url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            }
        }
    }

    mutating func appendQuoted(_ data: Data, _ alphabet: Base64Alphabet) {
        append(UInt8(ascii: "\""))
        data.withUnsafeBytes { appendBase64($0, alphabet) }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendBase64(_ bytes: UnsafeRawBufferPointer, _ alphabet: Base64Alphabet) {
        let characters = alphabet.characters.utf8Start
        var out = reserve((bytes.count + 2) / 3 * 4)
        let start = out
        var index = 0
        while index + 3 <= bytes.count {
            let bits = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            out[0] = characters[bits >> 18]
            out[1] = characters[bits >> 12 & 63]
            out[2] = characters[bits >> 6 & 63]
            out[3] = characters[bits & 63]
            out += 4
            index += 3
        }
        advance(by: out - start)
        let rest = bytes.count - index
        guard rest > 0 else { return }
        let bits = Int(bytes[index]) << 16 | (rest == 2 ? Int(bytes[index + 1]) << 8 : 0)
        append(characters[bits >> 18])
        append(characters[bits >> 12 & 63])
        if rest == 2 { append(characters[bits >> 6 & 63]) }
        if case .standard = alphabet { append(repeating: UInt8(ascii: "="), count: 3 - rest) }
    }

    /// Writes the 36 characters that Foundation's `uuidString` has, in capitals.
    mutating func appendQuoted(_ uuid: UUID) {
        let out = reserve(38)
        out[0] = UInt8(ascii: "\"")
        var place = 1
        withUnsafeBytes(of: uuid.uuid) { bytes in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    out[place] = UInt8(ascii: "-")
                    place += 1
                }
                out[place] = ASCII.hexadecimalDigit(byte >> 4)
                out[place + 1] = ASCII.hexadecimalDigit(byte & 15)
                place += 2
            }
        }
        out[place] = UInt8(ascii: "\"")
        advance(by: 38)
    }
}
