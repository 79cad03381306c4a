import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// Credentials and connections that anybody on the way can read.
@Suite struct PlainHTTPTests {
    private struct Private: APIRequest {
        typealias Definition = EmptyResponse
        typealias Access = Authorized
        var environment: APIEnvironment
        var path: RequestPath { "/me" }
    }

    private struct BetterWithToken: APIRequest {
        typealias Definition = EmptyResponse
        typealias Access = AuthorizedIfPossible
        var environment: APIEnvironment
        var path: RequestPath { "/me" }
    }

    private struct Stamp: RequestSigner {
        func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) { request.headers["X-Stamp"] = "s" }
    }

    private let transport = MockTransport { _ in HTTPResponse(status: 204) }

    private static let insecure = [
        "http://shop.example/v1", "http://10.0.0.1", "http://128.0.0.1:8080", "http://[::2]", "http://127.evil",
        "http://localhost.evil", "http://xlocalhost", "HTTP://shop.example",
    ]

    private static let loopback = [
        "http://localhost:8080/v1", "http://127.0.0.1", "http://127.1", "http://[::1]:80", "http://LOCALHOST.",
        "http://[::ffff:127.0.0.1]",
    ]

    private func check<Failure>(_ error: APIError<Failure>) {
        #expect(error.reason == .insecureOrigin)
        #expect(error.phase == .unauthorized)
        #expect(error.context.attempt == 0)
        #expect(error.failureReason?.hasSuffix(" would be sent over plain http") == true)
        #expect("\(error)".ranges(of: "allowingCredentialsOverPlainHTTP").count == 1, "\(error)")
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: insecure)
    func noCredentialGoesOverPlainHTTPToAnotherMachine(baseURL: String) async throws {
        let environment = APIEnvironment(baseURL: baseURL)
        let callsCount = Lock(0)
        let provider = AskedToken {
            callsCount.withLock { $0 += 1 }
            return "t0ken"
        }
        let client = APIClient(transport: transport).authorized(by: provider, for: environment)
        check(
            try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(Private(environment: environment))
            }
        )
        check(
            try await failure { () async throws(APIError<ProblemDetails>) in
                try await client.send(BetterWithToken(environment: environment))
            }
        )
        #expect(callsCount.withLock(\.self) == 0, "a token that can't be sent isn't requested")
    }

    @Test func aTokenOfTheRequestsOwnAndASignatureAreCredentialsToo() async throws {
        let environment: APIEnvironment = "http://shop.example"
        let plain = APIClient(transport: transport)
        let own = try Private(environment: environment).authorized(by: AccessToken("t0ken"))
        check(try await failure { () async throws(APIError<ProblemDetails>) in try await plain.send(own) })
        let signing = plain.authorized(by: Stamp(), for: environment)
        check(
            try await failure { () async throws(APIError<ProblemDetails>) in
                try await signing.send(Private(environment: environment))
            }
        )
    }

    @Test(arguments: loopback)
    func thisMachineNeedsNoLeave(baseURL: String) async throws {
        let environment = APIEnvironment(baseURL: baseURL)
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: environment)
        try await client.send(Private(environment: environment))
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Bearer t0ken"])
    }

    @Test func theEnvironmentMayAllowIt() async throws {
        let allowing = APIEnvironment(baseURL: "http://shop.example", allowingCredentialsOverPlainHTTP: true)
        let silent: APIEnvironment = "http://shop.example"
        for (ofClient, ofRequest) in [(allowing, silent), (silent, allowing), (allowing, allowing)] {
            let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: ofClient)
            try await client.send(Private(environment: ofRequest))
            let own = Private(environment: ofRequest)
            try await client.send(own.authorized(by: AccessToken("t0ken"), for: ofClient))
        }
        #expect(transport.requests.count == 6)
    }

    @Test func whatCarriesNoCredentialOfTheClientGoesOut() async throws {
        var request = AnyRequest(environment: "http://shop.example")
        request.headers = [.authorization: "Basic b3duOm93bg=="]
        _ = try await APIClient(transport: transport).authorized(by: .bearer("t"), for: "https://shop.example").send(
            request
        )
        #expect(transport.requests.map { $0.headers[.authorization] } == ["Basic b3duOm93bg=="])
    }

    @Test func anEnvironmentThatAnswersForItselfSendsNothing() async throws {
        let stubbed = APIEnvironment.stubbed { _ in HTTPResponse(status: 204) }
        let client = APIClient(transport: transport).authorized(by: .bearer("t0ken"), for: stubbed)
        try await client.send(Private(environment: stubbed))
        #expect(transport.requests.isEmpty)
    }
}
