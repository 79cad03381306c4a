import Foundation

/// A catalogue as a Markdown document.
///
/// Texts are scanned by scalars, as in Markdown: a combining mark isn't part of the backtick before it.
enum MarkdownPage {
    static func text(of catalogue: Catalogue, links: SourceLinks = .none) -> String {
        var blocks = ["# \(escaped(catalogue.package)): requests", "\(catalogue.countText)."]
        for (title, chapter) in catalogue.titledChapters {
            blocks.append("## \(escaped(title))")
            blocks += documentation(chapter.documentation)
            for request in chapter.requests { blocks += self.blocks(of: request, links) }
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    private static func blocks(of request: CatalogueRequest, _ links: SourceLinks) -> [String] {
        let heading = "### \(escaped(request.name))"
        let line = code("\(request.method.text) \(request.path.text)")
        let note =
            [request.method.origin, request.path.origin].contains(.initial) ? " (unless an instance has another)" : ""
        let rows = request.rows(links).map { row in
            let code = row.values.map(code).joined(separator: ", ")
            let values = row.link.map { "[\(code)](<\($0)>)" } ?? code
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
        // A different marker than that of the rows, which would otherwise continue this list.
        case .list(let items): return items.map { "* " + line($0) }.joined(separator: "\n")
        case .code(let code):
            let fence = String(repeating: "`", count: max(3, longestRunOfBackticks(in: code) + 1))
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

    /// Code between as many backticks as it needs.
    static func code(_ text: String) -> String {
        let lines = text.unicodeScalars.split(whereSeparator: CharacterSet.newlines.contains)
        let text = lines.map { String($0) }.joined(separator: " ")
        let fence = String(repeating: "`", count: longestRunOfBackticks(in: text) + 1)
        let isBare = text.unicodeScalars.first != "`" && text.unicodeScalars.last != "`" && !text.isEmpty
        return isBare ? fence + text + fence : "\(fence) \(text) \(fence)"
    }

    /// Text with escaped Markdown characters, for use inside a line.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { output, scalar in
            if "\\`*_[]<>#|~&!$".unicodeScalars.contains(scalar) { output.append("\\") }
            output.unicodeScalars.append(CharacterSet.newlines.contains(scalar) ? " " : scalar)
        }
    }

    /// The line with its start escaped, if it would be a list item or a heading's underline.
    private static func withoutMarker(_ line: String) -> String {
        let scalars = line.unicodeScalars
        if let first = scalars.first, "-+=".unicodeScalars.contains(first) { return "\\" + line }
        let digits = scalars.prefix { "0"..."9" ~= $0 }
        let rest = scalars[digits.endIndex...]
        guard !digits.isEmpty, rest.first == "." || rest.first == ")" else { return line }
        return "\(Substring(digits))\\\(Substring(rest))"
    }

    private static func longestRunOfBackticks(in text: String) -> Int {
        text.unicodeScalars.split { $0 != "`" }.map(\.count).max() ?? 0
    }
}
