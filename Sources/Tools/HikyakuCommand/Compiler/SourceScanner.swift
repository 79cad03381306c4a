extension Character {
    /// Whether it can be part of a plain identifier.
    var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}

/// Scans Swift's source text, and distinguishes comments and strings from code.
///
/// It only finds the end of a short property, and fails for anything that it doesn't understand.
struct SourceScanner {
    /// The characters that end a line; a carriage return with a line feed is one character.
    static let lineEnds: Set<Character> = ["\n", "\r", "\r\n"]

    private var rest: Substring

    init(_ text: Substring) {
        rest = text
    }

    var next: Character? { rest.first }
    var isAtEnd: Bool { rest.isEmpty }
    /// The rest of the text.
    var remainder: Substring { rest }

    /// Takes the next character.
    mutating func advance() -> Character? {
        rest.popFirst()
    }

    mutating func skipSpace() {
        rest = rest.drop(while: \.isWhitespace)
    }

    /// The text up to one of the characters outside of brackets, without comments.
    mutating func take(until ends: Set<Character>) -> String? {
        var taken = ""
        var depth = 0
        while let character = rest.first {
            if depth == 0, ends.contains(character) { return taken }
            if "([{<".contains(character) { depth += 1 }
            if ")]}".contains(character) || character == ">" && taken.last != "-" { depth -= 1 }
            guard depth >= 0, let piece = takePiece() else { return nil }
            taken += piece
        }
        return depth == 0 ? taken : nil
    }

    /// The text between the next brace and its closing brace, without comments.
    mutating func takeBraces() -> String? {
        guard rest.first == "{" else { return nil }
        rest.removeFirst()
        var taken = ""
        var depth = 1
        while let character = rest.first {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            if depth == 0 {
                rest.removeFirst()
                return taken
            }
            guard let piece = takePiece() else { return nil }
            taken += piece
        }
        return nil
    }

    /// A character, a whole string, or an empty text for a comment.
    private mutating func takePiece() -> String? {
        if rest.hasPrefix("//") {
            rest = rest.drop { !Self.lineEnds.contains($0) }
            return ""
        }
        if rest.hasPrefix("/*") { return takeComment() }
        if rest.hasPrefix("\"") || rest.hasPrefix("#\"") { return takeString() }
        return rest.popFirst().map(String.init)
    }

    private mutating func takeComment() -> String? {
        var depth = 0
        while !rest.isEmpty {
            if rest.hasPrefix("/*") {
                depth += 1
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix("*/") {
                depth -= 1
                rest = rest.dropFirst(2)
                if depth == 0 { return " " }
            } else {
                rest.removeFirst()
            }
        }
        return nil
    }

    /// A string on one line, with its quotation marks.
    ///
    /// Raw strings and multi-line strings are unsupported.
    private mutating func takeString() -> String? {
        guard rest.first == "\"", !rest.hasPrefix("\"\"\"") else { return nil }
        var taken = "\""
        rest.removeFirst()
        while let character = rest.popFirst() {
            guard !Self.lineEnds.contains(character) else { return nil }
            taken.append(character)
            if character == "\"" { return taken }
            guard character == "\\", let escaped = rest.popFirst() else { continue }
            taken.append(escaped)
            guard escaped == "(" else { continue }
            guard let inside = take(until: [")"]), let end = rest.popFirst() else { return nil }
            taken += inside + String(end)
        }
        return nil
    }
}
