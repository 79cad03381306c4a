/// Finds the end of a text and checks what it is made of ([RFC 8259, section
/// 7](https://www.rfc-editor.org/rfc/rfc8259#section-7)).
enum TextScan {
    /// A text's end, and whether it has escapes.
    struct Found {
        /// The closing quote.
        let end: UnsafePointer<UInt8>
        let isEscaped: Bool
        /// Whether all of it is known to be plain ASCII.
        var isPlain = false
    }

    /// Where and why a text is none.
    struct Fault: Error {
        private let address: Int
        let kind: JSONSyntaxError.Kind

        @inline(__always)
        init(place: UnsafePointer<UInt8>, kind: JSONSyntaxError.Kind) {
            address = Int(bitPattern: place)
            self.kind = kind
        }

        func error(in base: UnsafePointer<UInt8>) -> JSONSyntaxError {
            JSONSyntaxError(kind, at: address - Int(bitPattern: base))
        }
    }

    /// Looks at eight bytes at a time, from the one behind the opening quote, until something other than plain ASCII
    /// comes.
    @inline(__always)
    static func text(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(Fault) -> Found {
        let place = firstStop(from: start, to: end)
        if place < end, place.pointee == Byte.quote { return Found(end: place, isEscaped: false, isPlain: true) }
        return try rest(from: place, to: end)
    }

    /// The first byte that is a quote, a backslash, a control character or beyond ASCII; the end where there is none.
    @inline(__always)
    static func firstStop(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) -> UnsafePointer<UInt8> {
        var place = start
        while end - place >= 8 {
            let stops = stops(in: UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self)))
            if stops != 0 { return place + stops.trailingZeroBitCount >> 3 }
            place += 8
        }
        while place < end, !isStop(place.pointee) { place += 1 }
        return place
    }

    /// Has the highest bit of the first byte set that is a stop; those of bytes behind it say nothing.
    @inline(__always)
    static func stops(in bytes: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = (bytes ^ (ones &* UInt64(Byte.quote))) &- ones
        let backslashes = (bytes ^ (ones &* UInt64(Byte.backslash))) &- ones
        let controls = bytes &- (ones &* 0x20)
        return (quotes | backslashes | controls | bytes) & (ones &* 0x80)
    }

    @inline(__always)
    private static func isStop(_ byte: UInt8) -> Bool {
        byte == Byte.quote || byte == Byte.backslash || byte < 0x20 || byte >= 0x80
    }

    /// What has escapes or goes beyond ASCII.
    @inline(never)
    private static func rest(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(Fault) -> Found {
        var place = start
        var isEscaped = false
        while place < end {
            let byte = place.pointee
            if byte >= 0x80 {
                guard let next = UTF8Sequence.end(from: place, to: end) else {
                    throw Fault(place: place, kind: .invalidUTF8)
                }
                place = next
            } else if byte == Byte.quote {
                return Found(end: place, isEscaped: isEscaped)
            } else if byte == Byte.backslash {
                isEscaped = true
                place = try EscapeScan.end(from: place, to: end)
            } else if byte < 0x20 {
                throw Fault(place: place, kind: .controlCharacter)
            } else {
                place = firstStop(from: place, to: end)
            }
        }
        throw Fault(place: end, kind: .unexpectedEnd)
    }
}

/// One character beyond ASCII ([RFC 3629, section 4](https://www.rfc-editor.org/rfc/rfc3629#section-4)).
enum UTF8Sequence {
    /// The place behind the character; `nil` where the bytes are none: overlong, a surrogate, beyond U+10FFFF, cut.
    @inline(__always)
    static func end(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) -> UnsafePointer<UInt8>? {
        let first = start.pointee
        let left = end - start
        switch first {
        case 0xC2...0xDF:
            return left >= 2 && isTail(start[1]) ? start + 2 : nil
        case 0xE0...0xEF:
            guard left >= 3, isTail(start[1]), isTail(start[2]) else { return nil }
            if first == 0xE0, start[1] < 0xA0 { return nil }
            if first == 0xED, start[1] > 0x9F { return nil }
            return start + 3
        case 0xF0...0xF4:
            guard left >= 4, isTail(start[1]), isTail(start[2]), isTail(start[3]) else { return nil }
            if first == 0xF0, start[1] < 0x90 { return nil }
            if first == 0xF4, start[1] > 0x8F { return nil }
            return start + 4
        default:
            return nil
        }
    }

    @inline(__always)
    private static func isTail(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
