/// A catalogue as a document of Markdown.
enum MarkdownPage {
    static func text(of catalogue: Catalogue) -> String {
        var blocks = ["# \(escaped(catalogue.package)): requests", "\(catalogue.countText)."]
        for (title, chapter) in catalogue.titledChapters {
            blocks.append("## \(escaped(title))")
            blocks += documentation(chapter.documentation)
            for request in chapter.requests { blocks += self.blocks(of: request) }
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func blocks(of request: CatalogueRequest) -> [String] {
        let heading = "### \(escaped(request.name))"
        let line = code("\(request.method.text) \(request.path.text)")
        let note =
            [request.method.origin, request.path.origin].contains(.initial) ? " (unless an instance has another)" : ""
        let rows = request.rows.map { row in
            let values = row.values.map(code).joined(separator: ", ")
            let note = row.note.map { values.isEmpty ? $0 : " (\($0))" } ?? ""
            return "- \(row.name): \(values)\(note)"
        }
        return [heading, line + note] + documentation(request.documentation) + [rows.joined(separator: "\n")]
    }

    private static func documentation(_ text: String?) -> [String] {
        text.map { DocumentationText($0).blocks.map(block) } ?? []
    }

    private static func block(_ block: DocumentationText.Block) -> String {
        switch block {
        case .paragraph(let inlines): return line(inlines)
        // Another mark than that of the rows, which would go on with the list otherwise.
        case .list(let items): return items.map { "* " + line($0) }.joined(separator: "\n")
        case .code(let code):
            let fence = String(repeating: "`", count: max(3, longestRun(of: "`", in: code) + 1))
            return "\(fence)\n\(code)\n\(fence)"
        }
    }

    private static func line(_ inlines: [DocumentationText.Inline]) -> String {
        let text = inlines.map { inline in
            switch inline {
            case .text(let text): escaped(text)
            case .code(let text): code(text)
            case .link(let text, let address): "[\(escaped(text))](<\(address)>)"
            }
        }.joined()
        return withoutMarker(text)
    }

    /// Code in as many backticks as it needs.
    static func code(_ text: String) -> String {
        let text = text.split(whereSeparator: \.isNewline).joined(separator: " ")
        let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
        let isBare = text.first != "`" && text.last != "`" && !text.isEmpty
        return isBare ? fence + text + fence : "\(fence) \(text) \(fence)"
    }

    /// Text that means nothing but itself, inside of a line.
    static func escaped(_ text: String) -> String {
        text.reduce(into: "") { output, character in
            if "\\`*_[]<>#|~&!$".contains(character) { output.append("\\") }
            output.append(character.isNewline ? " " : character)
        }
    }

    /// A line whose beginning would make it an item of a list or a heading's underline.
    private static func withoutMarker(_ line: String) -> String {
        if let first = line.first, "-+=".contains(first) { return "\\" + line }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        let rest = line[digits.endIndex...]
        guard !digits.isEmpty, rest.first == "." || rest.first == ")" else { return line }
        return "\(digits)\\\(rest)"
    }

    private static func longestRun(of character: Character, in text: String) -> Int {
        text.split { $0 != character }.map(\.count).max() ?? 0
    }
}
