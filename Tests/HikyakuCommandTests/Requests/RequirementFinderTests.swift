import Testing

@testable import HikyakuCommand

struct RequirementFinderTests {
    private static let location = SymbolGraph.Location(file: "/shop/App.swift", line: 1)
    private static let source = "var method: HTTPMethod { .post }\nvar method: HTTPMethod { .put }\n"
    private static let post = Supplied(
        value: .member(type: "HTTPMethod", name: "post"),
        origin: .inherited,
        location: location,
    )

    private func find(
        in type: ConstType = .sample(),
        _ graphs: [SymbolGraph],
        hidden: [String: Set<String>] = [:],
        source: String? = source,
        _ requirement: Requirement = .method,
    ) -> Supplied {
        RequirementFinder(
            symbols: SymbolIndex(graphs, hidden: hidden),
            sources: ["/shop/App.swift": "App"],
            files: SourceFiles { $0 == "/shop/App.swift" ? source : nil },
        ).find(requirement, in: type)
    }

    /// A request below two protocols of a service, of which the second refines the first.
    private func graph(_ defaults: SymbolGraph.Symbol...) -> SymbolGraph {
        SymbolGraph(
            module: "App",
            [
                .type("s:App.Items", "Items"), .type("s:P", "P", kind: "protocol"),
                .type("s:Q", "Q", kind: "protocol"),
            ]
                + defaults,
            conforming: [("s:App.Items", "s:Q"), ("s:Q", "s:P"), ("s:P", "s:7Hikyaku10APIRequestP")],
        )
    }

    @Test(arguments: [
        ("var requiresAuthorization: Bool { true }", ConstValue.literal("true")),
        ("var requiresAuthorization: Bool { return false }", .literal("false")),
        ("var requiresAuthorization: Bool { !isOpen }", nil),
        ("var requiresAuthorization: String { true }", nil),
    ])
    func readsABooleanOfAnExtension(source: String, value: ConstValue?) {
        let graph = graph(.supplied("s:P1", "P", "requiresAuthorization"))
        let expected = value.map { Supplied(value: $0, origin: .inherited, location: Self.location) } ?? .computed
        #expect(find([graph], source: source, .requiresAuthorization) == expected)
    }

    @Test
    func prefersTheDeclarationOfTheType() {
        let type = ConstType.sample(properties: [.sample("method", "HikyakuHTTP.HTTPMethod", .literal("PURGE"))])
        let supplied = Supplied(value: .literal("PURGE"), origin: .declared, location: Self.location)
        #expect(find(in: type, [graph(.supplied("s:P1", "P", "method"))]) == supplied)
    }

    @Test(arguments: [
        (ConstValue.literal("PURGE"), CatalogueOrigin.initial), (.runtime, .stored),
    ])
    func recognizesStoredProperties(value: ConstValue, origin: CatalogueOrigin) {
        let type = ConstType.sample(properties: [.sample("method", "HikyakuHTTP.HTTPMethod", value, isComputed: false)])
        #expect(find(in: type, [graph()]) == Supplied(value: value, origin: origin, location: Self.location))
    }

    @Test
    func leavesAloneWhatOnlyHasTheName() {
        let type = ConstType.sample(properties: [
            .sample("path", "Swift.String", .literal("a")),
            .sample("method", "HikyakuHTTP.HTTPMethod", .literal("b"), isStatic: true),
        ])
        #expect(find(in: type, [graph()]) == Supplied(value: .runtime, origin: .default))
        #expect(find(in: type, [graph()], .path) == Supplied(value: .runtime, origin: .default))
    }

    @Test
    func takesWhatIsWrittenByAnotherTypeAndConverted() {
        let pair = ConstValue.Pair(key: .literal("page"), value: .literal("1"))
        let type = ConstType.sample(properties: [
            .sample("method", "Swift.String", .literal("POST")),
            .sample("query", "Swift.Dictionary<Swift.String, Swift.Int>", .dictionary([pair])),
        ])
        #expect(find(in: type, [graph()]).value == .literal("POST"))
        #expect(find(in: type, [graph()], .query).value == .dictionary([pair]))
        let source = "var method: String { \"POST\" }\n"
        let inherited = find([graph(.supplied("s:P1", "P", "method"))], source: source)
        #expect(inherited == Supplied(value: .literal("POST"), origin: .inherited, location: Self.location))
    }

    @Test
    func doubtsWhatSeveralExtensionsSay() {
        let properties = ["a", "b"].map { ConstProperty.sample("method", "HikyakuHTTP.HTTPMethod", .literal($0)) }
        #expect(find(in: .sample(properties: properties), [graph()]) == .computed)
    }

    @Test
    func takesTheDefaultOfTheMostRefinedProtocol() {
        #expect(find([graph(.supplied("s:P1", "P", "method"))]) == Self.post)
        let both = graph(.supplied("s:P1", "P", "method", line: 2), .supplied("s:Q1", "Q", "method", line: 1))
        #expect(find([both]) == Self.post)
        let ofAll = SymbolGraph.Symbol.supplied(
            "s:7Hikyaku10APIRequestP1",
            "APIRequest",
            "method",
            in: "Hikyaku",
            line: 2,
        )
        #expect(find([graph(.supplied("s:Q1", "Q", "method")), SymbolGraph(module: "App", [ofAll])]) == Self.post)
    }

    @Test
    func doubtsDefaultsOfEqualRank() {
        let graph = SymbolGraph(
            module: "App",
            [
                .type("s:App.Items", "Items"), .type("s:P", "P", kind: "protocol"),
                .type("s:Q", "Q", kind: "protocol"),
                .supplied("s:P1", "P", "method"), .supplied("s:Q1", "Q", "method", line: 2),
            ],
            conforming: [("s:App.Items", "s:Q"), ("s:App.Items", "s:P")],
        )
        #expect(find([graph]) == .computed)
    }

    @Test
    func doubtsDefaultsUnderAConditionAndTwoOfOneProtocol() {
        #expect(find([graph(.supplied("s:P1", "P", "method", isConstrained: true))]) == .computed)
        let twice = graph(
            .supplied("s:P1", "P", "method"),
            .supplied("s:P2", "P", "method", line: 2, isConstrained: true),
        )
        #expect(find([twice]) == .computed)
    }

    @Test
    func overlooksExtensionsThatTheModuleCanNotSee() {
        let above = SymbolGraph(module: "Above", [.supplied("s:P9", "P", "method", in: "App")])
        #expect(find([graph(), above], hidden: ["App": ["Above"]]) == Supplied(value: .runtime, origin: .default))
        #expect(find([graph(), above], hidden: ["App": ["Other"]]) == Self.post)
    }

    @Test
    func ignoresDefaultsOfOtherProtocols() {
        let graph = SymbolGraph(
            module: "App",
            [
                .type("s:App.Items", "Items"), .type("s:P", "P", kind: "protocol"), .supplied("s:P1", "P", "method"),
            ],
        )
        #expect(find([graph]) == Supplied(value: .runtime, origin: .default))
    }

    @Test
    func doubtsClassesAndTypesWithoutSymbols() {
        #expect(find(in: .sample(kind: "final class"), [graph()]) == .computed)
        #expect(find(in: .sample("App.Hidden"), [graph()]) == .computed)
    }

    @Test(arguments: [
        "var method: HTTPMethod { isSafe ? .get : .post }", "var method: String { word }", "", nil,
    ])
    func doubtsSourceThatIsNotPlain(source: String?) {
        #expect(find([graph(.supplied("s:P1", "P", "method"))], source: source).value == .runtime)
        #expect(find([graph(.supplied("s:P1", "P", "method"))], source: source).origin == .computed)
    }
}
