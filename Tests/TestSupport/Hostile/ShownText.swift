/// What people read: on a terminal, in Markdown and in HTML.
package enum ShownText {
    /// Texts that would change a terminal, hide something, or look like a line of the program.
    package static let payloads: [Payload] = [
        ("LF", "a\nPWNED: b"), ("CR", "a\rPWNED: b"), ("CRLF", "a\r\nPWNED: b"), ("VT", "a\u{B}b"), ("FF", "a\u{C}b"),
        ("NEL", "a\u{85}PWNED: b"), ("U+2028", "a\u{2028}PWNED: b"), ("U+2029", "a\u{2029}PWNED: b"),
        ("ESC", "a\u{1B}[2J\u{1B}[31mb"), ("title", "a\u{1B}]0;b\u{7}c"), ("clipboard", "a\u{1B}]52;c;YQ==\u{1B}\\b"),
        ("C1", "a\u{9B}2Jb\u{9D}0;c\u{9C}"), ("NUL", "a\0b"), ("BS", "a\u{8}\u{8}b\u{7F}"), ("tab", "a\tb"),
        ("bidi", "a\u{202E}b\u{202C}"), ("isolates", "a\u{2067}b\u{2069}"), ("direction", "a\u{200F}b\u{61C}"),
        ("joiners", "a\u{200B}b\u{200D}c\u{2060}\u{FEFF}"), ("tags", "a\u{E0041}\u{E007F}"), ("shy", "a\u{AD}b"),
        ("variation", "a\u{FE0F}b"), ("mark after LF", "a\n\u{301}PWNED: b"), ("filler", "a\u{3164}\u{115F}b"),
        ("mark after ESC", "a\u{1B}\u{301}[2Jb"), ("long", String(repeating: "a\u{1B}[1m", count: 2_000)),
    ].map { Payload(name: $0, text: $1) }

    /// What a text has that people don't see, or see elsewhere, apart from the ends of lines.
    package static func faults(of text: String) -> [String] {
        var faults: [String] = []
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            if let scalar = line.first(where: CodeCheck.isInvisible) {
                let value = String(scalar.value, radix: 16, uppercase: true)
                faults.append("U+\(value) in: \(CodeCheck.shown(Substring(line)))")
            }
            let start = line.drop { $0 == " " || $0.properties.isGraphemeExtend }
            if start.starts(with: "PWNED".unicodeScalars) {
                faults.append("a line of the input: \(CodeCheck.shown(Substring(line)))")
            }
        }
        return faults
    }

    /// The faults for a message, not too many of them.
    package static func report(_ faults: [String]) -> String {
        "\(faults.count) faults: \(faults.prefix(40).map { "\n" + $0 }.joined())"
    }
}
