extension LenientScan {
    /// What begins none of the tokens of JSON.
    mutating func tokenOfJSON5() {
        switch base[place] {
        case UInt8(ascii: "'"): text()
        case Byte.plus, Byte.minus, Byte.point, Byte.zero...Byte.nine: number()
        case 0x0B, 0x0C: blank(upTo: place + 1)
        default:
            if let end = spaceEnd() {
                blank(upTo: end)
            } else if isBeforeKey, let end = identifierEnd() {
                key(upTo: end)
            } else if !nonFinite(from: place) {
                leaveWord()
            }
        }
    }

    /// A key without quotes ([JSON5, section 3](https://spec.json5.org/#objects)).
    private mutating func key(upTo end: Int) {
        let quote = CollectionOfOne(Byte.quote)
        output.replace(place, place, by: quote)
        output.replace(end, end, by: quote)
        place = end
        last = .value
    }

    /// `true`, `false`, `null`, and all that is none of these: left as it is with what is joined to it, of which no
    /// part may become a number then.
    mutating func leaveWord() {
        repeat {
            pass(.value)
        } while place < count
            && (Self.isWordPart(base[place]) || base[place] == Byte.plus || base[place] == Byte.minus)
    }

    /// What makes a number or a word another one when it follows on it.
    static func isWordPart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), Byte.zero...Byte.nine,
            UInt8(ascii: "_"), UInt8(ascii: "$"), Byte.point, Byte.backslash:
            true
        default: false
        }
    }

    /// The place behind a space beyond ASCII: those of the category Zs, a mark of the order of bytes, ends of lines
    /// ([JSON5, section 8](https://spec.json5.org/#white-space)).
    private func spaceEnd() -> Int? {
        guard base[place] >= 0x80 else { return nil }
        guard let (scalar, end) = scalar(at: place) else { return nil }
        let isSpace =
            scalar == "\u{FEFF}" || scalar == "\u{2028}" || scalar == "\u{2029}"
            || scalar.properties.generalCategory == .spaceSeparator
        return isSpace ? end : nil
    }
}

extension LenientScan {
    /// The place behind the name that begins here, as ECMAScript 5.1 has it; `nil` where none does.
    private func identifierEnd() -> Int? {
        var end = place
        while end < count, let next = identifierPartEnd(at: end, isFirst: end == place) { end = next }
        return end == place ? nil : end
    }

    private func identifierPartEnd(at place: Int, isFirst: Bool) -> Int? {
        switch base[place] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"):
            return place + 1
        case Byte.zero...Byte.nine:
            return isFirst ? nil : place + 1
        case Byte.backslash:
            guard let scalar = escapedScalar(at: place) else { return nil }
            return Self.isIdentifierPart(scalar, isFirst: isFirst) ? place + 6 : nil
        case 0x80...:
            guard let (scalar, end) = scalar(at: place) else { return nil }
            return Self.isIdentifierPart(scalar, isFirst: isFirst) ? end : nil
        default:
            return nil
        }
    }

    private static func isIdentifierPart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
            true
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation:
            !isFirst || scalar == "_"
        default:
            scalar == "$" || !isFirst && (scalar == "\u{200C}" || scalar == "\u{200D}")
        }
    }

    /// The character beyond ASCII that begins at a place, and the place behind it.
    private func scalar(at place: Int) -> (Unicode.Scalar, Int)? {
        guard let end = UTF8Sequence.end(from: base + place, to: base + count) else { return nil }
        let bytes = UnsafeBufferPointer(start: base + place, count: end - (base + place))
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first.map { ($0, end - base) }
    }

    private func escapedScalar(at place: Int) -> Unicode.Scalar? {
        guard count - place >= 6, base[place + 1] == UInt8(ascii: "u") else { return nil }
        var code: UInt32 = 0
        for index in 2..<6 {
            guard let digit = EscapeScan.hexadecimal(base[place + index]) else { return nil }
            code = code << 4 | UInt32(digit)
        }
        return Unicode.Scalar(code)
    }
}
