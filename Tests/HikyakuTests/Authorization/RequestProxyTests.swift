import Foundation
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A request that says something of its own wherever it can.
private struct Particular: APIRequest {
    typealias Definition = TextResponse
    typealias Access = Authorized
    typealias Failure = ShopError
    var environment: APIEnvironment { .shop }
    var method: HTTPMethod { .put }
    var path: RequestPath { "/particular" }
    var query: RequestQuery { ["q": 1] }
    var parameters: RequestQuery { ["p": 2] }
    var headers: HTTPHeaders { ["X-Inner": "inner", "X-Both": "inner"] }
    var decoder: any ResponseDecoder { Marked() }
    var encoder: any RequestEncoder { JSONEncoder() }
    var timeouts: TransportTimeouts? { TransportTimeouts(firstByte: .seconds(7)) }
    var timeout: Duration? { .seconds(170) }
    var diagnosisDetail: DiagnosisDetail { .values }
    var redirectPolicy: RedirectPolicy? { .never }
    var requiredScopes: Set<String> { ["s"] }
    var sharesExchange: Bool { true }
    var isIdempotent: Bool { false }
    var idempotencyKey: IdempotencyKey { IdempotencyKey("k") }
    var limitGroup: LimitGroup { "g" }
    func prepare(_ request: inout HTTPRequest) throws { request.headers["X-Prepared"] = "yes" }
    func accepts(_ status: HTTPStatus) -> Bool { status == 299 }
    func fallback(for error: APIError<ShopError>) -> String? { error.reason == .other ? "for other" : nil }
    func failure(in response: BufferedResponse) -> ShopError? {
        response.status == 298 ? ShopError(message: "298") : nil
    }
    func response(from response: BufferedResponse) async throws -> String {
        "read by \(type(of: response.decoder))"
    }
}

private struct Marked: ResponseDecoder {
    func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try JSONDecoder().decode(type, from: data)
    }
}

private struct OtherDecoder: ResponseDecoder {
    func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        try JSONDecoder().decode(type, from: data)
    }
}

private struct Plain<Base: APIRequest>: RequestProxy {
    var request: Base
}

private struct Tagged<Base: APIRequest>: RequestProxy {
    var request: Base
    var tag: String
    var headers: HTTPHeaders { request.headers.replacing(with: ["X-Both": tag, "X-Tag": tag]) }
}

@Suite struct RequestProxyTests {
    private let transport = MockTransport { _ in HTTPResponse(status: 299, body: HTTPBody(Data("t".utf8))) }
    private var client: APIClient<Authorized> {
        APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop)
    }

    @Test func everythingIsForwarded() async throws {
        let (inner, proxy) = (Particular(), Plain(request: Plain(request: Particular())))
        #expect(proxy.environment == inner.environment && proxy.method == inner.method)
        #expect(proxy.timeout == inner.timeout && proxy.requiredScopes == inner.requiredScopes)
        #expect(proxy.requiresAuthorization && proxy.accepts(299) && !proxy.accepts(200))
        #expect(proxy.decoder is Marked && proxy.encoder is JSONEncoder)
        #expect(proxy.diagnosisDetail == .values && proxy.redirectPolicy != nil)
        #expect(!proxy.isIdempotent && proxy.idempotencyKey == IdempotencyKey("k") && proxy.sharesExchange)
        #expect(proxy.limitGroup == "g")
        #expect(proxy.fallback(for: .other(CallFailure(.other))) == "for other")
        let (one, other) = (try inner.httpRequest(), try proxy.httpRequest())
        #expect(one.url == other.url && one.headers == other.headers && one.method == other.method)
        #expect(one.body?.bytes == other.body?.bytes && one.body != nil)
        #expect(other.headers["X-Prepared"] == "yes")
        #expect(try await client.send(proxy) == "read by Marked")
    }

    /// A choice that is added fails here until it is handed on, and until `Particular` makes it.
    @Test func theChoicesAreForwardedAsAWhole() {
        func described(_ choices: CallChoices) -> [(name: String?, value: String)] {
            Mirror(reflecting: choices).children.map { ($0.label, String(reflecting: $0.value)) }
        }
        let inner = described(CallChoices(of: Particular()))
        let outer = described(CallChoices(of: Plain(request: Plain(request: Particular()))))
        let defaults = described(CallChoices(of: AnyRequest()))
        #expect(inner.count == 11 && inner.map(\.name) == outer.map(\.name))
        for (own, (forwarded, unsaid)) in zip(inner, zip(outer, defaults)) {
            #expect(own.value == forwarded.value, "a proxy doesn't forward \(own.name ?? "")")
            #expect(own.value != unsaid.value, "the test's request says nothing of \(own.name ?? "")")
        }
    }

    /// A requirement that a proxy doesn't forward would have its default implementation.
    @Test func everyRequirementIsForwarded() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Client/Hikyaku")
        let (requests, proxies) = ("Request/APIRequest.swift", "Request/RequestProxy.swift")
        let request = try String(contentsOf: root.appending(path: requests), encoding: .utf8)
        let proxy = try String(contentsOf: root.appending(path: proxies), encoding: .utf8)
        let start = try #require(request.range(of: "public protocol APIRequest"))
        let end = try #require(request.range(of: "\n}\n", range: start.upperBound..<request.endIndex))
        let names = request[start.upperBound..<end.lowerBound].matches(of: /\n    (var|func) (\w+\(?\w*)/)
            .map { "public \($0.1) \($0.2)" }
        #expect(names.count == 25)
        for name in names { #expect(proxy.contains(name), "\(name) isn't handed on") }
    }

    private struct Insisting: APIRequest {
        typealias Definition = EmptyResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
        var requiresAuthorization: Bool { true }
    }

    @Test func aRequestThatNeedsAuthorizationWithoutItsTypeSayingSoNeedsItInAProxyToo() async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(Plain(request: Insisting()))
        }
        #expect(error.reason == .missingToken)
        #expect(transport.requests.isEmpty)
    }

    @Test func failuresAreTheInnerRequestsToo() async throws {
        transport.enqueue(HTTPResponse(status: 298))
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Plain(request: Particular()))
        }
        #expect(error.service(as: ShopError.self)?.message == "298")
        #expect(error.context.requestType.hasSuffix("Particular"), "\(error.context.requestType)")
    }

    @Test func aProxyWritesOnlyWhatItChanges() async throws {
        let nested = Tagged(request: Tagged(request: Particular(), tag: "inner"), tag: "outer")
        _ = try await client.send(nested)
        let sent = try #require(transport.requests.first)
        #expect(sent.headers["X-Inner"] == "inner" && sent.headers["X-Both"] == "outer")
        #expect(sent.headers["X-Tag"] == "outer" && sent.headers["X-Prepared"] == "yes")
        #expect(sent.headers["X-Shop"] == "main")
    }

    private struct Redecoded<Base: APIRequest>: RequestProxy {
        var request: Base
        var decoder: any ResponseDecoder { OtherDecoder() }
    }

    @Test func theOutermostDecoderReads() async throws {
        #expect(try await client.send(Redecoded(request: Particular())) == "read by OtherDecoder")
        #expect(try await client.send(Plain(request: Redecoded(request: Particular()))) == "read by OtherDecoder")
    }

    private struct Fixed: ResponseDecoder {
        let number: Int

        func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
            try #require(number as? Model)
        }
    }

    private struct Numbered: APIRequest {
        typealias Response = Int
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/number" }
        var decoder: any ResponseDecoder { Fixed(number: 1) }
    }

    private struct Renumbered<Base: APIRequest>: RequestProxy {
        var request: Base
        var decoder: any ResponseDecoder { Fixed(number: 2) }
    }

    @Test func theOutermostDecoderReadsWhatIsReadByDefault() async throws {
        #expect(try await client.send(Plain(request: Numbered())) == 1)
        #expect(try await client.send(Renumbered(request: Numbered())) == 2)
        #expect(try await client.send(Renumbered(request: Plain(request: Numbered()))) == 2)
        #expect(try await client.send(Plain(request: Renumbered(request: Numbered()))) == 2)
    }

    private struct Counted<Base: APIRequest>: RequestProxy {
        typealias Response = Int
        typealias Definition = ByteCount
        var request: Base
    }

    private enum ByteCount: ResponseDefinition {
        static func read(_ response: BufferedResponse) -> Int { response.body.count }
    }

    private struct Unauthorized<Base: APIRequest>: RequestProxy {
        typealias Access = Public
        var request: Base
    }

    @Test func aProxyMayChangeResponseAndAccess() async throws {
        #expect(try await client.send(Counted(request: Particular())) == 1)
        #expect(try await APIClient(transport: transport).send(Unauthorized(request: Particular())) == "read by Marked")
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t", nil])
    }

    @Test func aStubOfTheInnerRequestAnswers() async throws {
        let stubbed = client.stubbing(Particular.self) { _ in "inner" }
        #expect(try await stubbed.send(Plain(request: Tagged(request: Particular(), tag: ""))) == "inner")
        let both = stubbed.stubbing(Plain<Particular>.self) { _ in "outer" }
        #expect(try await both.send(Plain(request: Particular())) == "outer")
        #expect(try await both.send(Counted(request: Particular())) == 1, "a text is not a number")
        #expect(transport.requests.count == 1)
    }

    @Test func aTokenOfItsOwnIsSentByAnyClient() async throws {
        let request = try Particular().authorized(by: AccessToken("mine"))
        _ = try await APIClient(transport: transport).send(Tagged(request: request, tag: "x"))
        _ = try await client.send(request)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer mine", "Bearer mine"])
        #expect(transport.requests.allSatisfy { $0.headers["X-Inner"] == "inner" && $0.headers["X-Prepared"] == "yes" })
        #expect(try request.curlCommand().contains("mine") == false)
    }

    @Test func aTokenOfItsOwnIsRejectedBeforeTheWire() async throws {
        #expect(throws: TokenError.missing) { try Particular().authorized(by: AccessToken(nil as String?)) }
        #expect(throws: TokenError.missingScopes(["s"])) {
            try Particular().authorized(by: AccessToken("t", scopes: ["other"]))
        }
        let request = try Particular().authorized(by: AccessToken("mine"))
        let staging: APIEnvironment = "https://staging.example"
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.substituting(staging, for: .shop).send(request)
        }
        #expect(error.reason == .otherOrigin && error.context.attempt == 0)
        let fit = try Particular().authorized(by: AccessToken("staged"), for: staging)
        _ = try await client.substituting(staging, for: .shop).send(fit)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer staged"])
    }

    @Test func aTokenOfItsOwnDoesNotFollowAMiddlewareElsewhere() async throws {
        struct Diverting: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var request = request
                request.url = try #require(URL(string: "https://evil.example/"))
                return try await next(request)
            }
        }
        let request = try Particular().authorized(by: AccessToken("mine"))
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await APIClient(transport: transport, middleware: [Diverting()]).send(request)
        }
        #expect(error.reason == .otherOrigin)
        #expect(transport.requests.isEmpty)
    }

    /// Makes the request anew, with the fields that it had.
    private struct Rebuilding: HTTPMiddleware {
        let url: URL
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            try await next(HTTPRequest(method: request.method, url: url, headers: request.headers))
        }
    }

    @Test func aTokenOfItsOwnDoesNotFollowARequestThatIsMadeAnew() async throws {
        let evil = try #require(URL(string: "https://evil.example/"))
        let request = Tagged(request: try Particular().authorized(by: AccessToken("mine")), tag: "x")
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await APIClient(transport: transport, middleware: [Rebuilding(url: evil)]).send(request)
        }
        #expect(error.reason == .otherOrigin && transport.requests.isEmpty)
        let home = try #require(URL(string: "https://shop.example/elsewhere"))
        _ = try await APIClient(transport: transport, middleware: [Rebuilding(url: home)]).send(request)
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer mine"])
    }

    @Test func aTokenPreparedForALowerLevelIsRejected() async throws {
        let emptyHanded = try AccessToken("t").ready(for: Shop.Dishes())
        let unscoped = try AccessToken("t", scopes: ["other"]).ready(for: Shop.AddDish(dish: .sample))
        for (token, reason) in [(emptyHanded, .missingToken), (unscoped, .missingScopes)]
            as [(AccessToken<Ready>, FailureReason)]
        {
            let error = try await failure { () async throws(APIError<ShopError>) in
                try await client.send(AuthorizedRequestProxy(request: Particular(), token: token))
            }
            #expect(error.reason == reason)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func aFieldThatTheInnerRequestSetIsKept() async throws {
        struct Own: APIRequest {
            typealias Definition = EmptyResponse
            typealias Access = Authorized
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/own" }
            var headers: HTTPHeaders { .secret(.authorization, "Own 1") }
            func accepts(_ status: HTTPStatus) -> Bool { true }
        }
        try await client.send(Own())
        try await client.send(Own().authorized(by: AccessToken("mine")))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Own 1", "Own 1"])
    }
}
