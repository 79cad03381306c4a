import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ResumingTests {
    private let folder: TestFolder
    private let server: RangeServer
    private static let content = Data("0123456789".utf8)

    init() throws {
        folder = try TestFolder()
        server = try RangeServer(Self.content)
    }

    private var destination: FileDestination { .resumable(at: folder.path + "file") }

    /// A client whose pauses take no time.
    private static func client(attemptsMax: Int = 3) -> APIClient<Public> {
        var options = ClientOptions()
        options.retryPolicy = RetryPolicy(attemptsMax: attemptsMax, delay: .zero, budget: nil)
        return APIClient(options: options)
    }

    @discardableResult
    private func download(
        attemptsMax: Int = 3,
        to destination: FileDestination? = nil,
    ) async throws(APIError<ProblemDetails>) -> ResponseFile {
        let request = ServedFile(from: server, to: destination ?? self.destination)
        return try await Self.client(attemptsMax: attemptsMax).send(request)
    }

    private func failure(
        attemptsMax: Int = 3,
        to destination: FileDestination? = nil,
    ) async throws -> APIError<ProblemDetails> {
        try await HikyakuTests.failure { () async throws(APIError<ProblemDetails>) in
            try await download(attemptsMax: attemptsMax, to: destination)
        }
    }

    private func expectFile(_ content: Data = content) throws {
        #expect(try folder.contents("file") == content)
        #expect(try folder.names == ["file"])
        #expect(destination.keptBytes == nil)
    }

    // MARK: - Cuts

    @Test(arguments: 0...10, [true, false])
    func aCallContinuesWhereItsBodyWasCut(offset: Int, isChunked: Bool) async throws {
        server.state.withLock { ($0.cuts, $0.isChunked) = ([offset], isChunked) }
        let file = try await download()
        #expect(file.count == 10 && file.path == destination.path)
        try expectFile()
        let isWhole = offset == 10 && !isChunked
        #expect(server.offsets == (isWhole ? [nil] : [nil, offset == 0 ? nil : offset]))
    }

    @Test(arguments: 0..<10)
    func aLaterCallContinuesWhereAnEarlierOneEnded(offset: Int) async throws {
        server.state.withLock { $0.cuts = [offset] }
        let error = try await failure(attemptsMax: 1)
        #expect(error.reason == .truncatedResponse)
        #expect(destination.keptBytes == (offset == 0 ? nil : offset))
        #expect(try folder.names.count == (offset == 0 ? 0 : 2), "a draft and its record")
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, offset == 0 ? nil : offset])
        #expect(server.server.requests.allSatisfy { $0.headers["Accept-Encoding"] == "identity" })
    }

    @Test func aFileInOneByteStepsOfManyCalls() async throws {
        for count in 1..<10 {
            server.state.withLock { $0.cuts = [1] }
            _ = try await failure(attemptsMax: 1)
            #expect(destination.keptBytes == count)
        }
        try await download(attemptsMax: 1)
        try expectFile()
        #expect(server.offsets == [nil] + (1..<10).map { $0 })
    }

    @Test func theAttemptsAreThoseOfThePolicy() async throws {
        server.state.withLock { $0.cuts = [1, 1, 1, 1] }
        let error = try await failure()
        #expect(error.reason == .truncatedResponse && error.context.retryEnd == .attemptsMax)
        #expect(error.context.earlierAttempts.map(\.reason) == [.truncatedResponse, .truncatedResponse])
        #expect(error.failureReason?.contains("3 bytes are kept") == true)
        #expect(server.offsets == [nil, 1, 2])
    }

    @Test func attemptsThatAdvanceAreUnlimited() async throws {
        let content = Data((0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 13) })
        let advance = 1 << 20
        server.state.withLock { ($0.content, $0.cuts) = (content, Array(repeating: advance, count: 7)) }
        try await download()
        try expectFile(content)
        #expect(server.offsets == [nil] + (1..<8).map { $0 * advance })
    }

    @Test func aServiceThatSendsShortPartsIsRequestedForTheNext() async throws {
        let content = Data((0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 13) })
        let part = 1 << 20
        server.state.withLock { state in
            (state.content, state.cuts) = (content, [part])
            state.change = { status, fields, body in
                guard status == 206 else { return }
                let first = content.count - body.count
                body = body.prefix(part)
                fields["Content-Range"] = "bytes \(first)-\(first + body.count - 1)/\(content.count)"
            }
        }
        try await download()
        try expectFile(content)
        #expect(server.offsets == [nil, part, 2 * part])
    }

    /// The size is never known: only a range after the last byte says where the file ends.
    @Test(arguments: [nil, "bytes */10"], [1, 3])
    func shortPartsOfAnUnknownSizeAreNotTheEnd(range: String?, attemptsMax: Int) async throws {
        server.state.withLock { state in
            (state.cuts, state.isChunked) = ([4], true)
            state.change = { status, fields, body in
                if status == 416 { fields = [:] }
                if status == 416, let range { fields["Content-Range"] = range }
                guard status == 206 else { return }
                let first = Self.content.count - body.count
                body = body.prefix(attemptsMax == 1 ? 6 : 4)
                fields["Content-Range"] = "bytes \(first)-\(first + body.count - 1)/*"
            }
        }
        if attemptsMax == 1 { _ = try await failure(attemptsMax: 1) }
        try await download(attemptsMax: attemptsMax)
        try expectFile()
        #expect(server.offsets == (attemptsMax == 1 ? [nil, 4, 10] : [nil, 4, 8, 10]))
    }

    @Test func aRequestThatIsNotIdempotentIsNotRepeatedInOneCall() async throws {
        struct Counting: FileRequest {
            let inner: ServedFile
            var environment: APIEnvironment { inner.environment }
            var path: RequestPath { "/file" }
            var destination: FileDestination { inner.destination }
            var isIdempotent: Bool { false }
        }
        server.state.withLock { $0.cuts = [4] }
        let request = Counting(inner: ServedFile(from: server, to: destination))
        _ = try await HikyakuTests.failure { () async throws(APIError<ProblemDetails>) in
            try await Self.client().send(request)
        }
        #expect(server.offsets == [nil] && destination.keptBytes == 4)
    }

    // MARK: - What begins anew

    @Test func aChangedFileBeginsAnew() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        let other = Data("abcdefgh".utf8)
        server.state.withLock { ($0.content, $0.fields) = (other, ["ETag": "\"v2\""]) }
        try await download(attemptsMax: 1)
        try expectFile(other)
        #expect(server.offsets == [nil, 4])
    }

    @Test func aFileThatChangesBetweenTwoCutsBeginsAnew() async throws {
        let other = Data("abcdefgh".utf8)
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        server.state.withLock { ($0.content, $0.fields, $0.cuts) = (other, ["ETag": "\"v2\""], [3]) }
        try await download()
        try expectFile(other)
        #expect(server.offsets == [nil, 4, 3])
    }

    @Test(
        arguments: [
            [:], ["ETag": "W/\"v1\""], ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["ETag": "\"v1\"", "Accept-Ranges": "none"],
        ] as [HTTPHeaders]
    )
    func withoutAStrongValidatorNothingIsKept(fields: HTTPHeaders) async throws {
        server.state.withLock { ($0.fields, $0.cuts) = (fields, [4, 4]) }
        let error = try await failure(attemptsMax: 1)
        #expect(error.reason == .truncatedResponse && error.failureReason?.contains("kept") == false)
        #expect(try folder.names.isEmpty)
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, nil, nil])
    }

    @Test func aStrongDateIsAValidator() async throws {
        let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
        let fields: HTTPHeaders = ["Last-Modified": modified, "Date": "Mon, 07 Nov 1994 08:49:37 GMT"]
        server.state.withLock { ($0.fields, $0.cuts) = (fields, [4]) }
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, 4])
        #expect(server.server.requests.last?.headers["If-Range"] == modified)
    }

    @Test func aServiceWithoutRangesSendsTheWholeFileAgain() async throws {
        server.state.withLock { ($0.knowsRanges, $0.cuts) = (false, [4]) }
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, 4])
    }

    @Test(arguments: [
        "bytes 3-9/10", "bytes 5-9/10", "bytes 4-9/11", "bytes 4-8/10", "bytes */10", "nonsense",
    ])
    func aLyingContentRangeBeginsAnew(range: String) async throws {
        server.state.withLock { state in
            state.cuts = [4]
            state.change = { status, fields, _ in if status == 206 { fields["Content-Range"] = range } }
        }
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, 4, nil])
    }

    @Test func aPartThatIsLongerThanItSaysBeginsAnew() async throws {
        server.state.withLock { state in
            (state.cuts, state.isChunked) = ([4], true)
            state.change = { status, _, body in if status == 206 { body += Data("more".utf8) } }
        }
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, 4, nil])
    }

    @Test func onlyAttemptsThatAdvanceLittleTakeFromTheBudget() async throws {
        var options = ClientOptions()
        options.retryPolicy = RetryPolicy(attemptsMax: 9, delay: .zero, budget: RetryBudget(ratio: 0, reserve: 2))
        server.state.withLock { $0.cuts = [1, 1, 1, 1] }
        let request = ServedFile(from: server, to: destination)
        let error = try await HikyakuTests.failure { [options] () async throws(APIError<ProblemDetails>) in
            try await APIClient(options: options).send(request)
        }
        #expect(error.context.retryEnd == .budget && destination.keptBytes == 3)
        let content = Data(count: 8 << 20)
        server.state.withLock { state in
            (state.content, state.fields, state.cuts) = (
                content, ["ETag": "\"v2\""], Array(repeating: 1 << 20, count: 7),
            )
        }
        _ = try await APIClient(options: options).send(request)
        try expectFile(content)
    }

    @Test func aServiceThatAlwaysLiesIsAnError() async throws {
        server.state.withLock { state in
            state.cuts = Array(repeating: 4, count: 40)
            state.change = { status, fields, _ in if status == 206 { fields["Content-Range"] = "nonsense" } }
        }
        let error = try await failure(attemptsMax: 20)
        #expect(error.reason == .unexpectedPart)
        #expect(try folder.names.isEmpty)
        #expect(server.offsets == [nil, 4, nil, 4, nil, 4])
    }

    @Test func severalPartsBeginAnew() async throws {
        server.state.withLock { state in
            state.cuts = [4]
            state.change = { status, fields, _ in
                if status == 206 { fields[.contentType] = "multipart/byteranges; boundary=b" }
            }
        }
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, 4, nil])
    }

    #if os(Linux)
    @Test func aCodedPartBeginsAnew() async throws {
        server.state.withLock { state in
            state.cuts = [4]
            state.change = { status, fields, _ in if status == 206 { fields[.contentEncoding] = "gzip" } }
        }
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, 4, nil])
    }

    /// An archive that is served as a coded file is stored and continued as it is published.
    @Test(arguments: ["gzip", "x-gzip", "br"]) func aCodedFileIsStoredAsItCame(coding: String) async throws {
        let coded = try #require(Data(base64Encoded: "H4sIAAAAAAACAzMwNDI2MTUzt7AEAMbHhKYKAAAA"))
        server.state.withLock { state in
            (state.content, state.cuts) = (coded, [20])
            state.fields = ["ETag": "\"v1\"", "Content-Encoding": coding]
        }
        _ = try await failure(attemptsMax: 1)
        #expect(destination.keptBytes == 20)
        let file = try await Self.client().send(ServedFile(from: server, to: destination))
        #expect(try folder.contents("file") == coded && file.contentCoding == coding)
        #expect(server.offsets == [nil, 20])
    }

    /// Without a word of the request, a coding is decoded, as for other responses.
    @Test func aFileWhoseRequestAcceptsCodingsIsDecoded() async throws {
        let coded = try #require(Data(base64Encoded: "H4sIAAAAAAACAzMwNDI2MTUzt7AEAMbHhKYKAAAA"))
        server.state.withLock { state in
            state.content = coded
            state.fields = ["Content-Encoding": "gzip", "Repr-Digest": "sha-256=:AAAA:"]
        }
        let path = folder.path + "file"
        let file = try await Self.client().send(ServedFile(from: server, to: .file(at: path)))
        try expectFile()
        #expect(file.contentCoding == nil)
        let digest = ContentDigest.sha256(String(repeating: "0", count: 64))
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await Self.client().send(ServedFile(from: server, to: .file(at: path, digest: digest)))
        }
        #expect(error?.description.contains("which was decoded") == true)
        let kept = await #expect(throws: APIError<ProblemDetails>.self) {
            try await Self.client().send(ServedFile(from: server, to: .resumable(at: path, digest: digest)))
        }
        #expect(kept?.description.contains("are in the content coding gzip") == true)
    }
    #endif

    @Test func anotherURLBeginsAnew() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        struct Other: FileRequest {
            let inner: ServedFile
            var environment: APIEnvironment { inner.environment }
            var path: RequestPath { "/file" }
            var query: RequestQuery { ["version": 2] }
            var destination: FileDestination { inner.destination }
        }
        _ = try await Self.client().send(Other(inner: ServedFile(from: server, to: destination)))
        try expectFile()
        #expect(server.offsets == [nil, nil])
    }

    @Test func anUnsatisfiableRangeBeginsAnewOrIsTheEnd() async throws {
        // Cut behind the last byte, in front of the last chunk: the size is unknown.
        server.state.withLock { ($0.isChunked, $0.cuts) = (true, [10]) }
        _ = try await failure(attemptsMax: 1)
        #expect(destination.keptBytes == 10)
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, 10])
    }

    @Test func aCompleteDraftIsCheckedByItsLastByte() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        // As if the process had been killed between the last byte and the new name.
        try folder.write(Self.content, to: folder.draft)
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, 9])
    }

    // MARK: - The files beside the destination

    @Test(arguments: ["", "{", "[]", #"{"version":1}"#, String(repeating: " ", count: 20_000)])
    func aDamagedRecordIsIgnored(text: String) async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        try folder.write(Data(text.utf8), to: folder.draft + ".json")
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, nil])
    }

    @Test func aDraftThatIsSmallerThanItsRecordIsNotUsed() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        try folder.write(Data("01".utf8), to: folder.draft)
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, nil])
    }

    @Test func aRecordWithoutItsDraftIsNotUsed() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        try FileManager.default.removeItem(atPath: folder.path + folder.draft)
        #expect(destination.keptBytes == nil)
        try await download()
        try expectFile()
    }

    @Test func aDraftThatIsALinkIsNotFollowed() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        let draft = try folder.path + folder.draft
        try FileManager.default.removeItem(atPath: draft)
        try folder.write(Data("mine".utf8), to: "victim")
        try FileManager.default.createSymbolicLink(atPath: draft, withDestinationPath: folder.path + "victim")
        #expect(try await failure().reason == .fileNotWritten)
        try FileManager.default.removeItem(atPath: draft)
        try FileManager.default.linkItem(atPath: folder.path + "victim", toPath: draft)
        #expect(try await failure().reason == .fileNotWritten)
        #expect(try folder.contents("victim") == Data("mine".utf8))
    }

    @Test func whatIsKeptCanBeRemoved() async throws {
        try destination.removeKeptBytes()
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        #expect(destination.keptBytes == 4)
        try destination.removeKeptBytes()
        #expect(try folder.names.isEmpty && destination.keptBytes == nil)
        try await download()
        try expectFile()
        #expect(server.offsets == [nil, nil])
    }

    @Test func theOldFileStaysUntilTheNewOneIsComplete() async throws {
        try folder.write(Data("old".utf8), to: "file")
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        #expect(try folder.contents("file") == Data("old".utf8))
        try await download()
        try expectFile()
    }

    @Test(arguments: [404, 503] as [HTTPStatus])
    func anErrorOfTheServiceKeepsTheDraft(status: HTTPStatus) async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        server.state.withLock { $0.change = { code, _, _ in code = status } }
        #expect(try await failure(attemptsMax: 1).response?.status == status)
        #expect(destination.keptBytes == 4)
        server.state.withLock { $0.change = nil }
        try await download()
        try expectFile()
    }

    @Test func aFolderIsNotADestination() async throws {
        for path in [folder.path, folder.path + "none/file", ""] {
            #expect(try await failure(to: .resumable(at: path)).reason == .fileNotWritten)
        }
        try FileManager.default.createDirectory(atPath: folder.path + "file", withIntermediateDirectories: true)
        #expect(try await failure().reason == .fileNotWritten)
        #expect(try folder.names == ["file"] && server.server.requests.isEmpty)
    }

    // MARK: - Limits

    @Test func aBodyBeyondTheLimitIsNotKept() async throws {
        let small = FileDestination.resumable(at: folder.path + "file", bytesMax: 9)
        #expect(try await failure(to: small).reason == .bodyTooLarge)
        #expect(try folder.names.isEmpty)
        server.state.withLock { $0.isChunked = true }
        #expect(try await failure(to: small).reason == .bodyTooLarge)
        #expect(try folder.names.isEmpty)
        try await download(to: .resumable(at: folder.path + "file", bytesMax: 10))
        try expectFile()
    }

    @Test func anEmptyFileIsAFile() async throws {
        server.state.withLock { $0.content = Data() }
        #expect(try await download().count == 0)
        try expectFile(Data())
    }

    // MARK: - Several calls

    @Test func aSecondCallToTheSameFileFails() async throws {
        let hold = AsyncStream.makeStream(of: Data.self)
        let transport = MockTransport { _ in HTTPResponse(status: .ok, body: HTTPBody(hold.stream)) }
        let request = ServedFile(from: server, to: destination)
        let first = Task { try await APIClient(transport: transport).send(request) }
        hold.continuation.yield(Data("slow".utf8))
        #expect(try await holds { try !folder.names.isEmpty })
        let clock = ManualClock()
        var options = ClientOptions()
        options.clock = clock
        options.timeout = .seconds(100 * 365 * 86_400)
        let hasEnded = Lock(false)
        let second = Task { [options] () -> FailureReason? in
            defer { hasEnded.withLock { $0 = true } }
            do throws(APIError<ProblemDetails>) {
                _ = try await APIClient(options: options).send(request)
                return nil
            } catch {
                return error.reason
            }
        }
        let isOver = try await holds {
            if clock.pendingCount > 0 { clock.advance(by: .milliseconds(100)) }
            return hasEnded.withLock(\.self)
        }
        try #require(isOver)
        let reason = await second.value
        #expect(reason == .fileInUse)
        #expect(throws: TransportError.self) { try destination.removeKeptBytes() }
        hold.continuation.finish()
        #expect(try await first.value.count == 4)
        #expect(try folder.names == ["file"])
    }

    @Test func aCancelledCallKeepsItsBytesForTheNext() async throws {
        let stalling = try MockServer { _ in
            .raw([
                .write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 10\r\n\r\n0123"), .stall,
            ])
        }
        defer { stalling.stop() }
        var request = ServedFile(from: server, to: destination)
        request.environment = APIEnvironment(baseURL: stalling.baseURL)
        let call = Self.client().call(request)
        #expect(try await holds { destination.keptBytes == 4 })
        call.cancel()
        guard case .failure(let error) = await call.result else { throw NothingThrown() }
        #expect(error.isCancelled)
        #expect(destination.keptBytes == 4)
        // The draft belongs to another URL, but its call must have let go of it.
        try await download()
        try expectFile()
    }

    @Test func theProgressBeginsAtWhatIsThere() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(attemptsMax: 1)
        let events = Lock<[String]>([])
        let call = Self.client().observing(
            Observer { event in
                if case .resuming(let offset, let total) = event.kind {
                    events.withLock { $0.append("\(offset) of \(total ?? -1)") }
                }
            }
        ).call(ServedFile(from: server, to: destination))
        var last: CallProgress?
        for await progress in call.progress {
            #expect(progress.bytesDone >= 4 && progress.bytesTotal == 10)
            last = progress
        }
        _ = try await call.value
        #expect(last?.bytesDone == 10)
        #expect(events.withLock { $0 } == ["4 of 10"])
    }

    @Test func aProxyResumesToo() async throws {
        server.state.withLock { $0.cuts = [4] }
        let token = AccessToken("secret")
        var request = ServedFile(from: server, to: destination)
        request.environment = APIEnvironment(
            baseURL: server.server.baseURL,
            allowingCredentialsOverPlainHTTP: true,
        )
        let response = try await Self.client().bind(request.authorized(by: token)).response()
        #expect(response.status == 206 && response.value.count == 10)
        try expectFile()
        #expect(server.offsets == [nil, 4])
    }
}

private struct Observer: EventObserver {
    let take: @Sendable (TransportEvent) -> Void

    func observe(_ event: TransportEvent) { take(event) }
}
