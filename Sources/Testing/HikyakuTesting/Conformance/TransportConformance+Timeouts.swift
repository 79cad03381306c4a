import Hikyaku
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance {
    private static let limit = Duration.milliseconds(300)

    private static func options(
        connect: Duration = .seconds(600),
        firstByte: Duration = .seconds(600),
        idle: Duration = .seconds(600),
        streams: Bool = false,
    ) -> TransportOptions {
        let timeouts = TransportTimeouts(connect: connect, firstByte: firstByte, idle: idle)
        return TransportOptions(streamsBody: streams, timeouts: timeouts)
    }

    /// Each stage has its own timeout and reason.
    static let timeouts: [Check] = [
        check("timeout.connect", "TransportTimeouts: connect covers the name lookup and connecting") { wire in
            let port = try UnansweredPort()
            defer { port.close() }
            var request = try wire.request()
            guard let url = URL(string: "http://127.0.0.1:\(port.number)/") else { return }
            request.url = url
            try await expectFailure([.connectTimeout]) { [request] in
                try await expectPrompt("the end") {
                    try await wire.transport.send(request, options: options(connect: limit))
                }
            }
        },
        check("timeout.firstByte", "TransportTimeouts: firstByte begins at the request's end") { wire in
            for body in [nil, HTTPBody("content")] {
                wire.server.enqueue(.raw([.stall]))
                try await wire.expectEnd(.firstByteTimeout) {
                    try await wire.send(.put, body: body, options: options(firstByte: limit))
                }
            }
        },
        check("timeout.idleInHeaders", "TransportTimeouts: idle applies between pieces of a response") { wire in
            wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nX-A: "), .stall]))
            try await wire.expectEnd(.idleTimeout) { try await wire.send(options: options(idle: limit)) }
        },
        checkTwice("timeout.idleInBody", "TransportTimeouts: idle applies between pieces of a response") {
            wire,
            streams in
            wire.server.enqueue(.raw([.write(halfBody), .stall]))
            try await wire.expectEnd(.idleTimeout, streamed: streams) {
                try await wire.send(options: options(idle: limit, streams: streams)).body.collect()
            }
        },
        check("timeout.idleInUpload", "TransportTimeouts: idle applies between pieces of a request", .oneConnection) {
            wire in
            let occupant = try await wire.occupy()
            let body = HTTPBody(WatchedPieces(Data(count: 65_536), count: 1024))
            try await expectFailure([.idleTimeout]) {
                try await expectPrompt("the end") {
                    try await wire.send(.put, body: body, options: options(idle: limit))
                }
            }
            occupant.cancel()
        },
        check("timeout.waitsForSource", "TransportTimeouts: idle time is paused while the source waits") { wire in
            let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
            let request = try wire.request(.put, body: HTTPBody(stream))
            // The response too has to come within this time, also on a busy machine.
            let limit = Duration.seconds(1)
            let options = options(firstByte: limit, idle: limit)
            let call = Task { try await wire.transport.send(request, options: options) }
            continuation.yield(Data("a".utf8))
            // The source waits for longer than the timeouts, which are on the real clock.
            try await Task.sleep(for: limit * 2)
            continuation.yield(Data("b".utf8))
            continuation.finish()
            try expect(try await call.value.status, is: .ok, "the status")
            try expect(try wire.received().bodyText, is: "ab", "the body")
        },
        check("timeout.steadyIsNotIdle", "TransportTimeouts: a slow response that continues isn't idle") { wire in
            wire.server.enqueue(.text("123456789").dripping(over: .milliseconds(4500)))
            let response = try await wire.send(options: options(firstByte: .seconds(3), idle: .seconds(3)))
            try expect(response.body.count, is: 9, "the length")
        },
        check("timeout.forEver", "TransportTimeouts: a hundred years or more are not a limit") { wire in
            let eternity = Duration.seconds(Int64.max)
            let options = options(connect: eternity, firstByte: eternity, idle: eternity)
            try expect(try await wire.send(options: options).status, is: .ok, "the status")
        },
    ]
}
