import Foundation
import HikyakuHTTP
import HikyakuMockServer
import HikyakuURLSession
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct URLSessionLifetimeTests {
    @Test func endsACancelledCallAndItsConnection() async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.stall]))
        let (transport, request) = (wire.transport, HTTPRequest(url: try wire.url("/")))
        let call = Task { try await transport.send(request, options: TransportOptions()) }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func sendsNothingForACancelledTask() async throws {
        let wire = try Wire()
        let (transport, request) = (wire.transport, HTTPRequest(url: try wire.url("/")))
        let call = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(request, options: TransportOptions())
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(wire.server.requests.isEmpty)
    }

    /// Foundation on Linux stopped the process here before redirects of cancelled tasks were left unanswered.
    @Test func canBeCancelledAtAnyMoment() async throws {
        let wire = try Wire()
        wire.server.route(.get, "/plain") { _ in .text("ok") }
        wire.server.route(.get, "/moved") { _ in .text("moved", status: 302).header(.location, "/plain") }
        wire.server.route(.get, "/private") { _ in .status(.unauthorized).header(.wwwAuthenticate, "Basic realm=x") }
        wire.server.route(.get, "/large") { _ in .bytes(Data(count: 200_000)) }
        let requests = try ["/plain", "/moved", "/private", "/large"].map { HTTPRequest(url: try wire.url($0)) }
        let transport = wire.transport
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<800 {
                if index >= 16 { await group.next() }
                group.addTask {
                    let request = requests[index % requests.count]
                    let call = Task { try await transport.send(request, options: TransportOptions()) }
                    // Each time at another moment.
                    await yieldRepeatedly(index * 7919 % 1000)
                    call.cancel()
                    _ = await call.result
                }
            }
        }
        #expect(try await wire.get("/plain").status == .ok)
    }

    @Test func letsACallInFlightEndBeforeItShutsDown() async throws {
        let wire = try Wire()
        wire.server.enqueue(.text("late").delayed(by: .milliseconds(100)))
        let (transport, request) = (wire.transport, HTTPRequest(url: try wire.url("/")))
        let call = Task { try await transport.send(request, options: TransportOptions()) }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        await transport.shutdown(within: .seconds(30))
        #expect(try await call.value.text() == "late")
    }

    @Test func endsACallThatOutlastsTheGrace() async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.stall]))
        let (transport, request) = (wire.transport, HTTPRequest(url: try wire.url("/")))
        let call = Task { try await transport.send(request, options: TransportOptions()) }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        await transport.shutdown(within: .milliseconds(50))
        let error = try await transportError { try await call.value }
        #expect(error.reason == .shutDown)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func takesNothingAfterItWasShutDown() async throws {
        let wire = try Wire()
        wire.server.enqueue(.text("ok"))
        #expect(try await wire.get("/").status == .ok)
        // Whatever the grace: it is not a reason to stop the process.
        await wire.transport.shutdown(within: .seconds(Int64.max))
        await wire.transport.shutdown(within: .seconds(Int64.min))
        let error = try await transportError { try await wire.get("/") }
        #expect(error.reason == .shutDown)
        #expect(wire.server.requests.count == 1)
    }

    @Test func endsWithItsLastReference() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.enqueue(.text("ok"))
        let url = try #require(URL(string: server.baseURL))
        weak var observed: URLSessionTransport?
        do {
            let transport = URLSessionTransport()
            observed = transport
            _ = try await transport.send(HTTPRequest(url: url), options: TransportOptions())
        }
        #expect(observed == nil)
        try await server.waitForOpenConnections(0, within: .seconds(20))
    }
}
