import Hikyaku
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance {
    private static let piece = Data(count: 10_000)

    /// Uploads that don't go as planned: what arrives is never half a body that looks whole.
    static let brokenUploads: [Check] = [
        check("upload.sourceFails", "HTTPBody: what the source throws ends the call") { wire in
            for count in [nil, 100_000] {
                wire.server.enqueue(.text("ok"))
                let body = HTTPBody(WatchedPieces(piece, count: 10, failsAt: 3), count: count)
                let error = try await failure("the source's error") { try await wire.send(.put, body: body) }
                let below = (error as? TransportError)?.underlyingError ?? error
                try expect(below is WatchedPieces.SourceError, "the source's error", found: "\(error)")
                try await wire.server.waitForOpenConnections(0)
            }
            try expect(wire.server.requests.count, is: 0, "the number of whole requests")
        },
        check("upload.sourceEndsEarly", "HTTPBody: a length that was promised is held to") { wire in
            wire.server.enqueue(.text("ok"))
            let body = HTTPBody(WatchedPieces(piece, count: 9), count: 100_000)
            try await expectFailure(.body) { try await wire.send(.put, body: body) }
            try await wire.server.waitForOpenConnections(0)
            try expect(wire.server.requests.count, is: 0, "the number of whole requests")
        },
        check("upload.sourceGivesMore", "HTTPBody: a length that was promised is held to") { wire in
            wire.server.enqueue(.text("ok"))
            let body = HTTPBody(WatchedPieces(piece, count: 11), count: 105_000)
            try await expectFailure(.body) { try await wire.send(.put, body: body) }
            try await wire.server.waitForOpenConnections(0)
            try expect(wire.server.requests.count, is: 0, "the number of whole requests")
        },
        check("upload.consumed", "HTTPBody: a stream that was read before isn't sent") { wire in
            wire.server.enqueue(.text("ok"))
            let body = HTTPBody(WatchedPieces(piece, count: 3))
            _ = try await body.collect()
            try await expectFailure(.bodyConsumed) { try await wire.send(.put, body: body) }
            try expect(wire.server.requests.count, is: 0, "the number of whole requests")
        },
        check(
            "upload.earlyResponse",
            "RFC 9112, section 9.5: a response that comes amid the request counts",
            server: MockServerOptions(bodyBytesMax: 100_000),
        ) { wire in
            for count in [20_000_000, nil] {
                let body = HTTPBody(WatchedPieces(piece, count: 2000), count: count)
                let response = try await wire.send(.put, body: body)
                try expect(response.status.code, is: 413, "the status")
            }
        },
        check("upload.replayable", "RFC 9110, section 9.2.2: a body that can be read again goes again") { wire in
            wire.server.enqueue(.text("1"), .raw([.close]), .text("2"))
            try await wire.send()
            let pieces = WatchedPieces(piece, count: 20)
            let response = try await wire.send(.put, body: HTTPBody(pieces, count: 200_000, isReplayable: true))
            try expect(try await response.body.collect() == Data("2".utf8), "the answer to the second sending")
            try expect(wire.server.requests.last?.body.count, is: 200_000, "the length of the body")
        },
        check("upload.notReplayable", "HTTPBody: a body that can be read once isn't sent in part") { wire in
            wire.server.enqueue(.text("1"), .raw([.close]), .text("2"))
            try await wire.send()
            let body = HTTPBody(WatchedPieces(piece, count: 20), count: 200_000)
            _ = try await failure { try await wire.send(.put, body: body) }
            try expect(wire.server.requests.map(\.body.count), is: [0, 200_000], "the lengths of whole bodies")
        },
        check("upload.cancel", "contract: ends soon, and closes its connection") { wire in
            let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
            continuation.yield(piece)
            let request = try wire.request(.put, body: HTTPBody(stream))
            let call = Task { try await wire.transport.send(request, options: TransportOptions(timeouts: .none)) }
            try await expectSoon("a connection") { wire.server.openConnectionCount == 1 }
            call.cancel()
            try await expectCancellation { try await expectPrompt("the end") { try await call.value } }
            try await wire.server.waitForOpenConnections(0)
            continuation.finish()
        },
    ]
}
