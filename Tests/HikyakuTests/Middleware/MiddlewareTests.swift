import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

private enum Trail: RequestContextKey {
    static let defaultValue: [String] = []
}

private struct Mark: HTTPMiddleware {
    let name: String

    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        context[Trail.self].append("in \(name)")
        var response = try await next(request)
        context[Trail.self].append("out \(name)")
        response.headers["Trail"] = context[Trail.self].joined(separator: ", ")
        return response
    }
}

private struct Twice: HTTPMiddleware {
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        let first = try await next(request)
        return first.status.isServerError ? try await next(request) : first
    }
}

private struct Answering: HTTPMiddleware {
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        .json("[]", status: 299)
    }
}

@Suite struct MiddlewareTests {
    @Test func stepsStandAroundEachOtherOutermostFirst() async throws {
        let transport = MockTransport { _ in .json("[]") }
        let client = APIClient(transport: transport, middleware: [Mark(name: "a"), Mark(name: "b")])
        let response = try await client.bind(Shop.Dishes()).response()
        #expect(response.headers["Trail"] == "in a, in b, out b, out a")
    }

    @Test func aStepMaySendAgain() async throws {
        let transport = MockTransport()
        transport.enqueue(.json("", status: 500))
        transport.enqueue(.json("[]"))
        let client = APIClient(transport: transport, middleware: [Twice()])
        #expect(try await client.send(Shop.Dishes()).isEmpty)
        #expect(transport.requests.count == 2)
    }

    @Test func errorsCountTheAttemptsThatWereMade() async throws {
        let client = APIClient(
            transport: MockTransport { _ in .json("", status: 500) },
            middleware: [Twice()],
            options: ClientOptions(retryPolicy: .never),
        )
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.context.attempt == 2)
    }

    @Test func aStepMayAnswerByItself() async throws {
        let transport = MockTransport()
        let client = APIClient(transport: transport, middleware: [Answering()])
        let response = try await client.bind(Shop.Dishes()).response()
        #expect(response.status == 299)
        #expect(response.source == .middleware)
        #expect(transport.requests.isEmpty)
    }

    @Test func aStepIsTestedByItself() async throws {
        let next = MiddlewareNext { request in
            HTTPResponse(status: 200, headers: ["Requested": request.url.absoluteString])
        }
        let url = try #require(URL(string: "https://a.example/x"))
        let response = try await Mark(name: "a").intercept(
            HTTPRequest(url: url),
            context: RequestContext(),
            next: next,
        )
        #expect(response.headers["Requested"] == "https://a.example/x")
        #expect(response.headers["Trail"] == "in a, out a")
    }

    @Test func theContextShowsWhichCallItIs() async throws {
        let seen = Lock<(String, String, Bool)?>(nil)
        struct Looking: HTTPMiddleware {
            let seen: Lock<(String, String, Bool)?>
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                seen.withLock {
                    $0 = ("\(context.requestType)", context.environment.baseURL, context.requiresAuthorization)
                }
                return try await next(request)
            }
        }
        let client = APIClient(
            transport: MockTransport { _ in .json("[]") },
            middleware: [Looking(seen: seen)],
        )
        _ = try await client.send(Shop.Dishes())
        let call = try #require(seen.withLock { $0 })
        #expect(call == ("Dishes", "https://shop.example/v1", false))
    }

    private enum Limit: RequestContextKey {
        static var defaultValue: Int? { 5 }
    }

    private final class Leaver: Sendable {
        let context: RequestContext
        init(_ context: RequestContext) { self.context = context }
        deinit { context[Trail.self].append("gone") }
    }

    private enum Left: RequestContextKey {
        static var defaultValue: Leaver? { nil }
    }

    @Test func aNoteThatWasNotLeftHasItsDefault() {
        let context = RequestContext()
        #expect(context[Limit.self] == 5)
        context[Limit.self] = nil
        #expect(context[Limit.self] == nil)
    }

    @Test func aNoteMayUseTheContextWhenItGoes() {
        let context = RequestContext()
        context[Left.self] = Leaver(context)
        context[Left.self] = nil
        #expect(context[Trail.self] == ["gone"])
    }

    @Test func aStepMaySendSeveralTimesAtOnce() async throws {
        struct Hedging: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                async let first = next(request)
                async let second = next(request)
                _ = try await first
                return try await second
            }
        }
        let transport = MockTransport { _ in .json("[]") }
        _ = try await APIClient(transport: transport, middleware: [Hedging()]).send(Shop.Dishes())
        #expect(transport.requests.count == 2)
    }

    /// Says whether the main actor could do something else meanwhile.
    private struct Watching: APIRequest {
        typealias Response = Bool
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }

        func response(from response: BufferedResponse) throws -> Bool {
            let isFree = DispatchSemaphore(value: 0)
            Task { @MainActor in isFree.signal() }
            return isFree.wait(timeout: .now() + 5) == .success
        }
    }

    @MainActor @Test func readingNeverRunsOnTheCallersActor() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("1") })
        #expect(try await client.send(Watching()))
    }

    private struct Device: HTTPMiddleware, RequestSigner {
        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            var request = request
            request.headers["Device"] = "till-3"
            return try await next(request)
        }

        func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
            request.headers["Signature"] = "s"
        }
    }

    /// Notes the names of the fields of requests that need no further check.
    private final class Checking: HTTPTransport {
        let checked = Lock<[Set<String>]>([])

        func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
            if request.isChecked { checked.withLock { $0.append(Set(request.headers.map(\.name.rawName))) } }
            return .json("[]")
        }
    }

    /// Checking takes longer than most of what a small call does besides.
    @Test func noTransportHasToCheckARequestAgain() async throws {
        let transport = Checking()
        let client = APIClient(transport: transport)
        _ = try await client.send(AnyRequest())
        _ = try await client.send(AnyRequest(method: .post, headers: ["Own": "o"], body: .text("text")))
        _ = try await APIClient(transport: transport, middleware: [Device()]).send(AnyRequest())
        try await client.authorized(by: .bearer("t0ken"), for: .shop).send(Shop.AddDish(dish: .sample))
        try await client.authorized(by: Device(), for: .shop).send(Shop.AddDish(dish: .sample))
        let cookies = MemoryCookieStore()
        try cookies.store(["a=b"], from: CookieScope(url: #require(URL(string: "https://a.example/"))))
        _ = try await APIClient(transport: transport, options: ClientOptions(cookies: cookies)).send(AnyRequest())
        let checked = transport.checked.withLock(\.self)
        let added = ["Accept", "Own", "Device", "Authorization", "Signature", "Cookie"]
        #expect(checked.count == added.count)
        for (names, name) in zip(checked, added) { #expect(names.contains(name), "\(name)") }
    }

    /// Notes where a response is read that is read by default.
    private struct Noting: APIRequest {
        struct Model: Decodable {
            let isOnMainActor: Bool
            init(from decoder: any Decoder) throws { isOnMainActor = Noting.isOnMainActor }
        }

        typealias Response = Model
        let note: @Sendable (Bool) -> Void
        private static let mark = DispatchSpecificKey<Bool>()
        static var isOnMainActor: Bool { DispatchQueue.getSpecific(key: mark) ?? false }
        static func markMainActor() { DispatchQueue.main.setSpecific(key: mark, value: true) }
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }

        func accepts(_ status: HTTPStatus) -> Bool {
            note(Self.isOnMainActor)
            return true
        }

        func failure(in response: BufferedResponse) -> ProblemDetails? {
            note(Self.isOnMainActor)
            return nil
        }
    }

    /// Calls of a type work in their caller's task from the second on.
    @MainActor @Test func readingByDefaultNeverRunsOnTheCallersActor() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("1") })
        let notes = Lock<[Bool]>([])
        let request = Noting { isOnMainActor in notes.withLock { $0.append(isOnMainActor) } }
        Noting.markMainActor()
        #expect(Noting.isOnMainActor)
        for _ in 0..<3 { #expect(try await !client.send(request).isOnMainActor) }
        #expect(notes.withLock { $0.count >= 6 && !$0.contains(true) })
    }
}
