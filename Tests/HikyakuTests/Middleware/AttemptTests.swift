import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// Where two wait for each other, time and again.
private actor Meeting {
    private var waiting: CheckedContinuation<Void, Never>?

    func come() async {
        if let other = waiting {
            waiting = nil
            other.resume()
        } else {
            await withCheckedContinuation { waiting = $0 }
        }
    }
}

/// Attempts of one call that run side by side.
@Suite struct AttemptTests {
    /// Sends the request to two paths at once, and returns or throws what comes of the chosen one when both are over.
    private struct SideBySide: HTTPMiddleware {
        let chosen: Int

        func intercept(
            _ request: HTTPRequest,
            context: RequestContext,
            next: MiddlewareNext,
        ) async throws -> HTTPResponse {
            let outcomes = await withTaskGroup(of: (Int, Result<HTTPResponse, any Error>).self) { group in
                for number in 0..<2 {
                    var request = request
                    request.url.append(path: "\(number)")
                    group.addTask { [request] in
                        do { return (number, .success(try await next(request))) } catch {
                            return (number, .failure(error))
                        }
                    }
                }
                return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            return try #require(outcomes[chosen]).get()
        }
    }

    /// Leads `/p/0` over two hops and `/p/1` over one to another site, each hop only when both have got as far.
    private func transport() -> MockTransport {
        let meeting = Meeting()
        return MockTransport { request in
            let path = request.url.path()
            if path != "/r/0" { await meeting.come() }
            switch path {
            case "/p/0": return HTTPResponse(status: 302, headers: [.location: "/q/0"])
            case "/q/0": return HTTPResponse(status: 302, headers: [.location: "/r/0"])
            case "/p/1": return HTTPResponse(status: 302, headers: [.location: "https://b.example/q/1"])
            default: return HTTPResponse(status: .ok, body: HTTPBody(path))
            }
        }
    }

    @Test(arguments: [0, 1])
    func attemptsSideBySideHaveChainsOfTheirOwn(chosen: Int) async throws {
        let transport = transport()
        let store = MemoryCookieStore([
            Cookie(name: "strict", value: "1", domain: "a.example", sameSite: .strict),
            Cookie(name: "strict", value: "1", domain: "b.example", sameSite: .strict),
        ])
        let options = ClientOptions(cookies: store)
        let client = APIClient(transport: transport, middleware: [SideBySide(chosen: chosen)], options: options)
        let response = try await client.bind(AnyRequest()).response()
        let expected = [["/p/0", "/q/0"], ["/p/1"]]
        #expect(response.redirects.map { $0.from.path() } == expected[chosen])
        #expect(String(decoding: response.value, as: UTF8.self) == ["/r/0", "/q/1"][chosen])
        // The way of the one attempt is not another site to the other.
        let cookies = transport.requests.map { "\($0.url.path()) \($0.headers[.cookie] ?? "none")" }
        #expect(
            cookies.sorted() == ["/p/0 strict=1", "/p/1 strict=1", "/q/0 strict=1", "/q/1 none", "/r/0 strict=1"]
        )
    }

    /// Reads the call's context when it goes, as code of anybody's may.
    private final class Curious: Sendable {
        let context: RequestContext

        init(_ context: RequestContext) {
            self.context = context
        }

        deinit {
            _ = context.attempt
        }
    }

    private struct CuriousPieces: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let curious: Curious

        func next() async throws -> Data? { nil }

        func makeAsyncIterator() -> CuriousPieces { self }
    }

    @Test(.timeLimit(.minutes(10))) func anAttemptThatIsNotKeptAnyMoreGoesOutsideOfTheLock() async throws {
        struct Insistent: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                for _ in 0..<40 {
                    var request = request
                    request.body = HTTPBody(CuriousPieces(curious: Curious(context)), isReplayable: true)
                    _ = try await next(request)
                }
                return try await next(request)
            }
        }
        struct Answering: HTTPTransport {
            func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse { .json("[]") }
        }
        let client = APIClient(transport: Answering(), middleware: [Insistent()])
        _ = try await client.send(AnyRequest(method: .post))
    }

    @Test func theAttemptsOfAPatientStepAreNotAllKept() async throws {
        struct Patient: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                for _ in 0..<99 { _ = try await next(request) }
                return try await next(request)
            }
        }
        let transport = RedirectTests.transport(["https://a.example/p": (302, "/q")])
        let response = try await APIClient(transport: transport, middleware: [Patient()]).bind(AnyRequest()).response()
        #expect(response.redirects.count == 1)
        #expect(transport.requests.count == 200)
    }
}
