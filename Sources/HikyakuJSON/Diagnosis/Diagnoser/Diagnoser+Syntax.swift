extension Diagnoser {
    /// What a body is that is no JSON, or where it stops to be.
    mutating func diagnosis(of error: JSONSyntaxError) -> DecodingDiagnosis {
        if let difference = wholeBody(error) { return DecodingDiagnosis(difference) }
        let offset = min(max(0, error.byteOffset), bytes.count)
        let isCut = error.kind == .unexpectedEnd || isCutCharacter(error.kind, at: offset)
        let spot = spot(at: isCut ? bytes.count : offset, orderedEnd: isCut ? bytes.count : offset)
        if isCut {
            let found = "its end: it is truncated at byte \(bytes.count)"
            let difference = Difference(kind: .truncated, expected: "the rest of the JSON document", found: found)
            return diagnosis(difference, at: spot)
        }
        if spot.walk.depth == 0, let content = BodyContent(textIn: bytes, revealingValues: revealingValues),
            wrongWord(at: offset) == nil
        {
            return DecodingDiagnosis(foreign(content))
        }
        return diagnosis(difference(error.kind, at: spot), at: spot, part: error.kind.part)
    }

    /// What can be said of a body without looking at a place in it.
    private func wholeBody(_ error: JSONSyntaxError) -> Difference? {
        if error.kind == .empty || bytes.isEmpty {
            let found = bytes.isEmpty ? "an empty body" : "nothing but white space"
            return Difference(kind: .empty, expected: "a JSON document", found: found)
        }
        if error.kind == .noMemory {
            let found = "one of \(bytes.count) bytes"
            return Difference(kind: .outOfMemory, expected: "a document that there is memory to read", found: found)
        }
        if error.kind == .tooLarge {
            let found = "one of \(bytes.count) bytes"
            return Difference(kind: .malformed, expected: "a document of less than 4 GiB", found: found)
        }
        if error.byteOffset <= 3, let content = BodyContent(binaryIn: bytes) { return foreign(content) }
        guard error.kind == .byteOrderMark else { return nil }
        if let content = BodyContent(textIn: bytes, revealingValues: revealingValues) { return foreign(content) }
        let found = "a byte order mark before it"
        return Difference(kind: .byteOrderMark, expected: "a JSON document", found: found)
    }

    private func foreign(_ content: BodyContent) -> Difference {
        let expected = content.kind == .wrongCharset ? "a JSON document in UTF-8" : "a JSON document"
        return Difference(kind: content.kind, expected: expected, found: content.words)
    }

    /// A character that the body's end has cut through looks like one that is none.
    private func isCutCharacter(_ kind: JSONSyntaxError.Kind, at offset: Int) -> Bool {
        let rest = bytes[offset...]
        guard kind == .invalidUTF8, let first = rest.first, rest.count < 4 else { return false }
        let length =
            switch first {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 0
            }
        return rest.count < length && rest.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    }
}

extension Diagnoser {
    private func difference(_ kind: JSONSyntaxError.Kind, at spot: Spot) -> Difference {
        let seen = seen(at: spot.offset)
        return switch kind {
        case .noValue, .badWord:
            malformed("a value", wrongWord(at: spot.offset) ?? behindComma(seen, at: spot.offset))
        case .noKey: malformed("a key in double quotes", behindComma(seen, at: spot.offset))
        case .noColon: malformed("a colon behind the key", seen)
        case .noSeparator: malformed("a comma or \"\(spot.walk.isInObject == true ? "}" : "]")\"", seen)
        case .badNumber: malformed("a number as JSON has it", numberFault(at: spot.offset) ?? seen)
        case .controlCharacter: malformed("an escape such as \\n", "\(seen) in a string")
        case .badEscape: malformed("an escape of JSON", "a backslash before something else")
        case .loneSurrogate: malformed("two surrogates that make up a character", "one alone")
        case .invalidUTF8:
            Difference(
                kind: .wrongCharset,
                expected: "a JSON document in UTF-8",
                found: "text in another charset, such as Latin-1",
            )
        case .trailingBytes: malformed("the end of the document", "\(seen) behind it")
        case .duplicateKey: duplicate(at: spot)
        case .tooDeep:
            Difference(
                kind: .tooDeep,
                expected: "at most \(spot.walk.depth) arrays and objects inside of each other",
                found: "one more",
            )
        case .stackEnd:
            Difference(
                kind: .tooDeep,
                expected: "at most \(spot.walk.depth) arrays and objects inside of each other, "
                    + "for which the stack of this thread has room",
                found: "one more",
            )
        // Those that were looked at before.
        case .empty, .byteOrderMark, .unexpectedEnd, .tooLarge, .noMemory: malformed("a JSON document", nil)
        }
    }

    private func malformed(_ expected: String, _ found: String?) -> Difference {
        Difference(kind: .malformed, expected: expected, found: found)
    }

    private func duplicate(at spot: Spot) -> Difference {
        let key = TextToken(bytes, at: spot.valueOffset).shown(max: 40, VisibleText.scalar)
        return Difference(kind: .duplicateKey, expected: "each key once", found: "the key \"\(key)\" again")
    }

    private func numberFault(at offset: Int) -> String? {
        if let word = wrongWord(at: offset) { return word }
        let isZero = offset + 1 < bytes.count && bytes[offset] == Byte.zero && Byte.isDigit(bytes[offset + 1])
        return isZero ? "one with a zero in front" : nil
    }

    /// A word of other languages for what JSON doesn't have, or has by another name.
    private func wrongWord(at offset: Int) -> String? {
        let rest = bytes[offset...].prefix(16)
        for comment in ["//", "/*"] where rest.starts(with: comment.utf8) {
            return "a comment, which JSON doesn't have"
        }
        let letters = rest.prefix { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        let words = [
            "NaN", "nan", "Infinity", "inf", "undefined", "None", "True", "False", "TRUE", "FALSE", "NULL", "nil",
        ]
        return words.first { letters.elementsEqual($0.utf8) }.map { "the word \($0), which JSON doesn't have" }
    }

    private func behindComma(_ seen: String, at offset: Int) -> String {
        guard offset < bytes.count, [Byte.closeBrace, Byte.closeBracket].contains(bytes[offset]) else { return seen }
        let before = bytes[..<offset].last { !Byte.isSpace($0) }
        return before == Byte.comma ? "\(seen) behind a comma" : seen
    }

    /// The character at a place: as it is where it is punctuation, or where values are shown.
    private func seen(at offset: Int) -> String {
        guard offset < bytes.count else { return "the end" }
        switch bytes[offset] {
        case Byte.quote: return "a double quote"
        case UInt8(ascii: "'"): return "a single quote"
        case ..<0x20, 0x7F:
            let digits = String(bytes[offset], radix: 16, uppercase: true)
            return "a control character (U+00\(digits.count == 1 ? "0" : "")\(digits))"
        case 0x80...: return "a character beyond ASCII"
        case let byte:
            let character = Character(Unicode.Scalar(byte))
            guard !revealingValues else { return "\"\(character)\"" }
            return character.isLetter ? "a letter" : character.isNumber ? "a digit" : "\"\(character)\""
        }
    }
}

extension JSONSyntaxError.Kind {
    /// What of the document is wrong.
    fileprivate var part: DocumentWalk.Part {
        switch self {
        case .noKey, .noSeparator: .container
        case .duplicateKey: .key
        default: .value
        }
    }
}
