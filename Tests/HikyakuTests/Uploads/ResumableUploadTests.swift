import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ResumableUploadTests {
    static let content = Data("0123456789abcdef".utf8)
    private let saved = SavedUploads()

    private func client(_ policy: RetryPolicy = RetryPolicy(delay: .zero)) -> APIClient<Public> {
        APIClient(options: ClientOptions(retryPolicy: policy))
    }

    private func body(from upload: SavedUpload? = nil) -> RequestBody {
        .bytes(Self.content, type: "video/mp4").resumable(from: upload, saving: saved.save)
    }

    private func upload(_ server: DraftServer, _ body: RequestBody? = nil) -> VideoUpload {
        VideoUpload(environment: APIEnvironment(baseURL: server.mock.baseURL), body: body ?? self.body())
    }

    @Test func anUploadIsCreatedAndAppended() async throws {
        let server = try DraftServer()
        #expect(try await client().send(upload(server)) == .sample)
        #expect(server.log == ["POST 16", "PATCH 0+16"] && server.stored == Self.content)
        let state = server.state.withLock(\.self)
        #expect(state.violations.isEmpty)
        // What describes the content goes with the creation, and the call's other fields with everything.
        #expect(state.headersOfCreation[.contentType] == "video/mp4")
        #expect(state.headersOfCreation["Idempotency-Key"] != nil && state.headersOfCreation["If-Match"] != nil)
        let part = try #require(state.headersOfParts.first)
        #expect(part["X-Own"] == "1" && part["Accept-Language"] == "ja" && part["Upload-Length"] == "16")
        #expect(part["Idempotency-Key"] == nil && part["If-Match"] == nil)
        // Saved when it was created, and forgotten at the end.
        #expect(saved.all.count == 2 && saved.all[0]?.length == 16 && saved.all[1] == nil)
        #expect("\(String(describing: saved.all[0]))" == "Optional(an upload of 16 bytes)")
    }

    /// What the server has is never sent again.
    @Test(arguments: 0...16)
    func aCutUploadContinuesFromWhatTheServerHas(_ cut: Int) async throws {
        let server = try DraftServer(.init(cuts: [cut]))
        #expect(try await client().send(upload(server)) == .sample)
        #expect(server.stored == Self.content)
        #expect(server.log == ["POST 16", "PATCH 0+16", "HEAD", "PATCH \(cut)+\(16 - cut)"])
        #expect(server.state.withLock(\.violations).isEmpty)
    }

    /// Progress starts the count of attempts again, and needs no budget.
    @Test func anUploadThatMovesOnIsNeverGivenUp() async throws {
        let server = try DraftServer(.init(cuts: Array(1...15)))
        #expect(try await client().send(upload(server)) == .sample)
        #expect(server.stored == Self.content)
        #expect(server.log.count { $0.hasPrefix("PATCH") } == 16)
    }

    @Test func anUploadThatDoesNotMoveOnIsGivenUpAndCanBeContinued() async throws {
        let server = try DraftServer(.init(cuts: [5, 5, 5, 5, 5, 5, 5, 5]))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(upload(server))
        }
        #expect([.connectionReset, .connectionClosed].contains(error.reason))
        #expect(error.context.retryEnd == .attemptsMax)
        #expect(server.log.count { $0.hasPrefix("PATCH") } == 4)
        let kept = try #require(saved.latest)
        server.state.withLock { $0.cuts = [] }
        let data = try JSONEncoder().encode(kept)
        let read = try JSONDecoder().decode(SavedUpload.self, from: data)
        #expect(try await client().send(upload(server, body(from: read))) == .sample)
        #expect(server.log.suffix(2) == ["HEAD", "PATCH 5+11"] && server.stored == Self.content)
        #expect(saved.latest == nil)
    }

    @Test func aLostUploadBeginsAgainIfItIsAnEarlierCalls() async throws {
        let server = try DraftServer(.init(cuts: [5]))
        let first = try? await client(.never).send(upload(server))
        #expect(first == nil)
        let kept = try #require(saved.latest)
        server.state.withLock { $0.exists = false }
        #expect(try await client().send(upload(server, body(from: kept))) == .sample)
        #expect(server.log.suffix(3) == ["HEAD", "POST 16", "PATCH 0+16"])
        // One that this call has begun is an error.
        server.state.withLock { ($0.cuts, $0.log, $0.statuses) = ([5], [], []) }
        let losing = try DraftServer(.init(statuses: []))
        losing.state.withLock { $0.cuts = [3] }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            let lost = client().observing { event in
                if case .retrying = event.kind { losing.state.withLock { $0.exists = false } }
            }
            return try await lost.send(upload(losing))
        }
        #expect(error.reason == .uploadLost && saved.latest == nil && error.response?.status == .notFound)
        #expect(!losing.log.contains("DELETE"))
    }

    @Test(arguments: [1, 5, 15, 16, 17])
    func partsAreAsLargeAsTheServerAllows(_ count: Int) async throws {
        let server = try DraftServer(.init(partBytesMax: count))
        #expect(try await client().send(upload(server)) == .sample)
        #expect(server.stored == Self.content && server.state.withLock(\.violations).isEmpty)
        #expect(server.log.count == 1 + (16 + count - 1) / count)
    }

    @Test(arguments: [0, -1])
    func aLimitOfNoByteIsIgnored(_ count: Int) async throws {
        let server = try DraftServer(.init(partBytesMax: count))
        #expect(try await client().send(upload(server)) == .sample)
        #expect(server.log == ["POST 16", "PATCH 0+16"])
    }

    @Test func noBodyIsSentByteByByte() async throws {
        let server = try DraftServer(.init(partBytesMax: 1))
        let large = RequestBody.bytes(Data(count: 1 << 16)).resumable(saving: saved.save)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(upload(server, large))
        }
        #expect(error.reason == .uploadInvalid && server.log == ["POST 65536", "DELETE"] && saved.latest == nil)
        #expect(error.response?.headers.contains("Upload-Limit") == true)
    }

    @Test func transientStatusesAreRetriedAndOthersAreTheResponse() async throws {
        let server = try DraftServer(.init(statuses: [503]))
        #expect(try await client().send(upload(server)) == .sample)
        #expect(server.log == ["POST → 503", "POST 16", "PATCH 0+16"])
        server.state.withLock { ($0.statuses, $0.log) = ([403], []) }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(upload(server))
        }
        #expect(error.response?.status == 403 && server.log == ["POST → 403"])
    }

    @Test func theProgressIsThatOfTheWholeBody() async throws {
        let server = try DraftServer(.init(cuts: [5], partBytesMax: 10))
        let counts = Lock<[String]>([])
        let client = client().observing { event in
            guard case .bytesSent(let count, let total) = event.kind else { return }
            counts.withLock { $0.append("\(count)/\(total ?? 0)") }
        }
        _ = try await client.send(upload(server))
        #expect(server.log == ["POST 16", "PATCH 0+10", "HEAD", "PATCH 5+10", "PATCH 15+1"])
        #expect(counts.withLock(\.self) == ["10/16", "15/16", "16/16"])
    }

    @Test func aResponseThatWasLostIsAnErrorUnlessNothingIsNeededOfIt() async throws {
        let server = try DraftServer(.init(losesResponse: true))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(upload(server))
        }
        #expect(error.reason == .uploadResponseLost && server.stored == Self.content)
        #expect(!server.log.contains("DELETE"))
        let environment = APIEnvironment(baseURL: server.mock.baseURL)
        try await client().send(SilentUpload(environment: environment, body: body()))
    }

    @Test(arguments: DraftServer.Defect.allCases)
    func aServerThatBreaksARuleEndsTheUpload(_ defect: DraftServer.Defect) async throws {
        let isOfParts = defect == .completeTooEarly
        let server = try DraftServer(.init(cuts: [3, 5], defect: defect, partBytesMax: isOfParts ? 4 : nil))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(upload(server))
        }
        #expect(error.reason == .uploadInvalid, "\(error)")
        // The error is about the message that failed, and hides the end of the upload's URL.
        #expect(!"\(error) \(error.context)".contains("hunter2") && error.context.method != .delete)
        // An upload that can't be continued is deleted, and forgotten.
        let isCreated = ![.noLocation, .malformedLocation, .otherScheme, .hostWithADot].contains(defect)
        #expect(server.log.contains("DELETE") == isCreated)
        #expect(saved.latest == nil)
    }

    @Test func aBodyThatIsTooLargeIsNotSent() async throws {
        let mock = try MockServer { request in
            guard request.method == .post else { return .status(.noContent) }
            return .status(201).header(.location, "/u").header("Upload-Limit", "max-size=15")
        }
        defer { mock.stop() }
        let request = VideoUpload(environment: APIEnvironment(baseURL: mock.baseURL), body: body())
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client().send(request)
        }
        #expect(error.reason == .uploadTooLarge && mock.requests.map(\.method) == [.post, .delete])
    }
}

/// What an upload needs of its body, and where it may lead.
@Suite(.timeLimit(.minutes(5))) struct UploadRuleTests {
    private let client = APIClient(options: ClientOptions(retryPolicy: RetryPolicy(delay: .zero)))
    private let saved = SavedUploads()

    private func upload(_ server: DraftServer, _ body: RequestBody) -> VideoUpload {
        VideoUpload(environment: APIEnvironment(baseURL: server.mock.baseURL), body: body)
    }

    /// Two origins: the credential belongs to the first.
    @Test func noCredentialGoesToAnotherOrigin() async throws {
        let other = try DraftServer(.init(exists: true))
        let server = try DraftServer(uploadsURL: other.mock.baseURL)
        let environment = APIEnvironment(baseURL: server.mock.baseURL)
        let authorized = client.authorized(by: .bearer("hunter2"), for: environment)
        let body = RequestBody.bytes(ResumableUploadTests.content).resumable(saving: saved.save)
        #expect(try await authorized.send(upload(server, body)) == .sample)
        #expect(other.stored == ResumableUploadTests.content)
        #expect(server.mock.requests.map { $0.headers[.authorization] } == ["Bearer hunter2"])
        let isClean = other.mock.requests.allSatisfy { request in
            request.headers[.authorization] == nil && request.headers["X-Own"] == nil
                && request.headers["Accept-Language"] == "ja"
        }
        #expect(isClean)
    }

    @Test func theCredentialGoesWithAllMessagesToItsOrigin() async throws {
        let server = try DraftServer(.init(cuts: [4]))
        let environment = APIEnvironment(baseURL: server.mock.baseURL)
        let authorized = client.authorized(by: .bearer("hunter2"), for: environment)
        let body = RequestBody.bytes(ResumableUploadTests.content).resumable()
        #expect(try await authorized.send(upload(server, body)) == .sample)
        #expect(server.mock.requests.map(\.method) == [.post, .patch, .head, .patch])
        #expect(server.mock.requests.allSatisfy { $0.headers[.authorization] == "Bearer hunter2" })
    }

    /// A token that is good for one use of each.
    private final class Rotating: TokenProvider {
        func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { AccessToken("old") }

        func token(
            replacing refused: AccessToken<Ready>,
            for environment: APIEnvironment,
        ) async throws -> AccessToken<NotReady>? { AccessToken("new") }
    }

    /// What was stored with the old token is not sent again with the new one.
    @Test func aRejectedTokenContinuesTheUpload() async throws {
        let server = try DraftServer(.init(partBytesMax: 9, rejectedParts: 1))
        let environment = APIEnvironment(baseURL: server.mock.baseURL)
        let authorized = client.authorized(by: Rotating(), for: environment)
        let body = RequestBody.bytes(ResumableUploadTests.content).resumable(saving: saved.save)
        #expect(try await authorized.send(upload(server, body)) == .sample)
        #expect(server.log == ["POST 16", "PATCH 0+9", "PATCH 9+7", "HEAD", "PATCH 9+7"])
        let tokens = server.mock.requests.map { $0.headers[.authorization] }
        #expect(tokens == ["Bearer old", "Bearer old", "Bearer old", "Bearer new", "Bearer new"])
        #expect(saved.all.count == 2 && server.stored == ResumableUploadTests.content)
    }

    /// A retry from before does not count after a token was replaced: the server has stored something since.
    @Test func aRejectedTokenTakesNoRetryOfTheUpload() async throws {
        let server = try DraftServer(.init(cuts: [4, 6], rejectedParts: 1))
        let environment = APIEnvironment(baseURL: server.mock.baseURL)
        let policy = RetryPolicy(attemptsMax: 2, delay: .zero)
        let authorized = APIClient(options: ClientOptions(retryPolicy: policy))
            .authorized(by: Rotating(), for: environment)
        let body = RequestBody.bytes(ResumableUploadTests.content).resumable()
        #expect(try await authorized.send(upload(server, body)) == .sample)
        #expect(server.stored == ResumableUploadTests.content)
        #expect(
            server.log == ["POST 16", "PATCH 0+16", "HEAD", "PATCH 4+12", "HEAD", "PATCH 4+12", "HEAD", "PATCH 6+10"]
        )
    }

    @Test func aCancellationDeletesTheUpload() async throws {
        let server = try DraftServer(.init(cuts: [5]))
        let request = upload(server, .bytes(ResumableUploadTests.content).resumable(saving: saved.save))
        let never = APIClient(options: ClientOptions(retryPolicy: .never))
        #expect((try? await never.send(request)) == nil)
        let kept = try #require(saved.latest)
        let environment = APIEnvironment(baseURL: server.mock.baseURL)
        let authorized = client.authorized(by: .bearer("hunter2"), for: environment)
        for _ in 0..<2 { try await authorized.send(UploadCancellation(of: request, kept)) }
        #expect(server.log.suffix(2) == ["DELETE", "DELETE"])
        #expect(server.mock.requests.last?.target == "/uploads/7f3a9hunter2")
        #expect(server.mock.requests.last?.headers[.authorization] == "Bearer hunter2")
        #expect(server.state.withLock(\.violations).isEmpty)
    }

    @Test func anUploadAtAnotherOriginIsDeletedWithoutACredential() async throws {
        let other = try DraftServer(.init(exists: true, cuts: [5]))
        let server = try DraftServer(uploadsURL: other.mock.baseURL)
        let environment = APIEnvironment(baseURL: server.mock.baseURL)
        let authorized = APIClient(options: ClientOptions(retryPolicy: .never))
            .authorized(by: .bearer("hunter2"), for: environment)
        let request = upload(server, .bytes(ResumableUploadTests.content).resumable(saving: saved.save))
        #expect((try? await authorized.send(request)) == nil)
        try await authorized.send(UploadCancellation(of: request, try #require(saved.latest)))
        #expect(other.log.last == "DELETE")
        #expect(other.mock.requests.allSatisfy { $0.headers[.authorization] == nil })
    }

    /// A file, a stream that can be read again, and one of unknown length, which is read once to count it.
    @Test(arguments: ["file", "stream", "unknown"], [0, 7, 16])
    func everyReplayableBodyCanContinue(_ kind: String, _ cut: Int) async throws {
        let content = ResumableUploadTests.content
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("hikyaku-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        try content.write(to: file)
        let pieces = AnyPieces(pieces: [content.prefix(6), Data(), content.dropFirst(6)])
        let body: RequestBody =
            switch kind {
            case "file": .file(file.path)
            case "stream": .stream(HTTPBody(pieces, count: 16, isReplayable: true))
            default: .stream(HTTPBody(pieces, isReplayable: true))
            }
        let server = try DraftServer(.init(cuts: [cut], partBytesMax: 9))
        #expect(try await client.send(upload(server, body.resumable())) == .sample)
        #expect(server.stored == content && server.state.withLock(\.violations).isEmpty)
    }

    private struct AnyPieces: AsyncSequence, Sendable {
        let pieces: [Data]

        struct AsyncIterator: AsyncIteratorProtocol {
            var rest: ArraySlice<Data>
            mutating func next() async -> Data? { rest.popFirst() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: pieces[...]) }
    }

    @Test func aBodyThatCannotBeReadAgainIsRejected() async throws {
        let server = try DraftServer()
        let once = RequestBody.stream(HTTPBody(AnyPieces(pieces: [Data([1])]), count: 1)).resumable()
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(upload(server, once))
        }
        #expect(error.reason == .body && server.log.isEmpty)
    }

    @Test func aSavedUploadBelongsToItsBodyAndItsProtocol() async throws {
        let server = try DraftServer(.init(cuts: [5]))
        let never = APIClient(options: ClientOptions(retryPolicy: .never))
        let content = ResumableUploadTests.content
        #expect((try? await never.send(upload(server, .bytes(content).resumable(saving: saved.save)))) == nil)
        let kept = try #require(saved.latest)
        for body: RequestBody in [
            .bytes(content + [1]).resumable(from: kept), .bytes(content).resumable(by: Tus(), from: kept),
        ] {
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(upload(server, body))
            }
            #expect(error.reason == .body)
        }
        #expect(!"\(kept)".contains("hunter2") && !String(reflecting: kept).contains("hunter2"))
    }

    /// Each call makes another boundary of the same length, and one body can't have two.
    @Test func aMultipartBodyWithAnotherBoundaryIsAnotherBody() async throws {
        let server = try DraftServer(.init(cuts: [150]))
        let never = APIClient(options: ClientOptions(retryPolicy: .never))
        let text = MultipartPart.text("title", String(repeating: "a", count: 200))
        let first = RequestBody.multipart([text]).resumable(saving: saved.save)
        #expect((try? await never.send(upload(server, first))) == nil)
        let kept = try #require(saved.latest)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(upload(server, .multipart([text]).resumable(from: kept)))
        }
        #expect(error.reason == .body && server.stored.count == 150)
        #expect(server.log.filter { $0 == "HEAD" }.isEmpty)
    }

    /// A server that ignores the draft gets an ordinary request when there is nothing to append.
    @Test func anEmptyBodyIsSentAsItIs() async throws {
        let mock = try MockServer { request in
            request.body.isEmpty && request.headers["Upload-Complete"] == nil
                ? .json(#"{"id": 1, "name": "Ramen"}"#) : .status(400)
        }
        defer { mock.stop() }
        let request = VideoUpload(
            environment: APIEnvironment(baseURL: mock.baseURL),
            body: RequestBody.bytes(Data()).resumable(),
        )
        #expect(try await client.send(request) == .sample)
    }

    @Test func anEmptyBodyIsSentAgainAfterATransientFailure() async throws {
        let (count, sample) = (Lock(0), HTTPBody(#"{"id": 1, "name": "Ramen"}"#))
        let transport = MockTransport { _ in
            count.withLock { count in
                count += 1
                return count < 3 ? HTTPResponse(status: 503) : HTTPResponse(status: .ok, body: sample)
            }
        }
        let retrying = APIClient(transport: transport, options: ClientOptions(retryPolicy: RetryPolicy(delay: .zero)))
        let body = RequestBody.bytes(Data()).resumable()
        #expect(try await retrying.send(VideoUpload(environment: .shop, body: body)) == .sample)
        #expect(transport.requests.count == 3)
    }

    @Test(arguments: 0...16)
    func anotherProtocolFitsTheSeam(_ cut: Int) async throws {
        let server = try TusServer(cut: cut)
        defer { server.mock.stop() }
        let content = ResumableUploadTests.content
        let request = SilentUpload(
            environment: APIEnvironment(baseURL: server.mock.baseURL),
            body: .bytes(content).resumable(by: Tus()),
        )
        try await client.send(request)
        #expect(server.stored.withLock(\.bytes) == content)
        #expect(server.mock.requests.allSatisfy { $0.headers["Tus-Resumable"] == "1.0.0" })
    }
}

/// tus 1.0.0, as an app would add it.
struct Tus: UploadProtocol {
    var name: String { "tus" }

    func prepare(_ request: inout HTTPRequest, for message: UploadMessage) {
        request.headers["Tus-Resumable"] = "1.0.0"
        switch message {
        case .create(let length): request.headers["Upload-Length"] = "\(length)"
        case .retrieveOffset: request.method = .head
        case .append(let offset, _, _):
            request.method = .patch
            request.headers[.contentType] = "application/offset+octet-stream"
            request.headers["Upload-Offset"] = "\(offset)"
        case .cancel: request.method = .delete
        }
    }

    func reply(_ response: HTTPResponse, to message: UploadMessage) -> UploadReply {
        let offset = response.headers["Upload-Offset"].flatMap { Int($0) }
        switch (message, response.status.code) {
        case (.create, 201): return .created(location: response.headers[.location] ?? "", UploadLimits())
        case (.retrieveOffset, 200...204):
            let length = response.headers["Upload-Length"].flatMap { Int($0) }
            return offset == length ? .completeBefore : .stored(offset: offset, length: length, UploadLimits())
        case (.append(_, _, let length), 204):
            return offset == length ? .complete : .stored(offset: offset, length: nil, UploadLimits())
        case (.append, 409): return .offsetMismatch(nil)
        case (_, 404), (_, 410): return .lost
        default: return .other
        }
    }
}

/// A server of tus that cuts one connection.
private struct TusServer {
    struct Stored: Sendable {
        var bytes = Data()
        var cut: Int?
    }

    let stored: Lock<Stored>
    let mock: MockServer

    init(cut: Int) throws {
        let stored = Lock(Stored(cut: cut))
        self.stored = stored
        mock = try MockServer { request in
            stored.withLock { stored in
                switch request.method {
                case .post: return .status(201).header(.location, "/files/1")
                case .patch:
                    guard request.headers["Upload-Offset"] == "\(stored.bytes.count)" else { return .status(409) }
                    if let cut = stored.cut.take() {
                        stored.bytes += request.body.prefix(cut)
                        return .raw([.reset])
                    }
                    stored.bytes += request.body
                default: break
                }
                return .status(.noContent).header("Upload-Offset", "\(stored.bytes.count)")
                    .header("Upload-Length", "16")
            }
        }
    }
}
