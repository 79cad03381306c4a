import HikyakuOpenAPI
import Testing

@testable import HikyakuCommand

struct MarkdownPageTests {
    @Test
    func writesARequest() {
        let request = CatalogueRequest.sample(
            documentation: "A page.\n\n- `a`: [b](https://c.example)\n",
            method: CatalogueValue(value: nil, origin: .computed),
            path: CatalogueValue(value: "/items/{id}", origin: .initial),
            query: CatalogueKeys(keys: ["a", "b"], isComplete: false, origin: .declared),
            body: CatalogueValue(value: "json", origin: .declared),
            environment: CatalogueEnvironment(name: "shop", baseURL: "https://shop.example", origin: .inherited),
        )
        #expect(
            MarkdownPage.text(of: .sample(documentation: "The shop.", request)) == """
                # Shop: requests

                1 request.

                ## Shop

                The shop.

                ### Items

                `‹computed› /items/{id}` (unless an instance has another)

                A page.

                * `a`: [b](<https://c.example>)

                - Response: `[Item]`
                - Failure: `ProblemDetails`
                - Access: `Public`
                - Query: `a`, `b` (and computed ones)
                - Body: `json`
                - Environment: `.shop`, `https://shop.example`
                - Source: `Sources/App/Items.swift:3`

                """
        )
    }

    @Test
    func linksToSources() throws {
        let links = try SourceLinks(template: "https://host/{path}?a=(b)&c='d'#L{line}")
        let page = MarkdownPage.text(of: .sample(.sample(file: "Sources/A [b]/(c)>`d.swift")), links: links)
        let address = "https://host/Sources/A%20%5Bb%5D/%28c%29%3E%60d.swift?a=(b)&c='d'#L3"
        #expect(page.hasSuffix("- Source: [``Sources/A [b]/(c)>`d.swift:3``](<\(address)>)\n"))
    }

    @Test(arguments: [
        (CatalogueValue(value: "true", origin: .declared), "`required` (by requiresAuthorization)"),
        (CatalogueValue(value: "false", origin: .inherited), "`not required` (by requiresAuthorization)"),
        (
            CatalogueValue(value: "true", origin: .initial),
            "`required` (by requiresAuthorization, unless an instance has another)",
        ),
        (CatalogueValue(value: nil, origin: .computed), "by requiresAuthorization, computed"),
        (CatalogueValue(value: nil, origin: .stored), "by requiresAuthorization, stored in each instance"),
    ])
    func showsAuthorizationThatIsNotAsTheAccessSays(value: CatalogueValue, row: String) {
        let page = MarkdownPage.text(of: .sample(.sample(requiresAuthorization: value)))
        #expect(page.contains("\n- Access: `Public`\n- Authorization: \(row)\n- "))
        #expect(!MarkdownPage.text(of: .sample(.sample())).contains("Authorization"))
    }

    @Test
    func explainsPropertiesThatDependOnTheInstance() {
        let request = CatalogueRequest.sample(
            query: CatalogueKeys(keys: [], isComplete: true, origin: .initial),
            body: CatalogueValue(value: "none", origin: .initial),
            environment: CatalogueEnvironment(name: nil, baseURL: nil, origin: .stored),
        )
        let page = MarkdownPage.text(of: .sample(request))
        #expect(
            page.contains(
                """
                - Query: `none` (unless an instance has another)
                - Body: `none` (unless an instance has another)
                - Environment: stored in each instance

                """
            )
        )
    }

    @Test(arguments: [
        ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"),
        ("# no heading", "\\# no heading"),
        ("*a* _b_ [c](d) !e | f ~g~ &amp; \\", "\\*a\\* \\_b\\_ \\[c\\](d) \\!e \\| f \\~g\\~ \\&amp; \\\\"),
        ("1. no list", "1\\. no list"),
        ("12) no list", "12\\) no list"),
        ("+ no list", "\\+ no list"),
        ("---", "\\---"),
    ])
    func escapesComments(comment: String, line: String) {
        let page = MarkdownPage.text(of: .sample(.sample(documentation: comment)))
        #expect(page.contains("\n\n\(line)\n\n- Response"))
    }

    @Test(arguments: [
        ("a", "`a`"), ("a`b", "``a`b``"), ("`a", "`` `a ``"), ("a``", "``` a`` ```"), ("a\nb", "`a b`"), ("", "`  `"),
    ])
    func fencesCode(text: String, code: String) {
        #expect(MarkdownText(code: text).text == code)
    }

    @Test
    func fencesBlocksLongerThanWhatIsInside() {
        let page = MarkdownPage.text(of: .sample(.sample(documentation: "```\na ```` b\n```")))
        #expect(page.contains("\n`````\na ```` b\n`````\n"))
    }

    @Test
    func namesModulesWhereThereAreSeveral() {
        let chapters = [
            Catalogue.Chapter(module: "App", path: [], documentation: nil, requests: [.sample()]),
            Catalogue.Chapter(module: "Core", path: ["Shop", "Menu"], documentation: nil, requests: [.sample()]),
        ]
        let page = MarkdownPage.text(of: Catalogue(package: "a_b", chapters: chapters))
        #expect(page.hasPrefix("# a\\_b: requests\n\n2 requests.\n\n## App\n\n"))
        #expect(page.contains("\n## Core.Shop.Menu\n"))
    }
}
