#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import Testing

/// Where a response ends, and what is made of those that don't say it, or say it twice.
@Suite(.casesAtOnce(5), .timeLimit(.minutes(5)))
struct FramingTests {
    struct Broken: CustomTestStringConvertible {
        let reason: FailureReason
        let text: String

        init(_ reason: FailureReason, _ text: String) {
            self.reason = reason
            self.text = text
        }

        /// A response with these fields, and nine bytes that could be its body.
        init(_ reason: FailureReason, fields: String...) {
            self.init(reason, "HTTP/1.1 200 OK\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n5\r\nhi\r\n")
        }

        /// A chunked response.
        init(_ reason: FailureReason, chunks: String) {
            self.init(reason, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        }

        var testDescription: String { "\(reason.code) \(text.debugDescription.prefix(100))" }
    }

    static let heads: [Broken] = [
        .init(.truncatedHeaders, "HTTP/1.1 200 OK\r\n"),
        .init(.truncatedHeaders, "HTTP/1.1 200 OK\r\nContent-Le"),
        .init(.truncatedHeaders, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"),
        .init(.truncatedHeaders, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"),
        .init(.truncatedHeaders, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r"),
        .init(.truncatedHeaders, "HTTP/1.1 100 Continue\r\n\r\n"),
        .init(.truncatedHeaders, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\n"),
        .init(.unexpectedUpgrade, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1 200 OK\r\n\rX-A: 1\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1 200 OK\r\nX A: 1\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1 200 OK\r\nX\u{B}A: 1\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1 200 OK\r\nGröße: 1\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1 200 OK\r\n X: 1\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1 200 OK\r\nX-A\r\n : 1\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1 200 OK\r\nHTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1 200 OK\r\nHTTP/1.1 200 OK: yes\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "junk\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, " HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "<html>the whole of an HTTP/0.9 answer</html>\r\n"),
        .init(.malformedResponse, "HTTP/0.9 200 OK\r\nContent-Length: 0\r\n\r\n"),
        .init(.malformedResponse, "HTTP/1.1200 OK\r\nContent-Length: 0\r\n\r\n"),
    ]

    static let lengths: [Broken] = [
        .init(.malformedContentLength, fields: "Content-Length:"),
        .init(.malformedContentLength, fields: "Content-Length: x"),
        .init(.malformedContentLength, fields: "Content-Length: -1"),
        .init(.malformedContentLength, fields: "Content-Length: +9"),
        .init(.malformedContentLength, fields: "Content-Length: 9x"),
        .init(.malformedContentLength, fields: "Content-Length: 0x9"),
        .init(.malformedContentLength, fields: "Content-Length: 1 2"),
        .init(.malformedContentLength, fields: "Content-Length: 9,"),
        .init(.malformedContentLength, fields: "Content-Length: ,9"),
        .init(.malformedContentLength, fields: "Content-Length: 9.0"),
        .init(.malformedContentLength, fields: "content-length: 9;"),
        .init(.malformedContentLength, fields: "Content-Length: ９"),
        .init(.malformedContentLength, fields: "Content-Length: 9223372036854775808"),
        .init(.malformedContentLength, fields: "Content-Length: 18446744073709551625"),
        .init(.malformedContentLength, fields: "Content-Length : 9"),
        .init(.malformedContentLength, fields: "Content-Length: 9", " 9"),
        .init(.malformedContentLength, fields: "Content-Length:", " 9"),
        .init(.conflictingContentLength, fields: "Content-Length: 8", "Content-Length: 9"),
        .init(.conflictingContentLength, fields: "Content-Length: 9", "X-A: 1", "CONTENT-LENGTH: 8"),
        .init(.conflictingContentLength, fields: "Content-Length: 9, 8"),
        .init(.conflictingContentLength, fields: "Content-Length: 9,9 ,\t8"),
        .init(.ambiguousLength, fields: "Content-Length: 9", "Transfer-Encoding: chunked"),
        .init(.ambiguousLength, fields: "Transfer-Encoding: chunked", "Content-Length: 9"),
        .init(.ambiguousLength, fields: "Transfer-Encoding: gzip", "Content-Length: 9"),
    ]

    static let codings: [Broken] = [
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: gzip"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: identity"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding:"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: gzip, chunked"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: chunked, gzip"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: chunked, chunked"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: chunked", "transfer-encoding: chunked"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: chunked;q=1"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: xchunked"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding : chunked"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding:", " chunked"),
        .init(.unknownTransferCoding, fields: "Transfer-Encoding: a, b, c, d, e, f, g, h"),
        .init(.unknownTransferCoding, "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
    ]

    static let bodies: [Broken] = [
        .init(.truncatedResponse, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"),
        .init(.truncatedResponse, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nnine byte"),
        .init(.truncatedResponse, "HTTP/1.0 200 OK\r\nContent-Length: 10\r\n\r\nshort"),
        .init(.missingLastChunk, chunks: ""),
        .init(.missingLastChunk, chunks: "5"),
        .init(.missingLastChunk, chunks: "5\r\nhe"),
        .init(.missingLastChunk, chunks: "5\r\nhello\r\n"),
        .init(.missingLastChunk, chunks: "5\r\nhello\r\n0\r\n"),
        .init(.missingLastChunk, chunks: "5\r\nhello\r\n0\r\nX-A: 1\r\n"),
        .init(.missingLastChunk, chunks: "5\r\nhello\r\n0\r\n\r"),
        .init(.malformedChunk, chunks: "zz\r\nhi\r\n"),
        .init(.malformedChunk, chunks: "0x0c\r\nhello world!\r\n0\r\n\r\n"),
        .init(.malformedChunk, chunks: "2\r\nhiXX5\r\n"),
        .init(.malformedChunk, chunks: "-2\r\nhi\r\n0\r\n\r\n"),
        .init(.malformedChunk, chunks: " 2\r\nhi\r\n0\r\n\r\n"),
        .init(.malformedChunk, chunks: "2\nhi\r\n0\r\n\r\n"),
        .init(.malformedChunk, chunks: "2\r\nhi\n0\r\n\r\n"),
        .init(.malformedChunk, chunks: "2\r\nhi\r\n0\r\n\n"),
        .init(.malformedChunk, chunks: "\r\n2\r\nhi\r\n0\r\n\r\n"),
        .init(.malformedChunk, chunks: "8000000000000000\r\nhi"),
        .init(.malformedChunk, chunks: "00000000000000002\r\nhi\r\n0\r\n\r\n"),
        .init(.malformedChunk, chunks: "2\r\nhi\r\n0\r\nno field\r\n\r\n"),
    ]

    @Test(arguments: heads + lengths + codings + bodies)
    func aBrokenResponseIsNotASuccess(_ broken: Broken) async throws {
        let wire = try Wire()
        #expect(try await wire.failure(after: .write(broken.text), .close).reason == broken.reason)
        // Piece by piece it is read as it is in one.
        let pieces = try await wire.failure(after: .write(broken.text, pieceBytes: 3), .close)
        #expect(pieces.reason == broken.reason)
        // What is wrong is known before the connection ends, where it isn't the ending.
        let endings: [FailureReason] = [.truncatedHeaders, .truncatedResponse, .missingLastChunk]
        guard !endings.contains(broken.reason) else { return }
        #expect(try await wire.failure(after: .write(broken.text + "\r\n\r\n"), .stall).reason == broken.reason)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        "HTTP/1.0 200 OK\r\n\r\nno length, so that only the end says that it is whole",
    ])
    func aResetAmidAResponseIsNotASuccess(_ text: String) async throws {
        let wire = try Wire()
        let error = try await wire.failure(after: .write(text), .pause(.milliseconds(50)), .reset)
        #expect(error.reason == .connectionReset)
    }

    struct Sound: CustomTestStringConvertible {
        var method = HTTPMethod.get
        let text: String
        var body = "hi"

        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Sound(text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        Sound(text: "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi"),
        Sound(text: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\ncontent-length:02\t\r\n\r\nhi"),
        Sound(text: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi"),
        Sound(text: "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi"),
        Sound(text: "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi"),
        Sound(text: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        Sound(text: "HTTP/1.0 200 OK\r\n\r\nhi"),
        Sound(text: "HTTP/1.1 200 OK\r\nX-A : 1\r\nContent-Length: 2\r\n\r\nhi"),
        Sound(text: "HTTP/1.1 200 OK\r\nContent-Length-Extra: x\r\nTransfer: y\r\nContent-Length: 2\r\n\r\nhi"),
        Sound(text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED \r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
        Sound(text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n0001  \r\ni\r\n000\r\n\r\n"),
        Sound(text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=\"b\"\r\nhi\r\n0;c\r\nX-T: 1\r\n\r\n"),
        Sound(text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"),
        Sound(
            text: "HTTP/1.1 103 Early\r\nContent-Length: 9, x\r\nTransfer-Encoding: y\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        ),
        Sound(
            text:
                "HTTP/1.1 103 Early\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhi"
        ),
        Sound(text: "HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", body: ""),
        Sound(text: "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", body: ""),
        Sound(text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\nContent-Length: 8\r\n\r\nhi", body: ""),
        Sound(method: .head, text: "HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n", body: ""),
        Sound(
            method: .head,
            text: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: gzip\r\n\r\nhi",
            body: "",
        ),
    ])
    func aSoundResponseIsReadToItsEnd(_ sound: Sound) async throws {
        let wire = try Wire()
        for pieceBytes in [Int.max, 1, 5] {
            wire.server.enqueue(.raw([.write(sound.text, pieceBytes: pieceBytes), .close]))
            #expect(try await wire.send(sound.method).text() == sound.body)
        }
    }

    @Test func manyChunksMakeOneBody() async throws {
        let piece = String(repeating: "0123456789", count: 700)
        let wire = try Wire { _ in .status(.ok).chunked(Array(repeating: Data(piece.utf8), count: 300)) }
        for _ in 0..<3 {
            #expect(try await wire.send().text() == String(repeating: piece, count: 300))
        }
        #expect(wire.server.connectionCount == 1)
    }

    // MARK: - Bounds

    /// A header block of exactly `bytes` bytes, with its status line and the empty line.
    private static func head(bytes: Int, lineBytes: Int = 60_000) -> String {
        let end = "Content-Length: 2\r\n\r\n"
        var text = "HTTP/1.1 200 OK\r\n"
        while true {
            let left = bytes - text.utf8.count - end.utf8.count
            guard left > lineBytes else {
                return text + "X: " + String(repeating: "a", count: left - 5) + "\r\n" + end
            }
            text += "X: " + String(repeating: "a", count: lineBytes - 105) + "\r\n"
        }
    }

    @Test func theHeaderBlockMayBeAsLargeAsTheLimit() async throws {
        let wire = try Wire()
        let limit = 256 * 1024
        for text in [Self.head(bytes: limit), Self.head(bytes: 95_000, lineBytes: 94_000)] {
            wire.server.enqueue(.raw([.write(text + "hi")]))
            #expect(try await wire.send().text() == "hi")
        }
        for text in [Self.head(bytes: limit + 1), Self.head(bytes: 110_000, lineBytes: 109_000)] {
            #expect(try await wire.failure(after: .write(text + "hi"), .stall).reason == .headersTooLarge)
        }
    }

    @Test func theHeaderBlockMayHaveAsManyFieldsAsTheLimit() async throws {
        let wire = try Wire()
        let fields = String(repeating: "X-A: 1\r\n", count: 499)
        let end = "Content-Length: 2\r\n\r\nhi"
        wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\n" + fields + end)]))
        #expect(try await wire.send().headers.count == 500)
        let error = try await wire.failure(after: .write("HTTP/1.1 200 OK\r\nX-A: 1\r\n" + fields + end), .stall)
        #expect(error.reason == .headersTooLarge)
    }

    @Test(arguments: [
        String(repeating: "X-A: 1\r\n", count: 501), "X-A: " + String(repeating: "a", count: 300_000) + "\r\n",
    ])
    func trailersCountAmongTheFields(_ trailers: String) async throws {
        let wire = try Wire()
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n"
        #expect(try await wire.failure(after: .write(head + trailers), .stall).reason == .headersTooLarge)
    }

    @Test func anExtensionHasBounds() async throws {
        let wire = try Wire()
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a="
        let endless = MockStep.write(head + String(repeating: "x", count: 5000))
        #expect(try await wire.failure(after: endless, .stall).reason == .headersTooLarge)
        let chunk = "1;a=" + String(repeating: "x", count: 4000) + "\r\nb\r\n"
        let many = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 20)
        #expect(try await wire.failure(after: .write(many), .stall).reason == .headersTooLarge)
    }
}
#endif
