/// A documentation comment in the parts that a page shows: paragraphs, lists and code.
struct DocumentationText: Equatable, Sendable {
    enum Block: Equatable, Sendable {
        case paragraph([Inline])
        case list([[Inline]])
        case code(String)
    }

    enum Inline: Equatable, Sendable {
        case text(String)
        case code(String)
        case link(text: String, address: String)
    }

    let blocks: [Block]

    init(_ text: String) {
        var reader = BlockReader()
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { reader.take(line) }
        blocks = reader.finished()
    }

    /// Puts lines together to blocks.
    private struct BlockReader {
        private var blocks: [Block] = []
        private var paragraph = ""
        private var items: [String] = []
        private var code: [Substring]?

        mutating func take(_ line: Substring) {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("```") {
                if let lines = code {
                    blocks.append(.code(lines.joined(separator: "\n")))
                    code = nil
                } else {
                    close()
                    code = []
                }
            } else if code != nil {
                code?.append(line)
            } else if text.isEmpty {
                close()
            } else if text.hasPrefix("- ") || text.hasPrefix("* ") {
                if !paragraph.isEmpty { close() }
                items.append(String(text.dropFirst(2)))
            } else if Self.beginsAnew(text) {
                close()
                paragraph = String(text)
            } else if let last = items.popLast() {
                items.append("\(last) \(text)")
            } else {
                paragraph += paragraph.isEmpty ? "\(text)" : " \(text)"
            }
        }

        /// Whether a line is no continuation: a heading, a quotation, or an item with a number.
        private static func beginsAnew(_ line: Substring) -> Bool {
            let digits = line.prefix { $0.isASCII && $0.isNumber }
            return line.hasPrefix("#") || line.hasPrefix(">")
                || !digits.isEmpty && line[digits.endIndex...].hasPrefix(". ")
        }

        private mutating func close() {
            if !paragraph.isEmpty { blocks.append(.paragraph(DocumentationText.inlines(of: paragraph))) }
            if !items.isEmpty { blocks.append(.list(items.map(DocumentationText.inlines))) }
            paragraph = ""
            items = []
        }

        mutating func finished() -> [Block] {
            close()
            if let code { blocks.append(.code(code.joined(separator: "\n"))) }
            return blocks
        }
    }

    /// Code between backticks, links to the web, and text for all else.
    private static func inlines(of text: String) -> [Inline] {
        var inlines: [Inline] = []
        var plain = ""
        var rest = text[...]
        func add(_ inline: Inline) {
            if !plain.isEmpty { inlines.append(.text(plain)) }
            plain = ""
            inlines.append(inline)
        }
        while let character = rest.first {
            if character == "`", let (code, end) = code(rest) {
                add(.code(code))
                rest = end
            } else if character == "[", let (title, address, end) = link(rest) {
                add(.link(text: title, address: address))
                rest = end
            } else {
                plain.append(character)
                rest.removeFirst()
            }
        }
        if !plain.isEmpty { inlines.append(.text(plain)) }
        return inlines
    }

    private static func code(_ text: Substring) -> (String, Substring)? {
        let fence = text.prefix { $0 == "`" }
        let rest = text[fence.endIndex...]
        guard let end = rest.firstRange(of: fence), end.lowerBound > rest.startIndex else { return nil }
        return (String(rest[..<end.lowerBound]), rest[end.upperBound...])
    }

    /// A link of Markdown, if it leads to the web: no other address may come out of a comment.
    private static func link(_ text: Substring) -> (title: String, address: String, rest: Substring)? {
        guard let middle = text.firstRange(of: "]("), let end = text[middle.upperBound...].firstIndex(of: ")") else {
            return nil
        }
        let title = text[text.startIndex..<middle.lowerBound].dropFirst()
        let address = text[middle.upperBound..<end]
        guard address.hasPrefix("https://") || address.hasPrefix("http://"), !title.contains("["), !title.isEmpty,
            !address.contains(where: { $0.isWhitespace || "<>\"`".contains($0) })
        else { return nil }
        return (String(title), String(address), text[text.index(after: end)...])
    }
}
