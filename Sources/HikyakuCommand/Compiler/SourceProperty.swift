/// A property as its source file has it, at the place that the compiler named.
///
/// The compiler tells no value of what a protocol's extension supplies, and no name of what is interpolated into a
/// string. For these alone the source is read; only the plainest forms are understood.
struct SourceProperty: Equatable, Sendable {
    /// The type as it is written; empty where none is.
    let type: String
    let expression: SourceExpression

    /// Reads a property whose name stands on a line, counted from 1.
    ///
    /// - Returns: `nil` when it isn't there or is more than one plain expression.
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

    /// `var` or `let`, where it stands before the name on a line, counted from 1.
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

    /// What the property gives: the only expression of its getter, or its initial value.
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
    /// The lines as the compiler counts them: only a line feed ends one, with or without a return before it.
    let lines: [Substring]

    init(_ text: String) {
        self.text = text
        // A return and a line feed are one character here. `isNewline` holds for others too, which the compiler that
        // numbers the lines takes for space.
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}

/// Source files, each of which is read and split once however many of its properties are looked at.
final class SourceFiles {
    private let read: (String) -> String?
    private var files: [String: SourceText?] = [:]

    /// - Parameter read: Reads a file; `nil` where it can't.
    init(_ read: @escaping (String) -> String?) {
        self.read = read
    }

    /// The file at a path; `nil` where it can't be read.
    subscript(path: String) -> SourceText? {
        if let known = files[path] { return known }
        let file = read(path).map(SourceText.init)
        files[path] = .some(file)
        return file
    }
}
