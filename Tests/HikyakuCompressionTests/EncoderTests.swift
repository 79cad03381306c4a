#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuCompression
import HikyakuHTTP
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite struct EncoderTests {
    static let formats: [(ContentEncoder.Format, ContentCoding)] = [(.gzip, .gzip), (.zstd, .zstd)]

    @Test(arguments: [0, 1, 1000, 64 * 1024, 3_000_000], [true, false])
    func whatIsEncodedDecodes(_ count: Int, _ isText: Bool) throws {
        let plain = isText ? sampleText(bytes: count) : randomBytes(count, seed: 3)
        for (format, coding) in Self.formats {
            let encoder = try ContentEncoder(format)
            var coded: [Data] = []
            var rest = plain
            while !rest.isEmpty {
                coded.append(try encoder.encode(rest.prefix(70_001)))
                rest = rest.dropFirst(70_001)
            }
            coded.append(try encoder.finish())
            #expect(try decode(coded, [coding]) == plain)
            #expect(!isText || count < 1000 || coded.reduce(0) { $0 + $1.count } < count / 2)
        }
    }

    /// The output of small pieces stays small, whatever the whole has.
    @Test func thePiecesAreBounded() throws {
        for (format, _) in Self.formats {
            let encoder = try ContentEncoder(format)
            for index in 0..<200 {
                let piece = randomBytes(64 * 1024, seed: UInt64(index))
                #expect(try encoder.encode(piece).count <= 512 * 1024)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(5))) struct CompressedBodyTests {
    private struct Report: APIRequest {
        typealias Definition = EmptyResponse
        var environment: APIEnvironment = "https://a.example"
        var headers: HTTPHeaders = [:]
        var method: HTTPMethod { .post }
        var path: RequestPath { "/reports" }
        var body: RequestBody?
    }

    private struct Pieces: AsyncSequence, Sendable {
        let pieces: [Data]

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<Data>
            mutating func next() async -> Data? { rest.popFirst() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
    }

    private static let text = sampleText(bytes: 300_000)

    @Test(arguments: [(BodyCoding.gzip, ContentCoding.gzip), (.zstd, .zstd)])
    func aBodyInMemoryIsCompressedAndHasALength(_ coding: BodyCoding, _ decoding: ContentCoding) async throws {
        let request = try Report(body: .bytes(Self.text, type: "text/x").compressed(coding)).httpRequest()
        let body = try #require(request.body)
        #expect(request.headers[.contentEncoding] == "\(coding)" && request.headers[.contentType] == "text/x")
        #expect(try #require(body.count) < Self.text.count / 2)
        #expect(try decode([await body.collect()], [decoding]) == Self.text)
    }

    @Test(arguments: ["", "{}", "abc"])
    func aBodyThatWouldGrowIsSentAsItIs(_ text: String) async throws {
        let request = try Report(body: .text(text).compressed(.gzip)).httpRequest()
        #expect(request.headers[.contentEncoding] == nil)
        #expect(try await request.body?.collect() == Data(text.utf8))
    }

    /// However the body comes, its compressed bytes are the same, so that a part of it can be sent again.
    @Test(arguments: [BodyCoding.gzip, .zstd], [1, 1000, 128 * 1024, 128 * 1024 + 1, 300_000])
    func theSameBytesAreCompressedInTheSameWay(_ coding: BodyCoding, _ pieceBytes: Int) async throws {
        let text = pieceBytes == 1 ? Self.text.prefix(140_000) : Self.text
        func body(_ pieceBytes: Int) throws -> HTTPBody {
            var pieces: [Data] = []
            var rest = text
            while !rest.isEmpty {
                pieces.append(rest.prefix(pieceBytes))
                rest = rest.dropFirst(pieceBytes)
            }
            let stream = HTTPBody(Pieces(pieces: pieces), count: text.count, isReplayable: true)
            return try #require(try Report(body: .stream(stream).compressed(coding)).httpRequest().body)
        }
        let (whole, split) = (try body(text.count), try body(pieceBytes))
        #expect(split.count == nil && split.isReplayable)
        let expected = try await whole.collect()
        for _ in 0..<2 { #expect(try await split.collect() == expected) }
        #expect(try decode([expected], [coding == .gzip ? .gzip : .zstd]) == text)
    }

    @Test func codingsAreListedInTheirOrderAfterTheRequestsOwn() async throws {
        let request = try Report(
            headers: [.contentEncoding: "x-own"],
            body: .bytes(Self.text).compressed(.gzip),
        ).httpRequest()
        #expect(request.headers.values(for: .contentEncoding) == ["x-own", "gzip"])
    }

    /// A file of 40 MB with a few pieces in memory; the server gets chunks and the coding.
    @Test func aFileIsCompressedWhileItIsSent() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let content = repeated(Self.text, 20)
        try content.write(to: file)
        let server = try MockServer { _ in .status(.noContent) }
        defer { server.stop() }
        let environment = APIEnvironment(baseURL: server.baseURL)
        let sent = Counter()
        let client = APIClient().observing(sent)
        try await client.send(Report(environment: environment, body: .file(file.path).compressed(.gzip)))
        let received = try #require(server.requests.first)
        #expect(received.headers[.contentEncoding] == "gzip" && received.headers[.contentLength] == nil)
        #expect(try decode([received.body], [.gzip]) == content)
        // The progress counts what is sent.
        #expect(sent.count.withLock(\.self) == received.body.count)
        try await client.send(
            Report(environment: environment, body: .file(file.path).compressed(.gzip).expectingContinue())
        )
        #expect(server.requests.last?.headers[.expect] == "100-continue")
        #expect(server.requests.last?.body == received.body)
    }

    private struct Counter: EventObserver {
        let count = Lock(0)

        func observe(_ event: TransportEvent) {
            if case .bytesSent(let count, _) = event.kind { self.count.withLock { $0 = count } }
        }
    }

    /// What Apple's systems add themselves.
    @Test func theChecksumIsThatOfTheFormat() {
        var checksum = GzipChecksum()
        checksum.add(Data("1234".utf8))
        checksum.add(Data("56789".utf8))
        #expect(checksum.trailer == Data([0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0]))
    }
}
#endif
