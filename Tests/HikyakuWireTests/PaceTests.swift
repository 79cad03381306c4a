#if os(Linux)
import Foundation
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// When a transport expects an answer so soon that a caller waits for it on its own thread.
@Suite(.timeLimit(.minutes(5)))
struct PaceTests {
    /// What a slow machine takes for an exchange is quick here, too.
    private func makeWire(_ patience: Duration = .seconds(10)) throws -> Wire {
        try Wire(transport: WireTransport(patience: patience)) { request in
            request.path == "/stall" ? .raw([.stall]) : .text("hi")
        }
    }

    @Test func isQuickOnlyAfterASuccessOverAKeptConnection() async throws {
        let wire = try makeWire()
        #expect(!wire.transport.isQuick, "nothing is known of the first")
        try await wire.send()
        #expect(!wire.transport.isQuick, "a new connection takes longer")
        try await wire.send()
        #expect(wire.transport.isQuick)
    }

    @Test func isNotQuickBeyondItsPatience() async throws {
        let wire = try makeWire(.zero)
        for _ in 0..<10 {
            try await wire.send()
            #expect(!wire.transport.isQuick)
        }
        #expect(wire.transport.carriedCount == 0)
    }

    @Test func isNotQuickWhenAnotherRequestBeganMeanwhile() async throws {
        let wire = try makeWire()
        for _ in 0..<10 { try await wire.send() }
        #expect(wire.transport.isQuick)
        let stall = try wire.request(.get, "/stall")
        let task = Task { [transport = wire.transport] in try await transport.send(stall, options: TransportOptions()) }
        try await wire.server.waitForRequests(11, within: .seconds(20))
        // The caller of the stalled one waits in vain on its thread, and then the server's speed is unknown.
        #expect(try await holds { !wire.transport.isQuick })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func isQuickForTheSameOriginAlone() async throws {
        let first = try makeWire()
        let second = try Wire(transport: first.transport) { _ in .text("hi") }
        let byName = try #require(URL(string: "http://localhost:\(first.server.port)/"))
        for _ in 0..<20 {
            try await first.send()
            try await second.send()
            _ = try await first.transport.get(byName)
        }
        #expect(first.transport.isQuick)
        #expect(first.transport.carriedCount == 0, "the exchange before was one of another origin")
    }

    @Test func oneAnswerInVainEndsItUntilTheNextQuickOne() async throws {
        let wire = try makeWire()
        for _ in 0..<2 { try await wire.send() }
        #expect(wire.transport.isQuick)
        let stall = try wire.request(.get, "/stall")
        let task = Task { [transport = wire.transport] in try await transport.send(stall, options: TransportOptions()) }
        #expect(try await holds { !wire.transport.isQuick })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await wire.send()
        #expect(!wire.transport.isQuick, "the connection is another one")
        try await wire.send()
        #expect(wire.transport.isQuick)
    }
}

extension WireTransport {
    /// Whether a caller that comes next, alone and for the same origin, waits on its own thread.
    fileprivate var isQuick: Bool { engine.state.withLock { $0.quickOrigin >= 0 } }
}
#endif
