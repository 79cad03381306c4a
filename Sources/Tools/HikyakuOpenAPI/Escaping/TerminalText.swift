/// Text for a terminal or a log.
///
/// Only literals of the program have control characters, line breaks among them. In any other text, everything that a
/// reader would not see is shown as `\u{1B}`, so that it can neither change the terminal nor begin a line.
package struct TerminalText: Sendable, Hashable, CustomStringConvertible {
    package let text: String

    private init(unchecked text: String) {
        self.text = text
    }

    package var description: String { text }
    package var isEmpty: Bool { text.isEmpty }

    /// One line; a long one is cut in its middle, since names of files come first, and the reason last.
    package init(line text: some StringProtocol) {
        var scalars = Array(Self.shown(text.unicodeScalars).unicodeScalars)
        if scalars.count > Self.scalarsMax {
            let half = Self.scalarsMax / 2
            scalars.replaceSubrange(half..<(scalars.count - half + 1), with: CollectionOfOne("…"))
        }
        self.init(unchecked: String(String.UnicodeScalarView(scalars)))
    }

    /// Several lines, which the program has joined by line feeds.
    package init(lines text: some StringProtocol) {
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        self.init(unchecked: lines.map { Self.shown($0) }.joined(separator: "\n"))
    }

    fileprivate init(_ parts: some Sequence<TerminalText>, _ separator: TerminalText) {
        self.init(unchecked: parts.map(\.text).joined(separator: separator.text))
    }

    private static let scalarsMax = 600

    private static func shown(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var result = ""
        for scalar in scalars {
            if scalar == "\t" {
                result += " "
            } else if scalar.isInvisible {
                result += scalar.shown
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Sequence<TerminalText> {
    package func joined(separator: TerminalText = "\n") -> TerminalText { TerminalText(self, separator) }
}

extension TerminalText: ExpressibleByStringInterpolation {
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
        package mutating func appendInterpolation(_ text: TerminalText) { self.text += text.text }
        package mutating func appendInterpolation(_ text: some StringProtocol) {
            self.text += TerminalText(line: text).text
        }

        package mutating func appendInterpolation(_ number: Int) { text += String(number) }
        package mutating func appendInterpolation(lines text: some StringProtocol) {
            self.text += TerminalText(lines: text).text
        }
    }
}
