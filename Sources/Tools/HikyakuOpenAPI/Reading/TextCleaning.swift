/// Prepares the bytes of a file for the readers, which reject some of what real documents have.
enum TextCleaning {
    /// A text in UTF-8, and what had to be replaced in it.
    struct Cleaned {
        var bytes: [UInt8]
        /// The offset of the first byte that is not UTF-8 or a control character, and how many were replaced.
        var firstFault: Int?
        var faultCount = 0
    }

    /// Turns UTF-16 into UTF-8, drops byte order marks, and replaces what is not UTF-8 and control characters.
    static func cleaned(_ bytes: [UInt8]) -> Cleaned {
        if let text = utf16(bytes) { return cleaned([UInt8](text.utf8)) }
        let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
        let bytes = isMarked ? [UInt8](bytes.dropFirst(3)) : bytes
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }) {
            return Cleaned(bytes: bytes)
        }
        return replaced(bytes)
    }

    private static func replaced(_ bytes: [UInt8]) -> Cleaned {
        var result = Cleaned(bytes: [])
        result.bytes.reserveCapacity(bytes.count)
        var decoder = UTF8()
        var source = bytes.makeIterator()
        var isEnd = false
        while !isEnd {
            switch decoder.decode(&source) {
            case .scalarValue(let scalar):
                if isAllowed(scalar) {
                    result.bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                } else {
                    result.replace(by: scalar.value < 0x80 ? [0x20] : [])
                }
            case .error: result.replace(by: [UInt8](UTF8.encodedReplacementCharacter))
            case .emptyInput: isEnd = true
            }
        }
        return result
    }

    /// The characters that libyaml accepts.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x85, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
        default: false
        }
    }

    private static func utf16(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2, bytes[0] ^ bytes[1] == 1, bytes[0] >= 0xFE else { return nil }
        let isBig = bytes[0] == 0xFE
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBig ? first << 8 | second : second << 8 | first
        }
        return String(decoding: units, as: UTF16.self)
    }

    // MARK: Surrogate escapes

    /// Writes halves of surrogate pairs in escapes so that libyaml, which rejects them, keeps them.
    ///
    /// `\uD83D` becomes `\U000FD83D`, a character for private use. ``restored(_:isEscaped:)`` undoes it: in a text with
    /// escapes a pair becomes its character, and in other texts the escape becomes what it was.
    ///
    /// - Returns: `nil` if there is none.
    static func surrogatesReplaced(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var taken = 0
        var index = 0
        while index + 5 < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            // The character after a backslash is a part of its escape, another backslash, too.
            if bytes[index + 1] == UInt8(ascii: "u"), isSurrogate(bytes[(index + 2)...(index + 5)]) {
                result += bytes[taken..<index]
                result += [UInt8]("\\U000F".utf8)
                taken = index + 2
            }
            index += 2
        }
        return taken == 0 ? nil : result + bytes[taken...]
    }

    private static func isSurrogate(_ digits: ArraySlice<UInt8>) -> Bool {
        let values = digits.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return values.count == 4 && values[0] == 0xD && values[1] >= 8
    }

    /// Undoes ``surrogatesReplaced(_:)`` in a text.
    ///
    /// - Parameters:
    ///   - text: A text of the document.
    ///   - isEscaped: Whether escapes were decoded.
    /// - Returns: The text, and whether a half without its other half was replaced.
    static func restored(_ text: String, isEscaped: Bool) -> (text: String, hasLoneHalf: Bool) {
        guard isEscaped else { return (plainRestored(text), false) }
        guard text.unicodeScalars.contains(where: isPlaceholder) else { return (text, false) }
        var (result, high, hasLoneHalf) = ("".unicodeScalars, UInt32?.none, false)
        for scalar in text.unicodeScalars {
            let half = isPlaceholder(scalar) ? scalar.value & 0xFFFF : nil
            if let first = high, let half, half >= 0xDC00,
                let character = Unicode.Scalar(0x10000 + (first & 0x3FF) << 10 + half & 0x3FF)
            {
                result.append(character)
                high = nil
                continue
            }
            if high != nil { result.append("\u{FFFD}") }
            hasLoneHalf = hasLoneHalf || high != nil || half.map { $0 >= 0xDC00 } ?? false
            high = half.flatMap { $0 < 0xDC00 ? $0 : nil }
            if high == nil { result.append(half == nil ? scalar : "\u{FFFD}") }
        }
        if high != nil { result.append("\u{FFFD}") }
        return (String(result), hasLoneHalf || high != nil)
    }

    private static func plainRestored(_ text: String) -> String {
        let mark = [UInt8]("\\U000F".utf8)
        let bytes = [UInt8](text.utf8)
        guard bytes.count >= 10 else { return text }
        var (result, index): ([UInt8], Int) = ([], 0)
        while index < bytes.count {
            if bytes[index] == mark[0], index + 10 <= bytes.count, bytes[index..<(index + 6)].elementsEqual(mark),
                isSurrogate(bytes[(index + 6)..<(index + 10)])
            {
                result += [UInt8]("\\u".utf8)
                index += 6
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isPlaceholder(_ scalar: Unicode.Scalar) -> Bool { 0xFD800...0xFDFFF ~= scalar.value }

    // MARK: Tabs

    /// Replaces tabs in the indentation of lines by two spaces, which YAML forbids there; `nil` if there is none.
    static func tabsReplaced(_ bytes: [UInt8]) -> (bytes: [UInt8], line: Int)? {
        var result: [UInt8] = []
        var isIndentation = true
        var line = 1
        var found: Int?
        for byte in bytes {
            if isIndentation, byte == UInt8(ascii: "\t") {
                result += [0x20, 0x20]
                found = found ?? line
                continue
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            isIndentation = byte == UInt8(ascii: "\n") || isIndentation && byte == 0x20
            result.append(byte)
        }
        return found.map { (result, $0) }
    }
}

extension TextCleaning.Cleaned {
    fileprivate mutating func replace(by replacement: [UInt8]) {
        firstFault = firstFault ?? bytes.count
        faultCount += 1
        bytes += replacement
    }
}
