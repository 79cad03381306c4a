/// One entry of a ``JSONIndex``: the kind and position of a value, in eight bytes.
///
/// From the lowest bit: 32 bits for the offset of its first byte (for a string, the byte after the quote), 28 for the
/// length in bytes (for a container, the number of members), 4 for the kind. A length that does not fit is
/// ``lengthMax``, and is then found by a scan of the bytes.
///
/// A container has a second word: from the lowest bit 32 bits for the index after its last entry, and 32 for the member
/// that is probably requested next, 0 before the first request. An object's members are pairs of entries, a key and a
/// value.
struct JSONEntry {
    enum Kind: UInt8 {
        case null
        case `false`
        case `true`
        /// A number without fraction and exponent.
        case integer
        /// A number with a fraction or an exponent.
        case decimal
        /// An ASCII string without escapes.
        case plainString
        /// A string with non-ASCII characters, without escapes.
        case wideString
        /// A string with escapes.
        case escapedString
        case array
        case object
        /// A key whose bytes are its value.
        case plainKey
        /// A key with escapes.
        case escapedKey
        /// A key that is repeated later in its object, and is therefore ignored.
        case shadowedKey
        /// A converted key; the length is replaced by the number of its text in ``KeyTexts``.
        case convertedKey
    }

    static let lengthMax = 1 << 28 - 1

    var word: UInt64

    @inline(__always)
    init(word: UInt64) {
        self.word = word
    }

    @inline(__always)
    init(_ kind: Kind, at offset: Int, length: Int) {
        word =
            UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: min(length, Self.lengthMax)) << 32
            | UInt64(kind.rawValue) << 60
    }

    @inline(__always)
    var kind: Kind {
        // All entries were created from a kind, and the raw values equal the representation in memory;
        // `init(rawValue:)` costs a call.
        unsafeBitCast(UInt8(truncatingIfNeeded: word >> 60), to: Kind.self)
    }

    @inline(__always)
    var offset: Int { Int(truncatingIfNeeded: word & 0xFFFF_FFFF) }

    @inline(__always)
    var length: Int { Int(truncatingIfNeeded: word >> 32 & 0xFFF_FFFF) }

    @inline(__always)
    var isContainer: Bool { kind == .array || kind == .object }

    @inline(__always)
    var isString: Bool { kind == .plainString || kind == .wideString || kind == .escapedString }

    /// The offset of its first byte; for a string or key, of its quote.
    @inline(__always)
    var start: Int { isString || isKey ? offset - 1 : offset }

    @inline(__always)
    var isKey: Bool { kind.rawValue >= Kind.plainKey.rawValue }
}

/// Reads `true`, `false` and `null`, and rejects bytes that begin no value.
enum WordScan {
    static func word(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> (JSONEntry.Kind, UnsafePointer<UInt8>) {
        switch start.pointee {
        case UInt8(ascii: "t"): (.true, try match("true", from: start, to: end))
        case UInt8(ascii: "f"): (.false, try match("false", from: start, to: end))
        case UInt8(ascii: "n"): (.null, try match("null", from: start, to: end))
        default: throw TextScan.Fault(place: start, kind: .noValue)
        }
    }

    @inline(__always)
    private static func match(
        _ word: StaticString,
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> UnsafePointer<UInt8> {
        for index in 0..<word.utf8CodeUnitCount {
            guard start + index < end else { throw TextScan.Fault(place: end, kind: .unexpectedEnd) }
            guard start[index] == word.utf8Start[index] else {
                throw TextScan.Fault(place: start, kind: .badWord)
            }
        }
        return start + word.utf8CodeUnitCount
    }
}
