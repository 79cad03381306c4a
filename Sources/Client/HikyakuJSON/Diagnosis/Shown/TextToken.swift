import HikyakuBase

/// A string of a document, read one character at a time, also if it is malformed or has no end.
struct TextToken: Sequence, IteratorProtocol {
    /// A character and the bytes that encode it, which may be an escape.
    struct Unit {
        let scalar: Unicode.Scalar
        let bytes: Range<Int>
        let isEscape: Bool
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var offset: Int

    /// Begins after the opening quote, whose offset is given.
    init(_ bytes: UnsafeBufferPointer<UInt8>, at quote: Int) {
        self.bytes = bytes
        offset = Swift.min(quote + 1, bytes.count)
    }

    /// The next character; `nil` at the closing quote and at the end of the bytes.
    mutating func next() -> Unit? {
        guard offset < bytes.count, bytes[offset] != Byte.quote else { return nil }
        let start = offset
        let isEscape = bytes[start] == Byte.backslash
        let (scalar, length) = isEscape ? Self.escape(in: bytes, at: start) : Self.scalar(in: bytes, at: start)
        offset += length
        return Unit(scalar: scalar, bytes: start..<offset, isEscape: isEscape)
    }

    /// The unescaped text; `nil` if it has more bytes.
    func whole(bytesMax: Int) -> String? {
        var text = ""
        let start = offset
        for unit in self {
            guard unit.bytes.upperBound - start <= bytesMax else { return nil }
            text.unicodeScalars.append(unit.scalar)
        }
        return text
    }

    /// The first scalars of the unescaped text.
    func beginning(max: Int) -> String {
        prefix(max).reduce(into: "") { $0.unicodeScalars.append($1.scalar) }
    }

    /// The beginning of the text, each character transformed for display.
    func shown(max: Int, _ transform: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        var text = ""
        for (count, unit) in self.enumerated() {
            guard count < max else { return text + "…" }
            text.unicodeScalars.append(transform(unit.scalar))
        }
        return text
    }

    /// The character at the offset; the replacement character for a byte that is not UTF-8.
    static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (Unicode.Scalar, length: Int) {
        guard bytes[offset] >= 0x80 else { return (Unicode.Scalar(bytes[offset]), 1) }
        guard let base = bytes.baseAddress,
            let end = UTF8Sequence.end(from: base + offset, to: base + bytes.count)
        else { return ("\u{FFFD}", 1) }
        let length = end - base - offset
        let text = String(decoding: bytes[offset..<offset + length], as: UTF8.self)
        return (text.unicodeScalars.first ?? "\u{FFFD}", length)
    }

    private static func escape(in bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> (Unicode.Scalar, length: Int) {
        guard let base = bytes.baseAddress,
            let end = try? EscapeScan.end(from: base + offset, to: base + bytes.count)
        else { return ("\u{FFFD}", 1) }
        let length = end - base - offset
        return (EscapeScan.string(base + offset, length).unicodeScalars.first ?? "\u{FFFD}", length)
    }
}

/// Masks values, which may be secrets: 9 for each digit, A and a for letters, punctuation unchanged.
enum ValueShape {
    /// The masked form of a text.
    static func of(_ text: String, max: Int) -> String { VisibleText.of(text, max: max, scalar) }

    /// A key of a document as it is shown: a name unchanged, and any other key masked, since it may be data.
    static func ofKey(_ key: String) -> String { DocumentKey.isName(key) ? key : of(key, max: .max) }

    /// The beginning of a key in quotes.
    ///
    /// - Parameters:
    ///   - key: The key, or its beginning if it is longer than a name.
    ///   - max: How many scalars are shown.
    ///   - revealingValues: Whether it is shown unmasked.
    /// - Returns: The text in quotes.
    static func quoted(key: String, max: Int, revealingValues: Bool) -> String {
        "\"\(VisibleText.of(revealingValues ? key : ofKey(key), max: max))\""
    }

    /// A value in words that say whether it is masked: `a string masked as "aa9"`, `the string "ab1"`.
    static func words(_ kind: String, _ shown: String, isMasked: Bool) -> String {
        isMasked ? "a \(kind) masked as \(shown)" : "the \(kind) \(shown)"
    }

    /// The masked form of a character.
    static func scalar(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII {
            switch scalar {
            case "0"..."9": return "9"
            case "A"..."Z": return "A"
            case "a"..."z": return "a"
            case " "..."~": return scalar
            default: return "?"
            }
        }
        switch scalar.properties.generalCategory {
        case .decimalNumber: return "9"
        case .uppercaseLetter, .titlecaseLetter: return "A"
        case .lowercaseLetter, .modifierLetter, .otherLetter: return "a"
        default: return "?"
        }
    }
}
