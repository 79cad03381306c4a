import Foundation
import HikyakuOpenAPI
import Testing

@testable import HikyakuCommand

struct HTMLPageTests {
    /// What a comment or a literal may hold to get out of its place.
    private static let hostile = "</p><script>alert(\"a\" + 'b')</script>&amp;"
    private static let escaped = "&lt;/p&gt;&lt;script&gt;alert(&quot;a&quot; + &#39;b&#39;)&lt;/script&gt;&amp;amp;"

    @Test
    func escapesEveryText() {
        let hostile = Self.hostile
        let value = CatalogueValue(value: hostile, origin: .declared)
        let request = CatalogueRequest(
            name: hostile,
            documentation: "\(hostile)\n\n- \(hostile)\n\n```\n\(hostile)\n```\n\n`\(hostile)`",
            file: hostile,
            line: 1,
            method: value,
            path: value,
            query: CatalogueKeys(keys: [hostile], isComplete: true, origin: .declared),
            parameters: CatalogueKeys(keys: [hostile], isComplete: true, origin: .declared),
            body: value,
            environment: CatalogueEnvironment(name: hostile, baseURL: hostile, origin: .declared),
            access: hostile,
            response: hostile,
            failure: hostile,
        )
        let chapter = Catalogue.Chapter(module: hostile, path: [hostile], documentation: hostile, requests: [request])
        let page = HTMLPage.text(of: Catalogue(package: hostile, chapters: [chapter]))
        let text = page.replacing("<wbr>", with: "")
        #expect(text.matches(of: /<script/).count == 1)
        #expect(!text.contains("alert(\""))
        // Title and heading; contents and heading of chapter and request; 5 comments; 10 values.
        #expect(text.split(separator: Self.escaped, omittingEmptySubsequences: false).count - 1 == 22)
    }

    @Test
    func hasNoExternalResources() {
        let page = HTMLPage.text(of: .sample(.sample()))
        let words = ["src=", "@import", "url(", "http://", "https://", "fetch", "import(", "<link", "XMLHttpRequest"]
        for word in words { #expect(!page.contains(word)) }
        #expect(page.contains("prefers-color-scheme: dark"))
    }

    @Test
    func linksToWhereTheAnchorsAre() throws {
        let page = HTMLPage.text(of: .sample(.sample(name: "A"), .sample(name: "A"), .sample(name: "é b<C>")))
        let links = Set(page.matches(of: /href="#([^"]*)"/).map { String($0.1) })
        let anchors = page.matches(of: /id="([^"]*)"/).map { String($0.1) }
        #expect(anchors == ["App.Shop", "App.Shop.A", "App.Shop.A-2", "App.Shop.-e9-20b-3cC-3e"])
        #expect(links == Set(anchors))
    }

    /// Without scripts, the box doesn't show, and nothing else is hidden.
    @Test
    func hidesOnlyTheFilterUntilTheScriptRuns() {
        let page = HTMLPage.text(of: .sample(.sample()))
        let hidden = page.matches(of: /<([a-z]+) class="([a-z]+)"[^>]* hidden>/)
        #expect(hidden.map { String($0.2) } == ["filter", "empty"])
        #expect(page.matches(of: /[ ]hidden>/).count == 2)
    }

    /// The script finds chapters, entries and requests by their order.
    @Test
    func contentsAreInTheOrderOfTheRequests() {
        let chapters = ["A", "B"].map { name in
            Catalogue.Chapter(
                module: "App",
                path: [name],
                documentation: "- a",
                requests: [.sample(name: name + "1"), .sample(name: name + "2", documentation: "- b")],
            )
        }
        let page = HTMLPage.text(of: Catalogue(package: "Shop", chapters: chapters))
        let parts = page.split(separator: "<main>")
        #expect(parts.count == 2)
        #expect(parts[0].matches(of: /<li>/).count == 4)
        #expect(parts[0].matches(of: /<a class="chapter"[^>]*>[^<]*<\/a>\n<ul>/).count == 2)
        let entries = parts[0].matches(of: /<li><a href="#([^"]*)">/).map(\.1)
        #expect(entries == parts[1].matches(of: /<article id="([^"]*)">/).map(\.1))
        let headings = parts[0].matches(of: /<a class="chapter" href="#([^"]*)">/).map(\.1)
        #expect(headings == parts[1].matches(of: /<section>\n<h2 id="([^"]*)">/).map(\.1))
    }

    @Test
    func linksToSources() throws {
        let links = try SourceLinks(template: "https://host/{path}?a='b'&c#L{line}")
        let request = CatalogueRequest.sample(file: "Sources/A\"&'b/<c>.swift")
        let page = HTMLPage.text(of: .sample(request), links: links).replacing("<wbr>", with: "")
        let address = "https://host/Sources/A%22%26%27b/%3Cc%3E.swift?a=&#39;b&#39;&amp;c#L3"
        #expect(page.contains("<dt>Source</dt><dd><a href=\"\(address)\"><code>Sources/A&quot;&amp;&#39;b"))
        #expect(!HTMLPage.text(of: .sample(request)).contains("<dt>Source</dt><dd><a"))
    }

    @Test
    func closesWhatItOpens() throws {
        let request = CatalogueRequest.sample(documentation: "A.\n\n- b\n- c\n\n```\nd\n```")
        let page = HTMLPage.text(of: .sample(documentation: "E.", request))
        var open: [Substring] = []
        let markup = page.replacing(HTMLScript.text.text, with: "")
        for match in markup.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) where !["meta", "wbr", "input"].contains(match.2) {
            if match.1.isEmpty {
                open.append(match.2)
            } else {
                #expect(open.popLast() == match.2)
            }
        }
        #expect(open.isEmpty)
    }

    @Test
    func showsControlCharacters() {
        let text = "a\u{1}b\0\tc\r\nd\u{202E}"
        #expect(HTMLText(text).text == "a\\u{1}b\\u{0} c  d\\u{202E}")
    }
}
