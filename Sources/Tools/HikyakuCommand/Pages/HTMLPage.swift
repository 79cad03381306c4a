import HikyakuOpenAPI

/// A catalogue as one page for a browser, without other files.
enum HTMLPage {
    static func text(of catalogue: Catalogue, links: SourceLinks = .none) -> String {
        var anchors = HTMLAnchors()
        var contents: [HTMLText] = []
        var sections: [HTMLText] = []
        for (title, chapter) in catalogue.titledChapters {
            let names = [chapter.module] + chapter.path
            let anchor = anchors.make(names)
            contents += ["<a class=\"chapter\" href=\"#\(anchor)\">\(title)</a>", "<ul>"]
            sections += ["<section>", "<h2 id=\"\(anchor)\">\(breakable: title)</h2>"]
            sections += documentation(chapter.documentation)
            for request in chapter.requests {
                let anchor = anchors.make(names + [request.name])
                contents.append("<li><a href=\"#\(anchor)\">\(breakable: request.name)</a></li>")
                sections += article(on: request, anchor: anchor, links)
            }
            contents.append("</ul>")
            sections.append("</section>")
        }
        return page("\(catalogue.package): requests", catalogue.countText, contents, sections).text
    }

    private static func page(
        _ title: HTMLText,
        _ count: String,
        _ contents: [HTMLText],
        _ sections: [HTMLText],
    ) -> HTMLText {
        let head: [HTMLText] = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<meta name=\"color-scheme\" content=\"light dark\">", "<title>\(title)</title>",
            "<style>\n\(HTMLStyle.text)\n</style>", "</head>", "<body>", "<nav aria-label=\"Contents\">",
        ]
        let start: [HTMLText] = [
            "</nav>", "<main>", "<h1>\(title)</h1>", "<p class=\"count\" role=\"status\">\(count)</p>",
        ]
        let end: [HTMLText] = ["</main>", "<script>\n\(HTMLScript.text)\n</script>", "</body>", "</html>", ""]
        let lines = head + contents + start + filter + sections + end
        return lines.joined(separator: "\n")
    }

    /// The filter box, which the script shows, and what is shown if nothing matches.
    private static let filter: [HTMLText] = [
        "<div class=\"filter\" role=\"search\" hidden>",
        """
        <input type="search" aria-label="Filter requests" aria-keyshortcuts="/" autocomplete="off" \
        autocapitalize="none" spellcheck="false" \
        placeholder="Filter by name, method, path, access, response or comment">
        """,
        "<kbd title=\"Press / to filter, Escape to show all, Enter for the first request\">/</kbd>",
        "</div>",
        """
        <p class="empty" hidden>No request has all of these words. <button type="button">Show all</button></p>
        """,
    ]

    private static func article(
        on request: CatalogueRequest,
        anchor: String,
        _ links: SourceLinks,
    ) -> [HTMLText] {
        let method = request.method.value == nil ? "method unknown" : "method \(methodClass(request.method.text))"
        let note: HTMLText =
            [request.method.origin, request.path.origin].contains(.initial)
            ? " <span class=\"note\">unless an instance has another</span>" : ""
        let call: HTMLText = """
            <p class="call"><span class="\(method)">\(request.method.text)</span> \
            <code>\(breakable: request.path.text)</code>\(note)</p>
            """
        let rows = request.rows(links).map { row -> HTMLText in
            let values = row.values.map { value -> HTMLText in
                let code: HTMLText = "<code>\(breakable: value)</code>"
                return row.link.map { "<a href=\"\(address: $0)\">\(code)</a>" } ?? code
            }
            let note: [HTMLText] = row.note.map { ["<span class=\"note\">\($0)</span>"] } ?? []
            return "<dt>\(row.name)</dt><dd>\((values + note).joined(separator: " "))</dd>"
        }
        let title: HTMLText = "<h3><a href=\"#\(anchor)\">\(breakable: request.name)</a></h3>"
        return ["<article id=\"\(anchor)\">", title, call] + documentation(request.documentation)
            + ["<dl>"] + rows + ["</dl>", "</article>"]
    }

    private static func documentation(_ text: String?) -> [HTMLText] {
        guard let text else { return [] }
        return DocumentationText(text).blocks.map { block in
            switch block {
            case .paragraph(let inlines): "<p>\(self.text(inlines))</p>"
            case .list(let items): "<ul>\(items.map { "<li>\(self.text($0))</li>" as HTMLText }.joined())</ul>"
            case .code(let code): "<pre><code>\(block: code)</code></pre>"
            }
        }
    }

    private static func text(_ inlines: [DocumentationText.Inline]) -> HTMLText {
        inlines.map { inline -> HTMLText in
            switch inline {
            case .text(let text): "\(text)"
            case .code(let code): "<code>\(code)</code>"
            case .link(let text, let address): "<a href=\"\(address: address)\">\(text)</a>"
            }
        }.joined()
    }

    /// The CSS class of a method.
    private static func methodClass(_ method: String) -> String {
        ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(method) ? method.lowercased() : "other"
    }
}

/// Unique anchors for a page.
private struct HTMLAnchors {
    private var used: Set<String> = []

    /// An anchor that is valid in any URL, made of the names of nested types.
    mutating func make(_ names: [String]) -> String {
        let plain = names.map(Self.plain).joined(separator: ".")
        var anchor = plain
        var number = 2
        while !used.insert(anchor).inserted {
            anchor = "\(plain)-\(number)"
            number += 1
        }
        return anchor
    }

    private static func plain(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
            default: "-" + String(scalar.value, radix: 16)
            }
        }.joined()
    }
}
