import HikyakuBase

/// Finds the end of a string and checks its content.
///
/// See [RFC 8259, section 7](https://www.rfc-editor.org/rfc/rfc8259#section-7).
enum TextScan {
    /// The end of a string, and whether it has escapes.
    struct Found {
        /// The closing quote.
        let end: UnsafePointer<UInt8>
        let isEscaped: Bool
        /// Whether all of it is known to be plain ASCII.
        var isPlain = false
    }

    /// The address and the kind of a syntax error.
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

    /// Scans eight bytes at a time after the opening quote, up to the first byte that is not plain ASCII.
    @inline(__always)
    static func text(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(Fault) -> Found {
        let place = firstStop(from: start, to: end)
        if place < end, place.pointee == Byte.quote { return Found(end: place, isEscaped: false, isPlain: true) }
        return try rest(from: place, to: end)
    }

    /// The first byte that is a quote, a backslash, a control character or not ASCII; the end if there is none.
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

    /// The closing quote of a string that may be malformed; the limit if it has none before.
    ///
    /// - Parameters:
    ///   - quote: The offset of the opening quote.
    ///   - bytes: The document.
    ///   - limit: The offset up to which is searched, at most that of the end.
    /// - Returns: The offset.
    static func closingQuote(
        ofTextAt quote: Int,
        in bytes: UnsafeBufferPointer<UInt8>,
        before limit: Int,
    ) -> Int {
        guard let base = bytes.baseAddress else { return limit }
        var place = quote + 1
        while place < limit {
            place = firstStop(from: base + place, to: base + limit) - base
            guard place < limit, bytes[place] != Byte.quote else { return place }
            place += bytes[place] == Byte.backslash ? 2 : 1
        }
        return limit
    }

    /// The highest bit of the first stop is set; the bits of later bytes are undefined.
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

    /// Scans text with escapes or characters beyond ASCII.
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

/// One non-ASCII character ([RFC 3629, section 4](https://www.rfc-editor.org/rfc/rfc3629#section-4)).
enum UTF8Sequence {
    /// The end of the character; `nil` for bytes that are overlong, a surrogate, beyond U+10FFFF, or truncated.
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

/// Escapes in strings ([RFC 8259, section 7](https://www.rfc-editor.org/rfc/rfc8259#section-7)).
enum EscapeScan {
    /// The end of the escape, or of both escapes of a surrogate pair.
    static func end(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> UnsafePointer<UInt8> {
        guard end - start >= 2 else { throw TextScan.Fault(place: end, kind: .unexpectedEnd) }
        guard start[1] == UInt8(ascii: "u") else {
            guard simple(start[1]) != nil else { throw TextScan.Fault(place: start, kind: .badEscape) }
            return start + 2
        }
        let unit = try unit(from: start, to: end)
        if unit & 0xF800 != 0xD800 { return start + 6 }
        // Only a high surrogate followed by a low one is a character.
        let second = start + 6
        if unit < 0xDC00 {
            if end == second || end == second + 1 && second.pointee == Byte.backslash {
                throw TextScan.Fault(place: end, kind: .unexpectedEnd)
            }
            if end - second >= 2, second[0] == Byte.backslash, second[1] == UInt8(ascii: "u"),
                try self.unit(from: second, to: end) & 0xFC00 == 0xDC00
            {
                return start + 12
            }
        }
        throw TextScan.Fault(place: start, kind: .loneSurrogate)
    }

    /// The four hexadecimal digits after `\u`.
    static func unit(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> UInt16 {
        var unit: UInt16 = 0
        for index in 2..<6 {
            guard start + index < end else { throw TextScan.Fault(place: end, kind: .unexpectedEnd) }
            guard let digit = ASCII.hexadecimalValue(start[index]) else {
                throw TextScan.Fault(place: start, kind: .badEscape)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    @inline(__always)
    private static func simple(_ byte: UInt8) -> UInt8? {
        switch byte {
        case Byte.quote, Byte.backslash, Byte.slash: byte
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: nil
        }
    }

    /// Returns a checked string without its escapes.
    static func string(_ text: UnsafeBufferPointer<UInt8>) -> String {
        text.baseAddress.map { string($0, text.count) } ?? ""
    }

    /// Returns a checked string without its escapes.
    static func string(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, count)) { buffer in
            guard let output = buffer.baseAddress else { return "" }
            let length = unescape(start, count, into: output)
            return String(decoding: UnsafeBufferPointer(start: output, count: length), as: UTF8.self)
        }
    }

    /// Writes a checked string without its escapes; the result is never longer.
    ///
    /// - Returns: The number of bytes written.
    static func unescape(
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
        into output: UnsafeMutablePointer<UInt8>,
    ) -> Int {
        var place = start
        let end = start + count
        var target = output
        while place < end {
            let stop = nextBackslash(from: place, to: end)
            target.update(from: place, count: stop - place)
            target += stop - place
            guard stop < end else { break }
            place = unescapeOne(at: stop, into: &target)
        }
        return target - output
    }

    private static func nextBackslash(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) -> UnsafePointer<UInt8> {
        var place = start
        while place < end, place.pointee != Byte.backslash { place += 1 }
        return place
    }

    private static func unescapeOne(
        at place: UnsafePointer<UInt8>,
        into target: inout UnsafeMutablePointer<UInt8>,
    ) -> UnsafePointer<UInt8> {
        if let byte = simple(place[1]) {
            target.pointee = byte
            target += 1
            return place + 2
        }
        var scalar = checkedUnit(at: place)
        var next = place + 6
        if scalar & 0xF800 == 0xD800 {
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + checkedUnit(at: next) & 0x3FF
            next += 6
        }
        write(scalar, into: &target)
        return next
    }

    private static func checkedUnit(at place: UnsafePointer<UInt8>) -> UInt32 {
        (2..<6).reduce(0) { $0 << 4 | UInt32(ASCII.hexadecimalValue(place[$1]) ?? 0) }
    }

    /// One to four bytes, for which the six bytes of an escape, or twelve of two, leave room.
    private static func write(_ scalar: UInt32, into target: inout UnsafeMutablePointer<UInt8>) {
        // The string was checked, so it has no lone surrogate.
        for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
            target.pointee = byte
            target += 1
        }
    }
}
