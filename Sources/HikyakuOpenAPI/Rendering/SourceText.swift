/// The text of a source file, line by line.
package struct SourceText {
    private(set) var lines: [String] = []
    private var indentation = ""
    /// One less than the limit, since the formatter also counts a comma that it could add.
    static let widthMax = 119

    var text: String { lines.joined(separator: "\n") + "\n" }
    var width: Int { Self.widthMax - indentation.utf8.count }

    mutating func line(_ text: String = "") {
        // A name of the document that is so long can't be wrapped.
        if text.utf8.count > width + 1, !text.hasPrefix("}"), !text.hasPrefix("//") {
            lines.append(indentation + "// swift-format-ignore")
        }
        lines.append(text.isEmpty ? "" : indentation + text)
    }

    /// An empty line between two declarations.
    mutating func gap() {
        if let last = lines.last, !last.isEmpty, !last.hasSuffix("{") { lines.append("") }
    }

    mutating func block(_ head: String, _ body: (inout SourceText) -> Void) {
        line(head + " {")
        indented(body)
        line("}")
    }

    mutating func indented(_ body: (inout SourceText) -> Void) {
        indentation += "    "
        body(&self)
        indentation.removeLast(4)
    }

    /// A line of documentation, cut if it is long.
    ///
    /// Only requests are marked as deprecated for the compiler, since generated code itself uses all other things.
    mutating func document(_ text: String?, isDeprecated: Bool = false) {
        guard text != nil || isDeprecated else { return }
        let line = isDeprecated ? (text.map { "Deprecated: " + $0 } ?? "Deprecated.") : text ?? ""
        self.line("/// " + Self.cut(line, to: width - 4))
    }

    /// A call or declaration with its arguments on one line, or each on its own.
    mutating func call(_ head: String, _ arguments: [String], _ tail: String) {
        let whole = "\(head)(\(arguments.joined(separator: ", ")))\(tail)"
        // The formatter counts a comma for each inner call, too.
        let commas = arguments.count { $0.hasSuffix(")") && $0.contains(", ") }
        guard whole.utf8.count + commas > width, !arguments.isEmpty else { return line(whole) }
        line(head + "(")
        indented { text in for argument in arguments { text.line(argument + ",") } }
        line(")" + tail)
    }

    /// A call with a list, whose elements are on the same line, or each on its own.
    mutating func list(_ open: String, _ items: [String], _ close: String) {
        let whole = open + items.joined(separator: ", ") + close
        guard whole.utf8.count > width else { return line(whole) }
        line(open)
        indented { text in for item in items { text.line(item + ",") } }
        line(close)
    }

    /// Conditions with the brace after them, on lines of their own if they don't fit.
    mutating func condition(_ first: String, _ second: String) {
        let whole = first.hasSuffix("if") ? "\(first) \(second)" : "\(first), \(second)"
        guard whole.utf8.count + 2 > width + 1 else { return line(whole + " {") }
        if first.hasSuffix("if") {
            line(whole)
        } else {
            line(first + ",")
            indented { $0.line(second) }
        }
        line("{")
    }

    /// A case of a switch with its statement, on several lines if they are long.
    mutating func switchCase(_ patterns: [String], _ statement: String? = nil) {
        let head = "case \(patterns.joined(separator: ", ")):"
        let whole = head + (statement.map { " " + $0 } ?? "")
        if whole.utf8.count <= width { return line(whole) }
        var current = "case "
        for (index, pattern) in patterns.enumerated() {
            let piece = pattern + (index == patterns.count - 1 ? ":" : ",")
            if current.utf8.count + piece.utf8.count + 1 > width, current != "case " {
                line(current)
                current = "    " + piece
            } else {
                current += (current == "case " ? "" : " ") + piece
            }
        }
        line(current)
        if let statement { indented { $0.line(statement) } }
    }

    /// A constant that is a text.
    mutating func constant(_ head: String, _ value: String) {
        let whole = "\(head) = \(Self.literal(value))"
        guard whole.utf8.count > width else { return line(whole) }
        line("\(head) =")
        indented { $0.line(Self.literal(value)) }
    }

    /// A constant that is one call with one argument.
    mutating func constant(_ head: String, _ function: String, _ argument: String) {
        let whole = "\(head) = \(function)(\(argument))"
        guard whole.utf8.count > width, argument.utf8.count + 4 <= width else { return line(whole) }
        line("\(head) = \(function)(")
        indented { $0.line(argument) }
        line(")")
    }

    /// A property whose value is on the same line, or on lines of its own.
    mutating func computed(_ head: String, _ open: String, _ items: [String], _ close: String) {
        let whole = "\(head) { \(open)\(items.joined(separator: ", "))\(close) }"
        guard whole.utf8.count > width else { return line(whole) }
        block(head) { text in
            let inner = open + items.joined(separator: ", ") + close
            guard inner.utf8.count > text.width, !items.isEmpty else { return text.line(inner) }
            text.line(open)
            text.indented { text in for item in items { text.line(item + ",") } }
            text.line(close)
        }
    }

    // MARK: Literals

    /// A string literal.
    package static func literal(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// The content of a string literal.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || isInvisible(scalar):
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether a reader of the source would not see a character, or see it elsewhere.
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        return switch scalar.properties.generalCategory {
        case .format, .lineSeparator, .paragraphSeparator, .control, .privateUse, .unassigned: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// The key of a member as a document writes it, as a string literal.
    static func key(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return literal(result)
    }

    static func cut(_ text: String, to width: Int) -> String {
        guard text.utf8.count > width else { return text }
        var result = ""
        for word in text.split(separator: " ") {
            guard result.utf8.count + word.utf8.count + 4 < width else { break }
            result += result.isEmpty ? String(word) : " " + word
        }
        if result.isEmpty { result = String(text.prefix(max(0, width / 4))) }
        while let last = result.last, ",;:(-–.".contains(last) { result.removeLast() }
        return result + "…"
    }
}

/// Types as source code.
enum TypeText {
    static func text(of type: SwiftType, _ names: [String: String]) -> String {
        switch type {
        case .standard(let name): name
        case .model(let id): names[id] ?? "JSONValue"
        case .array(let element): "[\(text(of: element, names))]"
        case .dictionary(let value): "[String: \(text(of: value, names))]"
        case .optional(let type): text(of: type, names) + "?"
        }
    }
}
