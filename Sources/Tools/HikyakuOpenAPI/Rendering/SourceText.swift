/// The text of a source file, line by line.
struct SourceText {
    private(set) var lines: [Code] = []
    private var indentation: Code = ""
    private var depth = 0
    /// One less than the limit, since the formatter also counts a comma that it could add.
    static let widthMax = 119

    var code: Code { "\(lines.joined(separator: "\n"))\n" }
    var width: Int { Self.widthMax - 4 * depth }

    mutating func line(_ code: Code = "") {
        // A name of the document that is so long can't be wrapped.
        if code.utf8Count > width + 1, !code.text.hasPrefix("}"), !code.text.hasPrefix("//") {
            append("// swift-format-ignore")
        }
        append(code)
    }

    private mutating func append(_ code: Code) {
        lines.append(code.isEmpty ? code : "\(indentation)\(code)")
    }

    /// An empty line between two declarations.
    mutating func gap() {
        if let last = lines.last, !last.isEmpty, !last.text.hasSuffix("{") { lines.append("") }
    }

    mutating func block(_ head: Code, _ body: (inout SourceText) -> Void) {
        line("\(head) {")
        indented(body)
        line("}")
    }

    mutating func indented(_ body: (inout SourceText) -> Void) {
        let outer = indentation
        indentation = "\(outer)    "
        depth += 1
        body(&self)
        indentation = outer
        depth -= 1
    }

    /// The lines of a text as documentation, each cut if it is long.
    ///
    /// Only requests are marked as deprecated for the compiler, since generated code itself uses all other things.
    mutating func document(_ text: String?, isDeprecated: Bool = false) {
        guard text != nil || isDeprecated else { return }
        let whole = isDeprecated ? (text.map { "Deprecated: " + $0 } ?? "Deprecated.") : text ?? ""
        for line in Comment(whole, width: width - 4).code(.documentation) { self.line(line) }
    }

    /// A call or declaration with its arguments on one line, or each on its own.
    mutating func call(_ head: Code, _ arguments: [Code], _ tail: Code) {
        let whole: Code = "\(head)(\(arguments.joined(separator: ", ")))\(tail)"
        // The formatter counts a comma for each inner call, too.
        let commas = arguments.count { $0.text.hasSuffix(")") && $0.text.contains(", ") }
        guard whole.utf8Count + commas > width, !arguments.isEmpty else { return line(whole) }
        line("\(head)(")
        indented { text in for argument in arguments { text.line("\(argument),") } }
        line(")\(tail)")
    }

    /// A call with a list, whose elements are on the same line, or each on its own.
    mutating func list(_ open: Code, _ items: [Code], _ close: Code) {
        let whole: Code = "\(open)\(items.joined(separator: ", "))\(close)"
        guard whole.utf8Count > width else { return line(whole) }
        line(open)
        indented { text in for item in items { text.line("\(item),") } }
        line(close)
    }

    /// Conditions with the brace after them, on lines of their own if they don't fit.
    mutating func condition(_ first: Code, _ second: Code) {
        let isOnlyIf = first.text.hasSuffix("if")
        let whole: Code = isOnlyIf ? "\(first) \(second)" : "\(first), \(second)"
        guard whole.utf8Count + 2 > width + 1 else { return line("\(whole) {") }
        if isOnlyIf {
            line(whole)
        } else {
            line("\(first),")
            indented { $0.line(second) }
        }
        line("{")
    }

    /// A case of a switch with its statement, on several lines if they are long.
    mutating func switchCase(_ patterns: [Code], _ statement: Code? = nil) {
        let head: Code = "case \(patterns.joined(separator: ", ")):"
        let whole = statement.map { "\(head) \($0)" } ?? head
        if whole.utf8Count <= width { return line(whole) }
        var current: Code = "case"
        for (index, pattern) in patterns.enumerated() {
            let piece: Code = index == patterns.count - 1 ? "\(pattern):" : "\(pattern),"
            if current.utf8Count + piece.utf8Count + 1 > width, current != "case" {
                line(current)
                current = "    \(piece)"
            } else {
                current = "\(current) \(piece)"
            }
        }
        line(current)
        if let statement { indented { $0.line(statement) } }
    }

    /// A constant that is a text.
    mutating func constant(_ head: Code, _ value: Literal) {
        let whole: Code = "\(head) = \(value)"
        guard whole.utf8Count > width else { return line(whole) }
        line("\(head) =")
        indented { $0.line("\(value)") }
    }

    /// A constant that is one call with one argument.
    mutating func constant(_ head: Code, _ function: Code, _ argument: Code) {
        let whole: Code = "\(head) = \(function)(\(argument))"
        guard whole.utf8Count > width, argument.utf8Count + 4 <= width else { return line(whole) }
        line("\(head) = \(function)(")
        indented { $0.line(argument) }
        line(")")
    }

    /// A property whose value is on the same line, or on lines of its own.
    mutating func computed(_ head: Code, _ open: Code, _ items: [Code], _ close: Code) {
        let whole: Code = "\(head) { \(open)\(items.joined(separator: ", "))\(close) }"
        guard whole.utf8Count > width else { return line(whole) }
        block(head) { text in
            let inner: Code = "\(open)\(items.joined(separator: ", "))\(close)"
            guard inner.utf8Count > text.width, !items.isEmpty else { return text.line(inner) }
            text.line(open)
            text.indented { text in for item in items { text.line("\(item),") } }
            text.line(close)
        }
    }
}

/// Types as source code.
enum TypeText {
    static func text(of type: SwiftType, _ names: [String: String]) -> Code {
        switch type {
        case .standard(let name): name
        case .model(let id): names[id].map { "\(SwiftName.bare($0))" } ?? "JSONValue"
        case .array(let element): "[\(text(of: element, names))]"
        case .dictionary(let value): "[String: \(text(of: value, names))]"
        case .optional(let type): "\(text(of: type, names))?"
        }
    }
}
