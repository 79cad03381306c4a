import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import TestSupport
import Testing

/// The head of a response says what to do, also if its body is damaged or breaks off.
@Suite(.timeLimit(.minutes(10))) struct StatusFirstTests {
    private static let mislabelled: HTTPHeaders = ["Content-Encoding": "gzip", "Content-Type": "application/json"]

    private func error(
        of response: HTTPResponse
    ) async throws -> APIError<ShopError> {
        let client = APIClient(transport: MockTransport { _ in response }, options: ClientOptions(retryPolicy: .never))
        return try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
    }

    // MARK: A body that isn't in its coding

    @Test(arguments: [400, 403, 404, 422, 500] as [HTTPStatus])
    func theServiceIsUnderstoodWhateverItSaysOfTheCoding(_ status: HTTPStatus) async throws {
        let body = HTTPBody(#"{"message":"no access"}"#)
        let error = try await error(of: HTTPResponse(status: status, headers: Self.mislabelled, body: body))
        #expect(error.service(as: ShopError.self)?.message == "no access" && error.response?.status == status)
        #expect(error.response?.headers["Content-Encoding"] == "gzip")
    }

    @Test func aStatusIsRetriedWithADamagedBody() async throws {
        let transport = MockTransport()
        let damaged = HTTPResponse(status: 503, headers: Self.mislabelled, body: "no gzip")
        transport.enqueue(.response(damaged))
        transport.enqueue(.response(.json("[]")))
        let options = ClientOptions(retryPolicy: RetryPolicy(delay: .zero))
        #expect(try await APIClient(transport: transport, options: options).send(Shop.Dishes()).isEmpty)
    }

    @Test func aTokenIsRefreshedWithADamagedBody() async throws {
        struct Fetched: APIRequest {
            typealias Definition = RawResponse
            typealias Access = Authorized
            var environment: APIEnvironment { .shop }
            var path: RequestPath { "/p" }
        }
        let transport = MockTransport { request in
            request.headers[.authorization] == "Bearer new"
                ? HTTPResponse(status: .ok, body: "yes")
                : HTTPResponse(status: .unauthorized, headers: Self.mislabelled, body: "no gzip")
        }
        let token = RefreshingToken(
            store: MemoryTokenStore(IssuedToken(token: Secret("old"), refreshToken: Secret("r")))
        ) { _ in
            IssuedToken(token: Secret("new"))
        }
        let client = APIClient(transport: transport).authorized(by: token, for: .shop)
        #expect(try await client.send(Fetched()) == Data("yes".utf8))
    }

    @Test func nothingIsMissedOfABodyThatNobodyReads() async throws {
        struct Add: Shop.Request {
            typealias Response = Void
            var method: HTTPMethod { .post }
            var path: RequestPath { "/dishes" }
        }
        let response = HTTPResponse(status: .created, headers: Self.mislabelled, body: "created")
        try await APIClient(transport: MockTransport { _ in response }).send(Add())
    }

    @Test func anAcceptedResponseKeepsWhatCame() async throws {
        let error = try await error(of: HTTPResponse(status: .ok, headers: Self.mislabelled, body: "[]"))
        #expect(error.reason == .malformedContentCoding)
        #expect(error.response?.text == "[]" && error.response?.headers["Content-Encoding"] == "gzip")
    }

    @Test(arguments: ["identity", "Identity;q=1, *;q=0", "gzip;q=0.0,identity"])
    func aRequestForNoCodingGetsTheBytes(_ accepted: String) async throws {
        struct Plain: Shop.Request {
            typealias Response = [Dish]
            var headers: HTTPHeaders
            var path: RequestPath { "/dishes" }
        }
        let response = HTTPResponse(status: .ok, headers: Self.mislabelled, body: "[]")
        let client = APIClient(transport: MockTransport { _ in response })
        #expect(try await client.send(Plain(headers: [.acceptEncoding: accepted])).isEmpty)
        let error = await #expect(throws: APIError<ShopError>.self) {
            try await client.send(Plain(headers: [.acceptEncoding: "\(accepted), gzip;q=0.01"]))
        }
        #expect(error?.reason == .malformedContentCoding)
    }

    // MARK: A body that breaks off

    private func client(
        _ texts: [String],
        _ options: ClientOptions = ClientOptions(retryPolicy: .never),
    ) throws -> (
        APIClient<Public>, MockServer
    ) {
        let next = Lock(0)
        let server = try MockServer { _ in
            let index = next.withLock { number in
                defer { number += 1 }
                return min(number, texts.count - 1)
            }
            return .raw([.write(texts[index]), .close])
        }
        let client = APIClient(options: options)
        return (client.substituting(APIEnvironment(baseURL: server.baseURL), for: .shop), server)
    }

    private struct Add: Shop.Request {
        typealias Response = Dish
        var method: HTTPMethod { .post }
        var path: RequestPath { "/dishes" }
    }

    @Test func aWholeFailureWithAWrongLengthIsRead() async throws {
        let (client, server) = try client([
            "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"message\":\"bad\"}"
        ])
        defer { server.stop() }
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Add()) }
        #expect(error.service(as: ShopError.self)?.message == "bad")
        #expect(error.recoverySuggestion?.contains("may have been done") != true)
    }

    @Test func aHalfFailureIsItsStatus() async throws {
        let (client, server) = try client(["HTTP/1.1 404 A\r\nContent-Length: 99\r\n\r\n{\"message\":"])
        defer { server.stop() }
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == .unacceptableStatus && !error.isRetryable && error.response?.isBodyCut == true)
    }

    @Test(arguments: ["Content-Length: 1000\r\n\r\n<p>moved", "Transfer-Encoding: chunked\r\n\r\n<p>moved</p>\r\n"])
    func aRedirectNeedsNoBody(_ rest: String) async throws {
        let (client, server) = try client([
            "HTTP/1.1 302 Found\r\nLocation: /v1/dishes/all\r\n\(rest)",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
        ])
        defer { server.stop() }
        #expect(try await client.send(Shop.Dishes()).isEmpty)
        #expect(server.requests.count == 2)
    }

    // MARK: A head that is refused

    @Test(arguments: [
        (
            "403 A\r\nX-A: 1\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", FailureReason.ambiguousLength,
            "",
        ),
        ("400 A\r\nX-A: 1\r\nContent-Length: +22\r\n\r\n", .malformedContentLength, "is not a number"),
        (
            "400 A\r\nX-A: 1\r\nContent-Length: 99999999999999999999\r\n\r\n", .malformedContentLength,
            "too large a number",
        ),
        ("200 A\r\nX-A: 1\r\nContent-Length: 1, 2\r\n\r\n", .conflictingContentLength, ""),
        (
            "200 A\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
            .unknownTransferCoding,
            "chunked more than once",
        ),
        ("200 A\r\nX-A: 1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .unknownTransferCoding, "only chunked"),
        ("403 A\r\nX-A: 1\r\nX Rate: 5\r\n\r\n", .malformedResponse, "in field 2 of"),
        ("403 A\r\nX-Foo\r\nX-A: 1\r\n\r\n", .malformedResponse, "no colon, in field 1 of"),
        ("101 A\r\nX-A: 1\r\nUpgrade: websocket\r\n\r\n", .unexpectedUpgrade, ""),
    ])
    func aRefusedHeadIsKept(_ head: String, _ reason: FailureReason, _ text: String) async throws {
        let (client, server) = try client(["HTTP/1.1 \(head){\"message\":\"bad\"}"])
        defer { server.stop() }
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == reason && (text.isEmpty || error.description.contains(text)), "\(error)")
        #expect(error.response?.status.code == Int(head.prefix(3)) && error.response?.headers["X-A"] == "1")
    }

    /// RFC 9112, section 4.
    @Test(arguments: ["  200 OK", "\t200\tOK", " 200  OK", " 200", "  200\t"])
    func aStatusLineIsReadByWords(_ rest: String) async throws {
        let (client, server) = try client(["HTTP/1.1\(rest)\r\nContent-Length: 2\r\n\r\n[]"])
        defer { server.stop() }
        #expect(try await client.send(Shop.Dishes()).isEmpty)
    }

    /// Nobody knows of what a POST did that was lost, but the usual reason is known.
    @Test func aKeptConnectionThatClosesDoesNotCrash() async throws {
        let count = Lock(0)
        let server = try MockServer { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .json("[]") : .raw([.close])
        }
        defer { server.stop() }
        let client = APIClient(options: ClientOptions(retryPolicy: .never))
            .substituting(APIEnvironment(baseURL: server.baseURL), for: .shop)
        _ = try await client.send(Shop.Dishes())
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Add()) }
        #expect(error.reason == .connectionClosed && error.hint?.contains("idleAgeMax") == true, "\(error)")
    }
}
