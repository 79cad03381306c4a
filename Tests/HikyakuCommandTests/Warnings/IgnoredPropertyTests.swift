import Testing

@testable import HikyakuCommand

/// Properties of requests whose getter can't satisfy a requirement.
struct IgnoredPropertyTests {
    @Test(arguments: [
        ("lazy var query: RequestQuery { mutating get set }", Getter.lazy),
        ("private lazy var headers: [String : String] { mutating get set }", .lazy),
        ("var query: RequestQuery { mutating get }", .mutating),
        ("var query: RequestQuery { mutating get set }", .mutating),
        ("var body: RequestBody? { get throws }", .throws),
        ("var body: RequestBody? { get throws(ShopError) }", .throws),
        ("var body: RequestBody? { get async }", .async),
        ("var body: RequestBody? { get async throws }", .async),
        ("var body: RequestBody? { get }", .plain), ("var body: RequestBody? { get set }", .plain),
        ("var body: RequestBody? { get throws(Never) }", .plain), ("let body: RequestBody?", .plain),
        ("var body: RequestBody? { get nonmutating set }", .plain), ("var body: () async throws -> Int", .plain),
        // In a class.
        ("lazy var query: RequestQuery { get set }", .plain), ("", .plain), ("}", .plain), ("{", .plain),
    ])
    func aGetterIsReadFromTheDeclaration(declaration: String, getter: Getter) {
        #expect(Getter(declaration: declaration) == getter)
    }

    private static let body = ConstProperty.sample(
        "body",
        "Swift.Optional<Hikyaku.RequestBody>",
        .call(type: "Hikyaku.RequestBody", name: "json", arguments: []),
    )

    /// The body is not sent by GET: it isn't sent.
    @Test(arguments: [
        ("{ get throws }", "throwing property", "throws"),
        ("{ get async }", "async property", "async, and throws if it is there"),
        ("{ mutating get }", "mutating property", "mutating"),
    ])
    func aPropertyWithAnotherGetterIsReported(braces: String, kind: String, word: String) {
        let symbol = SymbolGraph.Symbol.member("property", "body", "var body: RequestBody? \(braces)", line: 1)
        #expect(
            warnings([symbol], properties: [Self.body]) == [
                "App.swift:1: warning: \(kind) body in Shop.Items is ignored by APIRequest: remove \(word)"
            ]
        )
        let other = SymbolGraph.Symbol.member("property", "payload", "var payload: RequestBody? \(braces)", line: 1)
        let payload = ConstProperty.sample("payload", "Swift.Optional<Hikyaku.RequestBody>", .runtime)
        #expect(warnings([other], properties: [payload]).isEmpty)
        #expect(warnings([symbol], properties: [Self.body], sources: ["/shop/Other.swift": "App"]).isEmpty)
    }

    private static let query = ConstProperty.sample("query", "Hikyaku.RequestQuery", .runtime)
    private static let storage = ConstProperty.sample(
        "$__lazy_storage_$_query",
        "Swift.Optional<Hikyaku.RequestQuery>",
        .nilLiteral,
        isComputed: false,
    )

    /// A private property has no symbol.
    @Test
    func aLazyPropertyIsReportedUnlessItIsThatOfAClass() {
        let text = "App.swift:1: warning: lazy property query in Shop.Items is ignored by APIRequest: remove lazy"
        #expect(warnings([], properties: [Self.storage, Self.query]) == [text])
        let symbol = SymbolGraph.Symbol.member(
            "property",
            "query",
            "lazy var query: RequestQuery { mutating get set }",
            line: 1,
        )
        #expect(warnings([symbol], properties: [Self.storage, Self.query]) == [text])
        #expect(warnings([], properties: [Self.query]).isEmpty)
        #expect(warnings([], properties: [Self.storage, Self.query], kind: "final class").isEmpty)
        #expect(warnings([], properties: [Self.storage, Self.query], kind: "class").isEmpty)
    }

    /// The lazy property isn't the known name that would use the other one.
    @Test
    func aSimilarNameBesideAnIgnoredPropertyIsReportedToo() {
        let querry = ConstProperty.sample("querry", "Hikyaku.RequestQuery", .runtime)
        #expect(warnings([], properties: [Self.storage, Self.query, querry]).count == 2)
        #expect(warnings([], properties: [Self.query, querry]).isEmpty)
    }

    @Test
    func aPropertyOfAProtocolsExtensionIsReported() {
        func member(_ braces: String, _ line: Int, extending module: String?) -> SymbolGraph.Symbol {
            .member(
                "property",
                "query",
                "var query: RequestQuery \(braces)",
                of: "Request",
                line: line,
                extending: module,
            )
        }
        #expect(
            warnings([member("{ get throws }", 3, extending: "App")]) == [
                "App.swift:3: warning: throwing property query in Shop.Request is ignored by APIRequest: remove throws"
            ]
        )
        #expect(warnings([member("{ get }", 3, extending: "App")]).isEmpty)
        let required = member("{ get throws }", 2, extending: nil)
        #expect(warnings([required, member("{ get throws }", 3, extending: "App")]).isEmpty)
    }

    @Test
    func aPropertyThatAnotherProtocolRequiresIsNot() {
        let symbol = SymbolGraph.Symbol.member("property", "body", "var body: RequestBody? { get throws }", line: 1)
        let draft: [SymbolGraph.Symbol] = [
            .type("s:App.Draft", "Shop", "Draft", kind: "protocol"),
            .member("property", "body", "var body: RequestBody? { get throws }", of: "Draft", line: 2),
        ]
        let conformance = [("s:App.Items", "s:App.Draft")]
        #expect(warnings([symbol] + draft, properties: [Self.body]).count == 1)
        #expect(warnings([symbol] + draft, properties: [Self.body], relationships: conformance).isEmpty)
    }

    /// In extensions with different conditions, for example.
    @Test
    func aPropertyBesideTheRightOneIsNot() {
        let symbols = [("{ get throws }", 1), ("{ get }", 2)].map { braces, line in
            SymbolGraph.Symbol.member("property", "query", "var query: RequestQuery \(braces)", line: line)
        }
        let other = ConstProperty(
            name: "query",
            type: "Hikyaku.RequestQuery",
            isStatic: false,
            isComputed: true,
            file: "/shop/App.swift",
            line: 2,
            value: .runtime,
        )
        #expect(warnings(symbols, properties: [Self.query]).count == 1)
        #expect(warnings(symbols, properties: [Self.query, other]).isEmpty)
    }

    @Test
    func thePageShowsWhatIsSent() throws {
        let symbols: [SymbolGraph.Symbol] = [
            .type("s:App.Items", "Shop", "Items"), .type("s:P", "Shop", "Request", kind: "protocol"),
            .member("property", "body", "var body: RequestBody? { get throws }", line: 1),
            .member(
                "property",
                "query",
                "var query: RequestQuery { get async }",
                of: "Request",
                line: 1,
                extending: "App",
            ),
        ]
        let graph = SymbolGraph(
            module: "App",
            symbols,
            conforming: [("s:App.Items", "s:P"), ("s:P", "s:7Hikyaku10APIRequestP")],
        )
        let catalogue = CatalogueBuilder(
            package: "Shop",
            root: "/shop",
            sources: ["/shop/App.swift": "App"],
            types: [.sample(properties: [Self.body])],
            graphs: [graph],
            readSource: { _ in "extension Shop.Request { var query: RequestQuery { get async { [\"a\": 1] } } }" },
        ).catalogue()
        let request = try #require(catalogue.chapters.first?.requests.first)
        #expect(request.body == CatalogueValue(value: "none", origin: .default))
        #expect(request.query == .none)
    }
}
