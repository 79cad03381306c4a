import Foundation
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
        #expect(!text.contains("<script"))
        #expect(!text.contains("alert(\""))
        // Title and heading; contents and heading of chapter and request; 5 comments; 10 values.
        #expect(text.split(separator: Self.escaped, omittingEmptySubsequences: false).count - 1 == 22)
    }

    @Test
    func hasNoExternalResources() {
        let page = HTMLPage.text(of: .sample(.sample()))
        for word in ["<script", "src=", "@import", "url(", "http://", "https://"] { #expect(!page.contains(word)) }
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

    @Test
    func closesWhatItOpens() throws {
        let request = CatalogueRequest.sample(documentation: "A.\n\n- b\n- c\n\n```\nd\n```")
        let page = HTMLPage.text(of: .sample(documentation: "E.", request))
        var open: [Substring] = []
        for match in page.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/) where !["meta", "wbr"].contains(match.2) {
            if match.1.isEmpty {
                open.append(match.2)
            } else {
                #expect(open.popLast() == match.2)
            }
        }
        #expect(open.isEmpty)
    }

    @Test
    func replacesControlCharacters() {
        #expect(HTMLPage.escaped("a\u{1}b\0\tc\r\nd") == "a\u{FFFD}b\u{FFFD}\tc\r\nd")
    }
}
