import Testing

@testable import HikyakuCommand

/// Functions of requests that nothing calls, and bodies of GET.
struct IgnoredFunctionTests {
    private func fit(_ name: String, _ declaration: String) throws -> RequestFunction.Fit {
        try #require(RequestFunction.all.first { $0.name == name }).fit(declaration)
    }

    @Test(arguments: [
        ("prepare(_:)", "func prepare(_ request: HTTPRequest)"),
        ("prepare(_:)", "func prepare(_ request: URLRequest) throws"),
        ("prepare(_:)", "func prepare(_ request: inout HTTPRequest) async throws"),
        ("prepare(_:)", "func prepare(_ request: inout HTTPRequest) -> HTTPRequest"),
        ("prepare(_:)", "mutating func prepare(_ request: inout HTTPRequest)"),
        ("accepts(_:)", "func accepts(_ status: HTTPStatus) throws -> Bool"),
        ("accepts(_:)", "func accepts(_ status: HTTPStatus) async -> Bool"),
        ("accepts(_:)", "func accepts(_ status: inout HTTPStatus) -> Bool"),
        ("failure(in:)", "func failure(in response: BufferedResponse) throws -> ShopError?"),
        ("failure(in:)", "func failure(in response: BufferedResponse) async -> ShopError?"),
        ("failure(in:)", "func failure(in response: BufferedResponse) throws(ShopError) -> ShopError?"),
        ("response(from:)", "func response(from data: Data) throws -> [Dish]"),
        ("response(from:)", "func response(from response: HTTPResponse) async throws -> (Int) throws -> Int"),
        ("response(from:)", "func response(from data: [Data]) -> Int"),
        ("response(from:)", "func response(from read: @escaping (Int) -> Data) -> Int"),
        ("fallback(for:)", "func fallback(for error: APIError<ShopError>) throws -> [Dish]?"),
        ("fallback(for:)", "func fallback(for error: APIError<ShopError>) async -> [Dish]?"),
    ])
    func anotherDeclarationIsIgnored(name: String, declaration: String) throws {
        #expect(try fit(name, declaration) == .ignored)
    }

    @Test(arguments: [
        ("prepare(_:)", "func prepare(_ request: inout HTTPRequest)"),
        ("prepare(_:)", "nonisolated func prepare(_ request: inout HikyakuHTTP.HTTPRequest) throws -> Void"),
        ("prepare(_:)", "func prepare(_ request: inout HTTPRequest) throws(ShopError) -> ()"),
        ("accepts(_:)", "func accepts(_ status: HTTPStatus) -> Bool"),
        ("accepts(_:)", "func accepts(_ status: borrowing HTTPStatus) throws(Never) -> Bool"),
        ("failure(in:)", "func failure(in response: BufferedResponse) -> Optional<ShopError>"),
        ("response(from:)", "func response(from response: BufferedResponse) throws -> () throws -> Int"),
        ("response(from:)", "func response(from response: BufferedResponse) async -> [Dish]"),
        ("fallback(for:)", "func fallback(for error: APIError<Failure>) -> [Dish]?"),
    ])
    func theRequirementsDeclarationIsRight(name: String, declaration: String) throws {
        #expect(try fit(name, declaration) == .right)
    }

    /// What may be meant for something else, or may fit for some types.
    @Test(arguments: [
        ("prepare(_:)", "func prepare(_ dish: Dish) -> Data"), ("prepare(_:)", "func prepare(_ count: inout Int)"),
        ("response(from:)", "func response<Body>(from body: Body) -> Int where Body : Decodable"),
        ("response(from:)", "func response(from body: some Decodable) -> Int"), ("accepts(_:)", ""),
        ("accepts(_:)", "func accepts(_ status: Status) -> Bool"),
        ("fallback(for:)", "func fallback(for error: ShopFailure) -> [Dish]?"),
        ("accepts(_:)", "func accepts("), ("accepts(_:)", "var accepts: (HTTPStatus) -> Bool"),
    ])
    func whatIsNotCertainIsLeftAlone(name: String, declaration: String) throws {
        #expect(try fit(name, declaration) == .unclear)
    }

    @Test
    func everyRequirementsOwnDeclarationIsRight() {
        for function in RequestFunction.all { #expect(function.fit(function.declaration) == .right) }
    }

    // MARK: Requests

    private static let wrong = "func response(from data: Data) throws -> Int"
    private static let right = "func response(from response: BufferedResponse) throws -> Int"

    @Test
    func requestsAndExtensionsOfTheirProtocolsAreLookedThrough() {
        let members: [SymbolGraph.Symbol] = [
            .member("method", "response(from:)", Self.wrong),
            .member("method", "response(to:)", Self.wrong, line: 8),
            .member(
                "method",
                "prepare(_:)",
                "func prepare(_ request: HTTPRequest)",
                of: "Request",
                line: 3,
                extending: "App",
            ),
        ]
        #expect(
            warnings(members) == [
                "App.swift:3: warning: function prepare(_:) in Shop.Request is ignored by APIRequest: "
                    + "write func prepare(_ request: inout HTTPRequest) throws",
                "App.swift:7: warning: function response(from:) in Shop.Items is ignored by APIRequest: "
                    + "write func response(from response: BufferedResponse) async throws -> Response",
            ]
        )
        #expect(warnings(members, sources: ["/shop/Other.swift": "App"]).isEmpty)
    }

    @Test(arguments: [
        SymbolGraph.Symbol.member("method", "response(from:)", right, line: 8),
        .member("method", "response(streaming:context:)", "func response(streaming: HTTPResponse)"),
        .member("method", "response(from:)", wrong, of: "Request"),
    ])
    func aFunctionThatAnotherOneMayCallIsLeftAlone(other: SymbolGraph.Symbol) {
        let function = SymbolGraph.Symbol.member("method", "response(from:)", Self.wrong)
        #expect(warnings([function]).count == 1)
        #expect(warnings([function, other]).isEmpty)
    }

    // MARK: Bodies

    private static let body = ConstValue.call(type: "Hikyaku.RequestBody", name: "json", arguments: [])

    private static func method(_ name: String, isComputed: Bool = true) -> ConstProperty {
        .sample(
            "method",
            "HikyakuHTTP.HTTPMethod",
            .member(type: "HikyakuHTTP.HTTPMethod", name: name),
            isComputed: isComputed,
        )
    }

    private static func body(_ value: ConstValue, isComputed: Bool = true) -> ConstProperty {
        .sample("body", "Swift.Optional<Hikyaku.RequestBody>", value, isComputed: isComputed)
    }

    @Test
    func aBodyOfGetIsReported() {
        let start = "App.swift:1: warning: property body in Shop.Items is sent by GET, and GET has no body: did you"
        #expect(warnings([], properties: [Self.body(Self.body)]) == ["\(start) forget method?"])
        #expect(
            warnings([], properties: [Self.body(Self.body), Self.method("get")]) == ["\(start) mean another method?"]
        )
    }

    /// Both facts must be known, of each instance.
    @Test(arguments: [
        [body(body), method("post")], [body(.nilLiteral)], [body(.runtime)], [body(body, isComputed: false)], [],
        [body(body), .sample("method", "HikyakuHTTP.HTTPMethod", .runtime)],
        [body(body), method("get", isComputed: false)],
    ])
    func noOtherBodyIs(properties: [ConstProperty]) {
        #expect(warnings([], properties: properties).isEmpty)
    }
}
