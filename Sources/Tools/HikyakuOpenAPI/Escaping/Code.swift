/// Swift source code.
///
/// A document, a sample or a command line must never become code. So this is the only file that makes code of a text
/// that the program doesn't contain: as a ``Literal``, as an ``Identifier`` that the namer makes, or as a ``Comment``.
/// Everywhere else, code consists of literals of the program, of these three, of numbers and of other code.
package struct Code: Sendable, Hashable {
    package let text: String

    fileprivate init(unchecked text: String) {
        self.text = text
    }

    var isEmpty: Bool { text.isEmpty }
    var utf8Count: Int { text.utf8.count }

    /// The code line by line.
    ///
    /// It has no literals of several lines, so that a line end is never part of one.
    var lines: [Code] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { Code(unchecked: String($0)) }
    }

    static func joined(_ parts: some Sequence<Code>, separator: Code) -> Code {
        Code(unchecked: parts.map(\.text).joined(separator: separator.text))
    }
}

extension Sequence<Code> {
    func joined(separator: Code = "") -> Code { Code.joined(self, separator: separator) }
}

extension Code: Comparable {
    package static func < (one: Code, other: Code) -> Bool { one.text < other.text }
}

/// As a text is described: names of an earlier run were made of such descriptions.
extension Code: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { text }
    package var debugDescription: String { text.debugDescription }
}

// MARK: Literals of the program

extension Code: ExpressibleByStringInterpolation {
    package init(stringLiteral value: StaticString) {
        self.init(unchecked: "\(value)")
    }

    package init(stringInterpolation interpolation: StringInterpolation) {
        self.init(unchecked: interpolation.text)
    }

    /// Takes no text, but for literals of the program.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }
        package mutating func appendInterpolation(_ code: Code) { text += code.text }
        package mutating func appendInterpolation(_ literal: Literal) { text += literal.source }
        package mutating func appendInterpolation(_ identifier: Identifier) { text += identifier.source }
        package mutating func appendInterpolation(_ number: Int) { text += String(number) }

        /// A number that is not finite has no literal, and is written as zero.
        package mutating func appendInterpolation(_ number: Double) {
            text += number.isFinite ? number.description : "0"
        }
    }
}

// MARK: Names

/// A name in source code, which only the namer makes.
package struct Identifier: Sendable, Hashable, CustomStringConvertible {
    fileprivate let source: String
    package var description: String { source }

    /// Makes a name of a text, in which everything that no name may have becomes an underscore.
    fileprivate init(_ name: String) {
        var source = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            source.append(scalar.isPartOfIdentifier ? scalar : "_")
        }
        if source.first.map({ $0 == "_" || $0.isStartOfIdentifier }) != true {
            source.insert("_", at: source.startIndex)
        }
        self.source = String(source)
    }

    fileprivate init(inBackticks name: Identifier) {
        source = "`\(name.source)`"
    }
}

extension SwiftName {
    /// A name where no keyword is possible: of a type, or after a dot.
    package static func bare(_ name: String) -> Identifier { Identifier(name) }

    /// A name as it is written in source code: in backticks if it is a keyword.
    package static func quoted(_ name: String) -> Identifier {
        keywords.contains(name) ? Identifier(inBackticks: Identifier(name)) : Identifier(name)
    }

    /// A name as it is written before an argument, where other keywords are allowed without backticks.
    package static func label(_ name: String) -> Identifier { name == "inout" ? quoted(name) : bare(name) }
}

extension Unicode.Scalar {
    fileprivate var isStartOfIdentifier: Bool {
        isASCII ? 0x41...0x5A ~= value & 0xDF : properties.isXIDStart && !properties.isDefaultIgnorableCodePoint
    }

    fileprivate var isPartOfIdentifier: Bool {
        guard isASCII else { return properties.isXIDContinue && !properties.isDefaultIgnorableCodePoint }
        return 0x41...0x5A ~= value & 0xDF || 0x30...0x39 ~= value || value == 0x5F
    }
}

// MARK: String literals

/// A string literal of one line, which no text can end, and in which none begins an interpolation.
package struct Literal: Sendable, Hashable, CustomStringConvertible {
    fileprivate let source: String
    package var description: String { source }

    package init(_ text: String) {
        source = "\"\(Self.escaped(text))\""
    }

    /// The key of a member as a document in JSON writes it, which readers compare byte by byte.
    init(jsonKey text: String) {
        var key = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": key += "\\\""
            case "\\": key += "\\\\"
            case "\n": key += "\\n"
            case "\r": key += "\\r"
            case "\t": key += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                key += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: key.unicodeScalars.append(scalar)
            }
        }
        self.init(key)
    }

    fileprivate static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isInvisible: result += scalar.shown
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// A string literal with values between its texts.
struct LiteralTemplate {
    private var content = ""

    mutating func append(_ text: String) { content += Literal.escaped(text) }

    /// Adds an interpolation, such as `id` or `secret: key`.
    mutating func append(value: Code) { content += "\\(\(value.text))" }

    var code: Code { Code(unchecked: "\"\(content)\"") }
}

// MARK: Comments

/// The lines of a comment, of which no text can end one.
///
/// A text has a line for each of its own. What a reader would not see is shown as `\u{202E}`. After 60 lines or 4 KB,
/// a last line says that the text is longer.
struct Comment {
    enum Marker { case documentation, plain }

    static let linesMax = 60
    static let bytesMax = 4096
    private static let end = "(The text is longer.)"

    private let lines: [String]

    /// Makes lines of a maximum length in bytes, without the marker; a longer one is cut.
    init(_ text: String, width: Int) {
        var (lines, bytes): ([String], Int) = ([], 0)
        var rest = text.unicodeScalars[...]
        repeat {
            let line = Self.cut(Self.line(from: &rest, bytesMax: 8 * width), to: width)
            bytes += line.utf8.count
            guard lines.count < Self.linesMax, bytes <= Self.bytesMax else {
                lines.append(Self.end)
                break
            }
            lines.append(line)
        } while !rest.isEmpty
        self.lines = lines
    }

    func code(_ marker: Marker) -> [Code] {
        let start =
            switch marker {
            case .documentation: "///"
            case .plain: "//"
            }
        return lines.map { Code(unchecked: $0.isEmpty ? start : start + " " + $0) }
    }

    /// Takes a line and its end, without the scalars of a long one that no reader sees.
    private static func line(from rest: inout Substring.UnicodeScalarView, bytesMax: Int) -> String {
        var (line, isCut) = ("", false)
        while let scalar = rest.popFirst() {
            if scalar.isLineBreak {
                // Two scalars of one line end; an empty line at the end of a text says nothing.
                if scalar == "\r", rest.first == "\n" { rest.removeFirst() }
                break
            }
            if isCut { continue }
            if scalar == "\t" {
                line += " "
            } else if scalar.isInvisible {
                line += scalar.shown
            } else {
                line.unicodeScalars.append(scalar)
            }
            isCut = line.utf8.count > bytesMax
        }
        while line.unicodeScalars.last == " " { line.unicodeScalars.removeLast() }
        return line
    }

    /// A text of a maximum length in bytes, which ends with a word and an ellipsis if it is cut.
    static func cut(_ text: String, to width: Int) -> String {
        guard text.utf8.count > width else { return text }
        var result = ""
        for word in text.split(separator: " ") {
            guard result.utf8.count + word.utf8.count + 4 < width else { break }
            result += result.isEmpty ? String(word) : " " + word
        }
        if result.isEmpty {
            // A character may have any number of marks, so that its scalars are counted.
            for scalar in text.prefix(max(0, width / 4)).unicodeScalars {
                guard result.utf8.count + UTF8.width(scalar) + 3 <= width else { break }
                result.unicodeScalars.append(scalar)
            }
        }
        while let last = result.last, ",;:(-–.".contains(last) { result.removeLast() }
        return result + "…"
    }
}
