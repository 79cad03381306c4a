/// A catalogue as one page for a browser, without other files.
enum HTMLPage {
    static func text(of catalogue: Catalogue, links: SourceLinks = .none) -> String {
        var anchors = HTMLAnchors()
        var contents: [String] = []
        var sections: [String] = []
        for (title, chapter) in catalogue.titledChapters {
            let names = [chapter.module] + chapter.path
            let anchor = anchors.make(names)
            contents += ["<a class=\"chapter\" href=\"#\(anchor)\">\(escaped(title))</a>", "<ul>"]
            sections += ["<section>", "<h2 id=\"\(anchor)\">\(breakable(title))</h2>"]
            sections += documentation(chapter.documentation)
            for request in chapter.requests {
                let anchor = anchors.make(names + [request.name])
                contents.append("<li><a href=\"#\(anchor)\">\(breakable(request.name))</a></li>")
                sections += article(on: request, anchor: anchor, links)
            }
            contents.append("</ul>")
            sections.append("</section>")
        }
        return page("\(escaped(catalogue.package)): requests", catalogue.countText, contents, sections)
    }

    private static func page(
        _ title: String,
        _ count: String,
        _ contents: [String],
        _ sections: [String],
    ) -> String {
        let head = [
            "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<meta name=\"color-scheme\" content=\"light dark\">", "<title>\(title)</title>",
            "<style>\n\(HTMLStyle.text)\n</style>", "</head>", "<body>", "<nav aria-label=\"Contents\">",
        ]
        let start = ["</nav>", "<main>", "<h1>\(title)</h1>", "<p class=\"count\" role=\"status\">\(count)</p>"]
        let end = ["</main>", "<script>\n\(HTMLScript.text)\n</script>", "</body>", "</html>", ""]
        let lines = head + contents + start + filter + sections + end
        return lines.joined(separator: "\n")
    }

    /// The filter box, which the script shows, and what is shown if nothing matches.
    private static let filter = [
        "<div class=\"filter\" role=\"search\" hidden>",
        "<input type=\"search\" aria-label=\"Filter requests\" aria-keyshortcuts=\"/\" autocomplete=\"off\""
            + " autocapitalize=\"none\" spellcheck=\"false\""
            + " placeholder=\"Filter by name, method, path, access, response or comment\">",
        "<kbd title=\"Press / to filter, Escape to show all, Enter for the first request\">/</kbd>",
        "</div>",
        "<p class=\"empty\" hidden>No request has all of these words."
            + " <button type=\"button\">Show all</button></p>",
    ]

    private static func article(
        on request: CatalogueRequest,
        anchor: String,
        _ links: SourceLinks,
    ) -> [String] {
        let method = request.method.value == nil ? "method unknown" : "method \(methodClass(request.method.text))"
        let note =
            [request.method.origin, request.path.origin].contains(.initial)
            ? " <span class=\"note\">unless an instance has another</span>" : ""
        let call =
            "<p class=\"call\"><span class=\"\(method)\">\(escaped(request.method.text))</span> "
            + "<code>\(breakable(request.path.text))</code>\(note)</p>"
        let rows = request.rows(links).map { row in
            let values = row.values.map { value in
                let code = "<code>\(breakable(value))</code>"
                return row.link.map { "<a href=\"\(escaped($0))\">\(code)</a>" } ?? code
            }
            let note = row.note.map { ["<span class=\"note\">\(escaped($0))</span>"] } ?? []
            return "<dt>\(row.name)</dt><dd>\((values + note).joined(separator: " "))</dd>"
        }
        let title = "<h3><a href=\"#\(anchor)\">\(breakable(request.name))</a></h3>"
        return ["<article id=\"\(anchor)\">", title, call] + documentation(request.documentation)
            + ["<dl>"] + rows + ["</dl>", "</article>"]
    }

    private static func documentation(_ text: String?) -> [String] {
        guard let text else { return [] }
        return DocumentationText(text).blocks.map { block in
            switch block {
            case .paragraph(let inlines): "<p>\(self.text(inlines))</p>"
            case .list(let items): "<ul>\(items.map { "<li>\(self.text($0))</li>" }.joined())</ul>"
            case .code(let code): "<pre><code>\(escaped(code))</code></pre>"
            }
        }
    }

    private static func text(_ inlines: [DocumentationText.Inline]) -> String {
        inlines.map { inline in
            switch inline {
            case .text(let text): escaped(text)
            case .code(let code): "<code>\(escaped(code))</code>"
            case .link(let text, let address): "<a href=\"\(escaped(address))\">\(escaped(text))</a>"
            }
        }.joined()
    }

    /// The CSS class of a method.
    private static func methodClass(_ method: String) -> String {
        ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(method) ? method.lowercased() : "other"
    }

    /// Text that is escaped for elements and quoted attributes.
    static func escaped(_ text: String) -> String {
        // By scalars, as in browsers: a combining mark isn't part of the angle bracket before it.
        text.unicodeScalars.reduce(into: "") { output, scalar in
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            // In HTML, control characters other than white space are invalid.
            case _ where scalar.value < 32 && !"\t\n\r".unicodeScalars.contains(scalar):
                output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
    }

    /// The escaped text with positions for line breaks in long names.
    private static func breakable(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { output, scalar in
            if "./{<([&?".unicodeScalars.contains(scalar), !output.isEmpty { output += "<wbr>" }
            output += escaped(String(scalar))
        }
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
