import Testing

@testable import HikyakuCommand

struct SourcePropertyTests {
    @Test(arguments: [
        ("var environment: APIEnvironment { .shop }", SourceExpression.member(type: nil, name: "shop")),
        ("public var environment: APIEnvironment { return .shop }", .member(type: nil, name: "shop")),
        ("var environment: APIEnvironment { get { .shop } }", .member(type: nil, name: "shop")),
        (
            "var environment: APIEnvironment {\n    // As all.\n    .shop /* now */\n}",
            .member(type: nil, name: "shop"),
        ),
        ("var environment: APIEnvironment { APIEnvironment.shop }", .member(type: "APIEnvironment", name: "shop")),
        ("var environment: APIEnvironment = .shop", .member(type: nil, name: "shop")),
        (
            "var environment: Hikyaku.APIEnvironment { \"https://shop.example\" }",
            .string([.text("https://shop.example")]),
        ),
        ("var environment: APIEnvironment { \"\" }", .string([])),
        (
            "var environment: APIEnvironment { \"a\\(id)/\\(b[\")\"])\\\"\\n\" }",
            .string([.text("a"), .value("id"), .text("/"), .value("b[\")\"]"), .text("\"\n")]),
        ),
        (
            "var environment: APIEnvironment { APIEnvironment(baseURL: \"https://a.example\") }",
            .call(type: "APIEnvironment", label: "baseURL", literal: "https://a.example"),
        ),
        (
            "var environment: APIEnvironment { .init(baseURL: \"https://a.example\", headers: [:]) }",
            .call(type: nil, label: "baseURL", literal: "https://a.example"),
        ),
    ])
    func readsPlainExpressions(source: String, expression: SourceExpression) {
        #expect(
            SourceProperty("environment", line: 3, in: SourceText("import Hikyaku\n\n\(source)\n"))?.expression
                == expression
        )
    }

    @Test(arguments: [
        "var environment: APIEnvironment { isTesting ? .mock : .shop }",
        "var environment: APIEnvironment { if isTesting { return .mock }; return .shop }",
        "var environment: APIEnvironment { .shop.staging() }",
        "var environment: APIEnvironment { Settings.shared.environment() }",
        "var environment: APIEnvironment { \"a\" + \"b\" }",
        "var environment: APIEnvironment { #\"a\"# }",
        "var environment: APIEnvironment { \"\"\"\n    a\n    \"\"\" }",
        "var environment: APIEnvironment { \"\\u{61}\" }",
        "var environment: APIEnvironment { APIEnvironment(baseURL: base) }",
        "var environment: APIEnvironment { APIEnvironment(baseURL: \"\\(host)/v1\") }",
        "var environment: APIEnvironment {\n    #if DEBUG\n    .mock\n    #else\n    .shop\n    #endif\n}",
        "var environment: APIEnvironment { .shop",
        "var environment: APIEnvironment { \"a",
        "var environment: APIEnvironment { get }",
        "var environment: APIEnvironment",
        "let other = environment",
        "",
    ])
    func givesUpWhatTakesACompiler(source: String) {
        #expect(SourceProperty("environment", line: 1, in: SourceText(source)) == nil)
    }

    @Test(arguments: [0, 2, -1, Int.max])
    func findsNothingBesideTheLines(line: Int) {
        #expect(SourceProperty("path", line: line, in: SourceText("var path: RequestPath { \"/\" }")) == nil)
    }

    /// As an editor on Windows writes it.
    @Test(arguments: [
        ("let path: RequestPath = \"/items\"\r\nlet id: Int\r\n", 1),
        ("import Hikyaku\r\n\r\nvar path: RequestPath = \"/items\"\r\n", 3),
        ("// All of them.\r\nvar path: RequestPath { // Now.\r\n    \"/items\"\r\n}\r\n", 2),
        ("\nvar path: RequestPath {\r\n    get {\r\n        return \"/items\"\r\n    }\r\n}", 2),
    ])
    func readsLinesThatEndWithAReturnToo(source: String, line: Int) {
        let expression = SourceExpression.string([.text("/items")])
        #expect(SourceProperty("path", line: line, in: SourceText(source))?.expression == expression)
        let plain = SourceText(source.replacing("\r\n", with: "\n"))
        #expect(SourceProperty("path", line: line, in: plain)?.expression == expression)
    }

    /// For the compiler only a line feed begins another line.
    @Test(arguments: ["\u{0B}", "\u{0C}", "\r", "// \u{2028}", "\u{85}"])
    func countsLinesAsTheCompilerDoes(space: String) {
        let source = SourceText("\(space)\n\(space)\r\nlet path = \"/items\"\r\n")
        #expect(source.lines.count == 4)
        #expect(SourceProperty.keyword(declaring: "path", line: 3, in: source) == "let")
    }

    @Test
    func readsTheTypeThatIsWritten() {
        let source = "let path : RequestPath = \"/items\""
        #expect(SourceProperty("path", line: 1, in: SourceText(source))?.type == "RequestPath")
        #expect(SourceProperty("path", line: 1, in: SourceText("let path = \"/items\""))?.type == "")
    }
}

struct SourceDictionaryTests {
    @Test(
        arguments: [
            ("[:]", []), ("[ : ]", []), ("[\"a\": 1]", ["a"]), ("[\"a\": x ? 1 : 2, \"b,]\": [1: 2]]", ["a", "b,]"]),
            ("[\"a\": f(1, 2), \"b\": { $0 },]", ["a", "b"]), ("[name: 1, \"b\": 2]", [nil, "b"]),
            ("[\"\\(a)\": 1]", [nil]), ("[a ? \"b\" : \"c\": 1]", nil), ("[1, 2]", nil), ("[]", nil),
            ("[\"a\": 1] + other", nil), ("[\"a\": 1", nil), ("[\"a\"", nil),
        ] as [(String, [String?]?)]
    )
    func readsTheKeysOfALiteral(source: String, keys: [String?]?) {
        let property = SourceProperty("query", line: 1, in: SourceText("var query: RequestQuery { \(source) }"))
        #expect(property?.expression == keys.map(SourceExpression.dictionary))
    }
}
