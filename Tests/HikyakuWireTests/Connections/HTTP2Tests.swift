#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct HTTP2Tests {
    private func transport(_ change: (inout WireOptions) -> Void = { _ in }) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared, change)
    }

    private func failure(
        _ transport: WireTransport,
        _ url: URL,
        _ method: HTTPMethod = .get,
    ) async throws
        -> TransportError
    {
        try await transportError {
            try await transport.send(HTTPRequest(method: method, url: url), options: TransportOptions())
        }
    }

    /// Runs `count` tasks, and something else while they run; throws what one of them throws.
    private func atOnce(
        _ count: Int,
        _ action: @escaping @Sendable (Int) async throws -> Void,
        meanwhile other: () async -> Void = {},
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count { group.addTask { try await action(number) } }
            await other()
            try await group.waitForAll()
        }
    }

    // MARK: - One connection

    @Test(.enabled(if: Nginx.isInstalled))
    func sixtyFourAtOnceShareOneConnection() async throws {
        let nginx = try await Nginx()
        let transport = try await transport()
        for _ in 0..<3 {
            let urls = try (0..<64).map { try nginx.url("/\($0)") }
            try await atOnce(64) { number in
                let text = try await transport.get(urls[number]).text()
                #expect(text == "file \(number)")
            }
        }
        let log = try await nginx.log(of: 192)
        #expect(log.count == 192)
        #expect(Set(log.map { $0[1] }) == ["HTTP/2.0"])
        #expect(Set(log.map { $0[0] }).count == 1)
    }

    @Test(
        .enabled(if: Nginx.isInstalled),
        arguments: [("", false), ("http2_max_concurrent_streams 8;", false), ("", true)],
    )
    func moreThanOneConnectionTakesWait(_ settings: String, throughProxy: Bool) async throws {
        let nginx = try await Nginx(settings)
        let proxy = throughProxy ? try await ProxyServer() : nil
        let transport = try await transport { options in
            if let proxy { options.proxy = .http(host: "127.0.0.1", port: proxy.port) }
        }
        let url = try nginx.url("/1")
        _ = try await transport.get(url)
        try await atOnce(200) { _ in
            let text = try await transport.get(url).text()
            #expect(text == "file 1")
        }
        let log = try await nginx.log(of: 201)
        #expect(log.count == 201)
        let connectionCount = Set(log.map { $0[0] }).count
        #expect(connectionCount <= (settings.isEmpty ? 1 : 64))
        #expect(Set(log.map { $0[1] }) == ["HTTP/2.0"])
    }

    /// Streamed responses use connections of their own, and wait for them without delaying others.
    @Test func streamsOfASharedOriginWaitInTheQueue() async throws {
        let server = try await TLSServer {
            $0.alpn = ["h2", "http/1.1"]
            $0.script = ["answer", "slow"]
        }
        let transport = try await transport { $0.connectionsPerHostMax = 3 }
        let url = try server.url()
        #expect(try await transport.report(url).stream != nil)
        let timeouts = TransportTimeouts(connect: .milliseconds(700))
        try await atOnce(6) { _ in
            let options = TransportOptions(streamsBody: true, timeouts: timeouts)
            let response = try await transport.send(HTTPRequest(url: url), options: options)
            #expect(try await !response.body.collect().isEmpty)
        }
    }

    @Test(.enabled(if: Nginx.isInstalled))
    func anUploadOfAnySizeArrives() async throws {
        let nginx = try await Nginx(
            "client_max_body_size 64m; location /put { dav_methods PUT; create_full_put_path on; }"
        )
        let transport = try await transport()
        for size in [0, 1, 40_000, 5_000_000] {
            let body = HTTPBody(Data(repeating: 7, count: size))
            let request = HTTPRequest(method: .put, url: try nginx.url("/put/\(size)"), body: body)
            #expect(try await transport.send(request, options: TransportOptions()).status == .created)
            #expect(try await transport.get(try nginx.url("/put/\(size)")).body.count == size)
        }
        #expect(Set(try await nginx.log(of: 8).map { $0[0] }).count == 1)
    }

    /// HTTP/2 has no chunks: a stream without a length ends with its last frame.
    @Test(.enabled(if: Nginx.isInstalled), arguments: [true, false])
    func aStreamedUploadOfAnySizeArrives(_ isLengthKnown: Bool) async throws {
        let nginx = try await Nginx(
            "client_max_body_size 64m; location /put { dav_methods PUT; create_full_put_path on; }"
        )
        let transport = try await transport()
        for size in [0, 1, 300_000, 5_000_000] {
            let content = variedBytes(size)
            let source = TestSource { number in
                let start = number * 70_001
                return start < size ? .piece(content[start..<min(start + 70_001, size)]) : nil
            }
            let body = HTTPBody(source, count: isLengthKnown ? size : nil)
            let request = HTTPRequest(method: .put, url: try nginx.url("/put/\(size)"), body: body)
            #expect(try await transport.send(request, options: TransportOptions()).status == .created)
            #expect(try await transport.get(try nginx.url("/put/\(size)")).body.collect() == content)
        }
        let log = try await nginx.log(of: 8)
        #expect(Set(log.map { $0[0] }).count == 1)
        #expect(Set(log.map { $0[1] }) == ["HTTP/2.0"])
    }

    /// nginx reads no more than its window of such a request.
    @Test(.enabled(if: Nginx.isInstalled), arguments: [200, 204, 403])
    func anAnswerThatComesBeforeTheUploadIsOutIsTaken(_ status: Int) async throws {
        let nginx = try await Nginx("client_max_body_size 64m; location /early { return \(status) early; }")
        let transport = try await transport()
        let body = HTTPBody(Data(repeating: 7, count: 20_000_000))
        for _ in 0..<3 {
            let request = HTTPRequest(method: .post, url: try nginx.url("/early"), body: body)
            let response = try await transport.send(request, options: TransportOptions())
            #expect(response.status.code == status)
            #expect(try await response.text() == (status == 204 ? "" : "early"))
            #expect(try await transport.get(try nginx.url("/1")).text() == "file 1")
        }
        #expect(Set(try await nginx.log(of: 6).map { $0[0] }).count == 1)
    }

    @Test(.enabled(if: Nginx.isInstalled))
    func withoutHTTP2EachRequestHasItsConnection() async throws {
        let nginx = try await Nginx()
        let transport = try await transport { $0.offersHTTP2 = false }
        #expect(try await transport.get(try nginx.url("/1")).text() == "file 1")
        #expect(try await nginx.log(of: 1).map { $0[1] } == ["HTTP/1.1"])
    }

    @Test func aServerWithoutHTTP2IsSpokenToInHTTP1() async throws {
        let server = try await TLSServer()
        let transport = try await transport()
        let url = try server.url()
        try await atOnce(16) { _ in
            let request = try await transport.report(url).request
            #expect(request == "GET / HTTP/1.1")
        }
    }

    // MARK: - Cancelling

    @Test(.enabled(if: Nginx.isInstalled))
    func cancellingAStreamLeavesTheOthersAlone() async throws {
        let nginx = try await Nginx("location /slow { limit_rate 100k; alias files/big; }")
        try nginx.addFile("big", byteCount: 50_000_000)
        let transport = try await transport()
        let (slow, quick) = (try nginx.url("/slow"), try nginx.url("/1"))
        #expect(try await transport.get(quick).text() == "file 1")
        for _ in 0..<3 {
            let stuck = (0..<8).map { _ in Task { try await transport.get(slow) } }
            try await atOnce(32) { _ in
                let text = try await transport.get(quick).text()
                #expect(text == "file 1")
            } meanwhile: {
                for task in stuck { task.cancel() }
            }
            for task in stuck { await #expect(throws: CancellationError.self) { try await task.value } }
        }
        let log = try await nginx.log(of: 97).filter { $0[2] == "/1" }
        #expect(log.count == 97)
        #expect(Set(log.map { $0[0] }).count == 1)
    }

    @Test(.enabled(if: Nginx.isInstalled))
    func cancellingTheOneThatConnectsLeavesTheOthersAlone() async throws {
        let nginx = try await Nginx()
        // A forgotten exchange continues when a timeout wakes the loop.
        let patience = Duration.seconds(100)
        let timeouts = TransportTimeouts(connect: patience, firstByte: patience, idle: patience)
        let options = TransportOptions(timeouts: timeouts)
        let begin = ContinuousClock.now
        defer { #expect(ContinuousClock.now - begin < patience / 2, "somebody was forgotten") }
        for _ in 0..<10 {
            let transport = try await transport()
            let request = HTTPRequest(url: try nginx.url("/1"))
            let first = Task { try await transport.send(request, options: options) }
            try await atOnce(32) { _ in
                let text = try await transport.send(request, options: options).text()
                #expect(text == "file 1")
            } meanwhile: {
                await Task.yield()
                first.cancel()
            }
            _ = await first.result
        }
    }

    /// It is cancelled when the pool has given it the connection, and before the loop begins it.
    @Test func aCallThatIsCancelledBeforeItsStartIsNotSent() async throws {
        let server = try await TLSServer.speakingHTTP2("answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).requests == 1)
        let holder = LoopHolder()
        defer { holder.letGo() }
        let first = Task {
            try await transport.send(HTTPRequest(url: url), options: TransportOptions(observer: holder))
        }
        try #require(try await holds { holder.isHolding })
        let second = Task { try await transport.report(url, .post) }
        let isAssigned = try await holds {
            transport.engine.state.withLock { state in
                state.commands.contains { if case .start = $0 { true } else { false } }
            }
        }
        try #require(isAssigned)
        second.cancel()
        holder.letGo()
        #expect(try await first.value.status == .ok)
        await #expect(throws: CancellationError.self) { try await second.value }
        let last = try await transport.report(url)
        #expect(last.requests == 3 && last.connection == 1)
    }

    // MARK: - Streams that fail

    /// Of whatever method (RFC 9113, section 8.7).
    @Test(arguments: [.get, .post] as [HTTPMethod])
    func aRequestThatAServerWhichGoesAwayDidNotProcessIsSentAgain(_ method: HTTPMethod) async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "goaway", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).connection == 1)
        let report = try await transport.report(url, method, body: "again")
        #expect(report.requests == 3 && report.connection == 2)
    }

    @Test func anIdempotentRequestIsSentAgainWhenAKeptConnectionFailsIt() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "close", "answer")
        let transport = try await transport()
        #expect(try await transport.report(try server.url()).stream == 1)
        let report = try await transport.report(try server.url(), .put, body: "again")
        #expect(report.requests == 3)
        #expect(report.connection == 2)
    }

    @Test func aPostIsNotSentAgainWhenAKeptConnectionFailsIt() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "close", "answer")
        let transport = try await transport()
        #expect(try await transport.report(try server.url(), .post).stream == 1)
        #expect(try await failure(transport, try server.url(), .post).reason == .connectionClosed)
        #expect(try await transport.report(try server.url(), .post).requests == 3)
    }

    @Test func aServerThatWantsHTTP1GetsIt() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "http11", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url, .post).stream == 1)
        for requests in 3...4 {
            let report = try await transport.report(url, .post)
            #expect(report.request == "POST / HTTP/1.1")
            #expect(report.requests == requests)
            #expect(report.connection == 2)
        }
    }

    @Test(
        arguments: [("internal", .connectionReset), ("resetBody", .connectionReset), ("cut", .truncatedResponse)]
            as [(String, FailureReason)]
    )
    func aStreamThatBreaksOffIsNotASuccess(_ fault: String, _ reason: FailureReason) async throws {
        let server = try await TLSServer.speakingHTTP2(fault, "answer")
        let transport = try await transport()
        #expect(try await failure(transport, try server.url()).reason == reason)
        #expect(try await transport.report(try server.url()).requests == 2)
    }

    /// A reset without an error code ends a whole response alone (RFC 9113, section 8.1).
    @Test(arguments: ["resetQuietly", "resetEmpty"])
    func aResetWithoutAnErrorIsNotTheEndOfABody(_ fault: String) async throws {
        let server = try await TLSServer.speakingHTTP2(fault, "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await failure(transport, url).reason == .truncatedResponse)
    }

    @Test func aConnectionThatDiesUnderManyStreamsIsReplaced() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "close", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).connection == 1)
        try await atOnce(32) { _ in _ = try await transport.report(url) }
        #expect(try await transport.report(url).connection == 2)
    }

    @Test func aServerThatNeverRespondsGetsAtMostTwoRequests() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "close", "close", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).requests == 1)
        #expect(try await failure(transport, url).reason == .connectionClosed)
        #expect(try await transport.report(url).requests == 4)
    }

    /// Further requests are the client's, which limits them.
    @Test(arguments: ["refuse", "goaway"])
    func aServerThatAcceptsNothingGetsOneRequestOverANewConnection(_ refusal: String) async throws {
        let server = try await TLSServer.speakingHTTP2(refusal, "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await failure(transport, url, .post).reason == .notProcessed)
        #expect(try await transport.report(url).requests == 2)
    }

    /// What came of its response may be with the caller, and must not be followed by that to a second request.
    @Test(arguments: [false, true])
    func aStreamThatTheServerDisownsAmidItsResponseHasFailed(_ streams: Bool) async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "disown", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).requests == 1)
        let error = try await #require(throws: TransportError.self) {
            let response = try await transport.send(
                HTTPRequest(url: url),
                options: TransportOptions(streamsBody: streams),
            )
            _ = try await response.body.collect()
        }
        #expect(error.reason == .truncatedResponse)
        #expect(try await transport.report(url).requests == 3)
    }

    @Test func aServerThatRefusesOverAKeptConnectionGetsOneRequest() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "refuse", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).requests == 1)
        #expect(try await failure(transport, url).reason == .notProcessed)
        #expect(try await transport.report(url).requests == 3)
    }

    @Test func aStreamThatBreaksOffLeavesTheOthersAlone() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "resetBody", "answer")
        let transport = try await transport()
        let url = try server.url()
        #expect(try await transport.report(url).connection == 1)
        let outcomes = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<16 { group.addTask { try? await transport.report(url).connection } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == 1 } == 15)
        #expect(outcomes.count { $0 == nil } == 1)
    }

    @Test func aServerThatGoesAwayAfterAnAnswerGetsNoFurtherRequests() async throws {
        let server = try await TLSServer.speakingHTTP2("answerAndGoaway")
        let transport = try await transport()
        for connection in 1...5 {
            #expect(try await transport.report(try server.url(), .post).connection == connection)
        }
    }
}

/// Blocks the loop, on whose thread it receives the event before a request is sent.
private final class LoopHolder: EventObserver {
    private let state = Lock(false)
    private let semaphore = DispatchSemaphore(value: 0)

    var isHolding: Bool { state.withLock(\.self) }

    func observe(_ event: TransportEvent) {
        guard case .ready = event.kind else { return }
        state.withLock { $0 = true }
        semaphore.wait()
    }

    func letGo() { semaphore.signal() }
}
#endif
