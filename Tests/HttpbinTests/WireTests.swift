#if os(Linux)
import Foundation
import Hikyaku
import Testing

/// Redirects, cookies, content codings and streams against a server of others.
@Suite(.enabled(if: HttpbinServer.isInstalled, "run scripts/setup test"), .timeLimit(.minutes(10)))
struct WireTests {
    @Test(arguments: ["/redirect/3", "/relative-redirect/3", "/absolute-redirect/3"])
    func redirectsAreFollowed(path: String) async throws {
        let response = try await Httpbin.client.bind(Httpbin.Document<Landing>(path: RequestPath(path))).response()
        #expect(response.status == .ok)
        #expect(response.value.url.hasSuffix("/get"))
        #expect(response.redirects.count == 3)
        #expect(response.redirects.allSatisfy { $0.status.code == 302 })
    }

    @Test
    func redirectsHaveALimit() async throws {
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await Httpbin.client.send(Httpbin.Probe(path: "/redirect/11"))
        }
        #expect(error?.reason == .tooManyRedirects)
        #expect(try await Httpbin.client.bind(Httpbin.Probe(path: "/redirect/10")).response().status == .ok)
    }

    @Test
    func aRedirectIsTheResponseWhereNoneIsFollowed() async throws {
        let request = Httpbin.Probe(path: "/redirect-to", query: ["url": "/get", "status_code": 307])
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await Httpbin.unredirectedClient.send(request)
        }
        #expect(error?.response?.status == 307)
        #expect(error?.response?.headers[.location] == "/get")
    }

    @Test(arguments: [(307, "POST"), (308, "POST"), (301, "GET"), (302, "GET"), (303, "GET")])
    func methodAndBodyFollowTheStatus(status: Int, method: String) async throws {
        let query: RequestQuery = ["url": "/anything", "status_code": status]
        let request = Httpbin.Echo(method: .post, path: "/redirect-to", query: query, body: .text("飛脚"))
        let received = try await Httpbin.client.send(request)
        #expect(received.method == method)
        #expect(received.data == (method == "POST" ? "飛脚" : ""))
        #expect((received.headers["Content-Type"] == nil) == (method == "GET"))
    }

    @Test
    func cookiesAreKeptFromHopToHop() async throws {
        let client = try await Httpbin.client(ClientOptions(cookies: MemoryCookieStore()))
        let set = Httpbin.Document<Cookies>(path: "/cookies/set/courier/hermes")
        #expect(try await client.send(set).cookies == ["courier": "hermes"])
        let shown = Httpbin.Document<Cookies>(path: "/cookies")
        #expect(try await client.send(shown).cookies == ["courier": "hermes"])
        #expect(try await Httpbin.client.send(shown).cookies.isEmpty)
    }

    @Test(arguments: ["gzip", "deflate", "brotli"])
    func contentCodingsAreUndone(name: String) async throws {
        let response = try await Httpbin.client.bind(Httpbin.Document<Coded>(path: "/\(name)")).response()
        let coded = response.value
        #expect([coded.gzipped, coded.deflated, coded.brotli].compactMap(\.self) == [true])
        #expect(response.headers["Content-Encoding"] == nil)
    }

    @Test
    func aBodyIsStreamed() async throws {
        let body = try await Httpbin.client.send(Httpbin.Stream(path: "/range/102400"))
        #expect(body.count == 102_400)
        var received = Data()
        for try await piece in body { received += piece }
        let alphabet = Data("abcdefghijklmnopqrstuvwxyz".utf8)
        let isRepeatedAlphabet = received.indices.allSatisfy { received[$0] == alphabet[$0 % 26] }
        #expect(received.count == 102_400)
        #expect(isRepeatedAlphabet)
    }

    @Test(arguments: [true, false])
    func aStreamIsSent(hasLength: Bool) async throws {
        let pieces = AsyncStream { continuation in
            for number in 0..<100 { continuation.yield(Data("piece \(number % 10)\n".utf8)) }
            continuation.finish()
        }
        let body = HTTPBody(pieces, count: hasLength ? 800 : nil)
        let request = Httpbin.Echo(method: .post, body: .stream(body, type: "text/plain"))
        let received = try await Httpbin.client.send(request)
        #expect(received.data.utf8.count == 800)
        #expect(received.headers["Content-Length"] == (hasLength ? "800" : nil))
    }
}

/// What `/get` says of itself.
private struct Landing: Decodable, Sendable {
    var url: String
}

private struct Cookies: Decodable, Sendable {
    var cookies: [String: String]
}

private struct Coded: Decodable, Sendable {
    var gzipped: Bool?
    var deflated: Bool?
    var brotli: Bool?
}
#endif
