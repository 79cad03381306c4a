#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// Bounds, and what else belongs to a response, over HTTP/2.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct HTTP2BoundTests {
    private func transport(_ change: (inout WireOptions) -> Void = { _ in }) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared, change)
    }

    private func raw(_ fields: [(String, String)], _ more: [UInt8]...) -> String {
        let bytes = Frame.headers(1, fields, end: more.isEmpty) + more.flatMap(\.self)
        return "raw " + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: - Bodies

    @Test(.enabled(if: Nginx.isInstalled))
    func aBodyThatIsTooLargeEndsItsStreamAlone() async throws {
        let nginx = try await Nginx("location /error { return 500 0123456789; }")
        try nginx.addFile("big", byteCount: 5_000_000)
        let transport = try await transport()
        let other = try await transport.send(HTTPRequest(url: try nginx.url("/big")), options: .streaming)
        let options = TransportOptions(bodyBytesMax: 1000, errorBodyBytesMax: 4)
        for _ in 0..<3 {
            let request = HTTPRequest(url: try nginx.url("/big"))
            let error = try await transportError { try await transport.send(request, options: options) }
            #expect(error.reason == .bodyTooLarge)
            let response = try await transport.send(HTTPRequest(url: try nginx.url("/error")), options: options)
            #expect(response.isBodyCut)
            #expect(try await response.text() == "0123")
            #expect(try await transport.get(try nginx.url("/1")).text() == "file 1")
        }
        #expect(try await other.body.collect().count == 5_000_000)
        let log = try await nginx.log(of: 10)
        #expect(Set(log.map { $0[0] }).count == 1)
        // The others were reset.
        #expect(log.count { $0[2] == "/big" && $0[4] == "5000000" } == 1)
    }

    // MARK: - Header blocks

    @Test(
        arguments: [
            ("hugeHead", .headersTooLarge), ("informational", .headersTooLarge), ("fields", .headersTooLarge),
        ] as [(String, FailureReason)]
    )
    func tooMuchBeforeABodyIsRejected(_ action: String, _ reason: FailureReason) async throws {
        let many = raw([(":status", "200")] + (0...500).map { ("a\($0)", "b") })
        let server = try await TLSServer.speakingHTTP2(action == "fields" ? many : action, "answer")
        let transport = try await transport()
        #expect(try await transportError { try await transport.get(try server.url()) }.reason == reason)
        #expect(try await transport.report(try server.url()).requests == 2)
    }

    // MARK: - Many requests

    @Test(.enabled(if: Nginx.isInstalled))
    func twoThousandRequestsAtOnceCompleteThreeByThree() async throws {
        let nginx = try await Nginx("http2_max_concurrent_streams 3;")
        let transport = try await transport()
        let urls = try (0..<64).map { try nginx.url("/\($0)") }
        let begin = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let text = try await transport.get(urls[number % 64]).text()
                    #expect(text == "file \(number % 64)")
                }
            }
            try await group.waitForAll()
        }
        // None waited for a timeout.
        #expect(ContinuousClock.now - begin < .seconds(50))
        #expect(try await nginx.log(of: 2000).count == 2000)
        #expect(transport.engine.state.withLock(\.pool.isEmpty))
    }

    // MARK: - Responses

    @Test(arguments: [false, true])
    func trailersAreKept(_ streams: Bool) async throws {
        let server = try await TLSServer.speakingHTTP2(
            raw(
                [(":status", "200")],
                Frame.data(1, Array("body".utf8)),
                Frame.headers(1, [("sum", "7")], end: true),
            )
        )
        let options = TransportOptions(streamsBody: streams)
        let response = try await transport().send(HTTPRequest(url: try server.url()), options: options)
        #expect(try await response.text() == "body")
        #expect(response.trailers.lines == ["sum: 7"])
        #expect(response.headers.lines.isEmpty)
    }

    @Test(arguments: [(.head, 200), (.get, 204), (.get, 304), (.head, 404)] as [(HTTPMethod, Int)])
    func aResponseWithoutABodyIsComplete(_ method: HTTPMethod, _ status: Int) async throws {
        let fields = [(":status", "\(status)"), ("etag", "x")] + (status == 204 ? [] : [("content-length", "5")])
        let server = try await TLSServer.speakingHTTP2(raw(fields), "answer")
        let transport = try await transport()
        let request = HTTPRequest(method: method, url: try server.url())
        let response = try await transport.send(request, options: TransportOptions())
        #expect(response.status.code == status)
        #expect(response.headers["content-length"] == (status == 204 ? nil : "5"))
        #expect(try await response.body.collect().isEmpty)
        #expect(try await transport.report(try server.url()).connection == 1)
    }

    @Test func anExchangeEmitsEventsFromItsStartToItsEnd() async throws {
        let server = try await TLSServer.speakingHTTP2(
            raw([(":status", "200"), ("content-length", "5")], Frame.data(1, Array("hello".utf8), end: true)),
            "answer",
            "goaway",
            "answer",
        )
        let transport = try await transport()
        let observer = Listener()
        let request = HTTPRequest(method: .put, url: try server.url(), body: HTTPBody("abc"))
        for _ in 0..<3 { _ = try await transport.send(request, options: TransportOptions(observer: observer)) }
        let words = observer.words.filter { !$0.hasPrefix("bytesReceived") || $0 == "bytesReceived 5 of 5" }
        let end = ["bytesSent 3 of 3", "requestSent", "firstByte"]
        let reused = "ready(reused h2)"
        let new = ["nameFound", "connected", "secured", "ready(new h2)"]
        #expect(
            words == ["began PUT"] + new + end + ["bytesReceived 5 of 5", "ended", "began PUT", reused] + end
                + ["ended", "began PUT", reused] + end.dropLast() + ["resending transport.notProcessed"] + new + end
                + ["ended"]
        )
        let instants = observer.events.map(\.instant)
        #expect(instants == instants.sorted())
    }
}
#endif
