#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ResponseTests {
    private func response(
        to method: HTTPMethod = .get,
        _ text: String,
        options: TransportOptions = TransportOptions(),
    ) async throws -> HTTPResponse {
        try await response(to: method, bytes: Array(text.utf8), options: options)
    }

    private func response(
        to method: HTTPMethod = .get,
        bytes: [UInt8],
        options: TransportOptions = TransportOptions(),
    ) async throws -> HTTPResponse {
        let wire = try Wire()
        wire.server.enqueue(.raw([.write(bytes, pieceBytes: 7), .close]))
        return try await wire.send(method, options: options)
    }

    @Test func keepsFieldsAsTheyCame() async throws {
        let response = try await response(
            "HTTP/1.1 299 Odd\r\nset-cookie: a=1\r\nSet-Cookie:b=2 \r\nX-Empty:\r\nX-Folded: one \r\n \t two\r\n \r\n\tthree\r\n"
                + "X-Text: größe: 2\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(response.status == 299)
        #expect(
            response.headers.map { "\($0.name.rawName)=\($0.value)" } == [
                "set-cookie=a=1", "Set-Cookie=b=2", "X-Empty=", "X-Folded=one two three", "X-Text=größe: 2",
                "Content-Length=0",
            ]
        )
    }

    @Test func readsBytesThatAreNotUTF8AsLatin1() async throws {
        let bytes =
            Array("HTTP/1.1 200 OK\r\nX-Name: M".utf8) + [0xFC] + Array("ller\r\nContent-Length: 0\r\n\r\n".utf8)
        #expect(try await response(bytes: bytes).headers["X-Name"] == "Müller")
    }

    @Test func dropsInterimResponsesAndKeepsTrailersApart() async throws {
        let response = try await response(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 200\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX-Trailer: t\r\n\r\n"
        )
        #expect(response.status == 200)
        #expect(response.headers.map(\.name) == ["X-A", "Transfer-Encoding"])
        #expect(response.trailers.map(\.name) == ["X-Trailer"])
        #expect(try await response.text() == "hi")
    }

    @Test func aBodyWithoutALengthEndsWithTheConnection() async throws {
        #expect(try await response("HTTP/1.0 200 OK\r\n\r\nall of it").text() == "all of it")
    }

    @Test(arguments: ["HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 304 Not Modified\r\nContent-Length: 99999\r\n\r\n"])
    func someStatusesHaveNoBody(_ text: String) async throws {
        #expect(try await response(text, options: TransportOptions(bodyBytesMax: 10)).body.count == 0)
    }

    @Test func leavesContentCodingsAlone() async throws {
        let wire = try Wire { _ in .bytes([0x1F, 0x8B, 1, 2], type: nil).header("Content-Encoding", "gzip") }
        #expect(try await wire.send().body.collect() == Data([0x1F, 0x8B, 1, 2]))
        #expect(!wire.transport.decodesContent)
    }

    @Test func followsNoRedirect() async throws {
        let wire = try Wire { _ in .status(307, headers: ["Location": "/there"]) }
        #expect(try await wire.send().status == 307)
        #expect(wire.server.requests.count == 1)
    }

    // MARK: - Bounds

    @Test func aBodyMayBeAsLargeAsTheLimit() async throws {
        let wire = try Wire { _ in .text("0123456789") }
        let options = TransportOptions(bodyBytesMax: 10)
        #expect(try await wire.send(options: options).text() == "0123456789")
        #expect(try await wire.send(.head, options: TransportOptions(bodyBytesMax: 0)).status == .ok)
    }

    @Test func anAnnouncedLengthBeyondTheLimitEndsTheTransferBeforeTheBody() async throws {
        let wire = try Wire()
        let head = MockStep.write("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n")
        let error = try await wire.failure(after: head, .stall, options: TransportOptions(bodyBytesMax: 10))
        #expect(error.reason == .bodyTooLarge)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func aStreamedBodyBeyondTheLimitEndsTheTransfer() async throws {
        let wire = try Wire()
        let head = MockStep.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n5\r\nghijk\r\n")
        let error = try await wire.failure(after: head, .stall, options: TransportOptions(bodyBytesMax: 10))
        #expect(error.reason == .bodyTooLarge)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func anAnnouncedLengthIsNotAllocatedBeforeItComes() async throws {
        let wire = try Wire()
        let head = MockStep.write("HTTP/1.1 200 OK\r\nContent-Length: 9000000000000000000\r\n\r\nx")
        let error = try await wire.failure(after: head, .close, options: TransportOptions(bodyBytesMax: .max))
        #expect(error.reason == .truncatedResponse)
    }

    @Test(arguments: [
        String(repeating: "X-A: 1\r\n", count: 501),
        String(repeating: "X-A: " + String(repeating: "a", count: 4000) + "\r\n", count: 70),
        "X-A: " + String(repeating: "a", count: 300_000) + "\r\n",
    ])
    func aHeaderBlockHasBounds(_ fields: String) async throws {
        let wire = try Wire()
        let error = try await wire.failure(after: .write("HTTP/1.1 200 OK\r\n" + fields), .stall)
        #expect(error.reason == .headersTooLarge)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func endlessInterimResponsesHaveBounds() async throws {
        let wire = try Wire()
        let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\n", count: 10_000)
        #expect(try await wire.failure(after: .write(interim), .stall).reason == .headersTooLarge)
    }
}
#endif
