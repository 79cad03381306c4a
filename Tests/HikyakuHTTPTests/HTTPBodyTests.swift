import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@Suite struct HTTPBodyTests {
    /// A sequence of these pieces, which says how often it was begun.
    private struct Pieces: AsyncSequence, Sendable {
        let pieces: [Data]
        let begun = Lock(0)

        init(_ texts: String...) {
            pieces = texts.map { Data($0.utf8) }
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<Data>

            mutating func next() async throws -> Data? { rest.popFirst() }
        }

        func makeAsyncIterator() -> AsyncIterator {
            begun.withLock { $0 += 1 }
            return AsyncIterator(rest: pieces[...])
        }
    }

    /// Says what became of it.
    private final class Source: BodySource {
        let cancelCount = Lock(0)

        func next() async throws -> Data? { Data("more".utf8) }
        func cancel() { cancelCount.withLock { $0 += 1 } }
    }

    /// Gives two pieces, and says after them what came with their end.
    private final class SourceWithTrailers: BodySource {
        let left = Lock(2)
        let trailers: HTTPHeaders = ["X-Sum": "4"]

        func next() async throws -> Data? {
            left.withLock { left in
                left -= 1
                return left < 0 ? nil : Data("ab".utf8)
            }
        }

        func cancel() {}
    }

    private func reason(_ read: () async throws -> Data) async throws -> FailureReason {
        try await #require(throws: TransportError.self) { _ = try await read() }.reason
    }

    private func withFile(_ content: String, _ body: (URL) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        try Data(content.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file)
    }

    @Test func bytesAreReadAgainAndAgain() async throws {
        let body: HTTPBody = "text"
        for _ in 0..<2 { #expect(try await body.collect() == Data("text".utf8)) }
        #expect(body.count == 4)
        #expect(body.isReplayable)
        var iterator = HTTPBody.empty.makeAsyncIterator()
        #expect(try await iterator.next() == nil)
    }

    @Test func emptyPiecesArePassedOver() async throws {
        var iterator = HTTPBody(Pieces("", "a", "", "b", "")).makeAsyncIterator()
        #expect(try await iterator.next() == Data("a".utf8))
        #expect(try await iterator.next() == Data("b".utf8))
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func collectingStopsAtTheLimit() async throws {
        #expect(try await HTTPBody("12345").collect(upTo: 5).count == 5)
        #expect(try await reason { try await HTTPBody("12345").collect(upTo: 4) } == .bodyTooLarge)
        #expect(try await HTTPBody(Pieces("123", "45")).collect(upTo: 5) == Data("12345".utf8))
        #expect(try await reason { try await HTTPBody(Pieces("123", "45")).collect(upTo: 4) } == .bodyTooLarge)
        let known = Pieces("123", "45")
        #expect(try await reason { try await HTTPBody(known, count: 5).collect(upTo: 4) } == .bodyTooLarge)
        // What is known to be too large isn't even begun.
        #expect(known.begun.withLock(\.self) == 0)
    }

    @Test func aStreamIsReadOnceUnlessItCanBeReadAgain() async throws {
        let once = HTTPBody(Pieces("ab"))
        #expect(!once.isReplayable)
        #expect(try await once.collect() == Data("ab".utf8))
        #expect(try await reason { try await once.collect() } == .bodyConsumed)
        let again = HTTPBody(Pieces("ab"), isReplayable: true)
        for _ in 0..<3 { #expect(try await again.collect() == Data("ab".utf8)) }
    }

    @Test(arguments: [3, 6])
    func aStreamOfAnotherLengthIsRejected(_ count: Int) async throws {
        #expect(try await reason { try await HTTPBody(Pieces("ab", "cd"), count: count).collect() } == .body)
        #expect(try await HTTPBody(Pieces("ab", "cd"), count: 4).collect().count == 4)
    }

    @Test func nothingComesAfterAFailure() async throws {
        var iterator = HTTPBody(Pieces("ab", "cd"), count: 3).makeAsyncIterator()
        #expect(try await iterator.next() == Data("ab".utf8))
        await #expect(throws: TransportError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func aSourceIsNotifiedWhenItsReaderEnds() async throws {
        let unread = Source()
        var body: HTTPBody? = HTTPBody(pulling: unread)
        #expect(body?.count == nil)
        body = nil
        #expect(unread.cancelCount.withLock(\.self) == 1)

        let dropped = Source()
        for try await piece in HTTPBody(pulling: dropped) {
            #expect(piece == Data("more".utf8))
            break
        }
        #expect(dropped.cancelCount.withLock(\.self) == 1)
    }

    @Test func trailersComeWithTheEndOfAStream() async throws {
        let body = HTTPBody(pulling: SourceWithTrailers())
        var response = HTTPResponse(status: .ok, body: body)
        var iterator = body.makeAsyncIterator()
        for _ in 0..<2 {
            #expect(try await iterator.next() == Data("ab".utf8))
            #expect(body.trailers.isEmpty && response.trailers.isEmpty)
        }
        #expect(try await iterator.next() == nil)
        #expect(body.trailers["x-sum"] == "4")
        #expect(response.trailers["x-sum"] == "4")
        // What a step says of a response comes first.
        response.trailers = ["X-Own": "1"]
        #expect(response.trailers.map(\.name) == ["X-Own"])
        #expect(HTTPBody("in memory").trailers.isEmpty)
    }

    @Test func aStreamThatIsNotWholeHasNoTrailers() async throws {
        for count in [3, 5] {
            let body = HTTPBody(pulling: SourceWithTrailers(), count: count)
            #expect(try await reason { try await body.collect() } == .body)
            #expect(body.trailers.isEmpty)
        }
    }

    @Test func collectingKeepsTheTrailers() async throws {
        let streamed = HTTPResponse(status: .ok, body: HTTPBody(pulling: SourceWithTrailers()))
        let collected = try await streamed.collectingBody(within: TransportOptions())
        #expect(collected.body.bytes == Data("abab".utf8))
        #expect(collected.trailers["X-Sum"] == "4")
        let cut = HTTPResponse(status: .notFound, body: HTTPBody(pulling: SourceWithTrailers()))
        let beginning = try await cut.collectingBody(within: TransportOptions(errorBodyBytesMax: 3))
        #expect(beginning.isBodyCut && beginning.trailers.isEmpty)
    }

    @Test func aFileIsReadAgainAndAgain() async throws {
        let text = String(repeating: "0123456789", count: 60_000)
        try await withFile(text) { file in
            let body = try HTTPBody.file(at: file.path)
            #expect(body.count == 600_000)
            #expect(body.isReplayable)
            for _ in 0..<2 { #expect(try await body.collect() == Data(text.utf8)) }
        }
    }

    /// The memory of a piece is used again only after the piece.
    @Test(arguments: [0, 1, 3, 20]) func aPieceThatIsHeldStaysAsItIs(_ heldCount: Int) async throws {
        let content = (0..<200_000).map { "line \($0)\n" }.joined()
        try await withFile(content) { file in
            var held: [Data] = []
            var read = Data()
            for try await piece in try HTTPBody.file(at: file.path) {
                held.append(piece)
                if held.count > heldCount { read += held.removeFirst() }
            }
            #expect(held.count == min(heldCount, 9))
            for piece in held { read += piece }
            #expect(read == Data(content.utf8))
        }
    }

    @Test func aFileThatGrewIsSentAsItWas() async throws {
        try await withFile("before") { file in
            let body = try HTTPBody.file(at: file.path)
            try Data("before and after".utf8).write(to: file)
            #expect(try await body.collect() == Data("before".utf8))
        }
    }

    /// The parts of an upload are one version of the file.
    @Test func aPartOfAFileThatWasChangedIsRejected() async throws {
        try await withFile("before") { file in
            let body = try HTTPBody.file(at: file.path)
            #expect(try await body.part(0..<3).collect() == Data("bef".utf8))
            #expect(try await body.part(3..<6).collect() == Data("ore".utf8))
            try Data("AFTER!".utf8).write(to: file, options: .atomic)
            #expect(try await reason { try await body.part(3..<6).collect() } == .body)
        }
    }

    @Test func aPartIsOfTheVersionOfAWholeFileBefore() async throws {
        try await withFile("before") { file in
            let body = try HTTPBody.file(at: file.path)
            #expect(try await body.part(0..<6).collect() == Data("before".utf8))
            try Data("AFTER!".utf8).write(to: file, options: .atomic)
            #expect(try await body.part(0..<6).collect() == Data("AFTER!".utf8), "read again from its beginning")
            #expect(try await reason { try await body.part(3..<6).collect() } == .body)
        }
    }

    @Test func aPartOfAFileWithAnotherSizeIsRejected() async throws {
        try await withFile("before") { file in
            let body = try HTTPBody.file(at: file.path)
            try Data("before and after".utf8).write(to: file)
            #expect(try await reason { try await body.part(0..<3).collect() } == .body)
        }
    }

    @Test func anEmptyFileIsAnEmptyBody() async throws {
        try await withFile("") { file in
            let body = try HTTPBody.file(at: file.path)
            #expect(body.count == 0)
            #expect(try await body.collect().isEmpty)
        }
    }

    @Test func aPipeIsNotARegularFile() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)").path
        #expect(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let error = try #require(throws: TransportError.self) { _ = try HTTPBody.file(at: path) }
        #expect(error.message.contains("not a regular file"))
    }

    @Test func aNULCutsNoPath() async throws {
        try await withFile("content") { file in
            let error = try #require(throws: TransportError.self) { _ = try HTTPBody.file(at: file.path + "\0.txt") }
            #expect(error.reason == .body && error.message.hasSuffix("has a NUL in its path"))
        }
    }

    @Test func aFileThatShrankOrWasDeletedIsRejected() async throws {
        try await withFile("before") { file in
            let body = try HTTPBody.file(at: file.path)
            try Data("bef".utf8).write(to: file)
            #expect(try await reason { try await body.collect() } == .body)
            try FileManager.default.removeItem(at: file)
            #expect(try await reason { try await body.collect() } == .body)
        }
    }

    @Test(arguments: ["/", "/tmp", "/nowhere/at/all", "/dev/null", "/dev/zero", "/dev/random"])
    func onlyRegularFilesAreAccepted(_ path: String) throws {
        let error = try #require(throws: TransportError.self) { _ = try HTTPBody.file(at: path) }
        #expect(error.reason == .body)
    }

    @Test func aCancelledTaskReadsNoFile() async throws {
        try await withFile("content") { file in
            let body = try HTTPBody.file(at: file.path)
            let task = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await body.collect()
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func aBodyPrintsAsItsLength() throws {
        #expect("\(HTTPBody("secret"))" == "6 bytes")
        #expect("\(HTTPBody("s"))" == "1 byte")
        #expect("\(HTTPBody(Pieces("secret")))" == "a stream")
        var text = ""
        dump(HTTPBody("secret"), to: &text)
        #expect(!text.contains("secret"))
    }

    @Test func aContentLengthWithAStreamOfUnknownLengthIsRejected() throws {
        let url = try #require(URL(string: "http://a.example/"))
        let stream = HTTPBody(Pieces("ab"))
        for value in ["0", "2"] {
            let request = HTTPRequest(method: .post, url: url, headers: ["Content-Length": value], body: stream)
            #expect(try #require(throws: TransportError.self) { try request.checkForWire() }.reason == .header)
        }
        let known = HTTPBody(Pieces("ab"), count: 2)
        try HTTPRequest(method: .post, url: url, headers: ["Content-Length": "2"], body: known).checkForWire()
        try HTTPRequest(method: .get, url: url, headers: ["Content-Length": "0"]).checkForWire()
    }
}
