#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// Timeouts, and the end of idle connections, over HTTP/2.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct HTTP2TimeTests {
    private func transport(_ change: (inout WireOptions) -> Void = { _ in }) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared, change)
    }

    private func stall(_ transport: WireTransport, _ url: URL, _ time: Duration) async throws -> FailureReason {
        let options = TransportOptions(timeouts: TransportTimeouts(firstByte: time))
        return try await transportError {
            try await transport.send(HTTPRequest(method: .post, url: url), options: options)
        }.reason
    }

    // MARK: - Timeouts

    @Test func aStreamWithoutAnAnswerEndsAloneWhileOthersGoOn() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "stall", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).connection == 1)
        let isOver = Lock(false)
        let stalled = Task {
            defer { isOver.withLock { $0 = true } }
            return try await stall(transport, url, .seconds(2))
        }
        #expect(try await holds { transport.engine.state.withLock(\.pool.inFlightCount) == 1 })
        let hasEnded = try await holds {
            let connection = try await transport.report(url).connection
            #expect(connection == 1)
            return isOver.withLock(\.self)
        }
        #expect(hasEnded)
        #expect(try await stalled.value == .firstByteTimeout)
        #expect(try await transport.report(url).connection == 1)
    }

    /// The way to the server may be dead.
    @Test func afterSilenceTheNextRequestGoesOverANewConnection() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "stall", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).connection == 1)
        let reason = try await timely(after: .milliseconds(300)) {
            try await stall(transport, url, .milliseconds(300))
        }
        #expect(reason == .firstByteTimeout)
        #expect(try await transport.report(url).connection == 2)
    }

    /// A call that ends before its timeout shows the same.
    @Test(arguments: [(.zero, 1), (.milliseconds(1500), 2)] as [(Duration, Int)])
    func aCallThatIsCancelledInSilenceIsFollowedByANewConnection(_ time: Duration, _ connection: Int) async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "stall", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).connection == 1)
        let listener = Listener()
        let call = Task {
            try await transport.send(HTTPRequest(url: url), options: TransportOptions(observer: listener))
        }
        try #require(try await holds { listener.words.contains("requestSent") })
        let begin = ContinuousClock.now
        // A connection is silent when it received nothing for a second, by the clock of the timeouts.
        if time > .zero { try await transport.waitForTimeout(of: time) }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        // A machine that stalls makes the silence longer.
        let isLong = ContinuousClock.now - begin > .milliseconds(500)
        let next = try await transport.report(url).connection
        #expect(next == connection || next == 2 && isLong)
    }

    // MARK: - Idle connections

    /// A listener of the same program reports the events of the first one.
    private func waitFor(_ server: TLSServer, _ condition: (TLSServer.Report) -> Bool) async throws {
        let transport = try await transport()
        let isMet = try await holds { condition(try await transport.report(try server.url(listener: 1))) }
        #expect(isMet, "the server's connections stay as they are")
    }

    private func makeServer(_ script: String...) async throws -> TLSServer {
        var listeners = [
            TLSServer.Listener("server", try await Certificates.shared),
            TLSServer.Listener("server", try await Certificates.shared),
        ]
        (listeners[0].alpn, listeners[0].script) = (["h2"], script)
        listeners[1].reportsOf = 0
        return try await TLSServer(listeners)
    }

    @Test func anIdleConnectionIsClosedWithAFarewellWhenItIsOld() async throws {
        let server = try await makeServer("answer")
        let age = Duration.milliseconds(600)
        let transport = try await transport { $0.idleAgeMax = age }
        let first = ContinuousClock.now
        // Before the request: its answer may have come long before this task goes on.
        var (begin, last) = (first, try await transport.report(try server.url()).connection)
        // One that is used stays, on a machine that lets it be used in time.
        let hasGrownOld = try await holds {
            let now = ContinuousClock.now
            let connection = try await transport.report(try server.url()).connection
            #expect(connection == last || ContinuousClock.now - begin > age / 2)
            (begin, last) = (now, connection)
            return now - first > age * 2
        }
        #expect(hasGrownOld)
        try await waitFor(server) { $0.closed == last && $0.farewells == last }
        #expect(try await transport.report(try server.url(), .post).connection == last + 1)
    }

    @Test(arguments: ["answerAndClose", "answerAndGoaway"])
    func aServerThatEndsAnIdleConnectionFailsNoRequest(_ action: String) async throws {
        let server = try await makeServer(action)
        let transport = try await transport()
        var connections: Set<Int> = []
        for count in 1...5 {
            connections.insert(try await transport.report(try server.url(), .post).connection)
            #expect(connections.count == count)
            try await waitFor(server) { $0.closed == count }
        }
    }
}
#endif
