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

    // MARK: Names

    @Test(arguments: [
        ("accept(_:)", "func accept(_ status: HTTPStatus) -> Bool", "accepts(_:)"),
        ("acepts(_:)", "func acepts(_ status: HikyakuHTTP.HTTPStatus) -> Bool", "accepts(_:)"),
        ("Accepts(_:)", "func Accepts(_ status: HTTPStatus) -> Bool", "accepts(_:)"),
        ("accepts(status:)", "func accepts(status: HTTPStatus) -> Bool", "accepts(_:)"),
        ("failures(in:)", "func failures(in response: BufferedResponse) -> ShopError?", "failure(in:)"),
        ("failure(from:)", "func failure(from response: BufferedResponse) -> ShopError?", "failure(in:)"),
        ("failure(for:)", "func failure(for response: BufferedResponse) throws -> ShopError?", "failure(in:)"),
        ("failure(_:)", "func failure(_ response: BufferedResponse) -> ShopError?", "failure(in:)"),
        ("fallBack(for:)", "func fallBack(for error: APIError<ShopError>) -> [Dish]?", "fallback(for:)"),
        ("fallback(from:)", "func fallback(from error: APIError<Failure>) -> [Dish]?", "fallback(for:)"),
        ("preparing(_:)", "func preparing(_ request: inout HTTPRequest)", "prepare(_:)"),
        ("prepare(request:)", "func prepare(request: inout HTTPRequest) throws", "prepare(_:)"),
        ("response(in:)", "func response(in response: BufferedResponse) async throws -> [Dish]", "response(from:)"),
        ("respons(from:)", "func respons(from response: BufferedResponse) -> [Dish]", "response(from:)"),
    ])
    func nearlyRightFunctionsAreFound(name: String, declaration: String, meant: String) {
        #expect(RequestFunction.meant(by: name, declaration)?.name == meant)
    }

    /// Of another type, of several values, or with a name of its own.
    @Test(arguments: [
        ("accept(_:)", "func accept(_ offer: Offer) -> Bool"),
        ("isAccepted(_:)", "func isAccepted(_ status: HTTPStatus) -> Bool"),
        ("describes(_:)", "func describes(_ status: HTTPStatus) -> String"),
        ("failure(for:)", "func failure(for code: Int) -> ShopError?"),
        ("failure(for:)", "func failure(for responses: [BufferedResponse]) -> ShopError?"),
        ("failure(in:at:)", "func failure(in response: BufferedResponse, at index: Int) -> ShopError?"),
        ("message(in:)", "func message(in response: BufferedResponse) -> String"),
        ("dishes(from:)", "func dishes(from response: BufferedResponse) throws -> [Dish]"),
        ("prepare(request:)", "func prepare(request: HTTPRequest) -> HTTPRequest"),
        ("prepare(dish:)", "func prepare(dish: inout Dish)"), ("sign(_:)", "func sign(_ request: inout HTTPRequest)"),
        ("response(in:)", "func response<Body>(in body: Body) -> Int"), ("accept()", "func accept() -> Bool"),
        ("accepts(_:)", "func accepts(_ status: HTTPStatus) -> Bool"), ("", ""), ("accept(_:)", ""),
        ("failure(in:)", "func failure(in response: BufferedResponse) throws -> ShopError?"),
    ])
    func functionsOfTheTypesOwnAreNot(name: String, declaration: String) {
        #expect(RequestFunction.meant(by: name, declaration) == nil)
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

    private static let misspelled = SymbolGraph.Symbol.member(
        "method",
        "failure(from:)",
        "func failure(from response: BufferedResponse) -> ShopError?",
    )

    @Test
    func aMisspelledFunctionIsReported() {
        let end = "is ignored by APIRequest: write func failure(in response: BufferedResponse) -> Failure?"
        #expect(warnings([Self.misspelled]) == ["App.swift:7: warning: function failure(from:) in Shop.Items \(end)"])
        let member = SymbolGraph.Symbol.member(
            "method",
            "acepts(_:)",
            "func acepts(_ status: HTTPStatus) -> Bool",
            of: "Request",
            extending: "App",
        )
        #expect(
            warnings([member]) == [
                "App.swift:7: warning: function acepts(_:) in Shop.Request is ignored by APIRequest: "
                    + "write func accepts(_ status: HTTPStatus) -> Bool"
            ]
        )
        #expect(warnings([Self.misspelled], sources: ["/shop/Other.swift": "App"]).isEmpty)
    }

    /// The right function may call it, and another protocol may require it, even one that has nothing to do with
    /// requests.
    @Test
    func aSimilarFunctionThatIsUsedIsLeftAlone() {
        let right = SymbolGraph.Symbol.member(
            "method",
            "failure(in:)",
            "func failure(in response: BufferedResponse) -> ShopError?",
        )
        #expect(warnings([Self.misspelled, right]).isEmpty)
        let failing: [SymbolGraph.Symbol] = [
            .type("s:App.Failing", "Shop", "Failing", kind: "protocol"),
            .member("method", "failure(from:)", of: "Failing"),
        ]
        #expect(warnings([Self.misspelled] + failing).count == 1)
        #expect(warnings([Self.misspelled] + failing, relationships: [("s:App.Items", "s:App.Failing")]).isEmpty)
        let required = SymbolGraph.Symbol.member("method", "failure(from:)", of: "Request", line: 8)
        #expect(warnings([Self.misspelled, required]).isEmpty)
    }

    @Test(arguments: [
        ("App", "        if let error = failure(from: response) { throw error }", 0),
        ("Other", "        if let error = request.failure(from: response) { throw error }", 0),
        ("Other", "        if let error = failure(from: response) { throw error }", 0),
        ("Other", "        let error = failure(", 0), ("App", "        responses.compactMap(failure)", 0),
        ("App", "        print(failure)", 1), ("App", "        case .failure(let error): throw error", 1),
        ("App", "        // failure(from: response)", 1),
        ("App", "        let failure = myFailure(from: response)", 1),
        ("App", "        try response.failure(for: 1)", 1),
    ])
    func aSimilarFunctionThatIsCalledIsLeftAlone(file: String, call: String, count: Int) {
        let declaration = "    func failure(from response: BufferedResponse) -> ShopError? { nil }"
        let sources = ["/shop/App.swift": "App", "/shop/Other.swift": "App"]
        var texts = ["/shop/App.swift": declaration]
        texts["/shop/\(file).swift", default: ""] += "\n" + call
        #expect(warnings([Self.misspelled], sources: sources, texts: texts).count == count)
    }

    @Test(arguments: [
        ("statuses.filter(accept)", 0), ("statuses.filter(self.accept)", 0), ("let check = accept", 0),
        ("return accept", 0), ("[accept]", 0), ("ok ? accept : reject", 0), ("accept(status) ? 1 : 2", 0),
        ("check(accept, status)", 0),
        ("fields.add(.accept)", 1), ("[.accept: \"text/html\"]", 1),
    ])
    func aFunctionWithoutALabelMayBePassedOn(use: String, count: Int) {
        let text = "    func accept(_ status: HTTPStatus) -> Bool { true }\n    var other: Int { \(use) }"
        let function = SymbolGraph.Symbol.member("method", "accept(_:)", "func accept(_ status: HTTPStatus) -> Bool")
        #expect(warnings([function], texts: ["/shop/App.swift": text]).count == count)
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
