#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// Servers of HTTP/2 that are slow, small or gone at the wrong moment.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct HTTP2FailureTests {
    private func transport(_ change: (inout WireOptions) -> Void = { _ in }) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared, change)
    }

    // MARK: - Handshakes

    /// A second handshake that begins meanwhile doesn't end the first.
    @Test func aHandshakeThatTakesLongIsWaitedFor() async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2", "http/1.1"]
            listener.delays = [0.9]
        }
        let transport = try await transport()
        #expect(try await transport.report(try server.url()).connection == 1)
    }

    // MARK: - Streams that are refused

    /// A new connection takes no more requests at first than the server has allowed on the one before.
    @Test(.enabled(if: Nginx.isInstalled))
    func aServerThatTakesFewStreamsAndIsSlowAnswersAll() async throws {
        let nginx = try await Nginx(
            "http2_max_concurrent_streams 3; location /slow { limit_rate 50k; alias files/big; }"
        )
        try nginx.addFile("big", byteCount: 60_000)
        let transport = try await transport()
        let url = try nginx.url("/slow")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 { group.addTask { try await transport.get(url).body.count ?? 0 } }
            for try await count in group { #expect(count == 60_000) }
        }
    }

    // MARK: - The end

    /// What gets a connection in the loop's last round ends, too.
    @Test(arguments: ["h2", "http/1.1"])
    func eachCallEndsWithTheTransport(_ protocolName: String) async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = [protocolName]
            listener.settings = [[3, 2]]
        }
        let url = try server.url()
        for round in 0..<60 {
            let transport = try await transport { $0.connectionsPerHostMax = 8 }
            _ = try await transport.get(url)
            let endedCount = Lock(0)
            let ended = AsyncStream.makeStream(of: Void.self)
            let calls = (0..<64).map { _ in
                Task {
                    _ = try? await transport.get(url)
                    endedCount.withLock { $0 += 1 }
                    ended.continuation.yield()
                }
            }
            // Each time at another moment: while the calls begin, and when some of them have ended.
            await yieldRepeatedly(min(round, 30) * 20)
            for await _ in ended.stream.prefix(max(0, (round - 30) * 2)) {}
            await transport.shutdown(within: .zero)
            let haveEnded = try await holds { endedCount.withLock(\.self) == calls.count }
            try #require(haveEnded, "\(endedCount.withLock(\.self)) of \(calls.count) in round \(round)")
        }
    }

    /// A write finds out that the connection has ended, while most of what the server sent is still unread.
    @Test func whatTheServerSentBeforeItClosedTheConnectionIsUsed() async throws {
        let stalls = Array(repeating: "stall", count: 6)
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2"]
            listener.script = ["answer"] + stalls + ["lastWords", "answer"]
        }
        let relay = try Relay(to: server.ports[0])
        let transport = try await transport { $0.unixSockets = ["127.0.0.1": relay.path] }
        let url = try #require(URL(string: "https://127.0.0.1/"))
        #expect(try await transport.report(url).connection == 1)
        let request = HTTPRequest(method: .post, url: url)
        let answered = stalls.map { _ in Task { try await transport.send(request, options: TransportOptions()) } }
        let engine = transport.engine
        #expect(try await holds { engine.state.withLock { $0.pool.inFlightCount } == stalls.count })
        relay.hold()
        let unprocessed = Task { try await transport.report(url, .post) }
        try #require(try await holds { relay.hasServerEnded })
        // While the loop waits for events, and can't read before all has come.
        let isReleased = try await holds { engine.state.withLock { $0.isAsleep && relay.releaseAndClose() } }
        try #require(isReleased)
        for task in answered { #expect(try await task.value.body.collect().count == 56_000) }
        #expect(try await unprocessed.value.requests == stalls.count + 3)
    }

    // MARK: - Kept connections

    /// The connection has shown to be alive by the beginning of a response, though none is complete.
    @Test(arguments: [.get, .post] as [HTTPMethod])
    func anIdempotentRequestIsSentAgainOverAConnectionThatHasAnswered(_ method: HTTPMethod) async throws {
        let server = try await TLSServer.speakingHTTP2("begin", "close", "answer")
        let transport = try await transport()
        let url = try server.url()
        let begun = try await transport.send(HTTPRequest(url: url), options: .streaming)
        if method == .get {
            let report = try await transport.report(url, method)
            #expect(report.connection == 2 && report.requests == 3)
        } else {
            let error = try await transportError {
                try await transport.send(HTTPRequest(method: method, url: url), options: TransportOptions())
            }
            #expect(error.reason == .connectionClosed)
        }
        let failure = try await #require(throws: TransportError.self) { _ = try await begun.body.collect() }
        #expect(failure.reason == .truncatedResponse)
    }

    /// The connection has carried a request, though not to a response.
    @Test func aConnectionWhoseFirstStreamFailedIsKept() async throws {
        let server = try await TLSServer.speakingHTTP2("internal", "close", "answer")
        let transport = try await transport()
        let url = try server.url()
        await #expect(throws: TransportError.self) { try await transport.get(url) }
        #expect(try await transport.report(url).connection == 2)
    }

    /// Nothing of it was written when the connection ended, so that it is sent again whatever its method is.
    @Test(arguments: [.get, .post] as [HTTPMethod], [true, false])
    func aRequestThatWasNotWrittenIsSentAgain(_ method: HTTPMethod, isWritten: Bool) throws {
        let url = "https://127.0.0.1/"
        let site = Site(RequestURL(url), key: "", ConnectionSettings(WireOptions()))
        let carrier = try HTTP2Carrier(for: site)
        let request = HTTPRequest(method: method, url: try #require(URL(string: url)))
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
        defer { room.deallocate() }
        _ = carrier.flush(room, at: 1) { $0.count }
        #expect(carrier.start(try Exchange(request, TransportOptions()), isOnKept: true, isTrusted: true, at: 2))
        if isWritten { _ = carrier.flush(room, at: 3) { min($0.count, 1) } }
        carrier.connectionEnded(nil, at: 4)
        let outcome = carrier.takeOutcomes().first?.outcome
        let isRepeated = if case .repeated(_, needsNew: true) = outcome { true } else { false }
        #expect(isRepeated == (method == .get || !isWritten))
    }

    /// They would be so again.
    @Test func fieldsThatAreTooLargeForHTTP2AreNotTriedAgain() throws {
        let url = "https://127.0.0.1/"
        let site = Site(RequestURL(url), key: "", ConnectionSettings(WireOptions()))
        let carrier = try HTTP2Carrier(for: site)
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
        defer { room.deallocate() }
        _ = carrier.flush(room, at: 0) { $0.count }
        for (count, isTooLarge) in [(9 << 20, true), (1 << 20, false)] {
            let headers: HTTPHeaders = ["X-A": String(repeating: "a", count: count)]
            let request = HTTPRequest(url: try #require(URL(string: url)), headers: headers)
            let exchange = try Exchange(request, TransportOptions())
            #expect(carrier.start(exchange, isOnKept: false, isTrusted: true, at: 0))
            _ = carrier.flush(room, at: 0) { $0.count }
            let outcomes = carrier.takeOutcomes()
            guard isTooLarge else { return #expect(outcomes.isEmpty) }
            guard case .failed(let error as TransportError) = outcomes.first?.outcome else {
                Issue.record("\(outcomes)")
                return
            }
            #expect(error.reason == .header && !exchange.isReplayed)
        }
    }

    /// By the instants that the carrier is given, and no clock.
    @Test func aRequestWithoutAnAnswerEndsWhenItsTimeIsUp() throws {
        let url = "https://127.0.0.1/"
        let carrier = try HTTP2Carrier(for: Site(RequestURL(url), key: "", ConnectionSettings(WireOptions())))
        let timeouts = TransportTimeouts(firstByte: .seconds(30), idle: .seconds(20))
        let request = HTTPRequest(url: try #require(URL(string: url)))
        let exchange = try Exchange(request, TransportOptions(timeouts: timeouts))
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
        defer { room.deallocate() }
        func at(_ seconds: Int64) -> Int64 { seconds * 1_000_000_000 }
        #expect(carrier.start(exchange, isOnKept: false, isTrusted: true, at: at(5)))
        // Nothing is written at first, which the idle time is for.
        #expect(carrier.checkTimes(at: at(6)) == at(25))
        _ = carrier.flush(room, at: at(10)) { $0.count }
        #expect(carrier.checkTimes(at: at(39)) == at(40))
        #expect(carrier.takeOutcomes().isEmpty)
        #expect(carrier.checkTimes(at: at(40)) == .max)
        guard case .failed(let error as TransportError) = carrier.takeOutcomes().first?.outcome else {
            return #expect(Bool(false), "it goes on")
        }
        #expect(error.reason == .firstByteTimeout)
        #expect(error.message.hasSuffix("no response within 30.0 seconds"))
        // Nothing has come at all, so that the connection may be dead.
        #expect(carrier.isRetired)
    }

    /// A connection has a billion of them.
    @Test func aConnectionWithoutFurtherStreamsIsReplaced() async throws {
        let server = try await TLSServer.speakingHTTP2("answer")
        var limits = HTTP2Limits()
        limits.firstStreamID = .max - 2
        let transport = try await WireTransport.trusting(Certificates.shared, http2Limits: limits)
        var connections: [Int] = []
        let url = try server.url()
        for _ in 0..<5 { connections.append(try await transport.report(url).connection) }
        #expect(connections == [1, 1, 2, 2, 3])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await transport.report(url) } }
            try await group.waitForAll()
        }
    }

    /// The server reads nothing meanwhile, so that nothing is read of the source.
    @Test func aSourceThatFailsEndsAnUploadThatIsHeldBack() async throws {
        let server = try await TLSServer.speakingHTTP2("deaf")
        let transport = try await transport()
        struct SourceFailure: Error {}
        let isHeldBack = Gate()
        let pieces = TestSource { number in
            switch number {
            case 0..<5: .piece(Data(repeating: 1, count: 65_536))
            case 5: .wait { await isHeldBack.wait() }
            default: .failure(SourceFailure())
            }
        }
        let request = HTTPRequest(method: .post, url: try server.url(), body: HTTPBody(pieces, count: 1 << 24))
        let begin = ContinuousClock.now
        await #expect(throws: SourceFailure.self) {
            try await transport.send(request, options: TransportOptions(observer: FullWindow { isHeldBack.open() }))
        }
        // A failure that is not noticed ends with the timeout, after 60 seconds.
        #expect(ContinuousClock.now - begin < .seconds(30))
    }

    /// As many as may be in flight to one origin, but for one.
    @Test(.enabled(if: Nginx.isInstalled))
    func readersThatStopDelayNoOtherStream() async throws {
        let nginx = try await Nginx()
        try nginx.addFile("big", byteCount: 2_000_000)
        let transport = try await transport()
        let timeouts = TransportTimeouts(firstByte: .seconds(30), idle: .seconds(200))
        let options = TransportOptions(streamsBody: true, timeouts: timeouts)
        let request = HTTPRequest(url: try nginx.url("/big"))
        var stopped: [HTTPResponse] = []
        for _ in 0..<63 { stopped.append(try await transport.send(request, options: options)) }
        for number in 0..<64 {
            let request = HTTPRequest(url: try nginx.url("/\(number)"))
            let response = try await transport.send(request, options: TransportOptions(timeouts: timeouts))
            #expect(try await response.text() == "file \(number)")
        }
        for response in stopped { #expect(try await response.body.collect().count == 2_000_000) }
        #expect(Set(try await nginx.log(of: 127).map { $0[0] }).count == 1)
    }
}

/// Detects when the server's initial window for a stream is used up (RFC 9113, section 6.9.2).
private struct FullWindow: EventObserver {
    let whenFull: @Sendable () -> Void

    func observe(_ event: TransportEvent) {
        if case .bytesSent(65_535..., _) = event.kind { whenFull() }
    }
}
#endif
