/// The words of a command as a shell would make them, without running or expanding anything.
///
/// It reads what people paste: quotes of all kinds, continued lines, a prompt, a comment, and what follows the command.
struct ShellWords {
    private(set) var words: [String] = []
    /// What is not done as a shell would do it.
    private(set) var notes: [String] = []
    private var bytes: [UInt8]
    private var index = 0
    private var word: [UInt8] = []
    /// Whether a word has begun, which may be empty: `''`.
    private var isInWord = false
    private var isEnd = false

    /// - Throws: ``InferenceFailure`` for a quote that isn't closed, and for a line of another shell.
    init(_ text: String) throws(InferenceFailure) {
        bytes = Array(Self.straightened(text).utf8)
        if Self.isOfWindows(bytes) {
            throw InferenceFailure(
                "this line is quoted for cmd.exe; use the browser's 'Copy as cURL (bash)', or 'Copy as cURL (POSIX)'"
            )
        }
        while index < bytes.count, !isEnd { try readNext() }
        endWord()
        words = words.filter { !$0.isEmpty || words.count > 1 }
        if words.first == "$" || words.first == "%" || words.first == ">" { words.removeFirst() }
    }

    /// The text with quotes and spaces as shells know them: word processors and blogs have others.
    private static func straightened(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { !$0.isASCII }) else { return text }
        var result = "".unicodeScalars
        // Inside of a shell's own quotes, all are text.
        var quote: Unicode.Scalar?
        var (hasEscapes, isEscaped) = (false, false)
        for scalar in text.unicodeScalars {
            if let open = quote {
                result.append(scalar)
                if isEscaped || scalar == "\\" && hasEscapes {
                    isEscaped.toggle()
                } else if scalar == open {
                    quote = nil
                }
                continue
            }
            switch scalar.value {
            case 0x201C, 0x201D: result.append("\"")
            case 0x2018, 0x2019: result.append("'")
            case 0xA0, 0x2028, 0x2029: result.append(" ")
            case 0xFEFF, 0x200B: continue
            default:
                let isAfterDollar = result.last == "$"
                result.append(scalar)
                isEscaped = scalar == "\\" && !isEscaped
                guard scalar == "'" || scalar == "\"", !isEscaped else { continue }
                (quote, hasEscapes) = (scalar, scalar == "\"" || isAfterDollar)
            }
        }
        return String(result)
    }

    /// Whether carets quote, as browsers copy for Windows: `curl ^"https://…^"`.
    private static func isOfWindows(_ bytes: [UInt8]) -> Bool {
        let isCaret = { (pair: (UInt8, UInt8)) in
            pair.0 == UInt8(ascii: "^") && (pair.1 == UInt8(ascii: "\"") || pair.1 == 0x0A)
        }
        // After a single quote, which cmd.exe doesn't have, it is text.
        return zip(bytes, bytes.dropFirst()).prefix { $0.0 != UInt8(ascii: "'") }.contains(where: isCaret)
    }

    // MARK: Unquoted text

    private var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

    private mutating func readNext() throws(InferenceFailure) {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: "'"): try readSingle()
        case UInt8(ascii: "\""): try readDouble()
        case UInt8(ascii: "$"): try readDollar()
        case UInt8(ascii: "\\"): readEscape()
        case UInt8(ascii: "`") where next.map({ $0 == 0x0A || $0 == 0x0D }) ?? false: index += 1
        case 0x20, 0x09, 0x0D, 0x0A:
            endWord()
            index += 1
        case UInt8(ascii: "#") where !isInWord: skipLine()
        case UInt8(ascii: "|"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: ">"), UInt8(ascii: "<"):
            readOperator(byte)
        default: take(byte)
        }
    }

    private mutating func take(_ byte: UInt8) {
        word.append(byte)
        isInWord = true
        index += 1
    }

    private mutating func endWord() {
        if isInWord { words.append(String(decoding: word, as: UTF8.self)) }
        (word, isInWord) = ([], false)
    }

    private mutating func skipLine() {
        while index < bytes.count, bytes[index] != 0x0A { index += 1 }
    }

    /// Ends the command, unless the sign is a part of a URL or a field that should have been quoted.
    private mutating func readOperator(_ byte: UInt8) {
        let isJoined = next.map { $0 > 0x20 && $0 != byte } ?? false
        if isInWord, isJoined, byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";") {
            note(
                "a shell would end the command at an unquoted '\(Character(Unicode.Scalar(byte)))'; it is read as text"
            )
            return take(byte)
        }
        // `2>/dev/null`
        if byte == UInt8(ascii: ">"), word == [UInt8(ascii: "2")] || word == [UInt8(ascii: "1")] {
            (word, isInWord) = ([], false)
        }
        endWord()
        if !isOfCurl, isCurlAhead {
            // What comes before a pipe into curl writes the body.
            words = []
            index += 1
            return
        }
        note("what follows '\(Character(Unicode.Scalar(byte)))' is left out")
        isEnd = true
    }

    /// Whether the words are those of curl, perhaps after variables, `sudo` or a prompt.
    private var isOfCurl: Bool {
        let others: Set = ["sudo", "time", "$", "%", ">", "do", "then", "if", "while", "until", "!", "{", "("]
        let program = words.first { !$0.has("=") && !others.contains($0) }
        return program == "curl" || program?.hasSuffix("/curl") == true
    }

    /// Whether a command of curl follows: in documentation and scripts, others come before it.
    private var isCurlAhead: Bool {
        let rest = bytes[(index + 1)...]
        guard let first = "curl".utf8.first else { return false }
        return rest.indices.contains { start in
            guard bytes[start] == first, bytes[start...].starts(with: "curl".utf8) else { return false }
            let (before, end) = (bytes[start - 1], start + 4)
            let isWhole = end < bytes.count && (bytes[end] <= 0x20 || bytes[end...].starts(with: ".exe ".utf8))
            return isWhole && (before <= 0x20 || "|;&(/`".utf8.contains(before))
        }
    }

    private mutating func readEscape() {
        index += 1
        guard index < bytes.count else { return }
        // Spaces between the backslash and the end of the line are a mistake that can't be seen.
        let blank = bytes[index...].prefix { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        if blank.endIndex < bytes.count, bytes[blank.endIndex] == 0x0A {
            index = blank.endIndex + 1
        } else {
            take(bytes[index])
        }
    }

    // MARK: Quotes

    private mutating func readSingle() throws(InferenceFailure) {
        let start = index
        index += 1
        isInWord = true
        while index < bytes.count, bytes[index] != UInt8(ascii: "'") { take(bytes[index]) }
        try close(start)
    }

    private mutating func readDouble() throws(InferenceFailure) {
        let start = index
        index += 1
        isInWord = true
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\"), let next, "\\\"$`\n".utf8.contains(next) {
                index += 2
                if next != 0x0A { word.append(next) }
                continue
            }
            if bytes[index] == UInt8(ascii: "$") { noteVariable() }
            take(bytes[index])
        }
        try close(start)
    }

    private mutating func readDollar() throws(InferenceFailure) {
        switch next {
        case UInt8(ascii: "'"): try readANSI()
        case UInt8(ascii: "\""): index += 1
        default:
            noteVariable()
            take(bytes[index])
        }
    }

    /// Notes what a shell would replace.
    private mutating func noteVariable() {
        guard let next, next == UInt8(ascii: "{") || next == UInt8(ascii: "(") || 0x41...0x5A ~= next & 0xDF else {
            return
        }
        note("variables of the shell are not replaced, but read as text")
    }

    /// Reads `$'…'`, in which escapes are those of C.
    private mutating func readANSI() throws(InferenceFailure) {
        let start = index
        index += 2
        isInWord = true
        while index < bytes.count, bytes[index] != UInt8(ascii: "'") {
            guard bytes[index] == UInt8(ascii: "\\"), let next else {
                take(bytes[index])
                continue
            }
            index += 2
            switch next {
            case UInt8(ascii: "x"): word += digits(16, max: 2).map { [UInt8(truncatingIfNeeded: $0)] } ?? []
            case UInt8(ascii: "u"): word += scalar(digits(16, max: 4))
            case UInt8(ascii: "U"): word += scalar(digits(16, max: 8))
            case 0x30...0x37:
                index -= 1
                word += digits(8, max: 3).map { [UInt8(truncatingIfNeeded: $0)] } ?? []
            default: word.append(Self.escapes[next] ?? next)
            }
        }
        try close(start)
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "a"): 0x07,
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "v"): 0x0B, UInt8(ascii: "e"): 0x1B,
    ]

    private mutating func digits(_ radix: UInt32, max: Int) -> UInt32? {
        var (value, count): (UInt32, Int) = (0, 0)
        while count < max, index < bytes.count, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue,
            digit < radix
        {
            value = value &* radix &+ UInt32(digit)
            index += 1
            count += 1
        }
        return count == 0 ? nil : value
    }

    /// The bytes of a code point; halves of pairs, which some browsers write, become one character.
    private mutating func scalar(_ value: UInt32?) -> [UInt8] {
        guard var value else { return [] }
        if 0xD800..<0xDC00 ~= value, bytes[index...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            index += 2
            let low = digits(16, max: 4) ?? 0
            value = 0x10000 &+ (value & 0x3FF) << 10 &+ low & 0x3FF
        }
        return Array(String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8)
    }

    private mutating func close(_ start: Int) throws(InferenceFailure) {
        guard index < bytes.count else {
            let before = bytes[..<start]
            let line = before.count { $0 == 0x0A } + 1
            let column = before.reversed().prefix { $0 != 0x0A }.count { $0 & 0xC0 != 0x80 } + 1
            throw InferenceFailure("the line:\(line):\(column): error: the quote that begins here is not closed")
        }
        index += 1
    }

    private mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }
}
