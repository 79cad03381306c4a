import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct MultipartTests {
    private static let zeros = FixedGenerator(step: 0)
    private static let boundary = "hikyaku-" + String(repeating: "0", count: 32)

    /// What goes out, and how it is called.
    private func sent(
        _ parts: [MultipartPart],
        using generator: FixedGenerator = FixedGenerator(),
    ) async throws -> (body: HTTPBody, bytes: Data, type: String) {
        let request = try AnyRequest(method: .post, body: .multipart(parts, using: generator)).httpRequest()
        let body = try #require(request.body)
        return (body, try await body.collect(), try #require(request.headers[.contentType]))
    }

    private func refusal(
        of parts: [MultipartPart],
        using generator: FixedGenerator = FixedGenerator(),
    ) -> FailureReason? {
        do {
            _ = try AnyRequest(method: .post, body: .multipart(parts, using: generator)).httpRequest()
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func goesOutByteForByteAsBrowsersSendIt() async throws {
        let parts: [MultipartPart] = [
            .text("title", "飛脚"), .text("count", 3), .text("isDraft", false), .json("meta", ["a": 1]),
            .bytes("photo", Data([0xFF, 0x0D, 0x0A, 0x00]), filename: "é.PNG"),
            .stream("log", HTTPBody("x"), type: "text/x-log"),
        ]
        let (body, bytes, type) = try await sent(parts, using: Self.zeros)
        var expected = Data(
            """
            --B\r
            Content-Disposition: form-data; name="title"\r
            \r
            飛脚\r
            --B\r
            Content-Disposition: form-data; name="count"\r
            \r
            3\r
            --B\r
            Content-Disposition: form-data; name="isDraft"\r
            \r
            false\r
            --B\r
            Content-Disposition: form-data; name="meta"\r
            Content-Type: application/json\r
            \r
            {"a":1}\r
            --B\r
            Content-Disposition: form-data; name="photo"; filename="é.PNG"\r
            Content-Type: image/png\r
            \r

            """.replacing("--B", with: "--" + Self.boundary).utf8
        )
        expected += [0xFF, 0x0D, 0x0A, 0x00]
        expected += Data(
            """
            \r
            --B\r
            Content-Disposition: form-data; name="log"\r
            Content-Type: text/x-log\r
            \r
            x\r
            --B--\r

            """.replacing("--B", with: "--" + Self.boundary).utf8
        )
        #expect(bytes == expected)
        #expect(type == "multipart/form-data; boundary=" + Self.boundary)
        #expect(body.count == expected.count && body.isReplayable)
    }

    @Test(
        arguments: [
            ("a\"b", "a%22b"), ("a\r\nX-Evil: 1", "a%0D%0AX-Evil: 1"), ("a\nb\rc", "a%0Ab%0Dc"), ("日本", "日本"),
            (#"a\b"#, #"a\b"#), ("a%22", "a%22"), ("", ""),
        ]
    )
    func namesAreEscapedAsBrowsersDo(name: String, escaped: String) async throws {
        let (_, bytes, type) = try await sent([.bytes(name, Data(), filename: name)])
        let part = try #require(try MultipartReader(bytes, contentType: type).parts.first)
        let disposition = #"Content-Disposition: form-data; name="\#(escaped)"; filename="\#(escaped)""#
        #expect(part.headers == [disposition, "Content-Type: application/octet-stream"])
    }

    @Test func nothingSlipsIntoAPartsHeaderBlock() {
        #expect(refusal(of: [.bytes("a", Data(), type: "text/plain\r\nX-Evil: 1")]) == .body)
        #expect(refusal(of: [.bytes("a", Data(), type: "")]) == .body)
        #expect(refusal(of: [.text("a\0", "b")]) == .body)
        #expect(refusal(of: [.bytes("a", Data(), filename: "\u{1B}[2J")]) == .body)
        #expect(refusal(of: [.text("a", "\r\n\0")]) == nil)
    }

    @Test(
        arguments: [
            ("a.jpg", "image/jpeg"), ("A.JPEG", "image/jpeg"), ("x.tar.gz", "application/gzip"),
            ("notes", "application/octet-stream"), (".", "application/octet-stream"),
            ("a.b", "application/octet-stream"),
        ]
    )
    func theFileNameDeterminesTheMediaType(filename: String, type: String) async throws {
        let (_, bytes, contentType) = try await sent([.bytes("f", Data(), filename: filename)])
        let part = try #require(try MultipartReader(bytes, contentType: contentType).parts.first)
        #expect(part.headers.last == "Content-Type: \(type)")
    }

    @Test func filesAndStreamsAreReadWhenTheirTurnComes() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "part-\(UUID()).txt").path
        let content = Data((0..<700_000).map { UInt8(truncatingIfNeeded: $0) })
        try content.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let stream = HTTPBody(AsyncStream { $0.finish() }, count: nil)
        let known: [MultipartPart] = [
            .text("a", "b"), .file("f", path: path), .file("g", path: path, filename: "h"),
        ]
        let (body, bytes, type) = try await sent(known)
        let parts = try MultipartReader(bytes, contentType: type).parts
        #expect(parts.map(\.content.count) == [1, 700_000, 700_000])
        #expect(parts[1].content == content && parts[2].content == content)
        #expect(parts[1].headers.first?.hasSuffix(#"filename="\#(URL(filePath: path).lastPathComponent)""#) == true)
        #expect(parts[2].headers.first?.hasSuffix(#"filename="h""#) == true)
        #expect(body.count == bytes.count && body.isReplayable && body.bytes == nil)
        // Once more, since it can be.
        #expect(try await body.collect() == bytes)
        var largest = 0
        for try await piece in body { largest = max(largest, piece.count) }
        #expect(largest < content.count)

        let (open, _, _) = try await sent(known + [.stream("s", stream)])
        #expect(open.count == nil && !open.isReplayable)
        await #expect(throws: TransportError.self) { try await open.collect() }
    }

    @Test func aMissingFileIsRejectedBeforeAnythingIsSent() {
        #expect(refusal(of: [.file("f", path: "/nowhere/at/all")]) == .body)
    }

    @Test func aPartThatBreaksItsWordEndsTheBody() async throws {
        let short = HTTPBody(AsyncStream<Data> { $0.finish() }, count: 10)
        let request = try AnyRequest(method: .post, body: .multipart([.stream("s", short)])).httpRequest()
        let error = await #expect(throws: TransportError.self) { try await request.body?.collect() }
        #expect(error?.reason == .body)
        let endless = HTTPBody(AsyncStream<Data> { $0.finish() }, count: .max)
        #expect(refusal(of: [.stream("s", endless), .stream("t", endless)]) == .body)
    }

    @Test func theBoundaryOccursInNoPart() async throws {
        // The generator gives only what the part holds, so there is none.
        #expect(refusal(of: [.text("a", "--" + Self.boundary)], using: Self.zeros) == .body)
        // A generator that goes on finds another.
        let (_, first, type) = try await sent([.text("a", "x")])
        let boundary = try #require(type.split(separator: "boundary=").last)
        let (_, bytes, next) = try await sent([.text("a", "\r\n--\(boundary)--\r\n")])
        #expect(next != type && !first.isEmpty)
        #expect(try MultipartReader(bytes, contentType: next).parts.map(\.text) == ["\r\n--\(boundary)--\r\n"])
    }

    @Test func boundariesAreOfTheFormThatNeedsNoQuotes() async throws {
        let types = try (0..<20).map { _ in
            try #require(try AnyRequest(method: .post, body: .multipart([])).httpRequest().headers[.contentType])
        }
        #expect(Set(types).count == 20)
        for type in types {
            let boundary = try #require(type.split(separator: "=").last)
            #expect(boundary.utf8.count <= 70)
            #expect(boundary.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        }
    }

    @Test func nonFiniteNumbersAreRejected() {
        #expect(refusal(of: [.text("n", Double.nan)]) == .body)
        #expect(refusal(of: [.text("n", Float.infinity)]) == .body)
        #expect(refusal(of: [.text("n", 1.5)]) == nil)
    }

    @Test func reachesTheTransportWithItsLength() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 204) }
        let client = APIClient(transport: transport)
        _ = try await client.send(AnyRequest(method: .post, body: .multipart([.text("title", "飛脚")])))
        let request = try #require(transport.requests.first)
        let type = try #require(request.headers[.contentType])
        let bytes = try await #require(request.body).collect()
        #expect(try MultipartReader(bytes, contentType: type).parts.map(\.text) == ["飛脚"])
    }
}
