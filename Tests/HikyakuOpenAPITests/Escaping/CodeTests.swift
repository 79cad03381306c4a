import Testing

@testable import HikyakuOpenAPI

@Suite struct CodeTests {
    private func lines(of text: String, width: Int = 100) -> [String] {
        HikyakuOpenAPI.Comment(text, width: width).code(.documentation).map(\.text)
    }

    // MARK: Comments

    @Test(arguments: ["\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}"])
    func eachKindOfLineBreakBeginsALineOfTheComment(end: String) {
        #expect(lines(of: "a\(end)let b = 1\(end)\(end)c") == ["/// a", "/// let b = 1", "///", "/// c"])
        #expect(lines(of: "a\(end)") == ["/// a"])
    }

    /// A mark after a line break is one character with it to Swift, and none to the compiler.
    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"])
    func noMarkHidesALineBreak(mark: String) {
        #expect(lines(of: "a\n\(mark)b").count == 2)
        #expect(lines(of: "a\r\(mark)\nb").count == 3)
    }

    @Test func aCommentShowsWhatNobodyWouldSee() {
        #expect(lines(of: "a\u{0}\u{1B}[2J\u{202E}b\u{AD}\tc") == ["/// a\\u{0}\\u{1B}[2J\\u{202E}b\\u{AD} c"])
    }

    @Test func aCommentEndsAfterSixtyLinesOrFourKilobytes() {
        let short = lines(of: String(repeating: "a\n", count: 1_000))
        #expect(short.count == 61 && short.last == "/// (The text is longer.)")
        #expect(lines(of: String(repeating: "a\n", count: 60)).last == "/// a")
        let long = lines(of: String(repeating: String(repeating: "ab ", count: 33) + "\n", count: 1_000))
        #expect(long.last == "/// (The text is longer.)")
        #expect(long.dropLast().reduce(0) { $0 + $1.utf8.count - 4 } <= 4096)
    }

    @Test func aLongLineOfACommentIsCut() {
        let line = lines(of: String(repeating: "ab ", count: 1_000_000), width: 40)[0]
        #expect(line.hasSuffix("ab…") && line.utf8.count <= 44)
        #expect(lines(of: String(repeating: "é", count: 1_000), width: 40) == ["/// éééééééééé…"])
        let marks = lines(of: "e" + String(repeating: "\u{301}", count: 400), width: 40)
        #expect(marks.count == 1 && marks[0].utf8.count <= 44 && marks[0].hasSuffix("…"))
    }

    // MARK: Literals

    @Test(arguments: [
        ("a\"b\\c\n\r\t", #""a\"b\\c\n\r\t""#), ("\\(x)", #""\\(x)""#), ("\\#(x)", ##""\\#(x)""##),
        ("\u{202E}\u{7F}\u{0}", #""\u{202E}\u{7F}\u{0}""#), ("\"\u{301}", "\"\\\"\u{301}\""), ("é🎨", #""é🎨""#),
        ("\u{2028}\u{85}", #""\u{2028}\u{85}""#), ("", #""""#),
    ])
    func aLiteralEscapesAllThatCouldEndIt(text: String, literal: String) {
        // By scalars: a mark after a quotation mark is one character with it.
        #expect(Literal(text).description.unicodeScalars.elementsEqual(literal.unicodeScalars))
    }

    @Test func aKeyIsWrittenAsDocumentsWriteIt() {
        #expect(Literal(jsonKey: "a\"b\n\u{1}").description == #""a\\\"b\\n\\u0001""#)
    }

    @Test func aTemplateHasValuesAmongItsTexts() {
        var template = LiteralTemplate()
        template.append("/a\\(b)\"")
        template.append(value: "\(SwiftName.quoted("in"))")
        template.append("/")
        #expect(template.code == #""/a\\(b)\"\(`in`)/""#)
    }

    // MARK: Names

    @Test(arguments: [
        ("a", "a"), ("in", "`in`"), ("a b", "a_b"), ("a`; let b", "a___let_b"), ("1a", "_1a"), ("", "_"),
        ("a\n}", "a__"), ("größe", "größe"), ("a\u{200D}b", "a_b"), ("a\u{FE0F}", "a_"), ("\"", "_"),
    ])
    func aNameHasOnlyWhatNamesMayHave(text: String, name: String) {
        #expect(SwiftName.quoted(text).description.unicodeScalars.elementsEqual(name.unicodeScalars))
    }

    @Test(arguments: [
        ("[ String:Money . Amount ]?", "[String: Money.Amount]?"), ("Set< A , B<C> >", "Set<A, B<C>>"),
        ("Int??", "Int??"), ("[[Int]]", "[[Int]]"), ("Any", "Any"),
    ])
    func aTypeIsWrittenAnew(text: String, code: String) {
        #expect(Code(type: text)?.text == code)
    }

    @Test func noTypeIsNestedWithoutEnd() {
        let text = String(repeating: "[", count: 100) + "Int" + String(repeating: "]", count: 100)
        #expect(Code(type: text) == nil)
        #expect(Code(type: String(repeating: "a", count: 501)) == nil)
    }

    @Test(arguments: ["Money\nstruct A {}", "Money;", "", "a b", "struct", "A.", "./A", "Money/*", "\u{FE0F}A"])
    func whatIsNotAModuleIsRefused(text: String) {
        #expect(Code(module: text) == nil)
    }

    @Test func aModuleMayHaveSubmodules() {
        #expect(Code(module: "Money.Amounts")?.text == "Money.Amounts")
    }

    @Test func aNumberThatIsNotFiniteIsNotAName() {
        #expect("\(Double.nan) \(-Double.infinity) \(1.5)" as Code == "0 0 1.5")
    }
}

@Suite struct EscapedTextTests {
    @Test func onlyTheProgramBreaksLinesOnATerminal() {
        let text = "a\nb\u{1B}[2J\u{9B}\u{202E}\r\t"
        #expect(("x: \(text)\ny" as TerminalText).text == "x: a\\u{A}b\\u{1B}[2J\\u{9B}\\u{202E}\\u{D} \ny")
        #expect(TerminalText(lines: text).text == "a\nb\\u{1B}[2J\\u{9B}\\u{202E}\\u{D} ")
    }

    @Test func onlyTheProgramMarksUpAPage() {
        let text = "<b>\n*a* & `c`\u{0}"
        #expect(("<p>\(text)</p>" as HTMLText).text == "<p>&lt;b&gt; *a* &amp; `c`\\u{0}</p>")
        #expect(("- \(text)" as MarkdownText).text == "- \\<b\\> \\*a\\* \\& \\`c\\`\\u{0}")
        for text in ["\t- a", "    - a", "\u{2028}- a"] { #expect(MarkdownText(text).atLineStart.text == "\\- a") }
        let item = "\t1. a"
        #expect(MarkdownText(item).atLineStart.text == "1\\. a")
        let link: MarkdownText = "[a](<\(address: "https://a.example/> b")>)"
        #expect(link.text == "[a](<https://a.example/%3E%20b>)")
    }
}
