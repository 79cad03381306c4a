/// Escapes in texts ([RFC 8259, section 7](https://www.rfc-editor.org/rfc/rfc8259#section-7)).
enum EscapeScan {
    /// The place behind the escape, of a pair of surrogates behind both.
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
        // A high surrogate, and then a low one: nothing else is a character.
        let second = start + 6
        guard unit < 0xDC00 else { throw TextScan.Fault(place: start, kind: .loneSurrogate) }
        guard end - second >= 2 else {
            let isCut = end == second || second.pointee == Byte.backslash
            throw TextScan.Fault(place: isCut ? end : start, kind: isCut ? .unexpectedEnd : .loneSurrogate)
        }
        guard second[0] == Byte.backslash, second[1] == UInt8(ascii: "u") else {
            throw TextScan.Fault(place: start, kind: .loneSurrogate)
        }
        guard try self.unit(from: second, to: end) & 0xFC00 == 0xDC00 else {
            throw TextScan.Fault(place: start, kind: .loneSurrogate)
        }
        return start + 12
    }

    /// The four hexadecimal digits behind `\u`.
    private static func unit(
        from start: UnsafePointer<UInt8>,
        to end: UnsafePointer<UInt8>,
    ) throws(TextScan.Fault) -> UInt16 {
        var unit: UInt16 = 0
        for index in 2..<6 {
            guard start + index < end else { throw TextScan.Fault(place: end, kind: .unexpectedEnd) }
            guard let digit = hexadecimal(start[index]) else {
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

    @inline(__always)
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// A checked text without its escapes.
    static func string(_ start: UnsafePointer<UInt8>, _ count: Int) -> String {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, count)) { buffer in
            guard let output = buffer.baseAddress else { return "" }
            let length = unescape(start, count, into: output)
            return String(decoding: UnsafeBufferPointer(start: output, count: length), as: UTF8.self)
        }
    }

    /// Writes a checked text without its escapes; what comes out is never longer.
    ///
    /// - Returns: How many bytes were written.
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
        (2..<6).reduce(0) { $0 << 4 | UInt32(hexadecimal(place[$1]) ?? 0) }
    }

    /// One to four bytes; six of an escape, or twelve of two, make room for them.
    private static func write(_ scalar: UInt32, into target: inout UnsafeMutablePointer<UInt8>) {
        // The text was checked: no surrogate is alone.
        for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter {
            target.pointee = byte
            target += 1
        }
    }
}
