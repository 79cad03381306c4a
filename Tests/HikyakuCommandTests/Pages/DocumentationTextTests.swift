import Testing

@testable import HikyakuCommand

struct DocumentationTextTests {
    @Test
    func findsParagraphsListsAndCode() {
        let text = """
            Takes a dish
            off the menu.

            - Parameter id: The dish's
              number.
            - Note: Now.

            ```swift
            let a = "`"

            b
            ```
            Rest.
            """
        #expect(
            DocumentationText(text).blocks == [
                .paragraph([.text("Takes a dish off the menu.")]),
                .list([[.text("Parameter id: The dish's number.")], [.text("Note: Now.")]]),
                .code("let a = \"`\"\n\nb"),
                .paragraph([.text("Rest.")]),
            ]
        )
    }

    @Test(arguments: [
        ("`a` b", [DocumentationText.Inline.code("a"), .text(" b")]),
        ("``Shop/Dishes``", [.code("Shop/Dishes")]),
        ("`` a`b ``", [.code(" a`b ")]),
        // A longer run of backticks ends nothing, so that no two pieces of code meet.
        ("`[a](b:c)````d``", [.text("`[a](b:c)````d``")]), ("`a`` b`", [.code("a`` b")]),
        ("a ` b", [.text("a ` b")]),
        (
            "see [RFC](https://example.org/a_b).",
            [.text("see "), .link(text: "RFC", address: "https://example.org/a_b"), .text(".")],
        ),
        ("[a](javascript:alert(1))", [.text("[a](javascript:alert(1))")]),
        ("[a](https://b\"onclick=)", [.text("[a](https://b\"onclick=)")]),
        ("[a](https://b", [.text("[a](https://b")]),
        ("[](https://b)", [.text("[](https://b)")]),
        ("a[0] and [b](https://c)", [.text("a[0] and "), .link(text: "b", address: "https://c")]),
    ])
    func findsCodeAndLinksToTheWeb(text: String, inlines: [DocumentationText.Inline]) {
        #expect(DocumentationText(text).blocks == [.paragraph(inlines)])
    }

    @Test
    func keepsLinesApartThatAreNotAParagraph() {
        let lines = ["# Heading", "1. One", "2. two", "> Quotation"]
        let paragraphs = lines.map { DocumentationText.Block.paragraph([.text($0)]) }
        #expect(DocumentationText(lines.joined(separator: "\n")).blocks == paragraphs)
        #expect(DocumentationText("of the year\n2026, say").blocks == [.paragraph([.text("of the year 2026, say")])])
    }

    @Test
    func keepsCodeThatIsNeverClosed() {
        #expect(DocumentationText("```\na").blocks == [.code("a")])
        #expect(DocumentationText("").blocks.isEmpty)
    }
}
