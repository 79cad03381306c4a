import Foundation
import HikyakuHTTP
import HikyakuMockServer
import Testing

@testable import HikyakuURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10))) struct URLSessionLimitTests {
    @Test(arguments: [false, true])
    func rejectsMoreFieldsThanTheLimit(streams: Bool) async throws {
        let wire = try Wire()
        var answer = MockAnswer.text("ok")
        for number in 0...HeadCheck.fieldCountMax { answer = answer.header(HTTPHeaderName("X-\(number)"), "") }
        wire.server.enqueue(answer)
        let error = try await transportError {
            try await wire.get("/", options: TransportOptions(streamsBody: streams))
        }
        #expect(error.reason == .headersTooLarge)
    }

    @Test func rejectsRequestsBeyondTheQueue() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(.raw([.stall]), .raw([.stall]))
        server.route(.get, "/later") { _ in .text("ok") }
        let limits = WaitingLine<Exchange>.Limits(inFlightMax: 2, waitingMax: 0)
        let transport = URLSessionTransport(URLSessionTransport.stripped(.ephemeral), rules: nil, limits: limits)
        let url = try #require(URL(string: server.baseURL + "/"))
        let calls = (0..<2).map { _ in
            Task { try await transport.send(HTTPRequest(url: url), options: TransportOptions()) }
        }
        try await server.waitForRequests(2)
        let later = HTTPRequest(url: url.appending(path: "later"))
        let error = try await transportError { try await transport.send(later, options: TransportOptions()) }
        #expect(error.reason == .queueFull)
        #expect(server.requests.count == 2)
        // The end of one makes room.
        for call in calls { call.cancel() }
        for call in calls { _ = await call.result }
        try await server.waitForOpenConnections(0)
        #expect(try await transport.send(later, options: TransportOptions()).status == .ok)
    }

    @Test func hasTheDocumentedNumberOfConnectionsUnlessAnotherIsConfigured() {
        #expect(URLSessionTransport.stripped(.ephemeral).httpMaximumConnectionsPerHost == 64)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 2
        #expect(URLSessionTransport.stripped(configuration).httpMaximumConnectionsPerHost == 2)
    }

    @Test func hasTheConfiguredNumberOfConnections() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.get, "/") { _ in .text("ok").delayed(by: .milliseconds(20)) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 2
        let transport = URLSessionTransport(configuration: configuration)
        let url = try #require(URL(string: server.baseURL + "/"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask { _ = try await transport.send(HTTPRequest(url: url), options: TransportOptions()) }
            }
            try await group.waitForAll()
        }
        #expect(server.requests.count == 12)
        #expect(server.connectionCount <= 2)
    }
}
