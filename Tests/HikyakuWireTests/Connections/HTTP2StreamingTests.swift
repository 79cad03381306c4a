#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// Streamed responses over one connection of HTTP/2.
@Suite(.serialized, .enabled(if: Certificates.isPossible && Nginx.isInstalled), .timeLimit(.minutes(5)))
struct HTTP2StreamingTests {
    private static let byteCount = 3_000_000

    private func transport(_ change: (inout WireOptions) -> Void = { _ in }) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared, change)
    }

    private func stream(_ transport: WireTransport, _ url: URL, idle: Duration = .seconds(60)) async throws -> HTTPBody
    {
        let options = TransportOptions(streamsBody: true, timeouts: TransportTimeouts(idle: idle))
        return try await transport.send(HTTPRequest(url: url), options: options).body
    }

    /// A server with files that are different everywhere, and from each other.
    private func makeServer(_ settings: String = "") async throws -> (server: Nginx, contents: [Data]) {
        let nginx = try await Nginx(settings)
        let content = variedBytes(Self.byteCount + 16 * 1009)
        let contents = (0..<16).map { Data(content[($0 * 1009)..<($0 * 1009 + Self.byteCount)]) }
        for (number, content) in contents.enumerated() { try nginx.addFile("large\(number)", content) }
        return (nginx, contents)
    }

    @Test func sixteenAtOnceAreWholeAndInOrder() async throws {
        let (nginx, contents) = try await makeServer()
        let transport = try await transport()
        let bodies = Lock<[HTTPBody]>([])
        for number in 0..<16 {
            let body = try await stream(transport, try nginx.url("/large\(number)"))
            bodies.withLock { $0.append(body) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                let body = bodies.withLock { $0[number] }
                group.addTask {
                    var bytes = Data()
                    for try await piece in body { bytes += piece }
                    #expect(bytes == contents[number])
                }
            }
            try await group.waitForAll()
        }
        let log = try await nginx.log(of: 16)
        #expect(Set(log.map { $0[0] }).count == 1)
    }

    @Test func aReaderThatStopsDelaysNoOtherAndGetsTheRest() async throws {
        let (nginx, contents) = try await makeServer()
        let transport = try await transport()
        var slow = try await stream(transport, try nginx.url("/large0"), idle: .seconds(2)).makeAsyncIterator()
        var bytes = try #require(try await slow.next())
        for number in 1..<16 {
            #expect(try await stream(transport, try nginx.url("/large\(number)")).collect() == contents[number])
        }
        while let piece = try await slow.next() { bytes += piece }
        #expect(bytes == contents[0])
        #expect(Set(try await nginx.log(of: 16).map { $0[0] }).count == 1)
    }

    /// Except for one window, unread bytes stay with the server.
    @Test(arguments: [true, false])
    func aBodyThatIsDroppedIsResetAndNoOther(_ hasReader: Bool) async throws {
        let (nginx, contents) = try await makeServer()
        let transport = try await transport()
        let other = try await stream(transport, try nginx.url("/large1"))
        var body: HTTPBody? = try await stream(transport, try nginx.url("/large0"))
        // Sent after all of the window.
        #expect(try await stream(transport, try nginx.url("/large2")).collect() == contents[2])
        if hasReader {
            let slow = body
            let hasBegun = Lock(false)
            let reader = Task {
                for try await _ in try #require(slow) {
                    hasBegun.withLock { $0 = true }
                    try? await untilCancelled()
                }
            }
            #expect(try await holds { hasBegun.withLock(\.self) })
            reader.cancel()
            await #expect(throws: CancellationError.self) { try await reader.value }
        } else {
            body = nil
        }
        #expect(try await nginx.log(of: 2).map { $0[2] } == ["/large2", "/large0"])
        #expect(try await other.collect() == contents[1])
        #expect(try await transport.get(try nginx.url("/1")).text() == "file 1")
        let log = try await nginx.log(of: 4)
        #expect(Set(log.map { $0[0] }).count == 1)
        let sent = try #require(Int(log[1][4]))
        // The reader may have given one window back.
        #expect(sent >= PieceMemory.capacity / 2 && sent <= PieceMemory.capacity * (hasReader ? 2 : 1))
        #expect(body == nil || hasReader)
    }

    @Test func aReaderThatIsSlowerThanTheIdleTimeoutIsNotCutOff() async throws {
        let (nginx, contents) = try await makeServer()
        let transport = try await transport()
        try await withGrowingTimes { factor in
            var bytes = Data()
            var pauses = 0
            let idle = Duration.milliseconds(200) * factor
            for try await piece in try await stream(transport, try nginx.url("/large0"), idle: idle) {
                bytes += piece
                guard pauses < 4 else { continue }
                pauses += 1
                try await transport.waitForTimeout(of: idle * 2)
            }
            #expect(bytes == contents[0])
            #expect(pauses >= 2)
        }
    }

    @Test func aServerThatFallsSilentInABodyIsGivenUp() async throws {
        let server = try await TLSServer.speakingHTTP2("answer", "begin", "answer")
        let transport = try await transport()
        #expect(try await transport.report(try server.url()).connection == 1)
        let error = try await timely(after: .milliseconds(400)) {
            let body = try await stream(transport, try server.url(), idle: .milliseconds(400))
            return try await #require(throws: TransportError.self) { _ = try await body.collect() }
        }
        #expect(error.reason == .idleTimeout)
        _ = try await transport.report(try server.url())
    }

    @Test func endingTheTransportWaitsForStreams() async throws {
        let (nginx, contents) = try await makeServer("location /slow { limit_rate 4m; alias files/large3; }")
        let transport = try await transport()
        let body = try await stream(transport, try nginx.url("/slow"))
        let isOver = Lock(false)
        let end = Task {
            await transport.shutdown(within: .seconds(60))
            isOver.withLock { $0 = true }
        }
        #expect(try await holds { transport.engine.state.withLock { $0.phase == .draining } })
        #expect(!isOver.withLock { $0 })
        #expect(try await body.collect() == contents[3])
        await end.value
    }
}
#endif
