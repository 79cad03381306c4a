import HikyakuOpenAPI
import Testing

@testable import HikyakuCommand

/// A mark behind a character is one with it to Swift, and to no reader of HTML or Markdown.
@Suite struct MarkTests {
    private static let marks = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20DD}", "\u{903}", "\u{338}", "\u{1F3FD}"]

    @Test(arguments: marks)
    func noMarkGetsATextOutOfAPage(_ mark: String) {
        let hostile = "<\(mark)script>\(mark)&\(mark)\"\(mark)'\(mark)`\(mark)\u{1}\(mark)"
        let escaped = "&lt;\(mark)script&gt;\(mark)&amp;\(mark)&quot;\(mark)&#39;\(mark)`\(mark)\\u{1}\(mark)"
        #expect(HTMLText(hostile).text.unicodeScalars.elementsEqual(escaped.unicodeScalars))
        let documentation = "\(hostile)\n\n- \(hostile)\n\n```\n\(hostile)\n```\n\n`\(hostile)`"
        let request = CatalogueRequest.sample(
            name: hostile,
            documentation: documentation,
            path: CatalogueValue(value: "/\(hostile)", origin: .declared),
            response: hostile,
        )
        let page = HTMLPage.text(of: .sample(package: hostile, documentation: documentation, request))
        #expect(page.unicodeScalars.split(separator: "<").allSatisfy { !$0.starts(with: mark.unicodeScalars) })
        #expect(page.unicodeScalars.firstRange(of: "&\(mark)".unicodeScalars) == nil)
    }

    @Test(arguments: marks)
    func noMarkHidesWhatMarkdownReads(_ mark: String) {
        let special = "\\`*_[]<>#|~&!$"
        let text = special.unicodeScalars.map { "\($0)\(mark)" }.joined()
        let escaped = special.unicodeScalars.map { "\\\($0)\(mark)" }.joined()
        #expect(MarkdownText(text).text.unicodeScalars.elementsEqual(escaped.unicodeScalars))
        let code = MarkdownText(code: "a``\(mark)b`\(mark)").text
        #expect(code.unicodeScalars.elementsEqual("```a``\(mark)b`\(mark)```".unicodeScalars))
        #expect(MarkdownText(code: "`\(mark)").text.unicodeScalars.elementsEqual("`` `\(mark) ``".unicodeScalars))
        let request = CatalogueRequest.sample(documentation: "```\n```\(mark)\nb\n```\n")
        #expect(MarkdownPage.text(of: .sample(request)).unicodeScalars.firstRange(of: "````".unicodeScalars) == nil)
    }

    /// An address of Markdown ends at an angle bracket.
    @Test(arguments: marks)
    func noMarkGetsOutOfALink(_ mark: String) {
        for bad in ["<", ">", "\"", "`", " ", "\t"] {
            let blocks = DocumentationText("[a](https://a.example/\(bad)\(mark))").blocks
            let hasLink = blocks.contains { block in
                guard case .paragraph(let inlines) = block else { return true }
                return inlines.contains { if case .link = $0 { true } else { false } }
            }
            #expect(!hasLink)
        }
        let link = DocumentationText("[\(mark)a](https://\(mark)a.example/)\(mark)").blocks
        #expect(link == [.paragraph([.link(text: "\(mark)a", address: "https://\(mark)a.example/"), .text(mark)])])
        #expect(DocumentationText("`\(mark)a`\(mark)").blocks == [.paragraph([.code("\(mark)a"), .text(mark)])])
    }

    @Test func linesMayEndWithAReturn() {
        let lines = "a\n\n- b\n- c\n\n```\nd\n```\n"
        let returned = lines.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        #expect(DocumentationText(returned).blocks == DocumentationText(lines).blocks)
    }
}
