import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct APIErrorTests {
    private static func error(_ answer: MockTransport.Answer) async throws -> APIError<ShopError> {
        let transport = MockTransport()
        transport.enqueue(answer)
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        return try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
    }

    @Test func theServicesFailureIsTypedAndKeepsTheResponse() async throws {
        let error = try await Self.error(.response(.json(#"{"message":"no"}"#, status: 404, headers: ["X-ID": "7"])))
        guard case .service(let failure, let response) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure == ShopError(message: "no"))
        #expect(response.status == .notFound)
        #expect(response.headers["x-id"] == "7")
        #expect(response.text == #"{"message":"no"}"#)
        #expect(response.context.requestType == "Shop.Dishes")
        #expect(response.context.attempt == 1)
        #expect(error.service(as: ShopError.self)?.message == "no")
        #expect(error.service(as: ProblemDetails.self) == nil)
    }

    @Test func theStatusIsLookedAtBeforeTheBodyIsDecoded() async throws {
        let error = try await Self.error(.response(.json("[]", status: 500)))
        #expect(error.reason == .unacceptableStatus)
        #expect(error.response?.status == 500)
        #expect(error.recoverySuggestion == "Try again later: the fault is on the service's side.")
        let redirect = try await Self.error(.response(HTTPResponse(status: 300, headers: ["Location": "/x"])))
        #expect(redirect.reason == .unacceptableStatus)
    }

    @Test func aDecodingFailureHasItsPath() async throws {
        let error = try await Self.error(.response(.json(#"[{"id":1,"name":"a"},{"id":"2"}]"#)))
        guard case .decoding(let failure) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.diagnosis.pointer == "/1/id")
        #expect(error.reason == .typeMismatch)
        #expect(error.context.underlyingError is DecodingError)
        #expect(
            error.failureReason
                == #"at /1/id: expected Int, found a string masked as "9" (line 1, column 28, byte 27), in "#
                + #"`[{"id":9,"name":"a"},{"id":"9"}]` (values masked)"#
        )
        #expect(error.response?.status == .ok)
    }

    @Test func anEmptyBodyIsNeverAnEmptySuccess() async throws {
        let error = try await Self.error(.response(HTTPResponse(status: 200)))
        #expect(error.reason == .emptyBody)
    }

    @Test(arguments: [
        (FailureReason.hostNotFound, FailurePhase.transport), (.deadline, .timedOut), (.bodyTooLarge, .limit),
        (.missingToken, .unauthorized), (.header, .invalidRequest), (.cancelled, .cancelled),
        (FailureReason(.other, "mine"), .other), (FailureReason(.decoding, "odd"), .transport),
    ])
    func whatATransportThrowsEndsInThePhaseOfItsReason(reason: FailureReason, phase: FailurePhase) async throws {
        let error = try await Self.error(
            .failure(TransportError(reason, "particulars", underlyingError: NothingThrown()))
        )
        #expect(error.phase == phase)
        #expect(error.failureReason == "particulars")
        #expect(error.context.underlyingError is NothingThrown)
    }

    @Test func whatHasNoReasonIsOther() async throws {
        let error = try await Self.error(.failure(NothingThrown()))
        #expect(error.reason == .other)
        #expect(error.context.underlyingError is NothingThrown)
    }

    @Test func anErrorKeepsABoundedBody() async throws {
        let body = "{\"message\":\"\(String(repeating: "x", count: 200_000))\"}"
        let error = try await Self.error(.response(.json(body, status: 400)))
        #expect(error.service(as: ShopError.self)?.message.count == 200_000, "the failure is read from the whole")
        #expect(error.response?.body.count == BufferedResponse.bodyBytesMax)
        #expect(error.response?.isBodyCut == true)
        #expect(error.response?.body.startIndex == 0, "a copy, which doesn't keep the whole alive")
    }

    @Test func bodiesAboveTheClientsLimitAreRejected() async throws {
        var options = ClientOptions()
        options.bodyBytesMax = 3
        let client = APIClient(transport: MockTransport { _ in .json("[  ]") }, options: options)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == .bodyTooLarge)
        guard case .limit = error else {
            Issue.record("\(error)")
            return
        }
    }

    private struct Envelope: Decodable { let ok: Bool; let error: String? }

    private struct Posting: Shop.Request {
        typealias Definition = EmptyResponse
        var path: RequestPath { "/post" }
        func failure(in response: BufferedResponse) -> ShopError? {
            guard let envelope = try? response.decode(Envelope.self), !envelope.ok else { return nil }
            return ShopError(message: envelope.error ?? "")
        }
    }

    @Test func aFailureInsideA200IsTheServices() async throws {
        let transport = MockTransport()
        transport.enqueue(.json(#"{"ok":false,"error":"channel_not_found"}"#))
        transport.enqueue(.json(#"{"ok":true}"#))
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Posting()) }
        #expect(error.service(as: ShopError.self) == ShopError(message: "channel_not_found"))
        try await client.send(Posting())
    }

    private struct Tolerant: Shop.Request {
        typealias Definition = TextResponse
        var path: RequestPath { "/maybe" }
        func accepts(_ status: HTTPStatus) -> Bool { status == 404 }
    }

    @Test func theRequestDecidesWhichStatusesAreASuccess() async throws {
        let transport = MockTransport()
        transport.enqueue(.json("none", status: 404))
        transport.enqueue(.json("some", status: 200))
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        #expect(try await client.send(Tolerant()) == "none")
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Tolerant()) }
        #expect(error.reason == .unacceptableStatus)
    }

    private struct Thrower: Shop.Request {
        typealias Response = Int
        let error: any Error
        var path: RequestPath { "/x" }
        func response(from response: BufferedResponse) throws -> Int { throw error }
    }

    @Test func whatReadingThrowsEndsInItsPhase() async throws {
        let inner = APIError<ProblemDetails>.cancelled(CallFailure(.cancelled))
        let cases: [(any Error, FailureReason)] = [
            (ShopError(message: "no"), .service), (CancellationError(), .cancelled), (inner, .cancelled),
            (TransportError(.truncatedResponse, ""), .truncatedResponse), (NothingThrown(), .invalidValue),
            (DecodingDiagnosis(kind: .missingKey, expected: "x"), .missingKey),
        ]
        let client = APIClient(transport: MockTransport { _ in .json("1") })
        for (thrown, reason) in cases {
            let error = try await failure { () async throws(APIError<ShopError>) in
                try await client.send(Thrower(error: thrown))
            }
            #expect(error.reason == reason, "\(thrown)")
        }
    }

    @Test func theClientsOwnCodersAreUsed() async throws {
        struct Fixed: ResponseDecoder, RequestEncoder {
            var mediaType: String { "x/y" }
            func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
                try JSONDecoder().decode(type, from: Data(#"[{"id":9,"name":"fixed"}]"#.utf8))
            }
            func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("fixed".utf8) }
        }
        let transport = MockTransport { _ in .json("no JSON") }
        let options = ClientOptions(decoder: Fixed(), encoder: Fixed())
        let client = APIClient(transport: transport, options: options)
        #expect(try await client.send(Shop.Dishes()) == [Dish(id: 9, name: "fixed")])
        try await client.authorized(by: .bearer("t"), for: .shop).send(Shop.AddDish(dish: .sample))
        #expect(transport.requests[0].headers[.accept] == "x/y")
        #expect(transport.requests[1].body?.bytes == Data("fixed".utf8))
        #expect(transport.requests[1].headers[.contentType] == "x/y")
    }

    @Test func theDefaultsAreThoseThatAreDocumented() {
        #expect(ClientOptions().timeout == .seconds(300))
        let timeouts = TransportTimeouts(connect: .seconds(10), firstByte: .seconds(60), idle: .seconds(60))
        #expect(ClientOptions().timeouts == timeouts)
        #expect(ClientOptions().bodyBytesMax == 64 * 1024 * 1024)
        #expect(ClientOptions().compressionRatioMax == 200)
        #expect(ClientOptions().cookies == nil)
        #expect(RedirectPolicy.follow.rules.limit == 10)
    }

    @Test func problemDetailsAreReadFromTheirOwnTypeAlone() async throws {
        let body = #"{"type":"https://a.example/low","title":"Low","status":"403","detail":7}"#
        let transport = MockTransport()
        transport.enqueue(
            .json(body, status: 403, headers: ["Content-Type": "Application/Problem+JSON; charset=utf-8"])
        )
        transport.enqueue(.json(body, status: 403))
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        let first = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(AnyRequest())
        }
        let problem = try #require(first.service(as: ProblemDetails.self))
        #expect(problem.type == "https://a.example/low" && problem.title == "Low")
        #expect(problem.status == nil && problem.detail == nil, "members of the wrong type are passed over")
        let second = try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(AnyRequest())
        }
        #expect(second.reason == .unacceptableStatus)
    }

    @Test func mixedServicesAreCaughtWithoutTheirTypes() async throws {
        let client = APIClient(transport: MockTransport { _ in .json(#"{"message":"no"}"#, status: 503) })
        do {
            _ = try await client.send(Shop.Dishes())
            _ = try await client.send(AnyRequest())
        } catch let failure as any APIFailure {
            #expect(failure.phase == .service)
            #expect(failure.isRetryable && !failure.isCancelled && !failure.isOffline)
            #expect(failure.service(as: ShopError.self)?.message == "no")
        }
    }
}

@Suite struct RetryableTests {
    private static func error(_ reason: FailureReason, _ method: HTTPMethod) -> any APIFailure {
        let failure = CallFailure(reason, context: CallContext(method: method))
        return APIError<ShopError>.transport(failure)
    }

    @Test func onlyWhatCanDoNoHarmIsRetryable() {
        #expect(Self.error(.connectionRefused, .post).isRetryable, "nothing was sent")
        #expect(Self.error(.connectionReset, .get).isRetryable)
        #expect(Self.error(.deadline, .put).isRetryable && !Self.error(.deadline, .post).isRetryable)
        #expect(!Self.error(.transportFailed, .get).isRetryable, "nobody knows what it was")
        #expect(!Self.error(.connectionReset, .post).isRetryable, "it may have been done")
        #expect(!Self.error(.tlsFailed, .get).isRetryable)
        #expect(!Self.error(.malformedResponse, .get).isRetryable)
        #expect(Self.error(.networkUnreachable, .post).isOffline)
    }

    @Test(arguments: [
        FailureReason.hostNotFound, .connectionRefused, .networkUnreachable, .connectionFailed, .connectTimeout,
        .proxyFailed, .notProcessed, .queueFull, .circuitOpen, .rateLimited,
    ])
    func whatNeverReachedTheServiceIsRetryableWithAnyMethod(_ reason: FailureReason) {
        #expect(Self.error(reason, .get).isRetryable && Self.error(reason, .post).isRetryable)
    }

    @Test(arguments: [
        FailureReason.connectionClosed, .connectionReset, .truncatedHeaders, .truncatedResponse, .missingLastChunk,
        .deadline, .firstByteTimeout, .idleTimeout,
    ])
    func whatMayHaveBeenDoneIsRetryableWithAnIdempotentMethod(_ reason: FailureReason) {
        #expect(Self.error(reason, .delete).isRetryable && !Self.error(reason, .patch).isRetryable)
    }

    @Test(arguments: [
        FailureReason.malformedResponse, .malformedContentLength, .conflictingContentLength, .ambiguousLength,
        .unknownTransferCoding, .malformedChunk, .unexpectedUpgrade, .malformedContentCoding, .unknownContentCoding,
        .tlsFailed, .certificateExpired, .certificateHostMismatch, .certificateSelfSigned, .certificateUntrusted,
        .certificatePinMismatch, .bodyConsumed, .redirectInvalid, .redirectLoop, .redirectInsecure, .shutDown,
        .uploadInvalid, .uploadLost, .uploadResponseLost, .uploadTooLarge,
        .transportFailed, .bodyTooLarge, .outOfMemory, .headersTooLarge, .compressionRatio, .readerTooSlow,
        .tooManyRedirects,
        .cancelled, .other,
        .header, .url, .body, .missingToken, .otherOrigin, .insecureOrigin,
    ])
    func whatWouldFailAgainIsNotRetryable(_ reason: FailureReason) {
        #expect(!Self.error(reason, .get).isRetryable)
    }

    /// 303 means that the POST was processed; 307 repeats it at another URL.
    @Test(arguments: [(303, false), (302, false), (307, true)])
    func whatWasDoneBeforeARedirectIsNotRetryable(status: HTTPStatus, isRetryable: Bool) async throws {
        for end in [
            MockTransport.Answer.failure(TransportError(.hostNotFound, "")), .response(.json("", status: 429)),
        ] {
            let transport = MockTransport()
            transport.enqueue(HTTPResponse(status: status, headers: [.location: "https://other.example/done"]))
            transport.enqueue(end)
            let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)).authorized(
                by: .bearer("t"),
                for: .shop,
            )
            let error = try await failure { () async throws(APIError<ShopError>) in
                try await client.send(Shop.AddDish(dish: .sample))
            }
            #expect(error.isRetryable == isRetryable, "\(error)")
        }
    }

    @Test(arguments: [
        (429, HTTPMethod.post, true), (503, .post, false), (503, .get, true), (502, .get, true), (502, .post, false),
        (404, .get, false), (529, .get, true), (529, .post, false), (999, .get, false),
    ])
    func statusesSayWhetherAnotherTryHelps(status: HTTPStatus, method: HTTPMethod, isRetryable: Bool) {
        let response = BufferedResponse(status: status, context: CallContext(method: method))
        #expect(APIError<ShopError>.unacceptableStatus(response).isRetryable == isRetryable)
    }
}
