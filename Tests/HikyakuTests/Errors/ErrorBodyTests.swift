import Foundation
import Hikyaku
import HikyakuMockServer
import HikyakuTesting
import Testing

/// Bodies of responses that aren't accepted: what is read, and what is kept.
@Suite(.timeLimit(.minutes(10))) struct ErrorBodyTests {
    private static let kept = BufferedResponse.bodyBytesMax
    private static let mebibyte = 1024 * 1024

    /// A body that a failure can be read from, whatever its size.
    private static func body(bytes: Int) -> String {
        let start = #"{"message":"sold out","more":""#
        return start + String(repeating: "x", count: max(0, bytes - start.utf8.count - 2)) + #""}"#
    }

    private static func error<R: APIRequest>(
        of request: R,
        to answer: MockAnswer,
        _ options: ClientOptions = ClientOptions(),
        leavesRest: Bool = false,
    ) async throws -> APIError<ShopError> where R.Failure == ShopError, R.Access == Public {
        let server = try MockServer { _ in answer }
        defer { server.stop() }
        let client = APIClient(options: options).substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(request) }
        // A connection with an unread rest is closed; one without can be used again.
        if leavesRest { try await server.waitForOpenConnections(0, within: .seconds(20)) }
        return error
    }

    @Test(arguments: [100, 64 * 1024, 64 * 1024 + 1, 1024 * 1024])
    func aFailureIsReadFromABodyUpToTheLimit(bytes: Int) async throws {
        let body = Self.body(bytes: bytes)
        let error = try await Self.error(of: Shop.Dishes(), to: .json(body, status: .conflict))
        #expect(error.service(as: ShopError.self) == ShopError(message: "sold out"))
        let response = try #require(error.response)
        #expect(response.body == Data(body.utf8.prefix(Self.kept)))
        #expect(response.isBodyCut == (bytes > Self.kept))
    }

    @Test(
        arguments: [mebibyte + 1, 50 * mebibyte],
        [HTTPStatus.internalServerError, .unauthorized, .tooManyRequests],
    )
    func beyondTheLimitThereIsTheStatusAndNoFailure(bytes: Int, status: HTTPStatus) async throws {
        let body = Self.body(bytes: bytes)
        for answer in [MockAnswer.json(body, status: status), .json(body, status: status).chunked()] {
            let error = try await Self.error(of: Shop.Dishes(), to: answer, leavesRest: true)
            guard case .unacceptableStatus(let response) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(response.status == status)
            #expect(response.body == Data(body.utf8.prefix(Self.kept)))
            #expect(response.isBodyCut)
            #expect("\(response)".hasSuffix("65536 bytes of a longer body"))
        }
    }

    /// Before, the status was lost: the error was one of the limit.
    @Test func aBodyBeyondTheClientsOwnLimitKeepsItsStatus() async throws {
        let answer = MockAnswer.json(Self.body(bytes: 20_000), status: .badGateway)
        let error = try await Self.error(
            of: Shop.Dishes(),
            to: answer,
            ClientOptions(bodyBytesMax: 10_000),
            leavesRest: true,
        )
        #expect(error.reason == .unacceptableStatus)
        #expect(error.response?.status == .badGateway)
        #expect(error.response?.body.count == 10_000)
        #expect(error.response?.description.hasSuffix("10000 bytes, and what followed wasn't received") == true)
        #expect(error.isRetryable)
    }

    @Test func theRestIsNotWaitedFor() async throws {
        let start = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 9000000\r\n\r\n"
        let answer = MockAnswer.raw([.write(start + String(repeating: "x", count: Self.mebibyte)), .stall])
        let error = try await Self.error(of: Shop.Dishes(), to: answer, leavesRest: true)
        #expect(error.response?.status == .serviceUnavailable)
        #expect(error.response?.isBodyCut == true)
    }

    private struct Download: Shop.Request {
        typealias Definition = StreamedResponse
        var path: RequestPath { "/file" }
    }

    @Test(arguments: [1000, 32 * mebibyte])
    func aStreamThatIsNotAcceptedIsBoundedToo(bytes: Int) async throws {
        let answer = MockAnswer.json(Self.body(bytes: bytes), status: .forbidden).chunked()
        let error = try await Self.error(of: Download(), to: answer, leavesRest: bytes > Self.mebibyte)
        #expect(error.response?.status == .forbidden)
        #expect(error.response?.isBodyCut == (bytes > Self.mebibyte))
        #expect((error.service(as: ShopError.self) != nil) == (bytes <= Self.mebibyte))
    }

    /// What a request accepts is not an error, however large it is.
    @Test func aStatusThatTheRequestAcceptsHasTheLargerLimit() async throws {
        struct Missing: Shop.Request {
            typealias Definition = RawResponse
            var path: RequestPath { "/missing" }
            func accepts(_ status: HTTPStatus) -> Bool { status == .notFound }
        }
        let server = try MockServer { _ in .json(Self.body(bytes: 3 * Self.mebibyte), status: .notFound) }
        defer { server.stop() }
        let client = APIClient().substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
        #expect(try await client.send(Missing()).count == 3 * Self.mebibyte)
    }

    @Test func aMiddlewareThatAcceptsAnErrorsBodyCannotMakeAModelOfItsBeginning() async throws {
        struct Pardon: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var response = try await next(request)
                response.status = .ok
                return response
            }
        }
        let transport = MockTransport { _ in .json(Self.body(bytes: 2 * Self.mebibyte), status: .internalServerError) }
        let client = APIClient(transport: transport, middleware: [Pardon()])
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == .bodyTooLarge)
    }

    @Test func aTransportThatKnowsNoLimitIsHeldToIt() async throws {
        struct Careless: HTTPTransport {
            func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
                HTTPResponse(status: .badRequest, body: HTTPBody(ErrorBodyTests.body(bytes: 2_000_000)))
            }
        }
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await APIClient(transport: Careless()).send(Shop.Dishes())
        }
        #expect(error.reason == .unacceptableStatus)
        #expect(error.response?.isBodyCut == true)
    }
}
