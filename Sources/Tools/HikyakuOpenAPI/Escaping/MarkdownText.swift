/// Markdown, of which only literals of the program are markup.
///
/// Texts are scanned by scalars, as in Markdown: a combining mark isn't part of the backtick before it.
package struct MarkdownText: Sendable, Hashable {
    package let text: String

    private init(unchecked text: String) {
        self.text = text
    }

    /// Text inside of a line, on one line.
    package init(_ text: some StringProtocol) {
        var result = ""
        for scalar in text.unicodeScalars {
            if "\\`*_[]<>#|~&!$".unicodeScalars.contains(scalar) { result.append("\\") }
            Self.append(scalar, to: &result)
        }
        self.init(unchecked: result)
    }

    /// Code between as many backticks as it needs, on one line.
    package init(code text: String) {
        let lines = text.unicodeScalars.split(whereSeparator: \.isLineBreak)
        let line = lines.map { String($0) }.joined(separator: " ")
        var code = ""
        for scalar in line.unicodeScalars { Self.append(scalar, to: &code) }
        let fence = String(repeating: "`", count: Self.longestRunOfBackticks(in: code) + 1)
        let isBare = code.unicodeScalars.first != "`" && code.unicodeScalars.last != "`" && !code.isEmpty
        self.init(unchecked: isBare ? fence + code + fence : "\(fence) \(code) \(fence)")
    }

    /// A block of code with its lines.
    package init(block text: String) {
        var code = ""
        for scalar in text.unicodeScalars {
            if scalar == "\n" { code.append("\n") } else { Self.append(scalar, to: &code) }
        }
        let fence = String(repeating: "`", count: max(3, Self.longestRunOfBackticks(in: code) + 1))
        self.init(unchecked: "\(fence)\n\(code)\n\(fence)")
    }

    /// The text without spaces at its start, which is escaped if it would be a list item or a heading's underline at
    /// the start of a line.
    package var atLineStart: Self {
        let scalars = text.unicodeScalars.drop { $0 == " " }
        if let first = scalars.first, "-+=".unicodeScalars.contains(first) {
            return Self(unchecked: "\\\(Substring(scalars))")
        }
        let digits = scalars.prefix { "0"..."9" ~= $0 }
        let rest = scalars[digits.endIndex...]
        guard !digits.isEmpty, rest.first == "." || rest.first == ")" else {
            return Self(unchecked: String(Substring(scalars)))
        }
        return Self(unchecked: "\(Substring(digits))\\\(Substring(rest))")
    }

    fileprivate init(_ parts: some Sequence<MarkdownText>, _ separator: MarkdownText) {
        self.init(unchecked: parts.map(\.text).joined(separator: separator.text))
    }

    /// Shows what a reader would not see, but for the joiners of emoji and many scripts.
    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        if scalar.isLineBreak || scalar == "\t" {
            text.append(" ")
        } else if scalar.isInvisible, !scalar.isJoiner {
            text += scalar.shown
        } else {
            text.unicodeScalars.append(scalar)
        }
    }

    private static func longestRunOfBackticks(in text: String) -> Int {
        text.unicodeScalars.split { $0 != "`" }.map(\.count).max() ?? 0
    }
}

extension MarkdownText: ExpressibleByStringInterpolation {
    package init(stringLiteral value: StaticString) {
        self.init(unchecked: "\(value)")
    }

    package init(stringInterpolation interpolation: StringInterpolation) {
        self.init(unchecked: interpolation.text)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }
        package mutating func appendInterpolation(_ text: MarkdownText) { self.text += text.text }
        package mutating func appendInterpolation(_ text: some StringProtocol) { self.text += MarkdownText(text).text }
        /// A URL reference between angle brackets, of which none in it can be one.
        package mutating func appendInterpolation(address: String) {
            text += WebAddress.safe(address)
        }
    }
}

extension Sequence<MarkdownText> {
    package func joined(separator: MarkdownText = "") -> MarkdownText { MarkdownText(self, separator) }
}

/// URL references in pages.
enum WebAddress {
    /// The address, in which everything that no URL has is percent-encoded, brackets and quotation marks among it.
    static func safe(_ address: String) -> String {
        var result = ""
        for byte in address.utf8 {
            let isPlain = 0x21...0x7E ~= byte && !"<>\"`\\^{|}".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            result += isPlain ? String(UnicodeScalar(byte)) : byte < 16 ? "%0\(digits)" : "%\(digits)"
        }
        return result
    }
}
