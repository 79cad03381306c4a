import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@Suite struct MockTransportTests {
    private let transport = MockTransport()

    private func send(_ body: HTTPBody? = nil, options: TransportOptions) async throws -> HTTPResponse {
        let url = try #require(URL(string: "https://a.example/"))
        return try await transport.send(HTTPRequest(method: .put, url: url, body: body), options: options)
    }

    private func pieces(_ texts: String...) -> HTTPBody {
        HTTPBody(
            AsyncStream { continuation in
                for text in texts { continuation.yield(Data(text.utf8)) }
                continuation.finish()
            }
        )
    }

    @Test func aMissingAnswerSaysHowToGiveOne() async throws {
        let error = await #expect(throws: TransportError.self) { try await send(options: TransportOptions()) }
        #expect(error?.message == "MockTransport has no answer left for request number 1")
        #expect(error?.hint?.contains("enqueue") == true && error?.hint?.contains("closure") == true)
    }

    @Test func aResetTransportForgetsRequestsAndAnswers() async throws {
        for _ in 0..<2 { transport.enqueue(HTTPResponse(status: .ok)) }
        _ = try await send(options: TransportOptions())
        transport.reset()
        #expect(transport.requests.isEmpty)
        await #expect(throws: TransportError.self) { try await send(options: TransportOptions()) }
        transport.enqueue(HTTPResponse(status: .created))
        #expect(try await send(options: TransportOptions()).status == .created)
        #expect(transport.requests.count == 2)
    }

    @Test func aStreamedAnswerIsPulledOrCollected() async throws {
        transport.enqueue(HTTPResponse(status: .ok, body: pieces("a", "b")))
        let whole = try await send(options: TransportOptions())
        #expect(whole.body.bytes == Data("ab".utf8))
        transport.enqueue(HTTPResponse(status: .ok, body: pieces("a", "b")))
        let streamed = try await send(options: TransportOptions(bodyBytesMax: 1, streamsBody: true))
        #expect(streamed.body.bytes == nil && !streamed.body.isReplayable)
        var got: [String] = []
        for try await piece in streamed.body { got.append(String(decoding: piece, as: UTF8.self)) }
        #expect(got == ["a", "b"])
        transport.enqueue(HTTPResponse(status: .ok, body: pieces("a", "b")))
        let error = await #expect(throws: TransportError.self) {
            try await send(options: TransportOptions(bodyBytesMax: 1))
        }
        #expect(error?.reason == .bodyTooLarge)
    }

    @Test func trailersComeWithTheEndOfAStreamedAnswer() async throws {
        var answer = HTTPResponse(status: .ok, body: "ab")
        answer.trailers = ["X-Sum": "2"]
        transport.enqueue(answer)
        #expect(try await send(options: TransportOptions()).trailers["X-Sum"] == "2")
        for body in ["ab", pieces("a", "b")] as [HTTPBody] {
            answer.body = body
            transport.enqueue(answer)
            let streamed = try await send(options: TransportOptions(streamsBody: true))
            #expect(streamed.trailers.isEmpty)
            #expect(try await streamed.body.collect() == Data("ab".utf8))
            #expect(streamed.body.trailers["X-Sum"] == "2")
        }
    }

    @Test func anUploadIsRecordedInMemory() async throws {
        transport.enqueue(.json("{}"))
        _ = try await send(pieces("a", "b"), options: TransportOptions())
        #expect(transport.requests.first?.body?.bytes == Data("ab".utf8))
    }

    @Test func anObserverHearsTheStages() async throws {
        let log = Lock<[String]>([])
        let observer = Observer { event in log.withLock { $0.append("\(event.kind)".prefix { $0 != "(" }.description) }
        }
        transport.enqueue(HTTPResponse(status: .ok, body: "abc"))
        _ = try await send("up", options: TransportOptions(observer: observer))
        let stages = ["began", "bytesSent", "requestSent", "firstByte", "bytesReceived", "ended"]
        #expect(log.withLock { $0 } == stages)
        log.withLock { $0 = [] }
        transport.enqueue(HTTPResponse(status: .ok, body: "abc"))
        let streamed = try await send("up", options: TransportOptions(streamsBody: true, observer: observer))
        #expect(log.withLock { $0 } == Array(stages.prefix(4)))
        _ = try await streamed.body.collect()
        #expect(log.withLock { $0 } == stages)
    }

    @Test func aDelayedAnswerEndsWithItsCall() async throws {
        transport.enqueue(.response(HTTPResponse(status: .ok)).delayed(by: .seconds(3600)))
        let call = Task { try await send(options: TransportOptions()) }
        try #require(try await holds { !transport.requests.isEmpty })
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        transport.enqueue(.response(HTTPResponse(status: .created)).delayed(by: .milliseconds(1)))
        #expect(try await send(options: TransportOptions()).status == .created)
    }

    @Test func shuttingDownEndsAStreamThatIsRead() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        transport.enqueue(HTTPResponse(status: .ok, body: HTTPBody(stream)))
        let response = try await send(options: TransportOptions(streamsBody: true))
        let reading = Task { try await response.body.collect() }
        await transport.shutdown(within: .zero)
        let error = await #expect(throws: TransportError.self) { try await reading.value }
        #expect(error?.reason == .shutDown)
        continuation.finish()
    }

    // MARK: - Timeouts

    private func options(
        streams: Bool = false,
        _ timeouts: TransportTimeouts,
        _ log: Lock<[String]>,
    ) -> TransportOptions {
        let observer = Observer { event in
            if case .ended(let reason) = event.kind {
                log.withLock { $0.append("\(reason.map { "\($0)" } ?? "whole")") }
            }
        }
        return TransportOptions(streamsBody: streams, timeouts: timeouts, observer: observer)
    }

    @Test func anAnswerThatDoesNotComeInTimeIsATimeout() async throws {
        let log = Lock<[String]>([])
        transport.enqueue(.never)
        let error = await #expect(throws: TransportError.self) {
            try await send(options: options(TransportTimeouts(firstByte: .milliseconds(20)), log))
        }
        #expect(error?.reason == .firstByteTimeout)
        #expect(error?.message == "no byte of a response was received within 0.02 seconds")
        #expect(log.withLock { $0 } == ["timedOut.firstByteTimeout"])
    }

    /// The time that a reader takes between two pieces doesn't count, a first byte that took its time neither.
    @Test(arguments: [true, false]) func aBodyThatFallsSilentIsATimeout(_ streams: Bool) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("a".utf8))
        defer { continuation.finish() }
        let log = Lock<[String]>([])
        transport.enqueue(HTTPResponse(status: .ok, body: HTTPBody(stream)))
        let error = await #expect(throws: TransportError.self) {
            let timeouts = TransportTimeouts(firstByte: .seconds(60), idle: .milliseconds(20))
            let response = try await send(options: options(streams: streams, timeouts, log))
            #expect(streams, "a body that is collected fails before")
            _ = try await response.body.collect()
        }
        #expect(error?.reason == .idleTimeout)
        #expect(error?.message == "nothing was received within 0.02 seconds")
        #expect(log.withLock { $0 } == ["timedOut.idleTimeout"])
    }

    @Test func aStreamThatIsDroppedEndsCancelled() async throws {
        let log = Lock<[String]>([])
        transport.enqueue(HTTPResponse(status: .ok, body: pieces("a", "b")))
        let options = options(streams: true, TransportTimeouts(), log)
        for try await piece in try await send(options: options).body {
            #expect(piece == Data("a".utf8))
            break
        }
        #expect(log.withLock { $0 } == ["cancelled"])
    }

    private struct Observer: EventObserver {
        let take: @Sendable (TransportEvent) -> Void
        func observe(_ event: TransportEvent) { take(event) }
    }
}
