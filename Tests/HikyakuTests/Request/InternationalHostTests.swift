import Hikyaku
import HikyakuTesting
import Testing

@testable import struct Hikyaku.RequestParameters

/// What a person writes in a URL.
struct InternationalHostTests {
    private struct Get: APIRequest {
        typealias Definition = EmptyResponse
        var environment: APIEnvironment
        var path: RequestPath = "/p"
    }

    private func sent(_ request: Get) async throws(APIError<ProblemDetails>) -> String? {
        let transport = MockTransport { _ in HTTPResponse(status: .noContent) }
        _ = try await APIClient(transport: transport).send(request)
        return transport.requests.first?.url.absoluteString
    }

    /// By Foundation's tables, or refused with the form to write.
    @Test(arguments: [
        ("https://bücher.example/v1", "xn--bcher-kva.example"), ("https://例え.テスト:8080", "xn--r8jz45g.xn--zckzah"),
        ("https://BÜCHER.example", "xn--bcher-kva.example"), ("http://münchen.example", "xn--mnchen-3ya.example"),
        ("https://a。bü.example", "a.xn--b-eha.example"),
    ])
    func anInternationalNameIsSentOrItsFormNamed(_ base: String, _ host: String) async throws {
        do {
            let url = try await sent(Get(environment: APIEnvironment(baseURL: base)))
            #expect(url?.contains("://\(host)") == true, "\(url ?? "")")
        } catch {
            #expect(error.reason == .baseURL)
            #expect(error.description.contains("write it as \(host)"), "\(error)")
            #expect(error.hint?.contains("Write the host in the base URL as \(host)") == true, "\(error)")
        }
    }

    @Test(arguments: ["https://a.example/ä", "https://a b.example", "https://a.example\n"])
    func whatElseIsWrongIsSaid(_ base: String) async throws {
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await sent(Get(environment: APIEnvironment(baseURL: base)))
        }
        let text = error?.description ?? ""
        #expect(
            base.contains("ä") ? text.contains("percent-encode it") : text.contains("a space or a control"),
            "\(text)",
        )
    }

    // MARK: Segments

    @Test(arguments: [("docs/a b.txt", "/f/docs/a%20b.txt"), ("a%2Fb", "/f/a%252Fb"), ("a?b/c#d", "/f/a%3Fb/c%23d")])
    func aValueOfSeveralSegmentsKeepsItsSlashes(_ value: String, _ path: String) async throws {
        let url = try await sent(Get(environment: "https://a.example", path: "/f/\(segments: value)"))
        #expect(url == "https://a.example\(path)")
    }

    @Test(arguments: ["", "/a", "a//b", "a/", "..", "a/../b", "./a", "a/%2E%2E/b/..", "a\0b"])
    func segmentsThatChangeThePathAreRefused(_ value: String) async throws {
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await sent(Get(environment: "https://a.example", path: "/f/\(segments: value)"))
        }
        #expect(error?.reason == .path)
    }

    // MARK: JSON inside of JSON

    private struct Search: APIRequest {
        typealias Definition = EmptyResponse
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/search" }
        var method: HTTPMethod = .post
        var parameters: RequestQuery
    }

    @Test func jsonInParametersOfABodyIsRefused() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .noContent) }
        let client = APIClient(transport: transport)
        let nested: RequestQuery = ["a": .list([.object(["filter": .json(["tag": "swift"])])])]
        for (parameters, name) in [(["filter": .json(["tag": "swift"])], "filter"), (nested, "a.filter")]
            as [(RequestQuery, String)]
        {
            let error = await #expect(throws: APIError<ProblemDetails>.self) {
                try await client.send(Search(parameters: parameters))
            }
            #expect(error?.reason == .query && error?.phase == .invalidRequest)
            #expect(
                error?.description.contains("the value of \(name) is .json") == true,
                "\(error?.description ?? "")",
            )
        }
        #expect(transport.requests.isEmpty)
        // In a query it is a text.
        _ = try await client.send(Search(method: .get, parameters: ["filter": .json(["tag": "swift"])]))
        #expect(
            transport.requests.first?.url.query() == "filter=%7B%22tag%22:%22swift%22%7D"
                || transport.requests.count == 1
        )
    }

    // MARK: QUERY

    @Test func queryReadsWithABody() async throws {
        #expect(HTTPMethod.query.isSafe && HTTPMethod.query.isIdempotent)
        let transport = MockTransport()
        transport.enqueue(HTTPResponse(status: 503))
        transport.enqueue(HTTPResponse(status: 302, headers: ["Location": "/other"]))
        transport.enqueue(HTTPResponse(status: .noContent))
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: RetryPolicy(delay: .zero)))
        _ = try await client.send(Search(method: .query, parameters: ["tag": "swift"]))
        #expect(transport.requests.map(\.method) == [.query, .query, .query])
        #expect(transport.requests.allSatisfy { $0.body?.bytes == transport.requests[0].body?.bytes && $0.body != nil })
        // See Other sends the client elsewhere for the result.
        transport.enqueue(HTTPResponse(status: 303, headers: ["Location": "/result"]))
        transport.enqueue(HTTPResponse(status: .noContent))
        _ = try await client.send(Search(method: .query, parameters: ["tag": "swift"]))
        #expect(transport.requests.last?.method == .get && transport.requests.last?.body == nil)
    }
}
