import HikyakuBase

/// The path to a value in a document: `/items/3/user~1name` ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)).
package struct JSONPointer: Sendable, Hashable {
    /// The keys and indexes of the path, unescaped: `user/name`, not `user~1name`.
    ///
    /// Whether `3` is an index or a key depends on the value that the pointer is applied to.
    package private(set) var tokens: [String]

    /// Creates a pointer to the whole document.
    package init() {
        tokens = []
    }

    /// Creates a pointer from unescaped keys and indexes.
    package init(tokens: some Sequence<String>) {
        self.tokens = Array(tokens)
    }

    /// Returns the pointer with an object's key appended.
    package func appending(_ key: String) -> JSONPointer {
        var pointer = self
        pointer.tokens.append(key)
        return pointer
    }

    /// Returns the pointer with an array index appended, counted from 0.
    package func appending(_ index: Int) -> JSONPointer {
        appending(String(index))
    }

    /// The pointer to the enclosing array or object; `nil` for the whole document.
    package var parent: JSONPointer? {
        tokens.isEmpty ? nil : JSONPointer(tokens: tokens.dropLast())
    }

    /// Compares the tokens byte for byte, as keys are compared.
    package static func == (left: Self, right: Self) -> Bool {
        left.tokens.elementsEqual(right.tokens) { $0.utf8.elementsEqual($1.utf8) }
    }
}

extension JSONPointer: LosslessStringConvertible {
    /// Parses a pointer in the syntax of RFC 6901: an empty string, or tokens that each follow a slash.
    ///
    /// In a token, `~` is written as `~0` and a slash as `~1` ([section
    /// 3](https://www.rfc-editor.org/rfc/rfc6901#section-3)).
    ///
    /// - Parameter description: The pointer's text. The result is `nil` if the text is not empty and doesn't begin
    ///   with a slash. It is also `nil` if a `~` is not followed by `0` or `1`.
    package init?(_ description: String) {
        // By scalars: a slash with a combining mark is one character in Swift, but two in the format.
        let parts = description.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        guard parts[0].isEmpty else { return nil }
        tokens = []
        for part in parts.dropFirst() {
            guard let token = Self.unescaped(part) else { return nil }
            tokens.append(token)
        }
    }

    /// The pointer in the syntax of RFC 6901; empty for the whole document.
    package var description: String {
        tokens.map { "/" + Self.escaped($0) }.joined()
    }

    /// A token as it is written in a pointer.
    ///
    /// It is escaped by scalars, so that a combining mark does not hide a slash.
    static func escaped(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == Byte.slash }) else { return token }
        return token.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private static func unescaped(_ part: Substring.UnicodeScalarView) -> String? {
        guard part.contains("~") else { return String(part) }
        var token = String.UnicodeScalarView()
        var rest = part[...]
        while let scalar = rest.popFirst() {
            guard scalar == "~" else {
                token.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "0": token.append("~")
            case "1": token.append("/")
            default: return nil
            }
        }
        return String(token)
    }
}

extension JSONPointer {
    /// A token as an index ([section 4](https://www.rfc-editor.org/rfc/rfc6901#section-4)): digits without a leading
    /// zero; `-` is the index after the last element.
    static func index(_ token: String, count: Int) -> Int? {
        if token == "-" { return count }
        let digits = token.utf8
        guard digits.allSatisfy(ASCII.isDigit), digits.first != Byte.zero || digits.count == 1 else { return nil }
        return Int(token)
    }
}
