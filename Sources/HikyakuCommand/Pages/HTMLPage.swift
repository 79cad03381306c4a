/// A catalogue as one page for a browser, that needs no script and no other file.
struct HTMLPage {
    private let catalogue: Catalogue
    private var output = ""
    private var anchors = HTMLAnchors()

    static func text(of catalogue: Catalogue) -> String {
        var page = HTMLPage(catalogue: catalogue)
        page.write()
        return page.output
    }

    private init(catalogue: Catalogue) {
        self.catalogue = catalogue
    }

    private mutating func line(_ text: String) {
        output += text + "\n"
    }

    private mutating func write() {
        let title = "\(Self.escaped(catalogue.package)): requests"
        line("<!DOCTYPE html>")
        line("<html lang=\"en\">")
        line("<head>")
        line("<meta charset=\"utf-8\">")
        line("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        line("<meta name=\"color-scheme\" content=\"light dark\">")
        line("<title>\(title)</title>")
        line("<style>\n\(HTMLStyle.text)\n</style>")
        line("</head>")
        line("<body>")
        let chapters = catalogue.titledChapters.map { title, chapter in
            let anchor = anchors.make([chapter.module] + chapter.path)
            return AnchoredChapter(
                title: title,
                chapter: chapter,
                anchor: anchor,
                requests: chapter.requests.map { request in
                    (anchors.make([chapter.module] + chapter.path + [request.name]), request)
                },
            )
        }
        writeContents(chapters)
        line("<main>")
        line("<h1>\(title)</h1>")
        line("<p class=\"count\">\(catalogue.countText)</p>")
        for chapter in chapters { write(chapter) }
        line("</main>")
        line("</body>")
        line("</html>")
    }

    private struct AnchoredChapter {
        let title: String
        let chapter: Catalogue.Chapter
        let anchor: String
        let requests: [(anchor: String, request: CatalogueRequest)]
    }

    private mutating func writeContents(_ chapters: [AnchoredChapter]) {
        line("<nav aria-label=\"Contents\">")
        for chapter in chapters {
            line("<a class=\"chapter\" href=\"#\(chapter.anchor)\">\(Self.escaped(chapter.title))</a>")
            line("<ul>")
            for (anchor, request) in chapter.requests {
                line("<li><a href=\"#\(anchor)\">\(Self.breakable(request.name))</a></li>")
            }
            line("</ul>")
        }
        line("</nav>")
    }

    private mutating func write(_ chapter: AnchoredChapter) {
        line("<section>")
        line("<h2 id=\"\(chapter.anchor)\">\(Self.breakable(chapter.title))</h2>")
        write(documentation: chapter.chapter.documentation)
        for (anchor, request) in chapter.requests { write(request, anchor: anchor) }
        line("</section>")
    }

    private mutating func write(_ request: CatalogueRequest, anchor: String) {
        line("<article id=\"\(anchor)\">")
        line("<h3><a href=\"#\(anchor)\">\(Self.breakable(request.name))</a></h3>")
        let method = request.method.value == nil ? "method unknown" : "method \(Self.methodClass(request.method.text))"
        let note =
            [request.method.origin, request.path.origin].contains(.initial)
            ? " <span class=\"note\">unless an instance has another</span>" : ""
        line(
            "<p class=\"call\"><span class=\"\(method)\">\(Self.escaped(request.method.text))</span> "
                + "<code>\(Self.breakable(request.path.text))</code>\(note)</p>"
        )
        write(documentation: request.documentation)
        line("<dl>")
        for row in request.rows {
            let values = row.values.map { "<code>\(Self.breakable($0))</code>" }
            let note = row.note.map { ["<span class=\"note\">\(Self.escaped($0))</span>"] } ?? []
            line("<dt>\(row.name)</dt><dd>\((values + note).joined(separator: " "))</dd>")
        }
        line("</dl>")
        line("</article>")
    }

    private mutating func write(documentation: String?) {
        guard let documentation else { return }
        for block in DocumentationText(documentation).blocks {
            switch block {
            case .paragraph(let inlines): line("<p>\(Self.text(inlines))</p>")
            case .list(let items):
                line("<ul>\(items.map { "<li>\(Self.text($0))</li>" }.joined())</ul>")
            case .code(let code): line("<pre><code>\(Self.escaped(code))</code></pre>")
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

    /// The methods that have a colour.
    private static func methodClass(_ method: String) -> String {
        ["GET", "POST", "PUT", "PATCH", "DELETE"].contains(method) ? method.lowercased() : "other"
    }

    /// Text that can stand in an element or in an attribute's quotation marks.
    static func escaped(_ text: String) -> String {
        // By scalars, as browsers read it: a mark behind an angle bracket is no part of it.
        text.unicodeScalars.reduce(into: "") { output, scalar in
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            // A control character is no text; HTML has none but white space.
            case _ where scalar.value < 32 && !"\t\n\r".unicodeScalars.contains(scalar):
                output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
    }

    /// The same, with places at which a long name may go on in the next line.
    private static func breakable(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { output, scalar in
            if "./{<([&?".unicodeScalars.contains(scalar), !output.isEmpty { output += "<wbr>" }
            output += escaped(String(scalar))
        }
    }
}

/// Names for the places of a page, each of them once.
private struct HTMLAnchors {
    private var used: Set<String> = []

    /// A name of letters that every address can hold, made of the names of nested types.
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
