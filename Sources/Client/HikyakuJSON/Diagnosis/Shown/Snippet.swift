import HikyakuBase

/// An excerpt of the document around an offset, with masked values.
///
/// A string is shown unmasked if it is written like a name, a colon follows, and everything before is well-formed.
/// After the first malformed byte, all letters and digits are masked.
struct Snippet {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The end of the well-formed part.
    private let orderedEnd: Int
    private let revealingValues: Bool
    /// The offset that is shown in the middle.
    private let place: Int
    private var offset: Int
    private var before: [Shown] = []
    private var after: [Shown] = []
    private var isCut: Bool
    /// Whether the text has masked characters; known when it was made.
    private(set) var isMasked = false

    private struct Shown {
        let scalar: Unicode.Scalar
        /// Whether it is the mask of a letter or a digit, which may be any other.
        var isMask = false
    }

    private static let charactersMax = 80
    /// How many bytes before the offset are searched.
    ///
    /// More than fit, since white space is shortened.
    static let bytesBefore = 256
    /// The longest string that is checked for being a key, in bytes.
    private static let keyBytesMax = 1024
    /// How many bytes after the offset are searched, which may be only white space.
    private static let bytesBehindMax = 2048

    /// Begins with a token before the offset, or with the string that contains it.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        around place: Int,
        orderedEnd: Int,
        revealingValues: Bool,
    ) {
        self.bytes = bytes
        self.place = place
        self.orderedEnd = orderedEnd
        self.revealingValues = revealingValues
        offset = start
        isCut = start > Bytes.start(of: bytes)
    }

    /// The snippet; `nil` if there is nothing to show.
    mutating func text() -> String? {
        while isGoingOn, offset < orderedEnd, takeOrdered() {}
        while isGoingOn, offset < bytes.count { takeAny() }
        let max = Self.charactersMax - 2
        let behind = Swift.min(after.count, Swift.max(max / 2, max - before.count))
        let ahead = Swift.min(before.count, max - behind)
        var shown = (before.suffix(ahead) + after.prefix(behind))[...]
        if shown.allSatisfy({ $0.scalar == " " }) { return nil }
        let isCut = isCut || ahead < before.count
        let isCutBehind = offset < bytes.count || behind < after.count
        if !isCut, shown.first?.scalar == " " { shown.removeFirst() }
        if !isCutBehind, shown.last?.scalar == " " { shown.removeLast() }
        isMasked = shown.contains(where: \.isMask)
        return (isCut ? "…" : "") + String(String.UnicodeScalarView(shown.map(\.scalar))) + (isCutBehind ? "…" : "")
    }

    private var isGoingOn: Bool { after.count < Self.charactersMax && offset - place < Self.bytesBehindMax }

    /// Reads a well-formed token; `false` if there is none, so that all that follows is masked.
    private mutating func takeOrdered() -> Bool {
        switch bytes[offset] {
        case Byte.quote:
            return takeText()
        case Byte.space, Byte.lineFeed, Byte.carriageReturn, Byte.tab:
            takeSpace()
        case Byte.openBrace, Byte.closeBrace, Byte.openBracket, Byte.closeBracket, Byte.comma, Byte.colon:
            append(Shown(scalar: Unicode.Scalar(bytes[offset])), at: offset)
            offset += 1
        case Byte.minus, Byte.zero...Byte.nine:
            takeNumber()
        default:
            return takeWord()
        }
        return true
    }

    private mutating func takeText() -> Bool {
        let isShown = revealingValues || isKey(at: offset) && isName(at: offset)
        append(Shown(scalar: "\""), at: offset)
        var place = offset + 1
        for unit in TextToken(bytes, at: offset) {
            guard unit.bytes.upperBound <= orderedEnd, isGoingOn else { break }
            append(unit, revealing: isShown)
            place = unit.bytes.upperBound
            offset = place
        }
        offset = place
        guard place < orderedEnd, bytes[place] == Byte.quote else { return false }
        append(Shown(scalar: "\""), at: place)
        offset += 1
        return true
    }

    /// Whether a key, which may have escapes, is shown: see ``ValueShape/ofKey(_:)``.
    private func isName(at quote: Int) -> Bool {
        TextToken(bytes, at: quote).whole(bytesMax: Self.keyBytesMax).map(DocumentKey.isName) ?? false
    }

    private func isKey(at quote: Int) -> Bool {
        let end = min(orderedEnd, quote + Self.keyBytesMax)
        var place = TextScan.closingQuote(ofTextAt: quote, in: bytes, before: end) + 1
        while place < end, Byte.isSpace(bytes[place]) { place += 1 }
        return place < end && bytes[place] == Byte.colon
    }

    private mutating func takeNumber() {
        while offset < orderedEnd, isPartOfNumber(bytes[offset]), isGoingOn {
            let scalar = Unicode.Scalar(bytes[offset])
            append(Self.shown(scalar, revealing: revealingValues || !ASCII.isDigit(bytes[offset])), at: offset)
            offset += 1
        }
    }

    private func isPartOfNumber(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || byte == Byte.minus || byte == Byte.plus || byte == Byte.point
            || byte | 0x20 == UInt8(ascii: "e")
    }

    private mutating func takeWord() -> Bool {
        for word in ["true", "false", "null"] {
            let end = offset + word.utf8.count
            guard end <= orderedEnd, bytes[offset..<end].elementsEqual(word.utf8) else { continue }
            for scalar in word.unicodeScalars {
                append(Shown(scalar: scalar), at: offset)
                offset += 1
            }
            return true
        }
        return false
    }

    /// Reads any character of malformed content.
    private mutating func takeAny() {
        guard !Byte.isSpace(bytes[offset]) else { return takeSpace() }
        let (scalar, length) = TextToken.scalar(in: bytes, at: offset)
        append(Self.shown(scalar, revealing: revealingValues), at: offset)
        offset += length
    }

    /// White space of any length is one space.
    private mutating func takeSpace() {
        let start = offset
        while offset < bytes.count, Byte.isSpace(bytes[offset]), offset - start < Self.bytesBehindMax { offset += 1 }
        // White space that contains or precedes the offset is shown before it.
        append(Shown(scalar: " "), at: start)
    }

    private static func shown(_ scalar: Unicode.Scalar, revealing: Bool) -> Shown {
        guard !revealing else { return Shown(scalar: VisibleText.scalar(for: scalar)) }
        let mask = ValueShape.scalar(for: scalar)
        return Shown(scalar: mask, isMask: mask == "9" || mask == "A" || mask == "a" || mask == "?")
    }

    /// Escapes of unmasked strings are shown as written.
    private mutating func append(_ unit: TextToken.Unit, revealing: Bool) {
        let start = unit.bytes.lowerBound
        guard unit.isEscape, revealing else {
            return append(Self.shown(unit.scalar, revealing: revealing), at: start)
        }
        for offset in unit.bytes { append(Shown(scalar: Unicode.Scalar(bytes[offset])), at: start) }
    }

    private mutating func append(_ scalar: Shown, at offset: Int) {
        if offset >= place {
            after.append(scalar)
        } else if offset >= place - Self.bytesBefore {
            before.append(scalar)
        } else {
            isCut = true
        }
    }
}
