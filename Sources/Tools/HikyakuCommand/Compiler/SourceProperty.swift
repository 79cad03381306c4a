/// A property that is read from its source file, at the location from the compiler.
///
/// Constant extraction has no values for properties in a protocol's extension, and no names of interpolated values.
/// Only for these the source is read, and only simple forms are understood.
struct SourceProperty: Equatable, Sendable {
    /// The type in the source; empty if it is missing.
    let type: String
    let expression: SourceExpression

    /// Reads the property with a name on a line, counted from 1.
    ///
    /// - Returns: `nil` if it is missing, or isn't a single simple expression.
    init?(_ name: String, line: Int, in source: SourceText) {
        guard let declaration = Self.declaration(of: name, line: line, in: source) else { return nil }
        var scanner = SourceScanner(source.text[declaration.end...])
        scanner.skipSpace()
        var type = ""
        if scanner.next == ":" {
            guard let taken = scanner.take(until: SourceScanner.lineEnds.union(["{", "="])) else { return nil }
            type = Self.trimmed(taken.dropFirst())
        }
        guard let code = Self.code(&scanner), let expression = SourceExpression(code) else { return nil }
        self.type = type
        self.expression = expression
    }

    /// The keyword `var` or `let` before the name on a line, counted from 1.
    static func keyword(declaring name: String, line: Int, in source: SourceText) -> Substring? {
        declaration(of: name, line: line, in: source)?.keyword
    }

    /// The keyword in `var name` or `let name`, and where the name ends.
    private static func declaration(
        of name: String,
        line: Int,
        in source: SourceText,
    ) -> (keyword: Substring, end: Substring.Index)? {
        guard line > 0, line <= source.lines.count else { return nil }
        var rest = source.lines[line - 1]
        var previous: Substring = ""
        while !rest.isEmpty {
            let word = rest.prefix(while: \.isPartOfName)
            guard !word.isEmpty else {
                rest.removeFirst()
                continue
            }
            if word == name, previous == "var" || previous == "let" { return (previous, word.endIndex) }
            previous = word
            rest = rest[word.endIndex...]
        }
        return nil
    }

    /// The property's value: the only expression of its getter, or its initial value.
    private static func code(_ scanner: inout SourceScanner) -> String? {
        if scanner.next == "=" {
            return scanner.take(until: SourceScanner.lineEnds.union(["{"])).map { trimmed($0.dropFirst()) }
        }
        guard let braces = scanner.takeBraces() else { return nil }
        var body = trimmed(braces[...])
        var inner = SourceScanner(body[...].dropFirst(3))
        inner.skipSpace()
        if body.hasPrefix("get"), let getter = inner.takeBraces(), inner.isAtEnd { body = trimmed(getter[...]) }
        if body.hasPrefix("return ") { body = trimmed(body.dropFirst(7)) }
        return body
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// A source file with its lines.
struct SourceText: Sendable {
    let text: String
    /// The lines as the compiler counts them: each ends with a line feed, with or without a carriage return.
    let lines: [Substring]

    init(_ text: String) {
        self.text = text
        // A carriage return and a line feed are one character here. `isNewline` is also true for characters that are
        // white space for the compiler.
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}

/// Source files, each of which is read and split only once.
final class SourceFiles {
    private let read: (String) -> String?
    private var files: [String: SourceText?] = [:]

    /// - Parameter read: Reads a file; returns `nil` if that fails.
    init(_ read: @escaping (String) -> String?) {
        self.read = read
    }

    /// The file at a path; `nil` if it can't be read.
    subscript(path: String) -> SourceText? {
        if let known = files[path] { return known }
        let file = read(path).map(SourceText.init)
        files[path] = .some(file)
        return file
    }
}
