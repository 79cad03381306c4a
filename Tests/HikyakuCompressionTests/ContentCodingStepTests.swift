#if os(Linux)
import Foundation
import Hikyaku
import HikyakuBase
import HikyakuCompression
import HikyakuTesting
import TestSupport
import Testing

@Suite struct ContentCodingStepTests {
    private let transport = MockTransport()
    private let plain = Data(#"{"name":"soba"}"#.utf8)

    private func call(_ request: Fetch = Fetch()) async throws -> APIResponse<Data> {
        try await APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)).bind(request).response()
    }

    private func failureReason(_ request: Fetch = Fetch()) async throws -> FailureReason {
        try await #require(throws: APIError<ProblemDetails>.self) { try await call(request) }.reason
    }

    private func coded(
        _ encoding: String,
        _ body: Data,
        status: HTTPStatus = .ok,
        _ more: HTTPHeaders = [:],
    ) -> HTTPResponse {
        var headers: HTTPHeaders = ["Content-Encoding": encoding, "Content-Length": "\(body.count)", "ETag": "\"a\""]
        headers.replace(with: more)
        return HTTPResponse(status: status, headers: headers, body: HTTPBody(body))
    }

    // MARK: - Accept-Encoding

    @Test func acceptsOnlyCodingsThatCanBeDecoded() async throws {
        transport.enqueue(HTTPResponse(status: .ok))
        _ = try await call()
        #expect(transport.requests.map { $0.headers[.acceptEncoding] } == [SupportedCodings.acceptEncoding])
    }

    @Test(arguments: ["gzip", "identity", "br;q=0.5, *;q=0", ""])
    func keepsTheAcceptEncodingOfTheRequest(own: String) async throws {
        transport.enqueue(coded("gzip", try Encoders.gzip(plain)))
        let response = try await call(Fetch(headers: ["Accept-Encoding": own]))
        #expect(transport.requests.map { $0.headers.values(for: .acceptEncoding) } == [[own]])
        #expect(response.value == plain)
    }

    @Test func acceptsNoCodingWithARange() async throws {
        transport.enqueue(HTTPResponse(status: 206))
        transport.enqueue(HTTPResponse(status: 206))
        _ = try await call(Fetch(headers: ["Range": "bytes=0-9"]))
        _ = try await call(Fetch(headers: ["range": "bytes=0-9", "Accept-Encoding": "gzip"]))
        #expect(transport.requests.map { $0.headers[.acceptEncoding] } == ["identity", "gzip"])
    }

    @Test func leavesATransportAloneThatUndoesCodings() async throws {
        let transport = DecodingTransport(response: coded("gzip", plain))
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        let response = try await client.bind(Fetch()).response()
        #expect(response.value == plain)
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(transport.acceptedCodings.withLock { $0 } == [nil])
    }

    // MARK: - What is undone

    @Test(
        arguments: [
            ("gzip", [.gzip]), ("X-GZip", [.gzip]), ("deflate", [.deflate]), ("br", [.brotli]), ("zstd", [.zstd]),
            ("gzip,br", [.gzip, .brotli]), ("gzip , , identity,\tbr ", [.gzip, .brotli]),
            ("gzip, gzip, gzip, gzip", [.gzip, .gzip, .gzip, .gzip]),
        ] as [(String, [ContentCoding])]
    )
    func decodesTheCodingsOfTheResponse(encoding: String, codings: [ContentCoding]) async throws {
        transport.enqueue(coded(encoding, try codings.reduce(plain) { try Encoders.encode($0, $1) }))
        let response = try await call()
        #expect(response.value == plain)
        #expect(response.headers.map(\.name.rawName) == ["ETag"])
    }

    @Test func severalFieldsAreOneList() async throws {
        var response = coded("gzip", try Encoders.brotli(Encoders.gzip(plain)))
        response.headers.append(.contentEncoding, "br")
        transport.enqueue(response)
        #expect(try await call().value == plain)
    }

    @Test(arguments: ["identity", "", "Identity, identity"])
    func noCodingIsLeftAlone(encoding: String) async throws {
        transport.enqueue(coded(encoding, plain))
        let response = try await call()
        #expect(response.value == plain)
        #expect(response.headers[.contentLength] == "\(plain.count)")
        #expect(response.headers[.contentEncoding] == encoding)
    }

    @Test func bodiesOfErrorsAreDecodedToo() async throws {
        let problem = Data(#"{"title":"Sold out"}"#.utf8)
        transport.enqueue(
            coded("gzip", try Encoders.gzip(problem), status: 409, ["Content-Type": "application/problem+json"])
        )
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await call() }
        guard case .service(let details, let response) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(details.title == "Sold out")
        #expect(response.body == problem)
    }

    // MARK: - Nothing to undo

    @Test func aResponseWithoutContentStaysAsItCame() async throws {
        for (method, status) in [(.head, 200), (.get, 204), (.get, 304)] as [(HTTPMethod, HTTPStatus)] {
            transport.enqueue(
                HTTPResponse(status: status, headers: ["Content-Encoding": "gzip", "Content-Length": "77"])
            )
            let response = try await call(Fetch(method: method))
            #expect(response.value.isEmpty)
            #expect(response.headers.map(\.value) == ["gzip", "77"])
        }
    }

    @Test func anEmptyBodyIsEmptyInAnyCoding() async throws {
        for encoding in SupportedCodings.names + ["none"] {
            transport.enqueue(coded(encoding, Data()))
            #expect(try await call().value.isEmpty)
        }
        transport.enqueue(
            HTTPResponse(status: .ok, headers: ["Content-Encoding": "gzip", "Transfer-Encoding": "chunked"])
        )
        #expect(try await call().value.isEmpty)
        transport.enqueue(HTTPResponse(status: .ok, headers: ["Content-Encoding": "gzip"]))
        #expect(try await failureReason() == .truncatedResponse)
    }

    @Test(arguments: SupportedCodings.names + ["gzip, br"])
    func anEmptyBodyWhoseEndTheProtocolStatesIsEmpty(encoding: String) async throws {
        var response = HTTPResponse(status: .ok, headers: ["Content-Encoding": encoding])
        response.isEndStated = true
        transport.enqueue(response)
        #expect(try await call().value.isEmpty)
        transport.enqueue(response)
        let stream = try await APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)).send(
            Download()
        )
        #expect(try await stream.collect().isEmpty)
        response.body = HTTPBody(try Encoders.gzip(plain).prefix(1))
        response.headers[.contentEncoding] = "gzip"
        transport.enqueue(response)
        #expect(try await failureReason() == .truncatedResponse, "what has begun isn't empty")
    }

    // MARK: - Redirects

    @Test(arguments: ["gzip", "br", "compress", "gzip, gzip, gzip, gzip, gzip", "\u{e9}"])
    func theBodyOfAFollowedRedirectMayBeInAnyCoding(encoding: String) async throws {
        for streams in [false, true] {
            transport.enqueue(coded(encoding, plain, status: 302, [.location: "/next"]))
            transport.enqueue(coded("gzip", try Encoders.gzip(plain)))
            if streams {
                let stream = try await APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
                    .send(Download())
                #expect(try await stream.collect() == plain)
            } else {
                let response = try await call()
                #expect(response.value == plain)
                #expect(response.redirects.count == 1)
            }
        }
        #expect(
            transport.requests.map { $0.headers.values(for: .acceptEncoding) }
                == Array(repeating: [SupportedCodings.acceptEncoding], count: 4)
        )
    }

    @Test func theBodyOfARedirectThatIsNotFollowedIsUndone() async throws {
        let client = APIClient(transport: transport, options: ClientOptions(redirectPolicy: .never))
        transport.enqueue(coded("gzip", try Encoders.gzip(plain), status: 302, [.location: "/next"]))
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Fetch()) }
        #expect(error.reason == .unacceptableStatus)
        #expect(error.response?.body == plain)
        transport.enqueue(coded("gzip", plain, status: 302, [.location: "/next"]))
        let damaged = try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Fetch()) }
        #expect(damaged.reason == .unacceptableStatus && damaged.response?.body == plain)
    }

    // MARK: - What can't be undone

    @Test(arguments: ["compress", "gzip, compress", "compress, gzip", "X-Compress", "br, dcb", "snappy"])
    func anUnknownCodingEndsTheCall(encoding: String) async throws {
        transport.enqueue(coded(encoding, try Encoders.gzip(plain)))
        #expect(try await failureReason() == .unknownContentCoding)
        transport.enqueue(coded(encoding, try Encoders.gzip(plain)))
        #expect(
            try await failureReason(Fetch(headers: ["Accept-Encoding": "*, compress;q=0"])) == .unknownContentCoding
        )
    }

    /// Services confuse codings with charsets, or write that there is none.
    @Test(arguments: ["UTF-8", "none", "", ", ,", "binary", "ISO-8859-1", "aws-chunked", "\u{e9}", "identity, utf8"])
    func whatIsNotACodingIsLeftAlone(encoding: String) async throws {
        transport.enqueue(coded(encoding, plain))
        let response = try await call(Fetch())
        #expect(response.value == plain)
        #expect(response.headers[.contentEncoding] == encoding)
        // Beside a coding, that one is decoded.
        transport.enqueue(coded("gzip, \(encoding)", try Encoders.gzip(plain)))
        #expect(try await call(Fetch()).value == plain)
        transport.enqueue(coded(encoding, plain.prefix(4), status: 206))
        #expect(try await call(Fetch(headers: ["Range": "bytes=0-3"])).value == plain.prefix(4))
    }

    @Test func aCodingWithAParameterIsThatCoding() async throws {
        transport.enqueue(coded("gzip;q=1", try Encoders.gzip(plain)))
        #expect(try await call(Fetch()).value == plain)
    }

    @Test func whatIsNotACodingIsADrift() async throws {
        let drifts = Lock([ResponseDrift]())
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        let observed = client.observing { event in
            if case .drifted(let drift) = event.kind { drifts.withLock { $0.append(drift) } }
        }
        for encoding in ["UTF-8", "gzip, none", "gzip", "identity"] {
            transport.enqueue(coded(encoding, encoding.hasPrefix("gzip") ? try Encoders.gzip(plain) : plain))
            _ = try await observed.send(Fetch())
        }
        #expect(drifts.withLock { $0.map(\.kind) } == ["unknownCoding", "unknownCoding"])
    }

    @Test func anUnknownCodingThatTheRequestAcceptsIsNotDecoded() async throws {
        let body = Data([0x1F, 0x9D, 0x90])
        for encoding in ["compress", "x-compress"] {
            transport.enqueue(coded(encoding, body))
            let response = try await call(Fetch(headers: ["Accept-Encoding": "gzip, Compress;q=0.5"]))
            #expect(response.value == body)
            #expect(response.headers[.contentEncoding] == encoding)
            #expect(response.headers[.contentLength] == "3")
        }
    }

    @Test func aPartOfACodedBodyIsReturnedOnlyToARangeRequest() async throws {
        let part = try Encoders.gzip(plain).dropFirst(5)
        transport.enqueue(coded("gzip", part, status: 206))
        let asking = Fetch(headers: ["Range": "bytes=5-", "Accept-Encoding": "gzip"])
        let response = try await call(asking)
        #expect(response.value == part)
        #expect(response.headers[.contentEncoding] == "gzip")
        transport.enqueue(coded("gzip", part, status: 206))
        #expect(try await failureReason(Fetch(headers: ["Range": "bytes=5-"])) == .unknownContentCoding)
    }

    @Test func damageAndCutsAreTheTransportsFailures() async throws {
        let whole = try Encoders.gzip(plain)
        transport.enqueue(coded("gzip", plain))
        #expect(try await failureReason() == .malformedContentCoding)
        transport.enqueue(coded("gzip", whole.dropLast()))
        #expect(try await failureReason() == .truncatedResponse)
        transport.enqueue(coded("gzip", whole + [1]))
        #expect(try await failureReason() == .malformedContentCoding)
    }

    /// Four can be undone; the body is whole, so that nothing but their number is wrong with it.
    @Test func aFifthCodingOnTheOthersEndsTheCall() async throws {
        let body = try (0..<5).reduce(plain) { body, _ in try Encoders.gzip(body) }
        transport.enqueue(coded("gzip, gzip, gzip, gzip, gzip", body))
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await call() }
        #expect(error.reason == .malformedContentCoding)
        #expect(error.failureReason == "the body has 5 codings, applied one after another")
    }

    @Test(arguments: [FailureReason.malformedContentCoding, .unknownContentCoding, .compressionRatio])
    func eachFailureHasASuggestion(reason: FailureReason) {
        let error = APIError<ProblemDetails>.transport(CallFailure(reason))
        let other = APIError<ProblemDetails>.transport(CallFailure(.transportFailed))
        #expect(error.localizedDescription != other.localizedDescription)
        #expect(error.recoverySuggestion != other.recoverySuggestion)
    }

    // MARK: - Bounds

    @Test func aCollectedBodyIsHeldToTheClientsLimit() async throws {
        transport.enqueue(coded("gzip", try Encoders.gzip(sampleText(bytes: 100_000))))
        let client = APIClient(
            transport: transport,
            options: ClientOptions(bodyBytesMax: 99_999, retryPolicy: .never),
        )
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Fetch()) }
        #expect(error.reason == .bodyTooLarge)
        #expect(error.phase == .limit)
    }

    /// Otherwise, hundreds of times the limit would be decoded before the reader of the response rejects it.
    @Test func theLimitHoldsWhileABodyIsUndone() async throws {
        struct Witness: HTTPMiddleware {
            let reasons: Lock<[FailureReason?]>

            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                do {
                    let response = try await next(request)
                    reasons.withLock { $0.append(nil) }
                    return response
                } catch {
                    reasons.withLock { $0.append((error as? TransportError)?.reason) }
                    throw error
                }
            }
        }
        let reasons = Lock<[FailureReason?]>([])
        let client = APIClient(
            transport: transport,
            middleware: [Witness(reasons: reasons)],
            options: ClientOptions(bodyBytesMax: 100_000, retryPolicy: .never),
        )
        for bytes in [100_000, 100_001] {
            transport.enqueue(coded("gzip", try Encoders.gzip(sampleText(bytes: bytes))))
            _ = try? await client.send(Fetch())
        }
        #expect(reasons.withLock(\.self) == [nil, .bodyTooLarge])
    }

    @Test func theRatioIsTheClientsChoice() async throws {
        let zeros = Data(count: 3 << 20)
        let body = try Encoders.gzip(zeros)
        transport.enqueue(coded("gzip", body))
        #expect(try await failureReason() == .compressionRatio)
        for ratio in [2000, Int.max] {
            transport.enqueue(coded("gzip", body))
            let client = APIClient(transport: transport, options: ClientOptions(compressionRatioMax: ratio))
            #expect(try await client.send(Fetch()) == zeros)
        }
        transport.enqueue(coded("gzip", body))
        let client = APIClient(transport: transport, options: ClientOptions(compressionRatioMax: .min))
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Fetch()) }
        #expect(error.reason == .compressionRatio)
    }

    // MARK: - Streams

    @Test func aStreamIsUndoneAsItIsReadAndHasNoLimitOfSize() async throws {
        let text = sampleText(bytes: 400_000)
        transport.enqueue(coded("br", try Encoders.brotli(text)))
        let client = APIClient(
            transport: transport,
            options: ClientOptions(bodyBytesMax: 200_000, retryPolicy: .never),
        )
        let response = try await client.bind(Download()).response()
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.value.count == nil)
        var pieces: [Data] = []
        for try await piece in response.value { pieces.append(piece) }
        #expect(Data(pieces.joined()) == text)
        #expect(pieces.count > 3)
    }

    @Test func aStreamThatIsCutThrowsAtItsEnd() async throws {
        let text = sampleText(bytes: 400_000)
        transport.enqueue(coded("gzip", try Encoders.gzip(text).dropLast(3)))
        let body = try await APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)).send(
            Download()
        )
        var bytes = 0
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            for try await piece in body { bytes += piece.count }
        }
        #expect(error?.reason == .truncatedResponse)
        #expect(bytes == text.count)
    }

    @Test func aStreamIsHeldToTheRatio() async throws {
        transport.enqueue(coded("zstd", try Encoders.zstd(Data(count: 8 << 20))))
        let body = try await APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)).send(
            Download()
        )
        let error = await #expect(throws: APIError<ProblemDetails>.self) { for try await _ in body {} }
        #expect(error?.reason == .compressionRatio)
    }

    @Test func aRejectedStreamIsCollectedWithinTheLimit() async throws {
        transport.enqueue(coded("gzip", try Encoders.gzip(sampleText(bytes: 100_000)), status: 500))
        let client = APIClient(
            transport: transport,
            options: ClientOptions(bodyBytesMax: 99_999, retryPolicy: .never),
        )
        let error = try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Download()) }
        #expect(error.reason == .unacceptableStatus)
        #expect(error.response?.isBodyCut == true)
    }

    // MARK: - Bodies of errors

    /// As what the service says of its failures is read.
    private func failure(_ options: ClientOptions = ClientOptions()) async throws -> APIError<ProblemDetails> {
        var options = options
        options.retryPolicy = .never
        let client = APIClient(transport: transport, options: options)
        return try await #require(throws: APIError<ProblemDetails>.self) { try await client.send(Fetch()) }
    }

    @Test(arguments: [false, true])
    func anErrorsBodyThatGrowsIsCutAndKeepsItsStatus(isBomb: Bool) async throws {
        let body = isBomb ? Data(count: 64 << 20) : sampleText(bytes: 3 << 20)
        transport.enqueue(coded("gzip", try Encoders.gzip(body), status: 500))
        let error = try await failure()
        #expect(error.reason == .unacceptableStatus)
        #expect(error.response?.status == 500)
        #expect(error.response?.isBodyCut == true)
        #expect(error.response?.body == body.prefix(BufferedResponse.bodyBytesMax))
    }

    /// The transport has cut it, so that its coding has no end.
    @Test func whatCameOfACodedBodyThatIsCutIsUndone() async throws {
        let text = sampleText(bytes: 3 << 20)
        for coding in ["gzip", "br", "zstd"] {
            let body =
                try coding == "gzip"
                ? Encoders.gzip(text) : coding == "br" ? Encoders.brotli(text) : Encoders.zstd(text)
            transport.enqueue(coded(coding, body, status: 500))
            let error = try await failure(ClientOptions(errorBodyBytesMax: body.count / 2))
            #expect(error.reason == .unacceptableStatus)
            let kept = try #require(error.response)
            #expect(kept.isBodyCut)
            #expect(!kept.body.isEmpty && text.starts(with: kept.body))
        }
    }

    @Test func aDamagedBodyOfAnErrorIsKeptAsItCame() async throws {
        let body = try Encoders.gzip(sampleText(bytes: 10_000)).dropLast(9)
        transport.enqueue(coded("gzip", body, status: 500))
        let error = try await failure()
        #expect(error.reason == .unacceptableStatus && error.response?.body == body)
    }
}
#endif
