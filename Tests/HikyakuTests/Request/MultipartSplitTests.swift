import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuTesting
import Testing

/// A multipart body has the same bytes, however its parts come.
@Suite struct MultipartSplitTests {
    /// Line breaks and what looks like a boundary, around every place.
    private static let content = Data("\r\n--hikyaku-\r\n\r\n--x--\r\n".utf8)

    private struct Pieces: AsyncSequence, Sendable {
        let pieces: [Data]

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<Data>
            mutating func next() async -> Data? { rest.popFirst() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
    }

    private func request(_ pieces: [Data], file: String, isCounted: Bool) throws -> HTTPRequest {
        let stream = HTTPBody(Pieces(pieces: pieces), count: isCounted ? Self.content.count : nil, isReplayable: true)
        let parts: [MultipartPart] = [
            .text("a", "1"), .stream("b", stream, filename: "b.txt"), .file("c", path: file), .bytes("d", Data()),
        ]
        return try AnyRequest(method: .post, body: .multipart(parts, using: FixedGenerator())).httpRequest()
    }

    private func withFile(_ work: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.content.write(to: file)
        try await work(file.path)
    }

    /// Every split of the stream into three pieces, and into single bytes.
    @Test(arguments: [true, false])
    func everySplitOfAPartGivesTheSameBytes(_ isCounted: Bool) async throws {
        try await withFile { file in
            let whole = try request([Self.content], file: file, isCounted: isCounted)
            let expected = try await #require(whole.body).collect()
            let reader = try MultipartReader(expected, contentType: #require(whole.headers[.contentType]))
            #expect(reader.parts.map(\.content) == [Data("1".utf8), Self.content, Self.content, Data()])
            #expect(whole.body?.count == (isCounted ? expected.count : nil))
            let count = Self.content.count
            var splits = [Self.content.map { Data([$0]) }]
            for first in 0...count {
                for second in first...count {
                    splits.append([
                        Self.content[..<first], Self.content[first..<second], Self.content[second...],
                    ])
                }
            }
            for pieces in splits {
                let body = try #require(try request(pieces, file: file, isCounted: isCounted).body)
                // A second time too: it is replayable.
                for _ in 0..<2 {
                    let bytes = try await body.collect()
                    guard bytes == expected else {
                        Issue.record("other bytes for \(pieces.map(\.count))")
                        return
                    }
                }
            }
        }
    }

    /// Every part of the body, from and to every offset: what an upload in parts appends.
    @Test func everyPartOfTheBodyHasItsBytes() async throws {
        try await withFile { file in
            let pieces = Self.content.map { Data([$0]) }
            let request = try request(pieces, file: file, isCounted: true)
            let body = try #require(request.body)
            let expected = try await body.collect()
            for cut in 0...expected.count {
                let (head, tail) = (body.part(0..<cut), body.part(cut..<expected.count))
                #expect(head.count == cut && tail.isReplayable)
                let both = try await head.collect() + tail.collect()
                #expect(both == expected)
            }
        }
    }

    /// Over a connection, with and without a length.
    @Test(arguments: [true, false])
    func theServerReadsTheParts(_ isCounted: Bool) async throws {
        try await withFile { file in
            let server = try MockServer { _ in .status(.noContent) }
            defer { server.stop() }
            let pieces = Self.content.map { Data([$0]) }
            let stream = HTTPBody(Pieces(pieces: pieces), count: isCounted ? pieces.count : nil)
            let body = RequestBody.multipart([.stream("b", stream), .file("c", path: file)])
            let environment = APIEnvironment(baseURL: server.baseURL)
            _ = try await APIClient().send(AnyRequest(environment: environment, method: .post, body: body))
            let received = try #require(server.requests.first)
            let reader = try MultipartReader(received.body, contentType: received.headers[.contentType] ?? "")
            #expect(reader.parts.map(\.content) == [Self.content, Self.content])
            #expect((received.headers[.contentLength] != nil) == isCounted)
        }
    }

    /// A large file is read piece by piece.
    @Test func noPieceOfAFileIsLarge() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: 64 << 20)
        try handle.close()
        let body = RequestBody.multipart([.file("a", path: file.path)])
        let request = try AnyRequest(method: .post, body: body).httpRequest()
        #expect(request.curlCommand(revealingSecrets: true).contains("cat '\(file.path)'; "))
        var (largest, sum) = (0, 0)
        for try await piece in try #require(request.body) {
            largest = max(largest, piece.count)
            sum += piece.count
        }
        #expect(largest <= 256 * 1024 && sum == request.body?.count && sum > 64 << 20)
    }
}
