import HikyakuBase

extension ByteBuffer {
    /// Writes a string in quotation marks, with `"`, `\` and control characters escaped (RFC 8259, section 7).
    @inline(__always) mutating func appendQuoted(_ text: String) {
        text.withContiguousBytes { appendQuoted($0) }
    }

    /// Copies eight bytes at a time, for as long as none of them needs an escape.
    mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
        // Whole words are stored, so up to seven bytes after the text are overwritten.
        var out = reserve(text.count + 10)
        out.pointee = UInt8(ascii: "\"")
        out += 1
        if let start = text.baseAddress {
            let copied = Self.copyClean(from: start, count: text.count, to: out)
            out += copied
            if copied < text.count {
                advance(by: copied + 1)
                appendEscaping(start + copied, count: text.count - copied)
                out = reserve(1)
            }
        }
        out.pointee = UInt8(ascii: "\"")
        advance(by: out - base + 1 - count)
    }

    /// Writes a key followed by a colon, in compact output.
    ///
    /// - Returns: The key's fingerprint if a hash is given; otherwise any number.
    @inline(__always) mutating func appendKey(_ text: UnsafeBufferPointer<UInt8>, _ hash: KeyHash?) -> UInt64 {
        let out = reserve(text.count &+ 11)
        out.pointee = UInt8(ascii: "\"")
        var state = hash?.start(for: text.count) ?? 0
        if let start = text.baseAddress {
            var index = 0
            while index < text.count {
                let rest = text.count &- index
                let word = rest >= 8 ? Word.load(start + index) : Word.load(start + index, count: rest)
                Word.store(word, to: out + (index &+ 1))
                if let hash { state = hash.mixed(state, word) }
                if Word.escapes(in: word) != 0 {
                    appendQuoted(text)
                    append(UInt8(ascii: ":"))
                    return hash?.fingerprint(of: text) ?? 0
                }
                index &+= 8
            }
        }
        out[text.count &+ 1] = UInt8(ascii: "\"")
        out[text.count &+ 2] = UInt8(ascii: ":")
        advance(by: text.count &+ 3)
        return hash?.mixed(state, 0) ?? 0
    }

    /// Continues at the first byte that needs an escape.
    @inline(never) private mutating func appendEscaping(_ text: UnsafePointer<UInt8>, count length: Int) {
        var index = 0
        while index < length {
            appendEscape(of: text[index])
            index += 1
            let out = reserve(length - index + 8)
            let copied = Self.copyClean(from: text + index, count: length - index, to: out)
            advance(by: copied)
            index += copied
        }
    }

    private mutating func appendEscape(of byte: UInt8) {
        let out = reserve(6)
        out[0] = UInt8(ascii: "\\")
        out[1] = Self.shortEscape(of: byte)
        guard out[1] == UInt8(ascii: "u") else { return advance(by: 2) }
        out[2] = UInt8(ascii: "0")
        out[3] = UInt8(ascii: "0")
        out[4] = ASCII.lowercaseHexadecimalDigit(byte >> 4)
        out[5] = ASCII.lowercaseHexadecimalDigit(byte & 15)
        advance(by: 6)
    }

    private static func shortEscape(of byte: UInt8) -> UInt8 {
        switch byte {
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        case 0x22, 0x5C: byte
        default: UInt8(ascii: "u")
        }
    }

    /// Copies up to the first byte that needs an escape.
    ///
    /// - Returns: How many bytes were copied; up to eight more are overwritten.
    @inline(__always) private static func copyClean(
        from text: UnsafePointer<UInt8>,
        count length: Int,
        to out: UnsafeMutablePointer<UInt8>,
    ) -> Int {
        var index = length >= 32 ? copyCleanBlocks(from: text, count: length, to: out) : 0
        while index &+ 8 <= length {
            let word = Word.load(text + index)
            Word.store(word, to: out + index)
            let found = Word.escapes(in: word)
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        guard index < length else { return length }
        let word = Word.load(text + index, count: length &- index)
        Word.store(word, to: out + index)
        let found = Word.escapes(in: word)
        return found == 0 ? length : index &+ found.trailingZeroBitCount &>> 3
    }

    /// Copies 32 bytes at a time, with one branch for all of them.
    ///
    /// - Returns: The offset of the first block that is incomplete or needs an escape.
    private static func copyCleanBlocks(
        from text: UnsafePointer<UInt8>,
        count length: Int,
        to out: UnsafeMutablePointer<UInt8>,
    ) -> Int {
        var index = 0
        while index &+ 32 <= length {
            let low = UnsafeRawPointer(text + index).loadUnaligned(as: SIMD16<UInt8>.self)
            let high = UnsafeRawPointer(text + (index &+ 16)).loadUnaligned(as: SIMD16<UInt8>.self)
            UnsafeMutableRawPointer(out + index).storeBytes(of: low, as: SIMD16<UInt8>.self)
            UnsafeMutableRawPointer(out + (index &+ 16)).storeBytes(of: high, as: SIMD16<UInt8>.self)
            guard Word.hasEscapes(in: low, high) else {
                index &+= 32
                continue
            }
            break
        }
        return index
    }
}

/// Eight bytes of a string in one register, the first of them in the lowest bits.
enum Word {
    @inline(__always) static func load(_ text: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(text).loadUnaligned(as: UInt64.self))
    }

    /// The last 1 to 7 bytes of a string, padded with spaces; no bytes after them are read.
    @inline(__always) static func load(_ text: UnsafePointer<UInt8>, count length: Int) -> UInt64 {
        let filler = shifted(0x2020_2020_2020_2020 as UInt64, by: length)
        if length >= 4 {
            let start = UnsafeRawPointer(text)
            let low = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
            let high = UInt32(littleEndian: start.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self))
            return filler | UInt64(low) | shifted(high, by: length &- 4)
        }
        let middle = length >> 1
        let last = length &- 1
        return filler | UInt64(text[0]) | shifted(text[middle], by: middle) | shifted(text[last], by: last)
    }

    @inline(__always) private static func shifted(_ value: some UnsignedInteger, by length: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: value) &<< UInt64(truncatingIfNeeded: length &* 8)
    }

    @inline(__always) static func store(_ word: UInt64, to out: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(out).storeBytes(of: word.littleEndian, as: UInt64.self)
    }

    /// The lowest set bit is in the first byte that is `"`, `\` or less than a space.
    ///
    /// Higher bits may be wrong, since a match borrows from the next byte.
    @inline(__always) fileprivate static func hasEscapes(in low: SIMD16<UInt8>, _ high: SIMD16<UInt8>) -> Bool {
        let found = unsafeBitCast(escapes(in: low) | escapes(in: high), to: SIMD2<UInt64>.self)
        return (found[0] | found[1]) & 0x8080_8080_8080_8080 != 0
    }

    /// The highest bit of each byte that needs an escape.
    @inline(__always) private static func escapes(in bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
        let quote = bytes ^ 0x22
        let backslash = bytes ^ 0x5C
        return ((quote &- 1) & ~quote) | ((backslash &- 1) & ~backslash) | ((bytes &- 0x20) & ~bytes)
    }

    @inline(__always) static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let control = (word &- (ones &* 0x20)) & ~word
        let found = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | control
        return found & (ones &* 0x80)
    }
}
