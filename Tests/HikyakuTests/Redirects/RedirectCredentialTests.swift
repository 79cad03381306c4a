import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuTesting
import Testing

/// Two origins that differ in the port alone, over the default transport.
@Suite struct RedirectCredentialTests {
    private struct Carrier: APIRequest {
        typealias Definition = RawResponse
        typealias Access = Authorized
        var environment: APIEnvironment
        var path: RequestPath = "/start"
        var headers: HTTPHeaders {
            var headers: HTTPHeaders = .secret("X-Api-Key", "hunter2-key").secret("X-Second", "hunter2-second")
            headers[.cookie] = "sid=hunter2-cookie"
            headers["proxy-authorization"] = "Basic hunter2-proxy"
            headers[.host] = "hunter2.example"
            headers["X-Plain"] = "plain"
            headers["Accept-Language"] = "ja"
            return headers
        }
    }

    private func environment(of server: MockServer) -> APIEnvironment {
        APIEnvironment(baseURL: server.baseURL, headers: .secret("X-Env-Key", "hunter2-env"))
    }

    @Test func noCredentialArrivesAtAnotherOriginNorOnTheWayBack() async throws {
        let (home, other) = (try MockServer(), try MockServer())
        defer {
            home.stop()
            other.stop()
        }
        let (homeURL, otherURL) = (home.baseURL, other.baseURL)
        home.route(.get, "/start") { _ in .status(307, headers: [.location: "/inside"]) }
        home.route(.get, "/inside") { _ in .status(302, headers: [.location: otherURL + "/there"]) }
        other.route(.get, "/there") { _ in .status(302, headers: [.location: homeURL + "/back"]) }
        home.route(.get, "/back") { _ in .status(302, headers: [.location: "/end"]) }
        home.route(.get, "/end") { _ in .text("done") }

        let environment = environment(of: home)
        let client = APIClient().authorized(by: .bearer("hunter2-token"), for: environment)
        let response = try await client.bind(Carrier(environment: environment)).response()
        #expect(response.value == Data("done".utf8))
        #expect(response.redirects.map(\.changesOrigin) == [false, true, true, false])

        let atHome = home.requests
        #expect(atHome.map(\.path) == ["/start", "/inside", "/back", "/end"])
        for request in atHome.prefix(2) {
            #expect(request.headers[.authorization] == "Bearer hunter2-token")
            for secret in ["key", "second", "cookie", "proxy", "env", "token"] {
                #expect(request.rawHeadText.contains("hunter2-\(secret)"), "\(secret) at \(request.path)")
            }
            #expect(request.headers[.host] == "hunter2.example")
        }
        for request in other.requests + atHome.dropFirst(2) {
            #expect(!request.rawHeadText.contains("hunter2"), "\(request.path): \(request.rawHeadText)")
            #expect(request.headers["X-Plain"] == nil)
            #expect(request.headers[.acceptLanguage] == "ja")
        }
        #expect(other.requests.map(\.path) == ["/there"])
    }

    @Test func anotherNameOfTheSameMachineIsAnotherOrigin() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let port = server.port
        server.route(.get, "/start") { _ in .status(302, headers: [.location: "http://localhost:\(port)/end"]) }
        server.route(.get, "/end") { _ in .text("done") }
        let environment = environment(of: server)
        let client = APIClient().authorized(by: .bearer("hunter2-token"), for: environment)
        _ = try await client.send(Carrier(environment: environment))
        #expect(try #require(server.requests.last).rawHeadText.contains("hunter2") == false)
    }

    /// Replaces one secret of its environment, and adds to another.
    private struct Rotated: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment {
            APIEnvironment(
                baseURL: "https://a.example",
                headers: .secret("X-Key", "hunter2-0").secret("X-Second", "hunter2-0").secret("X-Third", "hunter2-0"),
            )
        }
        var path: RequestPath { "/start" }
        var headers: HTTPHeaders { ["x-key": "hunter2-1"] }

        func prepare(_ request: inout HTTPRequest) {
            request.headers["x-second"] = "hunter2-2"
            request.headers.append("x-third", "hunter2-3")
        }
    }

    @Test func aSecretFieldStaysSecretAfterAChange() async throws {
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: 302, headers: [.location: "https://b.example/"]))
        transport.enqueue(HTTPResponse(status: .ok))
        _ = try await APIClient(transport: transport).send(Rotated())
        let values = transport.requests.map { $0.headers.map(\.value).filter { $0.hasPrefix("hunter2") } }
        #expect(values == [["hunter2-2", "hunter2-0", "hunter2-1", "hunter2-3"], []])
    }

    @Test(arguments: ["Authorization", "cookie", "PROXY-AUTHORIZATION"] as [HTTPHeaderName])
    func aCredentialFieldIsDroppedByItsNameEvenIfUnmarked(name: HTTPHeaderName) async throws {
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: 302, headers: [.location: "https://b.example/"]))
        transport.enqueue(HTTPResponse(status: 302, headers: [.location: "https://a.example/back"]))
        transport.enqueue(HTTPResponse(status: .ok))
        var request = AnyRequest()
        request.headers = [name: "hunter2", "X-Plain": "plain"]
        _ = try await APIClient(transport: transport).send(request)
        #expect(transport.requests.map { $0.headers[name] } == ["hunter2", nil, nil])
        #expect(transport.requests.map { $0.headers["X-Plain"] } == ["plain", nil, nil])
    }

    @Test func theBodyOfA307ArrivesWhole() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.post, "/p") { _ in .status(307, headers: [.location: "/q"]) }
        server.route(.post, "/q") { request in .bytes(request.body) }
        let content = String(repeating: "courier ", count: 50_000)
        let environment = APIEnvironment(baseURL: server.baseURL)
        let request = AnyRequest(environment: environment, method: .post, body: .text(content))
        #expect(try await APIClient().send(request) == Data(content.utf8))
    }

    private struct Export: APIRequest {
        typealias Definition = StreamedResponse
        var environment: APIEnvironment
        var path: RequestPath { "/p" }
        var timeout: Duration? { .seconds(240) }
    }

    @Test func aStreamedCallFollowsWithoutReadingTheRedirectsBody() async throws {
        let server = try MockServer()
        defer { server.stop() }
        // A body that never ends, and is not waited for.
        server.enqueue(
            .raw([.write("HTTP/1.1 302 Found\r\nLocation: /q\r\nContent-Length: 1000000\r\n\r\nabc"), .stall]),
            .text("done"),
        )
        let body = try await APIClient().send(Export(environment: APIEnvironment(baseURL: server.baseURL)))
        #expect(try await body.collect() == Data("done".utf8))
        try await server.waitForOpenConnections(1)
    }
}
