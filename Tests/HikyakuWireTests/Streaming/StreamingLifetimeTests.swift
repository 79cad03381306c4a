#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

@Suite(.timeLimit(.minutes(5)))
struct StreamingLifetimeTests {
    private func makeStallingWire() throws -> Wire {
        let wire = try Wire()
        wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfirst"), .stall]))
        return wire
    }

    @Test func aStreamThatIsNeverReadClosesItsSocketWhenDropped() async throws {
        let wire = try makeStallingWire()
        #expect(try await wire.send(options: .streaming).status == .ok)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func anIteratorThatIsDroppedMidwayClosesItsSocket() async throws {
        let wire = try makeStallingWire()
        for try await piece in try await wire.send(options: .streaming).body {
            #expect(piece == Data("first".utf8))
            break
        }
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func aPausedStreamClosesItsSocketWhenDropped() async throws {
        let server = try ByteServer.sending(1 << 30)
        defer { server.stop() }
        let transport = WireTransport()
        var response: HTTPResponse? = try await transport.send(HTTPRequest(url: try server.url), options: .streaming)
        #expect(try await settledValue { server.bytesSent } < 64 << 20)
        #expect(server.openConnectionCount == 1)
        #expect(response?.status == .ok)
        response = nil
        #expect(try await holds { server.openConnectionCount == 0 })
    }

    @Test func cancellingTheReaderEndsItAndClosesTheSocket() async throws {
        let wire = try makeStallingWire()
        let body = try await wire.send(options: .streaming).body
        let hasFirst = Lock(false)
        let task = Task {
            for try await _ in body { hasFirst.withLock { $0 = true } }
        }
        #expect(try await holds { hasFirst.withLock(\.self) })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    /// All has arrived by then, and yet what isn't read is not a short success.
    @Test func aReaderThatWasCancelledGetsNoShortSuccess() async throws {
        let wire = try Wire { _ in .text("whole") }
        let body = try await wire.send(options: .streaming).body
        _ = try await wire.send()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await body.collect()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aStreamThatWasReadGivesItsConnectionBack() async throws {
        let wire = try Wire { _ in .text(String(repeating: "x", count: 2_000_000)) }
        for _ in 0..<5 {
            #expect(try await wire.send(options: .streaming).body.collect().count == 2_000_000)
            #expect(try await wire.send().body.count == 2_000_000)
        }
        #expect(wire.server.connectionCount == 1)
    }

    @Test func aStreamIsReadOnce() async throws {
        let wire = try Wire { _ in .text("once") }
        let body = try await wire.send(options: .streaming).body
        #expect(try await body.collect() == Data("once".utf8))
        let error = try await #require(throws: TransportError.self) { _ = try await body.collect() }
        #expect(error.reason == .bodyConsumed)
    }

    @Test func aShutdownLetsStreamsEndWithinTheGrace() async throws {
        let server = try ByteServer.sending(32 << 20)
        defer { server.stop() }
        let transport = WireTransport()
        let response = try await transport.send(HTTPRequest(url: try server.url), options: .streaming)
        async let isShutDown: Void = transport.shutdown(within: .seconds(30))
        #expect(try await response.body.collect(upTo: .max).count == 32 << 20)
        await isShutDown
    }

    @Test func aStreamThatOutlastsTheGraceIsEnded() async throws {
        let wire = try makeStallingWire()
        let body = try await wire.send(options: .streaming).body
        await wire.transport.shutdown(within: .milliseconds(100))
        let failure = try await readFailure(body)
        #expect(failure.bytes == Data("first".utf8))
        #expect((failure.error as? TransportError)?.reason == .shutDown)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func aStreamKeepsItsTransport() async throws {
        let server = try ByteServer.sending(32 << 20)
        defer { server.stop() }
        let body = try await WireTransport().send(HTTPRequest(url: try server.url), options: .streaming).body
        #expect(try await body.collect(upTo: .max).count == 32 << 20)
        #expect(try await holds { server.openConnectionCount == 0 })
    }

    @Test func theLastStreamEndsItsTransport() async throws {
        let wire = try makeStallingWire()
        let transport = Weak()
        do {
            let own = WireTransport()
            transport.value = own
            var body: HTTPBody? = try await own.send(try wire.request(), options: .streaming).body
            #expect(body?.count == 10)
            body = nil
        }
        #expect(try await holds { transport.value == nil })
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    /// The rest of the body is in the socket, so the loop continues to read, reaches the end, and receives the
    /// cancellation, all in one round.
    @Test func aStreamThatIsDroppedAsItsEndComesEndsOnce() async throws {
        let sentCount = Lock(0)
        let server = try ByteServer { connection in
            while case let head = connection.readHead(), !head.isEmpty {
                let isLarge = head.hasPrefix("GET /large")
                let body = isLarge ? [UInt8](repeating: 0x78, count: 1_200_000) : Array("hi".utf8)
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                if connection.write(body), isLarge { sentCount.withLock { $0 += 1 } }
            }
        }
        defer { server.stop() }
        let transport = WireTransport()
        let (small, large) = (try server.url, try server.url.appending(path: "large"))
        for number in 1...150 {
            let received = ReceivedBytes()
            let options = TransportOptions(streamsBody: true, observer: received)
            let body = try await transport.send(HTTPRequest(url: large), options: options).body
            // The transport takes so much of it at least before it stops: the rest is there by then.
            let isHeldBack = try await holds {
                sentCount.withLock(\.self) == number && received.count >= PieceMemory.capacity / 2
            }
            try #require(isHeldBack, "\(received.count) bytes of \(sentCount.withLock(\.self)) bodies")
            for try await _ in body { break }
            #expect(try await transport.get(small).text() == "hi")
        }
        #expect(try await holds { transport.engine.state.withLock(\.pool.isEmpty) })
    }

    @Test func aCallerNeverDrivesForAStream() async throws {
        let wire = try Wire(transport: WireTransport(patience: .seconds(10))) { _ in .text("hi") }
        for _ in 0..<1000 { try await wire.send() }
        let count = wire.transport.carriedCount
        #expect(count > 0)
        for _ in 0..<50 { #expect(try await wire.send(options: .streaming).body.collect().count == 2) }
        #expect(wire.transport.carriedCount == count)
    }
}

/// How much of a body a transport has taken from the system.
private final class ReceivedBytes: EventObserver {
    private let most = Lock(0)
    var count: Int { most.withLock(\.self) }

    func observe(_ event: TransportEvent) {
        if case .bytesReceived(let count, _) = event.kind { most.withLock { $0 = count } }
    }
}

private final class Weak {
    weak var value: WireTransport?
}
#endif
