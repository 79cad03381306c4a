extension LenientScan {
    /// A text, in single quotes too in JSON5.
    ///
    /// [JSON5, section 5](https://spec.json5.org/#strings)
    mutating func text() {
        let (start, index) = (place, output.count(upTo: place))
        let quote = base[place]
        var lineFeeds = 0
        if quote != Byte.quote { output.replace(place, place + 1, by: CollectionOfOne(Byte.quote)) }
        place += 1
        while place < count {
            let byte = base[place]
            if byte == quote {
                if quote != Byte.quote { output.replace(place, place + 1, by: CollectionOfOne(Byte.quote)) }
                place += 1
                break
            }
            switch byte {
            case Byte.backslash: lineFeeds += escape()
            case Byte.quote: character(Byte.quote, place + 1)
            case ..<0x20: controlCharacter()
            default: place = stop(in: quote)
            }
        }
        pad(from: start, index, lineFeeds: lineFeeds)
        last = .value
    }

    /// The next byte that has to be looked at.
    private func stop(in quote: UInt8) -> Int {
        if quote == Byte.quote {
            return max(place + 1, TextScan.firstStop(from: base + place, to: base + count) - base)
        }
        var next = place + 1
        while next < count, base[next] >= 0x20, base[next] != quote, base[next] != Byte.quote,
            base[next] != Byte.backslash
        { next += 1 }
        return next
    }

    /// JSON5 has all of them in texts but those that end a line, RFC 8259 has none.
    private mutating func controlCharacter() {
        let byte = base[place]
        guard isJSON5, byte != Byte.lineFeed, byte != Byte.carriageReturn else { return place += 1 }
        character(byte, place + 1)
    }

    /// What follows a backslash.
    ///
    /// - Returns: How many ends of lines are gone.
    private mutating func escape() -> Int {
        guard isJSON5, place + 1 < count else {
            place = min(place + 2, count)
            return 0
        }
        if let end = lineBreakEnd(at: place + 1) {
            output.replace(place, end, by: EmptyCollection())
            place = end
            return 1
        }
        switch base[place + 1] {
        case Byte.quote, Byte.backslash, Byte.slash, UInt8(ascii: "b"), UInt8(ascii: "f"), UInt8(ascii: "n"),
            UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "u"):
            place += 2
        case UInt8(ascii: "v"): character(0x0B, place + 2)
        case UInt8(ascii: "x"): hexadecimalEscape()
        case Byte.zero where place + 2 == count || !Byte.isDigit(base[place + 2]): character(0, place + 2)
        // No escape in JSON5 either.
        case Byte.zero...Byte.nine: place += 2
        default:
            // Any other character is itself, and looked at next.
            output.replace(place, place + 1, by: EmptyCollection())
            place += 1
            if base[place] == UInt8(ascii: "'") { place += 1 }
        }
        return 0
    }

    /// `\x41`, a character up to U+00FF.
    private mutating func hexadecimalEscape() {
        guard place + 3 < count, let high = EscapeScan.hexadecimal(base[place + 2]),
            let low = EscapeScan.hexadecimal(base[place + 3])
        else { return place += 2 }
        character(high << 4 | low, place + 4)
    }

    /// Writes a character as a strict document has it.
    private mutating func character(_ code: UInt8, _ end: Int) {
        switch code {
        case Byte.quote, Byte.backslash: output.replace(place, end, by: [Byte.backslash, code])
        case ..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            let escape = Array(#"\u00"#.utf8) + [digits[Int(code >> 4)], digits[Int(code & 15)]]
            output.replace(place, end, by: escape)
        case ..<0x80: output.replace(place, end, by: CollectionOfOne(code))
        default: output.replace(place, end, by: [0xC0 | code >> 6, 0x80 | code & 0x3F])
        }
        place = end
    }
}
