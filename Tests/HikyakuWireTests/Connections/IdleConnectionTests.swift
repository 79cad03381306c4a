#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// What becomes of connections between two requests.
@Suite(.timeLimit(.minutes(5)))
struct IdleConnectionTests {
    @Test func aConnectionThatTheServerClosesIsClosedHereToo() async throws {
        let closes = DispatchSemaphore(value: 0)
        let isClosed = Lock(false)
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            closes.wait()
            connection.finish()
            isClosed.withLock { $0 = true }
        }
        defer { server.stop() }
        let transport = WireTransport()
        #expect(try await transport.get(try server.url).text() == "hi")
        closes.signal()
        // The server has read the end, which comes when the client closes.
        #expect(try await holds { isClosed.withLock { $0 } })
        withExtendedLifetime(transport) {}
    }

    /// No later event reports the end.
    @Test func aConnectionThatEndsWithItsResponseIsClosed() async throws {
        let closedCount = Lock(0)
        let server = try ByteServer { connection in
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            connection.finish()
            closedCount.withLock { $0 += 1 }
        }
        defer { server.stop() }
        let transport = WireTransport()
        for number in 1...50 {
            #expect(try await transport.get(try server.url).text() == "hi")
            #expect(try await holds { closedCount.withLock { $0 } == number })
        }
    }

    @Test func aConnectionGrowsNoOlderThanItMay() async throws {
        var options = WireOptions()
        options.idleAgeMax = .milliseconds(300)
        let wire = try Wire(transport: WireTransport(options: options)) { _ in .text("hi") }
        for _ in 0..<3 { try await wire.send() }
        let count = wire.server.connectionCount
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
        #expect(try await wire.send().text() == "hi")
        #expect(wire.server.connectionCount == count + 1)
    }

    // MARK: - Silence

    /// Expects that the loop sleeps while nothing happens, although its transport has a kept connection.
    ///
    /// At first, what a server sends late and the timers of the last exchange are reasons to wake up.
    private func expectSilence(_ transport: WireTransport) async throws {
        let state = transport.engine.state
        #expect(state.withLock(\.pool.isEmpty))
        let isAsleep = try await holds {
            state.withLock { $0.isAsleep && $0.wakeAt - Nanoseconds.coarseNow > 2_000_000_000 }
        }
        #expect(isAsleep, "a timer of the loop is always due soon")
        let count = try await settledValue { Int(state.withLock(\.wakeUpCount)) }
        // That the loop doesn't wake up every second has no event.
        try await spendRealTime(.milliseconds(1200))
        #expect(state.withLock(\.wakeUpCount) == count, "the loop wakes up without a reason")
    }

    @Test func theLoopSleepsWhileAPlainConnectionIsIdle() async throws {
        let wire = try Wire { _ in .text("hi") }
        for _ in 0..<5 { try await wire.send() }
        try await expectSilence(wire.transport)
        #expect(wire.server.openConnectionCount == 1)
        #expect(try await wire.send().text() == "hi")
        #expect(wire.server.connectionCount == 1)
    }

    @Test(.enabled(if: Certificates.isPossible), arguments: ["h2", "http/1.1"])
    func theLoopSleepsWhileASecureConnectionIsIdle(_ protocolName: String) async throws {
        let server = try await TLSServer("server") { $0.alpn = [protocolName] }
        let transport = try await WireTransport.trusting(Certificates.shared)
        let url = try server.url()
        for _ in 0..<5 { _ = try await transport.report(url) }
        try await expectSilence(transport)
        _ = try await transport.report(url)
    }

    // MARK: - Watching

    /// Also one that no poller has watched, since its callers waited for their answers by themselves.
    @Test func aConnectionOfACallerThatWasAloneIsWatchedAgain() async throws {
        let wire = try Wire(transport: WireTransport(patience: .seconds(10))) { _ in .text("hi") }
        for _ in 0..<200 { try await wire.send() }
        wire.server.stop()
        #expect(try await holds { wire.server.openConnectionCount == 0 })
        let error = try await transportError { try await wire.send(.post) }
        #expect(error.reason == .connectionRefused)
    }

    /// Of 1,000 requests over connections that have just died, none fails: one after the other, or 50 at once.
    @Test(arguments: [1, 50]) func idempotentRequestsOverDeadConnectionsAllSucceed(_ count: Int) async throws {
        let known = Lock<Set<Int>>([])
        let wire = try Wire { request in
            // Each connection answers one request, and dies with the next one.
            let isFirst = known.withLock { $0.insert(request.connectionNumber).inserted }
            return isFirst ? .text("hi").delayed(by: .milliseconds(count > 1 ? 2 : 0)) : .raw([.close])
        }
        let request = try wire.request()
        for _ in 0..<(1_000 / count) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<count {
                    group.addTask { [transport = wire.transport] in
                        let response = try await transport.send(request, options: TransportOptions())
                        #expect(try await response.text() == "hi")
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(wire.server.connectionCount > 500)
    }

    @Test func trailersOfACollectedBodyAreKept() async throws {
        let wire = try Wire()
        let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Checksum: 1\r\n\r\n"
        wire.server.enqueue(.raw([.write(answer)]), .text("next"))
        let response = try await wire.send()
        #expect(try await response.text() == "hi")
        #expect(response.trailers["x-checksum"] == "1")
        #expect(try await wire.send().text() == "next")
        #expect(wire.server.connectionCount == 1)
    }
}
#endif
