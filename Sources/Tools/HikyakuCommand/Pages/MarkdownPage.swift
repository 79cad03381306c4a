import HikyakuOpenAPI

/// A catalogue as a Markdown document.
enum MarkdownPage {
    static func text(of catalogue: Catalogue, links: SourceLinks = .none) -> String {
        var blocks: [MarkdownText] = ["# \(catalogue.package): requests", "\(catalogue.countText)."]
        for (title, chapter) in catalogue.titledChapters {
            blocks.append("## \(title)")
            blocks += documentation(chapter.documentation)
            for request in chapter.requests { blocks += self.blocks(of: request, links) }
        }
        return blocks.joined(separator: "\n\n").text + "\n"
    }

    private static func blocks(of request: CatalogueRequest, _ links: SourceLinks) -> [MarkdownText] {
        let heading: MarkdownText = "### \(request.name)"
        let line = MarkdownText(code: "\(request.method.text) \(request.path.text)")
        let note: MarkdownText =
            [request.method.origin, request.path.origin].contains(.initial) ? " (unless an instance has another)" : ""
        let rows = request.rows(links).map { row -> MarkdownText in
            let code = row.values.map { MarkdownText(code: $0) }.joined(separator: ", ")
            let values: MarkdownText = row.link.map { "[\(code)](<\(address: $0)>)" } ?? code
            let note: MarkdownText = row.note.map { row.values.isEmpty ? "\($0)" : " (\($0))" } ?? ""
            return "- \(row.name): \(values)\(note)"
        }
        return [heading, "\(line)\(note)"] + documentation(request.documentation) + [rows.joined(separator: "\n")]
    }

    private static func documentation(_ text: String?) -> [MarkdownText] {
        text.map { DocumentationText($0).blocks.map(block) } ?? []
    }

    private static func block(_ block: DocumentationText.Block) -> MarkdownText {
        switch block {
        case .paragraph(let inlines): return line(inlines)
        // A different marker than that of the rows, which would otherwise continue this list.
        case .list(let items): return items.map { "* \(line($0))" as MarkdownText }.joined(separator: "\n")
        case .code(let code): return MarkdownText(block: code)
        }
    }

    private static func line(_ inlines: [DocumentationText.Inline]) -> MarkdownText {
        inlines.map { inline -> MarkdownText in
            switch inline {
            case .text(let text): "\(text)"
            case .code(let text): MarkdownText(code: text)
            case .link(let text, let address): "[\(text)](<\(address: address)>)"
            }
        }.joined().atLineStart
    }
}
