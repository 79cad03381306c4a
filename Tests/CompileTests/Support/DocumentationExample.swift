import Foundation

/// A block of Swift in a doc comment, as a file that can be compiled beside all the others.
///
/// Types of the block become private types of the file, and its statements become a function. The names that it
/// borrows are those of the module that `Examples/` makes. What it declares itself hides a borrowed name.
struct DocumentationExample: Equatable, Sendable {
    /// The source file, from the repository's folder.
    var file: String
    /// The line of the block's first line.
    var line: Int
    var code: String
    /// The conditions (`#if`) under which the declaration exists: those of the example, too.
    var conditions: [String] = []
    /// The attribute of what exists only on newer systems.
    var availability: Substring?

    /// The blocks marked `swift` in the doc comments of a source file.
    static func examples(in source: String, file: String) -> [DocumentationExample] {
        var scan = Scan(file: file)
        for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            scan.read(line, number: index + 1)
        }
        return scan.found
    }

    /// A file of the program that consists of all examples.
    ///
    /// - Parameters:
    ///   - modules: The modules that it imports.
    ///   - names: The module of the borrowed names, which need not be public.
    /// - Returns: The file's text. Diagnostics of it point into the doc comment.
    func program(importing modules: [String], testable names: String) -> String {
        let statements = parts.filter { !$0.isDeclaration }
        var lines = modules.map { "import \($0)" } + ["@testable import \(names)"] + conditions.map { "#if \($0)" }
        lines += parts.filter(\.isDeclaration).map { located($0.privateText, offset: $0.offset) }
        if !statements.isEmpty {
            // As in a script: at the top level, where statements may suspend and throw, and no value is "never used".
            lines += availability.map { [String($0)] } ?? []
            lines.append("@MainActor private func example() async throws {")
            lines += statements.map { located($0.text, offset: $0.offset) }
            lines += statements.flatMap(\.declaredNames).map { "_ = \($0)" }
            lines.append("}")
        }
        lines += conditions.map { _ in "#endif" }
        return lines.joined(separator: "\n") + "\n"
    }

    private func located(_ text: String, offset: Int) -> String {
        "#sourceLocation(file: \"\(file)\", line: \(line + offset))\n\(text)\n#sourceLocation()"
    }

    /// The declarations and statements at the margin, in order.
    private var parts: [Part] {
        var parts: [Part] = []
        for (offset, line) in code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let isAtMargin = line.first.map { !" })]".contains($0) } ?? false
            let part = Part(offset: offset, text: String(line))
            if let last = parts.indices.last,
                !isAtMargin || parts[last].endsWithAttribute || !parts[last].isDeclaration && !part.isDeclaration
            {
                parts[last].text += "\n\(line)"
            } else {
                parts.append(part)
            }
        }
        return parts
    }
}

/// What begins at the margin of an example: one declaration, or statements.
private struct Part {
    /// Its first line, counted from that of the example.
    var offset: Int
    var text: String

    /// Whether the lines so far are attributes of what follows.
    var endsWithAttribute: Bool { text.wholeMatch(of: #/(@\w+(\(.*\))?\n?)+/#) != nil }

    /// Whether it is a declaration that a function can't contain, or that an extension in the same example may extend.
    var isDeclaration: Bool { keyword != nil || text.hasPrefix("@Test") || text.hasPrefix("@Suite") }

    /// The word that begins a declaration other than of a value or a function.
    private var keyword: Substring? {
        let modifiers = #/(?:(?:nonisolated|public|private|final|indirect) +)*/#
        guard let start = text[afterAttributes...].prefixMatch(of: modifiers)?.range.upperBound else { return nil }
        let word = text[start...].prefix(while: \.isLetter)
        let known = ["struct", "class", "enum", "actor", "protocol", "typealias", "extension", "import"]
        return known.contains(String(word)) ? word : nil
    }

    private var afterAttributes: String.Index {
        text.prefixMatch(of: #/(?:@\w+(?:\([^)]*\))?\s+)*/#)?.range.upperBound ?? text.startIndex
    }

    /// The text, with names that no other file sees, so that each example may have its own `Items`.
    var privateText: String {
        let head = text.prefix { $0 != "{" }
        let isClosed = head.contains(#/\b(public|private)\b/#) || keyword == "import"
        // An extension with a conformance can't be private.
        if isClosed || keyword == "extension" && head.contains(": ") { return text }
        return text[..<afterAttributes] + "private " + text[afterAttributes...]
    }

    /// The names of the constants and variables that statements declare at the margin.
    var declaredNames: [Substring] { text.matches(of: #/(?m)^(?:let|var) (\w+|\([^)]*\))/#).map(\.output.1) }
}

/// Reads the lines of a source, one after another.
private struct Scan {
    let file: String
    var found: [DocumentationExample] = []
    private var conditions: [String] = []
    /// The block that was begun and not ended; what is before its lines; no example if it is in another language.
    private var open: (example: DocumentationExample?, margin: Substring, lines: [Substring])?
    /// The number of examples before the doc comment that was read last.
    private var foundBefore = 0
    /// The last attribute for newer systems, until its declaration ends.
    private var availability: (attribute: Substring, margin: Int)?

    init(file: String) {
        self.file = file
    }

    mutating func read(_ line: Substring, number: Int) {
        let text = line.drop { $0 == " " }
        let margin = line.count - text.count
        guard text.hasPrefix("///") else {
            close()
            follow(text, margin: margin)
            foundBefore = found.count
            return
        }
        let comment = text.dropFirst(3)
        let content = comment.drop { $0 == " " }
        if let block = open {
            if content.hasPrefix("```") { return close() }
            open?.lines.append(comment.hasPrefix(block.margin) ? comment.dropFirst(block.margin.count) : content)
        } else if content.hasPrefix("```") {
            var example = DocumentationExample(file: file, line: number + 1, code: "", conditions: conditions)
            if let availability, availability.margin < margin { example.availability = availability.attribute }
            open = (content == "```swift" ? example : nil, comment.prefix(comment.count - content.count), [])
        }
    }

    private mutating func close() {
        if var example = open?.example {
            example.code = open?.lines.joined(separator: "\n") ?? ""
            found.append(example)
        }
        open = nil
    }

    /// Follows a line into a declaration or a condition, on to the condition's other branch, or out of it.
    private mutating func follow(_ line: Substring, margin: Int) {
        if line.hasPrefix("@available(macOS") {
            availability = (line, margin)
            for index in foundBefore..<found.count { found[index].availability = line }
        } else if line.hasPrefix("}"), margin == availability?.margin {
            availability = nil
        } else if line.hasPrefix("#if ") {
            conditions.append(String(line.dropFirst(4)))
        } else if line.hasPrefix("#elseif "), let last = conditions.popLast() {
            conditions.append("!(\(last)) && \(line.dropFirst(8))")
        } else if line.hasPrefix("#else"), let last = conditions.popLast() {
            conditions.append("!(\(last))")
        } else if line.hasPrefix("#endif") {
            _ = conditions.popLast()
        }
    }
}
