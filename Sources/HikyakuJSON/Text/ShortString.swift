/// Makes strings of at most 15 ASCII bytes, which a `String` holds in itself, without the checks that were made
/// already.
///
/// Half of the texts of documents are that short, and the standard library spends some hundred instructions on each.
enum ShortString {
    /// Whether strings look in memory as they are made here: looked at once, on strings of the standard library.
    static let isKnown: Bool = {
        guard MemoryLayout<String>.size == MemoryLayout<(UInt64, UInt64)>.size, UInt16(1).littleEndian == 1 else {
            return false
        }
        return ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno"].allSatisfy { text in
            var copy = text
            let made = copy.withUTF8 { words(of: $0) }
            let found = unsafeBitCast(text, to: (UInt64, UInt64).self)
            return made == found
        }
    }()

    static let bytesMax = 15

    /// A string of ASCII bytes, which are at most ``bytesMax``.
    @inline(__always)
    static func string(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
        unsafeBitCast(words(of: UnsafeBufferPointer(start: start, count: count)), to: String.self)
    }

    /// The bytes from the lowest bits on, and above all of them the mark of a short ASCII string with its length.
    @inline(__always)
    private static func words(of bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
        let mark = (0xE0 | UInt64(truncatingIfNeeded: bytes.count)) << 56
        guard let start = bytes.baseAddress, bytes.count > 0 else { return (0, mark) }
        let count = bytes.count
        if count > 8 { return (Bytes.word(start), Bytes.word(start + count - 8) >> UInt64(8 * (16 - count)) | mark) }
        if count == 8 { return (Bytes.word(start), mark) }
        return (few(start, count), mark)
    }

    /// Less than eight bytes: two loads that overlap.
    @inline(__always)
    private static func few(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        if count >= 4 {
            return UInt64(Bytes.half(start)) | UInt64(Bytes.half(start + count - 4)) << UInt64(8 * (count - 4))
        }
        let middle = UInt64(start[count >> 1]) << UInt64(8 * (count >> 1))
        return UInt64(start[0]) | middle | UInt64(start[count - 1]) << UInt64(8 * (count - 1))
    }
}
