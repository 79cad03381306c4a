import Testing

@testable import HikyakuCommand

struct ValueReaderTests {
    private static let environment = "Hikyaku.APIEnvironment"
    private static let method = "HikyakuHTTP.HTTPMethod"

    private static func url(_ text: String, label: String = "baseURL") -> ConstValue {
        .call(type: environment, name: nil, arguments: [.init(label: label, value: .literal(text))])
    }

    /// The static members that the package declares.
    private static let members: [ConstType] = [
        .sample(
            environment,
            properties: [
                .sample("shop", environment, .literal("https://shop.example"), isStatic: true),
                .sample("staging", environment, url("https://staging.example"), isStatic: true),
                .sample("current", environment, .member(type: environment, name: "staging"), isStatic: true),
                .sample("computed", environment, .runtime, isStatic: true),
                .sample("twice", environment, .literal("https://a.example"), isStatic: true),
                .sample("twice", environment, .literal("https://b.example"), isStatic: true),
                .sample("circle", environment, .member(type: environment, name: "circle"), isStatic: true),
                .sample("instance", environment, .literal("https://instance.example")),
            ],
        ),
        .sample(
            method,
            properties: [
                .sample("purge", method, .literal("PURGE"), isStatic: true),
                .sample(
                    "list",
                    method,
                    .call(
                        type: method,
                        name: nil,
                        arguments: [
                            .init(label: "rawValue", value: .literal("LIST"))
                        ],
                    ),
                    isStatic: true,
                ),
            ],
        ),
    ]

    private func reader(of property: ConstProperty?) -> (ValueReader, ConstType) {
        let type = ConstType.sample(properties: property.map { [$0] } ?? [])
        let graph = SymbolGraph(module: "App", [.type("s:App.Items", "Items")])
        let finder = RequirementFinder(symbols: SymbolIndex([graph]), sources: [:], files: SourceFiles { _ in nil })
        return (ValueReader(finder: finder, types: Self.members + [type]), type)
    }

    @Test(arguments: [
        (ConstValue.literal("true"), "Public", "true" as String?, CatalogueOrigin.declared as CatalogueOrigin?),
        (.literal("true"), "AuthorizedIfPossible", "true", .declared),
        (.literal("false"), "Authorized", "false", .declared),
        (.literal("false"), "Admin", "false", .declared),
        (.literal("false"), "Public", nil, nil),
        (.literal("false"), "AuthorizedIfPossible", nil, nil),
        (.literal("true"), "Authorized", nil, nil),
        (.runtime, "Public", nil, .computed),
        (.runtime, "Authorized", nil, .computed),
    ])
    func readsAuthorizationThatIsNotAsTheAccessSays(
        value: ConstValue,
        access: String,
        text: String?,
        origin: CatalogueOrigin?,
    ) {
        let (reader, type) = reader(of: .sample("requiresAuthorization", "Swift.Bool", value))
        let expected = origin.map { CatalogueValue(value: text, origin: $0) }
        #expect(reader.requiresAuthorization(of: type, access: access) == expected)
    }

    /// An instance may differ from its access level later, so the initial value is shown even if it doesn't.
    @Test
    func storedAuthorizationIsAlwaysShown() {
        let initial = ConstProperty.sample("requiresAuthorization", "Swift.Bool", .literal("false"), isComputed: false)
        let (reader, type) = reader(of: initial)
        #expect(
            reader.requiresAuthorization(of: type, access: "Public")
                == CatalogueValue(value: "false", origin: .initial)
        )
        let (none, plain) = self.reader(of: nil)
        #expect(none.requiresAuthorization(of: plain, access: "Public") == nil)
        // What a private type inherits is unknown.
        #expect(none.requiresAuthorization(of: .sample("App.Hidden"), access: "Public") == nil)
        // A property of another type has no effect.
        let (other, ignored) = self.reader(of: .sample("requiresAuthorization", "Swift.String", .literal("true")))
        #expect(other.requiresAuthorization(of: ignored, access: "Public") == nil)
    }

    @Test(arguments: [
        (ConstValue.literal("PATCH"), "PATCH" as String?),
        (.member(type: method, name: "delete"), "DELETE"),
        (.member(type: method, name: "purge"), "PURGE"),
        (.member(type: method, name: "list"), "LIST"),
        (.call(type: method, name: nil, arguments: [.init(label: "", value: .literal("LOCK"))]), "LOCK"),
        (.member(type: method, name: "unknown"), nil),
        (.member(type: "App.Settings", name: "get"), nil),
        (.call(type: "App.Settings", name: nil, arguments: [.init(label: "", value: .literal("LOCK"))]), nil),
        (.call(type: method, name: "uppercased", arguments: []), nil),
        (.call(type: method, name: nil, arguments: [.init(label: "", value: .runtime)]), nil),
        (.runtime, nil),
    ])
    func readsMethods(value: ConstValue, word: String?) {
        let (reader, type) = reader(of: .sample("method", Self.method, value))
        #expect(reader.method(of: type) == CatalogueValue(value: word, origin: word == nil ? .computed : .declared))
    }

    @Test(arguments: [
        (ConstValue.literal("https://a.example"), nil as String?, "https://a.example" as String?),
        (url("https://a.example"), nil, "https://a.example"),
        (url("https://a.example", label: "host"), nil, nil),
        (.member(type: environment, name: "shop"), "shop", "https://shop.example"),
        (.member(type: environment, name: "staging"), "staging", "https://staging.example"),
        (.member(type: environment, name: "current"), "current", "https://staging.example"),
        (.member(type: environment, name: "computed"), "computed", nil),
        (.member(type: environment, name: "twice"), "twice", nil),
        (.member(type: environment, name: "circle"), "circle", nil),
        (.member(type: environment, name: "instance"), "instance", nil),
        (.member(type: environment, name: "elsewhere"), "elsewhere", nil),
        (.member(type: "App.Settings", name: "shop"), nil, nil),
        (.runtime, nil, nil),
    ])
    func readsEnvironments(value: ConstValue, name: String?, baseURL: String?) {
        let (reader, type) = reader(of: .sample("environment", Self.environment, value))
        let origin: CatalogueOrigin = name == nil && baseURL == nil ? .computed : .declared
        #expect(
            reader.environment(of: type) == CatalogueEnvironment(name: name, baseURL: baseURL, origin: origin)
        )
    }

    @Test(arguments: [
        (ConstValue.nilLiteral, "none" as String?),
        (.call(type: "Hikyaku.RequestBody", name: "json", arguments: []), "json"),
        (.call(type: "Hikyaku.RequestBody", name: "makeBody", arguments: []), nil),
        (.call(type: "Hikyaku.RequestBody", name: nil, arguments: []), nil),
        (.runtime, nil),
    ])
    func readsBodies(value: ConstValue, kind: String?) {
        let (reader, type) = reader(of: .sample("body", "Swift.Optional<Hikyaku.RequestBody>", value))
        #expect(reader.body(of: type) == CatalogueValue(value: kind, origin: kind == nil ? .computed : .declared))
    }

    @Test(arguments: [
        (ConstValue.dictionary([]), [], true, CatalogueOrigin.declared),
        (.dictionary([.init(key: .literal("a"), value: .runtime)]), ["a"], true, .declared),
        (
            .dictionary([.init(key: .literal("a"), value: .nilLiteral), .init(key: .runtime, value: .runtime)]),
            ["a"], false, .declared,
        ),
        (.literal("a"), [], false, .computed),
        (.runtime, [], false, .computed),
    ])
    func readsKeys(value: ConstValue, keys: [String], isComplete: Bool, origin: CatalogueOrigin) {
        let (reader, type) = reader(of: .sample("parameters", "Hikyaku.RequestQuery", value))
        let expected = CatalogueKeys(keys: keys, isComplete: isComplete, origin: origin)
        #expect(reader.keys(.parameters, of: type) == expected)
    }

    @Test
    func knowsTheLibrarysDefaults() {
        let (reader, type) = reader(of: nil)
        #expect(reader.method(of: type) == CatalogueValue(value: "GET", origin: .default))
        #expect(reader.body(of: type) == CatalogueValue(value: "none", origin: .default))
        #expect(reader.keys(.query, of: type) == CatalogueKeys(keys: [], isComplete: true, origin: .default))
        // These two have none.
        #expect(reader.path(of: type) == CatalogueValue(value: nil, origin: .computed))
        #expect(
            reader.environment(of: type) == CatalogueEnvironment(name: nil, baseURL: nil, origin: .computed)
        )
    }

    @Test
    func recognizesStoredValues() {
        let path = ConstProperty.sample("path", "Hikyaku.RequestPath", .runtime, isComputed: false)
        let (reader, type) = reader(of: path)
        #expect(reader.path(of: type) == CatalogueValue(value: nil, origin: .stored))
        let query = ConstProperty.sample("query", "Hikyaku.RequestQuery", .runtime, isComputed: false)
        let (other, otherType) = self.reader(of: query)
        #expect(other.keys(.query, of: otherType) == CatalogueKeys(keys: [], isComplete: false, origin: .stored))
    }
}
