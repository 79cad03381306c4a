extension ByteBuffer {
    /// The text of 00 to 99, one pair behind the other.
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

    @inline(__always) mutating func append(_ value: some SignedInteger & FixedWidthInteger) {
        let number = Int64(truncatingIfNeeded: value)
        appendSigned(number)
    }

    @inline(__always) mutating func append(_ value: some UnsignedInteger & FixedWidthInteger) {
        appendUnsigned(UInt64(truncatingIfNeeded: value))
    }

    mutating func appendSigned(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendUnsigned(value.magnitude)
    }

    mutating func appendUnsigned(_ value: UInt64) {
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

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    mutating func appendWide(_ value: Int128) {
        if value < 0 { append(UInt8(ascii: "-")) }
        appendWide(value.magnitude)
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    mutating func appendWide(_ value: UInt128) {
        let chunk: UInt128 = 10_000_000_000_000_000_000
        guard value >= chunk else { return appendUnsigned(UInt64(value)) }
        appendWide(value / chunk)
        append(UInt64(value % chunk), paddedTo: 19)
    }
}
