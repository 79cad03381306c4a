import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import Testing

@Suite struct CookieStepTests {
    /// Two hosts that are one machine.
    private struct Hosts {
        let server: MockServer
        var home: String { server.baseURL }
        var other: String { "http://localhost:\(server.port)" }

        init() throws { server = try MockServer() }

        func cookies(_ path: String) -> [String] {
            server.requests.filter { $0.path == path }.map { $0.headers[.cookie] ?? "" }
        }
    }

    private func client(_ store: (any CookieStore)?) -> APIClient<Public> {
        APIClient(options: ClientOptions(retryPolicy: .never, cookies: store))
    }

    @Test func eachHopHasTheCookiesOfItsHost() async throws {
        let hosts = try Hosts()
        defer { hosts.server.stop() }
        let (home, other) = (hosts.home, hosts.other)
        hosts.server.route(.get, "/start") { _ in
            .status(302, headers: [.location: "/inside", .setCookie: "a=home", .setCookie: "b=two; Path=/inside"])
        }
        hosts.server.route(.get, "/inside") { _ in .status(302, headers: [.location: other + "/there"]) }
        hosts.server.route(.get, "/there") { _ in
            .status(
                302,
                headers: [.location: home + "/back", .setCookie: "a=there", .setCookie: "evil=1; Domain=127.0.0.1"],
            )
        }
        hosts.server.route(.get, "/back") { _ in .status(503, headers: [.setCookie: "last=1"]) }

        let store = MemoryCookieStore()
        let environment = APIEnvironment(baseURL: home)
        for _ in 0..<2 {
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await client(store).send(AnyRequest(environment: environment, path: "/start"))
            }
            #expect(error.response?.status == 503)
        }
        #expect(hosts.cookies("/start") == ["", "a=home; last=1"])
        #expect(hosts.cookies("/inside") == ["b=two; a=home", "b=two; a=home; last=1"])
        #expect(hosts.cookies("/there") == ["", "a=there"])
        // The way back is a redirect from another site by GET, over which cookies go that don't say Strict.
        #expect(hosts.cookies("/back") == ["a=home", "a=home; last=1"])
        let kept = store.cookies.map { "\($0.domain) \($0.name)" }
        #expect(Set(kept) == ["127.0.0.1 a", "127.0.0.1 b", "127.0.0.1 last", "localhost a"])
    }

    @Test func strictCookiesStayAwayAfterARedirectFromAnotherHost() async throws {
        let hosts = try Hosts()
        defer { hosts.server.stop() }
        let home = hosts.home
        hosts.server.route(.post, "/start") { _ in .status(307, headers: [.location: home + "/end"]) }
        hosts.server.route(.post, "/end") { _ in .text("done") }
        let store = MemoryCookieStore()
        let url = try #require(URL(string: home))
        store.store(
            ["s=1; SameSite=Strict", "l=1; SameSite=Lax", "n=1; SameSite=None", "d=1"],
            from: CookieScope(url: url),
        )
        for base in [hosts.other, home] {
            let environment = APIEnvironment(baseURL: base)
            _ = try await client(store).send(AnyRequest(environment: environment, method: .post, path: "/start"))
        }
        #expect(hosts.cookies("/end") == ["n=1", "s=1; l=1; n=1; d=1"])
    }

    @Test func withoutAStoreNothingIsKept() async throws {
        let hosts = try Hosts()
        defer { hosts.server.stop() }
        hosts.server.route(.get, "/p") { _ in .status(200, headers: [.setCookie: "a=1"]) }
        let environment = APIEnvironment(baseURL: hosts.home)
        for _ in 0..<2 { _ = try await client(nil).send(AnyRequest(environment: environment)) }
        #expect(hosts.cookies("/p") == ["", ""])
    }

    @Test func aRequestsOwnCookiesPrecedeTheStoredOnes() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok) }
        let store = MemoryCookieStore([
            Cookie(name: "a", value: "stored", domain: "a.example"),
            Cookie(name: "b", value: "stored", domain: "a.example"),
            Cookie(name: "", value: "x=stored without a name", domain: "a.example"),
        ])
        let client = APIClient(transport: transport, options: ClientOptions(cookies: store))
        _ = try await client.send(AnyRequest(headers: [.cookie: "a=own; x=1", .cookie: "y=2"]))
        #expect(transport.requests.first?.headers.values(for: .cookie) == ["a=own; x=1; y=2; b=stored"])
        #expect(transport.requests.first?.headers.first { $0.name == .cookie }?.isSecret == true)
    }

    /// A domain may hold eleven times as much.
    @Test func noMoreGoesAlongThanAServerTakesAndEachCookieWhole() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok) }
        func field(own: String?) async throws -> String {
            let store = MemoryCookieStore(
                (10..<60).map {
                    Cookie(name: "c\($0)", value: String(repeating: "v", count: 4092), domain: "a.example")
                }
                    + [Cookie(name: "deep", value: "1", domain: "a.example", path: "/p")]
            )
            let client = APIClient(transport: transport, options: ClientOptions(cookies: store))
            _ = try await client.send(AnyRequest(headers: own.map { [.cookie: $0] } ?? [:]))
            return try #require(transport.requests.last?.headers[.cookie])
        }
        let names = ["deep"] + (10..<60).map { "c\($0)" }
        // Each takes 4,096 bytes and two between it and the next; what has the longest path comes first.
        let pairs = try await field(own: nil).components(separatedBy: "; ")
        #expect(pairs.map { $0.prefix { $0 != "=" } } == names.prefix(16).map { $0[...] })
        #expect(pairs.dropFirst().allSatisfy { $0.utf8.count == 4096 })
        // 65,536 in all, and one byte more.
        let room = 65_536 - "deep=1; ".utf8.count - 15 * 4098
        for (count, expected) in [(room, 15), (room + 1, 14)] {
            let own = String(repeating: "o", count: count)
            let field = try await field(own: own)
            #expect(field.hasPrefix(own + "; deep=1; "))
            #expect(field.components(separatedBy: "; ").count == 2 + expected, "\(count)")
            #expect(field.utf8.count <= 65_536)
        }
        let large = String(repeating: "o", count: 70_000)
        #expect(try await field(own: large) == large, "the request's own are its own matter")
    }

    @Test func aRedirectToTheSameURLMaySetACookie() async throws {
        let transport = MockTransport { request in
            request.headers.contains(.cookie)
                ? HTTPResponse(status: .ok)
                : HTTPResponse(status: 302, headers: [.location: "/p", .setCookie: "seen=1"])
        }
        let client = APIClient(transport: transport, options: ClientOptions(cookies: MemoryCookieStore()))
        let response = try await client.bind(AnyRequest()).response()
        #expect(response.redirects.count == 1)
        #expect(transport.requests.count == 2)
    }

    @Test func withTheSameCookiesItIsALoop() async throws {
        let transport = MockTransport { _ in
            HTTPResponse(status: 302, headers: [.location: "/p", .setCookie: "seen=1"])
        }
        let client = APIClient(transport: transport, options: ClientOptions(cookies: MemoryCookieStore()))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(AnyRequest())
        }
        #expect(error.reason == .redirectLoop)
        // Without the cookie, with it, and with it once more.
        #expect(transport.requests.count == 3)
    }

    @Test func cookiesThatChangeForEverEndAtTheLimit() async throws {
        let count = Lock(0)
        let transport = MockTransport { _ in
            let number = count.withLock {
                $0 += 1; return $0
            }
            return HTTPResponse(status: 302, headers: [.location: "/p", .setCookie: "n=\(number)"])
        }
        let client = APIClient(transport: transport, options: ClientOptions(cookies: MemoryCookieStore()))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(AnyRequest())
        }
        #expect(error.reason == .tooManyRedirects)
        #expect(transport.requests.count == 11)
    }

    private struct Broken: CookieStore {
        struct Failure: Error { let secret = "hunter2" }
        struct Spoken: LocalizedError {
            var errorDescription: String? { "the jar is locked" }
        }
        var error: any Error = Failure()
        func cookies(for scope: CookieScope) async throws -> [Cookie] { throw error }
        func store(_ setCookies: [String], from scope: CookieScope) async throws {}
        func removeCookies(for url: URL) async throws { throw error }
    }

    @Test func aStoresErrorSpeaksForItself() async throws {
        let options = ClientOptions(cookies: Broken(error: Broken.Spoken()))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: MockTransport(), options: options).send(AnyRequest())
        }
        #expect(error.failureReason == "the cookie store threw a Spoken: the jar is locked")
    }

    @Test func aStoreThatThrowsEndsTheCall() async throws {
        let transport = MockTransport()
        let client = APIClient(transport: transport, options: ClientOptions(cookies: Broken()))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(AnyRequest())
        }
        #expect(error.reason == .cookieStore && error.phase == .other)
        #expect(error.failureReason == "the cookie store threw a Failure")
        #expect(error.context.underlyingError is Broken.Failure)
        #expect(transport.requests.isEmpty)
    }

    /// A store behind a service may pass on the error of a call of its own.
    @Test func theErrorOfAStoresOwnCallIsThatOfTheStore() async throws {
        let inner = APIError<ProblemDetails>.transport(CallFailure(.connectionReset))
        let client = APIClient(transport: MockTransport(), options: ClientOptions(cookies: Broken(error: inner)))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(AnyRequest())
        }
        #expect(error.reason == .cookieStore && error.phase == .other)
        #expect(error.failureReason?.hasPrefix("the cookie store threw the error of another call") == true)
    }

    @Test func storesAreSharedByCallsAtOnce() async throws {
        let transport = MockTransport { request in
            HTTPResponse(status: .ok, headers: [.setCookie: "k\(request.url.path().dropFirst())=1; Path=/"])
        }
        let store = MemoryCookieStore()
        let client = APIClient(transport: transport, options: ClientOptions(cookies: store))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask { _ = try await client.send(AnyRequest(path: "/\(index)")) }
            }
            try await group.waitForAll()
        }
        #expect(Set(store.cookies.map(\.name)) == Set((0..<100).map { "k\($0)" }))
        store.removeAll { $0.name != "k7" }
        #expect(store.cookies.map(\.name) == ["k7"])
        store.removeAll()
        #expect(store.cookies.isEmpty)
    }
}
