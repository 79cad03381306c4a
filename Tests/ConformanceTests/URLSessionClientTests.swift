import Hikyaku
import HikyakuMockServer
import HikyakuURLSession
import Testing

/// What the client does above a transport, and needs its cancellation for.
@Suite(.timeLimit(.minutes(10))) struct URLSessionClientTests {
    private struct Text: APIRequest {
        typealias Definition = TextResponse
        let environment: APIEnvironment
        var path: RequestPath { "/" }
        var timeout: Duration? { .milliseconds(300) }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func theDeadlineOfACallHoldsThroughURLSession(begin: String) async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(.raw([.write(begin), .stall]))
        let client = APIClient(transport: URLSessionTransport())
        let request = Text(environment: APIEnvironment(baseURL: server.baseURL))
        let start = ContinuousClock.now
        do {
            _ = try await client.send(request)
            Issue.record("an answer came")
        } catch {
            #expect(error.reason == .deadline)
        }
        // Far below the session's own timeouts, which are a minute each.
        #expect(ContinuousClock.now - start < .seconds(30))
        try await server.waitForOpenConnections(0)
    }
}
