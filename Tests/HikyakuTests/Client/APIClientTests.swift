import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@Suite struct APIClientTests {
    @Test func aResponseComesWithStatusHeadersAndTimings() async throws {
        let transport = MockTransport { _ in .json("[]", status: 203, headers: ["Total-Count": "7"]) }
        let response = try await APIClient(transport: transport).bind(Shop.Dishes()).response()
        #expect(response.value == [])
        #expect(response.status == 203)
        #expect(response.headers["total-count"] == "7")
        #expect(response.source == .network)
        #expect(response.timings.total > .zero)
    }

    @Test func anEnvironmentIsSubstitutedForAnotherOfTheSameURL() async throws {
        let transport = MockTransport { _ in .json("[]") }
        let staging = APIEnvironment(baseURL: "http://staging.example/v2", headers: ["X-Stage": "1"])
        let client = APIClient(transport: transport).substituting(staging, for: .shop)
        _ = try await client.send(Shop.Dishes())
        _ = try await client.send(AnyRequest())
        #expect(transport.requests.map { $0.url.host() } == ["staging.example", "a.example"])
        #expect(transport.requests[0].headers["X-Stage"] == "1")
        #expect(transport.requests[0].headers["X-Shop"] == nil)
        #expect(transport.requests[0].url.path() == "/v2/dishes")
    }

    @Test func nothingIsSentThatCannotBeSent() async throws {
        let transport = MockTransport()
        let client = APIClient(transport: transport)
        let error = try await failure { () async throws(APIError<ShopError>) in
            try await client.send(Shop.DishByID(id: ""))
        }
        #expect(error.reason == .path)
        #expect(error.context.requestType == "Shop.DishByID")
        #expect(transport.requests.isEmpty)
    }

    /// Else, a limit would hold only when the whole body is there, and a timeout of the client's not at all.
    @Test func theTransportReceivesTheClientsLimits() async throws {
        struct Recording: HTTPTransport {
            let options: Lock<[TransportOptions]>

            func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
                self.options.withLock { $0.append(options) }
                return .json("[]")
            }
        }
        let received = Lock<[TransportOptions]>([])
        let own = TransportTimeouts(connect: .seconds(1), firstByte: .seconds(2), idle: .seconds(3))
        for options in [ClientOptions(), ClientOptions(timeouts: own, bodyBytesMax: 7)] {
            _ = try await APIClient(transport: Recording(options: received), options: options).send(Shop.Dishes())
        }
        let options = received.withLock { $0 }
        #expect(options.map(\.timeouts) == [TransportTimeouts(), own])
        #expect(options.map(\.bodyBytesMax) == [67_108_864, 7])
        #expect(options.map(\.streamsBody) == [false, false])
    }

    @Test func whatMiddlewareMakesOfARequestIsCheckedBeforeTheWire() async throws {
        struct Breaking: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse {
                var request = request
                request.headers["X-Trace"] = "a\r\nX-Injected: b"
                return try await next(request)
            }
        }
        let transport = MockTransport()
        let client = APIClient(transport: transport, middleware: [Breaking()])
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == .header)
        #expect(error.phase == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        arguments: [
            (["Content-Range": "bytes 0-2/9"], [:], FailureReason.unexpectedPart),
            (["Content-Range": "Bytes 3-8/9"], [:], .unexpectedPart),
            (["Content-Range": "bytes 0-2/*"], [:], .unexpectedPart),
            (["Content-Range": "bytes 0-9223372036854775807/-9223372036854775808"], [:], .unexpectedPart),
            (["Content-Type": "multipart/byteranges; boundary=a"], [:], .unexpectedPart),
            (["Content-Range": "bytes 0-2/9"], ["range": "bytes=0-2"], nil),
            (["Content-Range": "bytes 0-2/3"], [:], nil),
            (["Content-Range": "0-2/9"], [:], nil), ([:], [:], nil),
        ] as [(HTTPHeaders, HTTPHeaders, FailureReason?)]
    )
    func aPartialResponseIsAnErrorWithoutARange(fields: HTTPHeaders, sent: HTTPHeaders, reason: FailureReason?) async {
        let transport = MockTransport { _ in HTTPResponse(status: 206, headers: fields, body: "abc") }
        do throws(APIError<ProblemDetails>) {
            #expect(try await APIClient(transport: transport).send(AnyRequest(headers: sent)) == Data("abc".utf8))
            #expect(reason == nil)
        } catch {
            #expect(error.reason == reason)
        }
    }

    @Test func aStubAnswersByValueWithoutNetwork() async throws {
        let transport = MockTransport()
        let client = APIClient(transport: transport)
            .stubbing(Shop.Dishes.self) { request in [Dish(id: request.page, name: "Udon")] }
        let response = try await client.bind(Shop.Dishes(page: 3)).response()
        #expect(response.value == [Dish(id: 3, name: "Udon")])
        #expect(response.source == .stub)
        #expect(transport.requests.isEmpty)
    }

    @Test func aStubNeedsNoTokenAndOtherRequestsGoTheirWay() async throws {
        let transport = MockTransport { _ in .json("[]") }
        let client = APIClient(transport: transport)
            .authorized(by: .bearer(nil), for: .shop)
            .stubbing(Shop.AddDish.self) { _ in }
        try await client.send(Shop.AddDish(dish: .sample))
        _ = try await client.send(Shop.Dishes())
        #expect(transport.requests.count == 1)
    }

    @Test func whatAStubThrowsIsTypedAsEverywhere() async throws {
        let client = APIClient(transport: MockTransport())
        let refusing = client.stubbing(Shop.Dishes.self) { _ in throw ShopError(message: "closed") }
        let first = try await failure { () async throws(APIError<ShopError>) in try await refusing.send(Shop.Dishes()) }
        #expect(first.service(as: ShopError.self)?.message == "closed")

        let offline = client.stubbing(Shop.Dishes.self) { _ in throw TransportError(.networkUnreachable, "") }
        let second = try await failure { () async throws(APIError<ShopError>) in try await offline.send(Shop.Dishes()) }
        #expect(second.isOffline)
    }

    @Test func afterShutdownNothingIsSent() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("[]") })
        await client.shutdown(within: .zero)
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.reason == .shutDown)
    }

    private func twice<R: APIRequest>(_ bound: BoundRequest<R>) async throws(APIError<R.Failure>) -> [R.Response] {
        [try await bound.send(), try await bound.send()]
    }

    private enum Admin: AccessLevel { typealias Includes = Authorized }

    @Test func genericCodeTakesABoundRequestOfWhateverLevel() async throws {
        let transport = MockTransport { _ in .json("[]") }
        let client = APIClient(transport: transport).authorized(by: .bearer("t"), for: .shop)
        #expect(try await twice(client.bind(Shop.Dishes())).count == 2)
        _ = try await twice(client.bind(Shop.AddDish(dish: .sample)))
        #expect(transport.requests.map { $0.headers.contains(.authorization) } == [false, false, true, true])
        #expect(try client.bind(Shop.Dishes()).httpRequest().url.host() == "shop.example")
    }
}
