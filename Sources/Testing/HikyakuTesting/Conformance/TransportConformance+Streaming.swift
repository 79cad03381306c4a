import Hikyaku
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance {
    /// The maximum that a transport and the system may buffer for a reader that doesn't read.
    private static let heldBytesMax = 24 * 1024 * 1024

    /// Streamed bodies of responses.
    static let downloads: [Check] = [
        check("download.returnsWithHead", "contract: a streamed response is returned after its header block") { wire in
            wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"), .stall]))
            let response = try await expectPrompt("the header block") { try await wire.send(options: streaming) }
            try expect(response.status, is: .ok, "the status")
        },
        check("download.givesWhatIsThere", "contract: a piece is delivered when it has arrived") { wire in
            wire.server.enqueue(.raw([.write(halfBody), .stall]))
            let response = try await wire.send(options: streaming)
            let piece = try await expectPrompt("the first piece") { () -> Data? in
                var iterator = response.body.makeAsyncIterator()
                return try await iterator.next()
            }
            try expect(piece, is: Data("hello".utf8), "the first piece")
        },
        check("download.tellsLength", "contract: the body's length is that of Content-Length") { wire in
            wire.server.enqueue(.text("hello"))
            let response = try await wire.send(options: streaming)
            let expected = wire.transport.decodesContent ? response.body.count : 5
            try expect(response.body.count, is: expected, "the length")
            try expect(try await response.body.collect() == Data("hello".utf8), "the body")
        },
        check("download.backPressure", "contract: the transport reads only as fast as the body is read", .impatient) {
            wire in
            // A server that can't send more closes the connection; one that has sent all has nothing left to cut off.
            wire.server.enqueue(.bytes(Data(count: 2 * heldBytesMax)))
            let response = try await wire.send(options: TransportOptions(streamsBody: true, timeouts: .none))
            try await wire.server.waitForOpenConnections(0, within: .seconds(15))
            var count = 0
            _ = try await failure("an error after what was held") {
                for try await piece in response.body { count += piece.count }
                return count
            }
            try expect(count < heldBytesMax, "at most \(heldBytesMax) bytes held", found: "\(count)")
        },
        check("download.slowReader", "TransportTimeouts: idle time is paused while the reader is busy") { wire in
            let body = pattern(bytes: 32 * 1024 * 1024)
            wire.server.enqueue(.bytes(body))
            var options = streaming
            options.timeouts.idle = .milliseconds(300)
            let response = try await wire.send(options: options)
            var iterator = response.body.makeAsyncIterator()
            var got = try await iterator.next() ?? Data()
            // The reader is busy for longer than the timeout, which is on the real clock.
            try await Task.sleep(for: .milliseconds(900))
            while let piece = try await iterator.next() { got += piece }
            try expect(got == body, "the whole body", found: "\(got.count) bytes, or others")
        },
        check("download.dropCloses", "contract: dropping a stream closes its connection") { wire in
            wire.server.enqueue(.raw([.write(halfBody), .stall]))
            try await wire.send(options: streaming)
            try await wire.server.waitForOpenConnections(0)
        },
        check("download.droppedReaderCloses", "contract: dropping a partly read stream closes its connection") { wire in
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"
            wire.server.enqueue(.raw([.write(head), .write(Data(count: 1_000_000)), .stall]))
            do {
                let response = try await wire.send(options: streaming)
                for try await _ in response.body { break }
            }
            try await wire.server.waitForOpenConnections(0)
        },
        check("download.cancelCloses", "contract: cancelling the reading task closes the connection") { wire in
            wire.server.enqueue(.raw([.write(halfBody), .stall]))
            let response = try await wire.send(options: streaming)
            let reading = Task { try await response.body.collect() }
            try await wire.expectCancellation(of: reading)
        },
        check("download.readOnce", "HTTPBody: a stream from the wire can be read once") { wire in
            wire.server.enqueue(.text("hello"))
            let response = try await wire.send(options: streaming)
            _ = try await response.body.collect()
            try await expectFailure([.bodyConsumed]) { try await response.body.collect() }
        },
        check("download.manyAtOnce", "contract: a stream that isn't read doesn't delay others") { wire in
            wire.server.route(.get, "/large") { _ in .bytes(Data(count: heldBytesMax)) }
            let unread = try await wire.send(.get, "/large", options: streaming)
            for _ in 0..<5 { try expect(try await wire.text(.get, "/small", streams: true), is: "ok", "the body") }
            try expect(try await unread.body.collect().count, is: heldBytesMax, "the length of the other")
        },
    ]

    /// Streamed bodies of requests.
    static let uploads: [Check] = [
        check("upload.withLength", "RFC 9112, section 6.2: a known length is announced") { wire in
            try await wire.upload(WatchedPieces(pattern(bytes: 1000), count: 300), count: 300_000) {
                try expect($0.headers.values(for: .contentLength), is: ["300000"], "Content-Length")
                try expect(!$0.headers.contains("Transfer-Encoding"), "no Transfer-Encoding")
            }
        },
        check("upload.withoutLength", "RFC 9112, section 7.1: a body of unknown length is sent in chunks") { wire in
            try await wire.upload(WatchedPieces(pattern(bytes: 1000), count: 300), count: nil) {
                try expect($0.headers["Transfer-Encoding"]?.lowercased(), is: "chunked", "Transfer-Encoding")
                try expect(!$0.headers.contains(.contentLength), "no Content-Length")
            }
        },
        check("upload.empty", "RFC 9112, section 6: an empty stream is an empty body") { wire in
            let type: HTTPHeaders = [.contentType: "text/plain"]
            try await wire.send(.put, headers: type, body: HTTPBody(WatchedPieces(Data(), count: 0), count: 0))
            try await wire.send(.put, headers: type, body: HTTPBody(WatchedPieces(Data(), count: 0)))
            try expect(wire.server.requests.map(\.body.count), is: [0, 0], "the lengths")
        },
        check("upload.file", "contract: a file is sent unchanged") { wire in
            let path = FileManager.default.temporaryDirectory.path + "/hikyaku-conformance-\(UUID()).bin"
            let content = pattern(bytes: 1_000_000)
            try content.write(to: URL(filePath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let type: HTTPHeaders = [.contentType: "application/octet-stream"]
            try await wire.send(.put, headers: type, body: try .file(at: path))
            let received = try wire.received()
            try expect(received.headers.values(for: .contentLength), is: ["1000000"], "Content-Length")
            try expect(received.body == content, "the file's content", found: "\(received.body.count) bytes")
        },
        check("upload.large", "contract: the body is sent unchanged") { wire in
            try await wire.upload(WatchedPieces(pattern(bytes: 65_537), count: 64), count: 65_537 * 64)
        },
        check("upload.backPressure", "contract: a body is pulled only as fast as it can be sent", .oneConnection) {
            wire in
            let occupant = try await wire.occupy()
            let pieces = WatchedPieces(Data(count: 65_536), count: 2 * heldBytesMax / 65_536)
            let request = try wire.request(.put, body: HTTPBody(pieces))
            let call = Task { try await wire.transport.send(request, options: TransportOptions(timeouts: .none)) }
            try await expectSoon("the source to be pulled") { pieces.pulledBytes > 0 }
            // Until it stops, which has no event: the server doesn't read.
            var before = -1
            while before != pieces.pulledBytes {
                before = pieces.pulledBytes
                try await Task.sleep(for: .milliseconds(200))
            }
            call.cancel()
            occupant.cancel()
            try expect(before < heldBytesMax, "at most \(heldBytesMax) bytes pulled", found: "\(before)")
            try await expectCancellation { try await expectPrompt("the end") { try await call.value } }
            try await expectSoon("the source to be dropped") { pieces.hasEnded }
        },
    ]
}

extension MockServerOptions {
    fileprivate static let impatient = MockServerOptions(idleTimeMax: .milliseconds(500))
    fileprivate static let smallBodies = MockServerOptions(bodyBytesMax: 100_000)
}

extension ConformanceWire {
    /// Sends a body that can't be sent whole, and expects no part of it to arrive as a request.
    fileprivate func expectUploadFails(_ reason: FailureReason, _ body: HTTPBody) async throws {
        try await expectFailure([reason]) { try await send(.put, body: body) }
        try await server.waitForOpenConnections(0)
        try expect(server.requests.count, is: 0, "the number of whole requests")
    }

    /// Sends pieces as a stream, and checks the received request.
    fileprivate func upload(
        _ pieces: WatchedPieces,
        count: Int?,
        _ look: (MockRequest) throws -> Void = { _ in },
    ) async throws {
        let headers: HTTPHeaders = [.contentType: "application/octet-stream"]
        try await send(.put, headers: headers, body: HTTPBody(pieces, count: count))
        let received = try received()
        try look(received)
        let whole = pieces.whole
        try expect(received.body == whole, "the \(whole.count) bytes", found: "\(received.body.count), or others")
    }
}

extension TransportConformance {
    private static let piece = Data(count: 10_000)

    /// Uploads that fail: an incomplete body must never look complete.
    static let brokenUploads: [Check] = [
        check("upload.sourceFails", "HTTPBody: an error of the source ends the call") { wire in
            for count in [nil, 100_000] {
                let body = HTTPBody(WatchedPieces(piece, count: 10, failsAt: 3), count: count)
                let error = try await failure("the source's error") { try await wire.send(.put, body: body) }
                let below = (error as? TransportError)?.underlyingError ?? error
                try expect(below is WatchedPieces.SourceError, "the source's error", found: "\(error)")
                try await wire.server.waitForOpenConnections(0)
            }
            try expect(wire.server.requests.count, is: 0, "the number of whole requests")
        },
        check("upload.sourceEndsEarly", "HTTPBody: a body must have its declared length") { wire in
            try await wire.expectUploadFails(.body, HTTPBody(WatchedPieces(piece, count: 9), count: 100_000))
        },
        check("upload.sourceGivesMore", "HTTPBody: a body must have its declared length") { wire in
            try await wire.expectUploadFails(.body, HTTPBody(WatchedPieces(piece, count: 11), count: 105_000))
        },
        check("upload.consumed", "HTTPBody: a one-shot stream that was read before isn't sent") { wire in
            let body = HTTPBody(WatchedPieces(piece, count: 3))
            _ = try await body.collect()
            try await expectFailure([.bodyConsumed]) { try await wire.send(.put, body: body) }
            try expect(wire.server.requests.count, is: 0, "the number of whole requests")
        },
        check("upload.earlyResponse", "RFC 9112, section 9.5: a response during the request counts", .smallBodies) {
            wire in
            for count in [20_000_000, nil] {
                let body = HTTPBody(WatchedPieces(piece, count: 2000), count: count)
                let response = try await wire.send(.put, body: body)
                try expect(response.status.code, is: 413, "the status")
            }
        },
        check("upload.replayable", "RFC 9110, section 9.2.2: a replayable body is sent again") { wire in
            wire.server.enqueue(.text("1"), .raw([.close]), .text("2"))
            try await wire.send()
            let pieces = WatchedPieces(piece, count: 20)
            let response = try await wire.send(.put, body: HTTPBody(pieces, count: 200_000, isReplayable: true))
            try expect(try await response.body.collect() == Data("2".utf8), "the answer to the second sending")
            try expect(wire.server.requests.last?.body.count, is: 200_000, "the length of the body")
        },
        check("upload.notReplayable", "HTTPBody: a one-shot body isn't sent in part") { wire in
            wire.server.enqueue(.text("1"), .raw([.close]), .text("2"))
            try await wire.send()
            let body = HTTPBody(WatchedPieces(piece, count: 20), count: 200_000)
            _ = try await failure { try await wire.send(.put, body: body) }
            try expect(wire.server.requests.map(\.body.count), is: [0, 200_000], "the lengths of whole bodies")
        },
        check("upload.cancel", "contract: a cancelled upload ends soon, and its connection is closed") { wire in
            let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
            continuation.yield(piece)
            let request = try wire.request(.put, body: HTTPBody(stream))
            let call = Task { try await wire.transport.send(request, options: TransportOptions(timeouts: .none)) }
            try await expectSoon("a connection") { wire.server.openConnectionCount == 1 }
            try await wire.expectCancellation(of: call)
            continuation.finish()
        },
    ]
}
