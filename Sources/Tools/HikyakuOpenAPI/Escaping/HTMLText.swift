/// HTML, of which only literals of the program are markup.
package struct HTMLText: Sendable, Hashable {
    package let text: String

    private init(unchecked text: String) {
        self.text = text
    }

    /// Text in an element or in a quoted attribute.
    ///
    /// It is escaped by scalars, as browsers read it: a combining mark isn't part of the angle bracket before it. What
    /// a reader would not see is shown, but for the joiners of emoji and many scripts; white space is a space.
    package init(_ text: some StringProtocol) {
        var result = ""
        for scalar in text.unicodeScalars { Self.append(scalar, to: &result) }
        self.init(unchecked: result)
    }

    /// Text with its lines.
    package init(block text: some StringProtocol) {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\n" { result.append("\n") } else { Self.append(scalar, to: &result) }
        }
        self.init(unchecked: result)
    }

    /// Text with positions for line breaks in long names.
    package init(breakable text: some StringProtocol) {
        var result = ""
        for scalar in text.unicodeScalars {
            if "./{<([&?".unicodeScalars.contains(scalar), !result.isEmpty { result += "<wbr>" }
            Self.append(scalar, to: &result)
        }
        self.init(unchecked: result)
    }

    fileprivate init(_ parts: some Sequence<HTMLText>, _ separator: HTMLText) {
        self.init(unchecked: parts.map(\.text).joined(separator: separator.text))
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\"": text += "&quot;"
        case "'": text += "&#39;"
        case "\t": text.append(" ")
        case _ where scalar.isLineBreak: text.append(" ")
        case _ where scalar.isInvisible && !scalar.isJoiner: text += scalar.shown
        default: text.unicodeScalars.append(scalar)
        }
    }
}

extension HTMLText: ExpressibleByStringInterpolation {
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
        package mutating func appendInterpolation(_ text: HTMLText) { self.text += text.text }
        package mutating func appendInterpolation(_ text: some StringProtocol) { self.text += HTMLText(text).text }
        package mutating func appendInterpolation(block text: some StringProtocol) {
            self.text += HTMLText(block: text).text
        }

        package mutating func appendInterpolation(breakable text: some StringProtocol) {
            self.text += HTMLText(breakable: text).text
        }

        /// A URL reference in a quoted attribute.
        package mutating func appendInterpolation(address: String) {
            text += HTMLText(WebAddress.safe(address)).text
        }
    }
}

extension Sequence<HTMLText> {
    package func joined(separator: HTMLText = "") -> HTMLText { HTMLText(self, separator) }
}
