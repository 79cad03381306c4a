import Foundation
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

/// What is written by another type than the requirement's is sent all the same.
@Suite(.timeLimit(.minutes(10))) struct RequestSpellingTests {
    /// Sends a request to a transport that redirects, and checks that nothing of what it wrote got lost.
    private func check<R: APIRequest>(
        _ request: R,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) async throws where R.Access == Public, R.Response == Int {
        let clock = ManualClock()
        let transport = MockTransport { _ in HTTPResponse(status: 302, headers: ["Location": "/elsewhere"]) }
        let client = APIClient(transport: transport, options: ClientOptions(clock: clock))
        let sent = try client.bind(request).httpRequest()
        #expect(sent.method == .post, sourceLocation: sourceLocation)
        #expect(sent.url.query(percentEncoded: true) == "page=1&size=2", sourceLocation: sourceLocation)
        #expect(sent.headers["X-Device"] == "d", sourceLocation: sourceLocation)
        #expect(sent.headers[.accept] == "application/x-plist", sourceLocation: sourceLocation)
        #expect(sent.body?.bytes == Data("text".utf8), sourceLocation: sourceLocation)

        let error = try await failure(of: { () async throws(APIError<R.Failure>) in try await client.send(request) })
        // The redirect isn't followed.
        #expect(error.phase == .unacceptableStatus, sourceLocation: sourceLocation)
        #expect(error.context.method == .post, sourceLocation: sourceLocation)

        // Generic code sees the converted values too.
        #expect(request.method == .post, sourceLocation: sourceLocation)
        #expect(request.timeout == .seconds(2), sourceLocation: sourceLocation)
        #expect(request.headers["X-Device"] == "d", sourceLocation: sourceLocation)
        #expect(request.body != nil, sourceLocation: sourceLocation)
        #expect(!request.query.isEmpty, sourceLocation: sourceLocation)
        #expect(request.decoder is PropertyListDecoder, sourceLocation: sourceLocation)
        #expect(request.encoder is PropertyListEncoder, sourceLocation: sourceLocation)
        #expect(request.redirectPolicy != nil, sourceLocation: sourceLocation)
        #expect(request.limitGroup == "orders", sourceLocation: sourceLocation)
    }

    @Test func storedPropertiesOfOtherTypesAreSent() async throws {
        try await check(Stored())
    }

    @Test func computedPropertiesOfOtherTypesAreSent() async throws {
        try await check(Computed())
    }

    @Test func propertiesOfAServicesExtensionAreSent() async throws {
        try await check(ByService())
    }

    @Test func proxiesForwardWhatTheRequestInsideHasWritten() async throws {
        try await check(Plain(request: Stored()))
        try await check(Plain(request: Plain(request: ByService())))
        try await check(Stored().authorized(by: AccessToken("t0ken")))
        try await check(Plain(request: Computed().authorized(by: AccessToken("t0ken"))))
    }

    @Test func aProxysOwnPropertyOfAnotherTypeIsSent() throws {
        #expect(try Marked(request: Stored()).httpRequest().headers["X-Device"] == "marked")
        #expect(try Plain(request: Marked(request: Stored())).httpRequest().headers["X-Device"] == "marked")
        #expect(try Extended(request: Marked(request: Stored())).httpRequest().headers["X-Device"] == "marked")
        #expect(try Extended(request: Stored()).httpRequest().headers["X-More"] == "m")
    }

    @Test func aRequestsOwnPropertyOverridesTheServices() throws {
        let request = try Inexact().httpRequest()
        #expect(request.method == .put)
        #expect(request.headers["X-Device"] == "own")
        let proxied = try Plain(request: Inexact()).httpRequest()
        #expect(proxied.method == .put)
        #expect(proxied.headers["X-Device"] == "own")
    }

    @Test func theTimeoutHolds() async throws {
        let clock = ManualClock()
        let transport = MockTransport()
        transport.enqueue(.never)
        let client = APIClient(transport: transport, options: ClientOptions(clock: clock))
        async let error = failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Plain(request: Timed()))
        }
        try #require(try await holds { !transport.requests.isEmpty })
        clock.advance(by: .seconds(2))
        #expect(try await error.reason == .deadline)
    }

    @Test func parametersOfADictionaryGoWhereTheMethodWantsThem() throws {
        #expect(try Parameters(method: .get).httpRequest().url.query(percentEncoded: true) == "a=1&b=2")
        let body = try #require(try Parameters(method: .post).httpRequest().body?.bytes)
        #expect(String(decoding: body, as: UTF8.self) == #"{"a":1,"b":2}"#)
    }

    @Test func aDecoderOfAWrongTypeIsRejected() async throws {
        let transport = MockTransport { _ in .json("1") }
        let client = APIClient(transport: transport)
        for error in [
            try await failure(of: { () async throws(APIError<ProblemDetails>) in try await client.send(NoDecoder()) }),
            try await failure(of: { () async throws(APIError<ProblemDetails>) in
                try await client.send(Plain(request: NoDecoder()))
            }),
        ] {
            #expect(error.phase == .invalidRequest)
            #expect(error.reason == .decoder)
            #expect(error.description.contains("the request's decoder is a String, which is not a ResponseDecoder"))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test func anEncoderOfAWrongTypeIsRejected() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("1") })
        for error in [
            try await failure(of: { () async throws(APIError<ProblemDetails>) in try await client.send(NoEncoder()) }),
            try await failure(of: { () async throws(APIError<ProblemDetails>) in
                try await client.send(Plain(request: NoEncoder()))
            }),
        ] {
            #expect(error.phase == .invalidRequest)
            #expect(error.reason == .encoder)
            #expect(error.description.contains("the request's encoder is a String, which is not a RequestEncoder"))
        }
    }

    @Test func anEncoderOfAnotherTypeEncodes() throws {
        for request in [try Encoded().httpRequest(), try Plain(request: Encoded()).httpRequest()] {
            #expect(request.headers[.contentType] == "application/x-plist")
            #expect(try PropertyListDecoder().decode([Int].self, from: request.body?.bytes ?? Data()) == [1])
        }
    }

    @Test func acceptsWithALabelDoesNotTrap() {
        // It compiles, since the compiler looks for a function of the user's by that name; it must not trap.
        #expect(Stored().accepts(status: .ok) is _NothingWritten)
    }
}

private protocol Written: APIRequest where Response == Int {}
extension Written {
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/p" }
}

private struct Stored: Written {
    let method = "POST"
    let query = ["size": 2, "page": 1]
    let headers = ["X-Device": "d"]
    let body = RequestBody.text("text")
    let decoder = PropertyListDecoder()
    let encoder = PropertyListEncoder()
    let timeout = Duration.seconds(2)
    let redirectPolicy = RedirectPolicy.never
    let limitGroup = "orders"
}

private struct Computed: Written {
    var method: String { "POST" }
    var query: [String: Int?] { ["size": 2, "page": 1, "none": nil] }
    var headers: [String: String] { ["X-Device": "d"] }
    var body: RequestBody { .text("text") }
    var decoder: PropertyListDecoder { PropertyListDecoder() }
    var encoder: PropertyListEncoder { PropertyListEncoder() }
    var timeout: Duration { .seconds(2) }
    var redirectPolicy: RedirectPolicy { .never }
    var limitGroup: String { "orders" }
}

private protocol Service: Written {}
extension Service {
    var method: String { "POST" }
    var query: [String: Int] { ["size": 2, "page": 1] }
    var headers: [String: String] { ["X-Device": "d"] }
    var body: RequestBody { .text("text") }
    var decoder: PropertyListDecoder { PropertyListDecoder() }
    var encoder: PropertyListEncoder { PropertyListEncoder() }
    var timeout: Duration { .seconds(2) }
    var redirectPolicy: RedirectPolicy { .never }
    var limitGroup: String { "orders" }
}

private struct ByService: Service {}

private protocol Exact: Written {}
extension Exact {
    var method: HTTPMethod { .post }
    var headers: HTTPHeaders { ["X-Device": "service"] }
}

private struct Inexact: Exact {
    let method = "PUT"
    let headers = ["X-Device": "own"]
}

private struct Timed: Written {
    let timeout = Duration.seconds(2)
}

private struct Parameters: Written {
    var method: HTTPMethod
    let parameters = ["b": 2, "a": 1]
}

private struct NoDecoder: Written {
    let decoder = "JSON"
}

private struct NoEncoder: Written {
    let encoder = "JSON"
}

private struct Encoded: Written {
    let method = "POST"
    let body = RequestBody.json([1])
    let encoder = PropertyListEncoder()
}

private struct Plain<Base: APIRequest>: RequestProxy {
    var request: Base
}

private struct Marked<Base: APIRequest>: RequestProxy {
    var request: Base
    let headers = ["X-Device": "marked"]
}

private struct Extended<Base: APIRequest>: RequestProxy {
    var request: Base
    var headers: HTTPHeaders { request.headers.replacing(with: ["X-More": "m"]) }
}
