import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Puts a credential into every place of a request, lets calls end in every way, and searches all that can be printed.
@Suite struct PlantedCredentialTests {
    private static let secret = "hunter2"

    private struct Guarded: APIRequest {
        struct Model: Decodable, Sendable { let id: Int }
        typealias Response = Model
        typealias Access = Authorized
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/guarded" }
    }

    private struct Signer: RequestSigner {
        func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
            request.headers.setSecret("X-Signature", secret)
        }
    }

    /// A way to be authorized: its name, and what it makes of a client.
    private struct Means: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let authorize: @Sendable (APIClient<Public>) -> APIClient<Authorized>

        init(_ name: String, _ provider: some TokenProvider) {
            testDescription = name
            authorize = { $0.authorized(by: provider, for: .shop) }
        }

        init(_ name: String, signer: some RequestSigner) {
            testDescription = name
            authorize = { $0.authorized(by: signer, for: .shop) }
        }
    }

    private static let issued = IssuedToken(
        token: Secret(secret),
        refreshToken: Secret(secret),
        idToken: Secret(secret),
    )

    private static let all: [Means] = [
        Means("bearer", .bearer(secret)),
        Means("basic", .basic(user: secret, password: secret)),
        Means("key in a field", .apiKey(secret, in: .header("X-Key"))),
        Means("key in the query", .apiKey(secret, in: .query("key"))),
        Means("key in a cookie", .apiKey(secret, in: .cookie("key"))),
        Means("scheme of its own", .apiKey(secret, in: .authorization(scheme: "Token"))),
        Means("closure", AskedToken { secret }),
        Means("provider of one's own", Open(token: secret)),
        Means("stored", .stored(in: MemoryTokenStore(issued))),
        Means("refreshed", RefreshingToken(store: MemoryTokenStore(issued)) { (_: IssuedToken) in issued }),
        Means("signed", signer: Signer()),
    ]

    private static let answers: [@Sendable (HTTPRequest) throws -> HTTPResponse] = [
        { _ in .json(#"{"id":1}"#) },
        { _ in HTTPResponse(status: 401, headers: ["WWW-Authenticate": "Bearer"]) },
        { request in .json(#"{"id":"\#(Self.carried(by: request))"}"#) },
        { request in
            let isHome = request.url.host() == "shop.example"
            return isHome
                ? HTTPResponse(status: 302, headers: [.location: "https://other.example/"]) : HTTPResponse(status: 500)
        },
        { _ in throw TransportError(.connectionReset, "broke off") },
    ]

    /// What is on the wire of the secret, also where it is encoded.
    private static func carried(by request: HTTPRequest) -> String {
        let fields = request.headers.map(\.value).joined(separator: " ") + (request.url.query() ?? "")
        return fields.contains(secret) || fields.contains(encoded) ? secret : ""
    }

    private static let encoded = Data("\(secret):\(secret)".utf8).base64EncodedString()

    private final class Hearing: EventObserver {
        let texts = Lock<[String]>([])
        func observe(_ event: TransportEvent) {
            let described = "\(event)"
            texts.withLock { $0.append(described) }
        }
    }

    /// Notes all that it can print.
    private final class Printing: HTTPMiddleware {
        let texts = Lock<[String]>([])

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            func note() {
                let texts = PlantedCredentialTests.texts(of: next) + PlantedCredentialTests.texts(of: context)
                self.texts.withLock { $0 += texts }
            }
            note()
            defer { note() }
            return try await next(request)
        }
    }

    /// A provider that hides nothing by itself.
    private struct Open: TokenProvider {
        let token: String
        func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { AccessToken(token) }
    }

    @Test(arguments: all, answers.indices)
    private func nothingThatIsPrintedShowsACredential(means: Means, answer: Int) async throws {
        let (log, hearing, printing) = (Lock(""), Hearing(), Printing())
        let transport = MockTransport { try Self.answers[answer]($0) }
        let client = means.authorize(APIClient(transport: transport, middleware: [printing]))
            .logging(.bodies) { text in log.withLock { $0 += text } }.observing(hearing)
        let bound = client.bind(Guarded())
        var texts: [String] = []
        do {
            texts += Self.texts(of: try await bound.response())
        } catch {
            texts += Self.texts(of: error) + Self.texts(of: error.context)
            texts += [error.localizedDescription, error.failureReason ?? "", error.recoverySuggestion ?? ""]
        }
        for request in transport.requests {
            texts += Self.texts(of: request) + Self.texts(of: request.headers) + [request.curlCommand()]
        }
        texts += [log.withLock(\.self)] + hearing.texts.withLock(\.self) + printing.texts.withLock(\.self)
        texts += Self.texts(of: client) + Self.texts(of: bound) + [try await bound.curlCommand()]
        for text in texts { #expect(!text.contains(Self.secret) && !text.contains(Self.encoded), "\(text)") }

        let carried = transport.requests.map { Self.carried(by: $0) }
        let isElsewhere = transport.requests.map { $0.url.host() != "shop.example" }
        #expect(carried.first == Self.secret, "the test has something to find")
        #expect(zip(carried, isElsewhere).allSatisfy { $0.isEmpty == $1 }, "and it is at home alone")
    }

    @Test func whatHoldsATokenHidesIt() throws {
        let ready = try AccessToken(Self.secret).ready(for: Guarded())
        let proxy = AuthorizedRequestProxy(request: Guarded(), token: ready)
        var texts = Self.texts(of: ready) + Self.texts(of: proxy) + Self.texts(of: Self.issued)
        texts += Self.texts(of: MemoryTokenStore(Self.issued)) + Self.texts(of: BearerToken(Self.secret))
        texts += Self.texts(of: BasicCredential(user: Self.secret, password: Self.secret))
        texts += Self.texts(of: APIKey(Self.secret, in: .query("key")))
        texts += Self.texts(of: RefreshingToken(store: MemoryTokenStore(Self.issued)) { (old: IssuedToken) in old })
        texts += Self.texts(of: try proxy.httpRequest()) + [try proxy.curlCommand()]
        for text in texts { #expect(!text.contains(Self.secret) && !text.contains(Self.encoded), "\(text)") }
        #expect(try proxy.curlCommand(revealingSecrets: true).contains("Bearer \(Self.secret)"))
    }

    private static func texts<Value>(of value: Value) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }
}
