/// A text that tries to become code.
package struct Payload: Sendable {
    package var name: String
    package var text: String

    package init(name: String, text: String) { (self.name, self.text) = (name, text) }

    /// A number that no name can be.
    package static let mark = "0xBADC0DE"
    private static let code = "static let pwned: Int = { print(\"pwned\"); return \(mark) }()"

    private static let lineEnds: [(String, String)] = [
        ("LF", "\n"), ("CR", "\r"), ("CRLF", "\r\n"), ("VT", "\u{B}"), ("FF", "\u{C}"), ("NEL", "\u{85}"),
        ("U+2028", "\u{2028}"), ("U+2029", "\u{2029}"),
    ]

    private static let others: [(String, String)] = [
        ("quote", "a\"; \(code) //"), ("quote and brace", "a\"\n}\n\(code)\n{ //"),
        ("parentheses", "a) { \(code) } func b("), ("interpolation", "\\(\(mark))"),
        ("raw interpolation", "\\#(\(mark))"), ("raw quote", "\"#; \(mark); #\""), ("begin of raw", "#\"\(mark)"),
        ("three quotes", "\"\"\"\n\(mark)\n\"\"\""), ("backticks", "a` = \(mark); let `b"), ("a backtick", "`"),
        ("end of comment", "*/ \(code) /*"), ("begin of comment", "/* a"), ("ends of comments", "*/"),
        ("NUL", "a\0\n\(code)"), ("backslash", "a\\"), ("two backslashes", "a\\\\"), ("escaped LF", "a\\n\(code)"),
        ("escaped scalar", "a\\u{A}\(code)"), ("ESC", "a\u{1B}[2J\u{1B}]0;b\u{7}"), ("C1", "a\u{9B}2Jb\u{9D}"),
        ("bidi", "a\u{202E}b\u{2066}c\u{200F}"), ("mark after quote", "a\"\u{301}; \(mark) //\u{301}\n\(code)"),
        ("mark after LF", "a\n\u{301}\(code)"), ("mark after CR", "a\r\u{301}\n\(code)"),
        ("mark after backslash", "a\\\u{301}(\(mark))"), ("mark first", "\u{301}\"\u{FE0F}\(mark)"),
        ("variations", "a\u{FE0F}🎨\u{FE0F}\u{200D}b"), ("joiners", "a\u{200B}\u{200D}\u{2060}\u{FEFF}\u{AD}b"),
        ("tags", "a\u{E0041}\u{E007F}"), ("private", "a\u{E000}\u{10FFFF}"), ("DEL", "a\u{7F}\u{8}b"),
        ("percent", "a%0A\(code)%22"), ("entities", "a.&#10;<br>\(code)&quot;\(mark)"), ("placeholder", "<#\(mark)#>"),
        ("conflict", "<<<<<<< a\n=======\n>>>>>>> b"), ("type", "Int = \(mark); let b"), ("empty", ""), ("space", " "),
        ("tab", "a\t\t\(mark)"), ("keyword", "init"), ("pointer", "~1/../~0#/\(mark)"),
        ("long", String(repeating: "a", count: 5_000) + "\n\(code)"),
        ("long words", String(repeating: "aé b. ", count: 1_500) + "\n\(code)"),
    ]

    /// The text without what can end a literal, a comment or a name, in each way that something else takes its place.
    ///
    /// - Parameter dividers: Signs that stay: no quotation mark, backslash, backtick, asterisk, or end of a line. A
    ///   comma, a slash and a point among them may take the place of others, too.
    /// - Returns: The texts, as many for each text.
    package func harmlessTexts(_ dividers: String = "") -> [String] {
        let joints = [" ", "_", ""] + [",", "/", "."].filter(dividers.contains)
        return joints.map { joint in
            text.unicodeScalars.map { scalar in
                let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
                let stays = isLetter || "0"..."9" ~= scalar || dividers.unicodeScalars.contains(scalar)
                return stays ? String(scalar) : joint
            }.joined()
        }
    }

    /// The text with as many harmless signs in place of each other as a literal needs to escape it: what has no room in
    /// a line is left out, or written in another way.
    var harmlessTextOfSameWidth: String {
        text.unicodeScalars.map { scalar in
            let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
            guard !isLetter, !("0"..."9" ~= scalar) else { return String(scalar) }
            let isShort = scalar.isASCII && !scalar.escaped(asASCII: true).hasPrefix("\\u")
            let width = isShort ? scalar.escaped(asASCII: true).count : "\\u{\(String(scalar.value, radix: 16))}".count
            return String(repeating: "_", count: width)
        }.joined()
    }

    package static let all =
        lineEnds.map { Payload(name: $0, text: "a\($1)\(code)\($1)//") }
        + others.map { Payload(name: $0, text: $1) }
}
