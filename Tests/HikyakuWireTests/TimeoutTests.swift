#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// What happens when a stage takes too long; each bound has room for a busy machine.
@Suite(.timeLimit(.minutes(5)))
struct TimeoutTests {
    private static let short = Duration.milliseconds(300)

    private func options(
        connect: Duration = .seconds(60),
        firstByte: Duration = .seconds(60),
        idle: Duration = .seconds(60),
    ) -> TransportOptions {
        TransportOptions(timeouts: TransportTimeouts(connect: connect, firstByte: firstByte, idle: idle))
    }

    @Test func aServerThatDoesNotAnswerIsLeft() async throws {
        let wire = try Wire()
        let error = try await timely(after: Self.short) {
            try await wire.failure(after: .stall, options: options(firstByte: Self.short))
        }
        #expect(error.reason == .firstByteTimeout)
        #expect(error.message == "127.0.0.1:\(wire.server.port): no response within 0.3 seconds")
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    /// The short one is the other timeout, which isn't the one that counts.
    @Test func whileAnAnswerIsWaitedForIdleDoesNotCount() async throws {
        try await withGrowingTimes { factor in
            let wire = try Wire { _ in .text("late").delayed(by: .milliseconds(500) * factor) }
            #expect(try await wire.send(options: options(idle: .milliseconds(50) * factor)).text() == "late")
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"
            wire.server.enqueue(.raw([.write(head), .pause(.milliseconds(1500) * factor), .write("late")]))
            #expect(try await wire.send(options: options(firstByte: .seconds(1) * factor)).text() == "late")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 O", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "HTTP/1.1 103 Early Hints\r\n\r\n",
    ])
    func aServerThatFallsSilentIsLeft(_ begun: String) async throws {
        let wire = try Wire()
        let error = try await timely(after: Self.short) {
            try await wire.failure(after: .write(begun), .stall, options: options(idle: Self.short))
        }
        #expect(error.reason == .idleTimeout)
        #expect(error.message.hasSuffix("no data for 0.3 seconds"))
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func aBodyThatKeepsComingIsNotIdle() async throws {
        try await withGrowingTimes { factor in
            let time = Duration.milliseconds(2500) * factor
            let wire = try Wire { _ in .text(String(repeating: "x", count: 20)).dripping(pieceBytes: 1, over: time) }
            #expect(try await wire.send(options: options(idle: .seconds(1) * factor)).text().count == 20)
        }
    }

    @Test func aServerThatTakesNoMoreOfTheBodyIsLeft() async throws {
        let sink = try SilentListener()
        let url = try #require(URL(string: "http://127.0.0.1:\(sink.port)/"))
        let body = HTTPBody(Data(count: 32 << 20))
        let error = try await timely(after: Self.short) {
            try await transportError {
                try await WireTransport().send(
                    HTTPRequest(method: .post, url: url, body: body),
                    options: options(firstByte: .milliseconds(50), idle: Self.short),
                )
            }
        }
        #expect(error.reason == .idleTimeout)
    }

    /// It takes longer than the server may be silent, which it is until the whole body is there.
    @Test func aBodyThatGoesOutIsNotIdle() async throws {
        let count = 48 << 20
        try await withGrowingTimes { factor in
            let server = try ByteServer { connection in
                _ = connection.readHead()
                var left = count
                while left > 0, let bytes = connection.read(upTo: min(left, 1 << 20)) {
                    left -= bytes.count
                    // The server is slow on purpose: the whole takes 1.2 seconds at least.
                    spendRealTime(.microseconds(bytes.count / 40) * factor)
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nread")
            }
            defer { server.stop() }
            let request = HTTPRequest(method: .put, url: try server.url, body: HTTPBody(Data(count: count)))
            let (begin, idle) = (ContinuousClock.now, Duration.milliseconds(700) * factor)
            let response = try await WireTransport().send(request, options: options(idle: idle))
            #expect(try await response.text() == "read")
            #expect(ContinuousClock.now - begin > idle)
        }
    }

    @Test func anAnswerToALargeBodyIsWaitedForFromItsEnd() async throws {
        let wire = try Wire { _ in .raw([.stall]) }
        let error = try await timely(after: Self.short) {
            try await transportError {
                try await wire.send(
                    .post,
                    body: HTTPBody(Data(count: 1 << 20)),
                    options: options(firstByte: Self.short, idle: .seconds(60)),
                )
            }
        }
        #expect(error.reason == .firstByteTimeout)
    }

    @Test func aTimeoutOfOneLeavesTheOthersAlone() async throws {
        let wire = try Wire { request in
            request.path == "/slow" ? .raw([.stall]) : .text("done").delayed(by: .milliseconds(600))
        }
        let slow = try wire.request(.get, "/slow")
        let quick = try wire.request(.get, "/quick")
        try await withThrowingTaskGroup { group in
            for number in 0..<32 {
                group.addTask { [transport = wire.transport, options = options(firstByte: Self.short)] in
                    guard number.isMultiple(of: 2) else {
                        return #expect(try await transport.send(quick, options: TransportOptions()).text() == "done")
                    }
                    let error = try await transportError { try await transport.send(slow, options: options) }
                    #expect(error.reason == .firstByteTimeout)
                }
            }
            try await group.waitForAll()
        }
    }

    /// The caller drives the loop until the thread takes over, with the timer.
    @Test func aTimeoutBeginsWhileTheCallerDrives() async throws {
        let wire = try Wire(transport: WireTransport(patience: .seconds(10))) { request in
            request.path == "/slow" ? .raw([.stall]) : .text("hi")
        }
        for _ in 0..<50 { try await wire.send() }
        let error = try await timely(after: Self.short) {
            try await transportError { try await wire.send(.get, "/slow", options: options(firstByte: Self.short)) }
        }
        #expect(error.reason == .firstByteTimeout)
        #expect(try await wire.send().text() == "hi")
    }

    @Test func aTimeoutBeyondAllTimeIsNone() async throws {
        let wire = try Wire { _ in .text("hi") }
        let ever = Duration.seconds(Int64.max)
        #expect(try await wire.send(options: options(connect: ever, firstByte: ever, idle: ever)).text() == "hi")
    }

    @Test func aTimeoutOfZeroEndsTheExchange() async throws {
        let wire = try Wire { _ in .text("hi").delayed(by: .seconds(30)) }
        let error = try await transportError { try await wire.send(options: options(firstByte: .seconds(-1))) }
        #expect(error.reason == .firstByteTimeout)
    }

    @Test func connectingHasItsOwnTime() async throws {
        let listener = try FullListener()
        let url = try #require(URL(string: "http://127.0.0.1:\(listener.port)/"))
        let error = try await timely(after: Self.short) {
            try await transportError {
                try await WireTransport().send(
                    HTTPRequest(url: url),
                    options: options(connect: Self.short, firstByte: .milliseconds(10), idle: .milliseconds(10)),
                )
            }
        }
        #expect(error.reason == .connectTimeout)
    }

    /// The first connection is lost later than connecting may take, and the second one is never ready.
    @Test func connectingAgainHasItsTimeAgain() async throws {
        let url = try #require(URL(string: "http://api.example/"))
        let error = try await timely(after: Self.short * 3) {
            let mayLose = DispatchSemaphore(value: 0)
            let proxy = try Self.proxyThatServesOnce(losingItAfter: mayLose)
            defer {
                mayLose.signal()
                proxy.stop()
            }
            var wireOptions = WireOptions()
            wireOptions.proxy = .socks5(host: "127.0.0.1", port: proxy.port)
            let transport = WireTransport(options: wireOptions)
            #expect(try await transport.get(url).text() == "hi")
            let options = options(connect: Self.short)
            async let failure = transportError { try await transport.send(HTTPRequest(url: url), options: options) }
            try await WireTransport().waitForTimeout(of: Self.short * 2)
            mayLose.signal()
            return try await failure
        }
        #expect(error.reason == .connectTimeout)
    }

    /// A SOCKS proxy that answers one request, loses the connection with the next one when it may, and answers nothing
    /// over all further ones.
    private static func proxyThatServesOnce(losingItAfter mayLose: DispatchSemaphore) throws -> ByteServer {
        let isUsed = Lock(false)
        return try ByteServer { connection in
            let isFirst = isUsed.withLock { isUsed in
                defer { isUsed = true }
                return !isUsed
            }
            guard isFirst, connection.read(upTo: 3) != nil else { return connection.drain() }
            connection.write([5, 0])
            _ = connection.read(upTo: 100)
            connection.write([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
            _ = connection.readHead()
            mayLose.wait()
        }
    }

    @Test func aHandshakeBelongsToConnecting() async throws {
        let listener = try SilentListener()
        let url = try #require(URL(string: "https://127.0.0.1:\(listener.port)/"))
        let error = try await timely(after: Self.short) {
            try await transportError {
                try await WireTransport().send(
                    HTTPRequest(url: url),
                    options: options(connect: Self.short, firstByte: .milliseconds(10), idle: .milliseconds(10)),
                )
            }
        }
        #expect(error.reason == .connectTimeout)
    }
}
#endif
