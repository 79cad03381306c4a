/// A documentation comment as paragraphs, lists and code.
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

    /// A part of a comment by scalars, as in Markdown: a combining mark isn't part of the bracket or backtick before
    /// it.
    private typealias Scalars = Substring.UnicodeScalarView

    init(_ text: String) {
        var reader = BlockReader()
        for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            reader.take(line.last == "\r" ? line.dropLast() : line)
        }
        blocks = reader.finished()
    }

    /// Groups lines into blocks.
    private struct BlockReader {
        private var blocks: [Block] = []
        private var paragraph = ""
        private var items: [String] = []
        private var code: [String]?

        mutating func take(_ line: Scalars) {
            let text = line.drop { $0 == " " }
            if text.starts(with: "```".unicodeScalars) {
                if let lines = code {
                    blocks.append(.code(lines.joined(separator: "\n")))
                    code = nil
                } else {
                    close()
                    code = []
                }
            } else if code != nil {
                code?.append(String(line))
            } else if text.isEmpty {
                close()
            } else if text.starts(with: "- ".unicodeScalars) || text.starts(with: "* ".unicodeScalars) {
                if !paragraph.isEmpty { close() }
                items.append(String(text.dropFirst(2)))
            } else if Self.beginsAnew(text) {
                close()
                paragraph = String(text)
            } else if let last = items.popLast() {
                items.append("\(last) \(String(text))")
            } else {
                paragraph += (paragraph.isEmpty ? "" : " ") + String(text)
            }
        }

        /// Whether a line starts a block: a heading, a quotation, or a numbered item.
        private static func beginsAnew(_ line: Scalars) -> Bool {
            let digits = line.prefix { "0"..."9" ~= $0 }
            return line.first == "#" || line.first == ">"
                || !digits.isEmpty && line[digits.endIndex...].starts(with: ". ".unicodeScalars)
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

    /// The code between backticks, links to the web, and other text.
    private static func inlines(of text: String) -> [Inline] {
        var inlines: [Inline] = []
        var plain = ""
        var rest = text[...].unicodeScalars
        func add(_ inline: Inline) {
            if !plain.isEmpty { inlines.append(.text(plain)) }
            plain = ""
            inlines.append(inline)
        }
        while let scalar = rest.first {
            if scalar == "`" {
                if let (code, end) = code(rest) {
                    add(.code(code))
                    rest = end
                } else {
                    let run = rest.prefix { $0 == "`" }
                    plain.unicodeScalars.append(contentsOf: run)
                    rest = rest[run.endIndex...]
                }
            } else if scalar == "[", let (title, address, end) = link(rest) {
                add(.link(text: title, address: address))
                rest = end
            } else {
                plain.unicodeScalars.append(scalar)
                rest.removeFirst()
            }
        }
        if !plain.isEmpty { inlines.append(.text(plain)) }
        return inlines
    }

    private static func code(_ text: Scalars) -> (String, Scalars)? {
        let fence = text.prefix { $0 == "`" }
        let rest = text[fence.endIndex...]
        var position = rest.startIndex
        // A longer run of backticks ends nothing (CommonMark, section 6.1).
        while let start = rest[position...].firstIndex(of: "`") {
            let run = rest[start...].prefix { $0 == "`" }
            if run.count == fence.count { return (String(rest[..<start]), rest[run.endIndex...]) }
            position = run.endIndex
        }
        return nil
    }

    /// A Markdown link to the web; links with any other scheme are unsupported.
    private static func link(_ text: Scalars) -> (title: String, address: String, rest: Scalars)? {
        guard let middle = text.firstRange(of: "](".unicodeScalars),
            let end = text[middle.upperBound...].firstIndex(of: ")")
        else { return nil }
        let title = text[text.startIndex..<middle.lowerBound].dropFirst()
        let address = text[middle.upperBound..<end]
        let isOfWeb = ["https://", "http://"].contains { address.starts(with: $0.unicodeScalars) }
        guard isOfWeb, !title.contains("["), !title.isEmpty,
            !address.contains(where: { $0.properties.isWhitespace || "<>\"`".unicodeScalars.contains($0) })
        else { return nil }
        return (String(title), String(address), text[text.index(after: end)...])
    }
}
