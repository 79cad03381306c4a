#if os(Linux)
import Foundation
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// Handshakes that many calls wait for, with servers that never answer them.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct HTTP2HandshakeTests {
    private func begin(_ count: Int, _ transport: WireTransport, _ url: URL) -> [Task<HTTPResponse, any Error>] {
        (0..<count).map { _ in Task { try await transport.get(url) } }
    }

    private func inFlightCount(_ transport: WireTransport) -> Int {
        transport.engine.state.withLock(\.pool.inFlightCount)
    }

    @Test func theLastCallThatWaitsClosesTheSocketOfAHandshake() async throws {
        let server = try ByteServer { $0.drain() }
        defer { server.stop() }
        let transport = try await WireTransport.trusting(Certificates.shared)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        let start = ContinuousClock.now
        let tasks = begin(32, transport, url)
        #expect(try await holds { inFlightCount(transport) == 32 })
        // One at first, and one more for all of them after each 250 ms.
        #expect(try await holds { server.openConnectionCount >= 1 })
        for count in 2...4 {
            #expect(try await holds { server.openConnectionCount >= count })
            #expect(ContinuousClock.now - start > .milliseconds(250) * (count - 1) - .milliseconds(100))
        }
        for task in tasks.dropFirst() { task.cancel() }
        for task in tasks.dropFirst() { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(server.openConnectionCount >= 4)
        #expect(inFlightCount(transport) == 1)
        tasks[0].cancel()
        // Before handshakes without waiting calls are closed.
        #expect(try await holds(within: .seconds(8)) { server.openConnectionCount == 0 })
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        #expect(transport.engine.state.withLock(\.pool.isEmpty))
    }

    /// Those that are left when a handshake fails may never be done.
    @Test func aThirdHandshakeServesAllWhereTheSecondFails() async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2", "http/1.1"]
            listener.delays = [1000, -1, -1, 0]
        }
        let transport = try await WireTransport.trusting(Certificates.shared)
        let url = try server.url()
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { try await transport.report(url).connection } }
            for try await connection in group { #expect(connection > 3) }
        }
        // Without another handshake, the calls would fail after 10 seconds.
        #expect(ContinuousClock.now - begin < .seconds(9))
    }

    /// A server of TLS 1.2 may say how many it takes right after the handshake, before the first request goes out.
    @Test func theServersFirstLimitHoldsForTheFirstRequests() async throws {
        let server = try await TLSServer("server") { listener in
            (listener.minimum, listener.maximum) = ("1.2", "1.2")
            listener.alpn = ["h2", "http/1.1"]
            listener.settings = [[3, 4]]
            listener.isEager = true
            listener.script = ["gather"]
        }
        let transport = try await WireTransport.trusting(Certificates.shared) { $0.connectionsPerHostMax = 8 }
        let url = try server.url()
        try await withThrowingTaskGroup(of: TLSServer.Report.self) { group in
            for _ in 0..<16 { group.addTask { try await transport.report(url) } }
            for try await report in group { #expect(try #require(report.atOnce) <= 4) }
        }
    }

    /// Such a limit, or what is not HTTP/2, fails the handshake, and is not tried again and again.
    @Test(arguments: [([[3, 0]], FailureReason.notProcessed), ([[2, 7]], .malformedResponse)])
    func aServerThatTakesNoRequestFailsTheHandshake(_ settings: [[Int]], _ reason: FailureReason) async throws {
        let server = try await TLSServer("server") { listener in
            (listener.minimum, listener.maximum) = ("1.2", "1.2")
            listener.alpn = ["h2", "http/1.1"]
            listener.settings = settings
            listener.isEager = true
        }
        let url = try server.url()
        // On a busy machine the server may write its settings so late that a request is already on its way.
        for _ in 0..<20 {
            let transport = try await WireTransport.trusting(Certificates.shared)
            do {
                _ = try await transport.get(url)
            } catch let error as TransportError {
                #expect(error.reason == reason)
                #expect(transport.engine.state.withLock(\.pool.isEmpty))
                return
            }
        }
        Issue.record("the settings were never read before a request")
    }

    @Test func aSecondHandshakeServesAllWhereTheFirstStalls() async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2", "http/1.1"]
            listener.delays = [1000, 0]
        }
        let transport = try await WireTransport.trusting(Certificates.shared)
        let url = try server.url()
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<32 { group.addTask { try await transport.report(url).connection } }
            for try await connection in group { #expect(connection > 1) }
        }
        let elapsed = ContinuousClock.now - begin
        #expect(elapsed > .milliseconds(230) && elapsed < .seconds(9))
    }
}
#endif
