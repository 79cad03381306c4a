import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

/// Plants secrets in all that goes to an authorization server and comes from it, lets it answer in every way, and
/// searches all that can be printed.
struct PlantedSecretTests {
    private static let secret = "hunter2"
    /// What proves who the application is, in a field.
    private static let encoded = Data("reader:\(secret)".utf8).base64EncodedString()

    private static let old = IssuedToken(
        token: Secret(secret),
        refreshToken: Secret(secret),
        expiresAt: Bench.now,
        idToken: Secret(secret),
    )

    /// A request to a server: its name, and its action, which returns all printable forms of its outcome.
    private struct Grant: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let run: @Sendable (OAuthClient) async throws -> [String]
    }

    private static let grants: [Grant] = [
        Grant(testDescription: "refresh") { texts(of: try await $0.refresh(old)) },
        Grant(testDescription: "client credentials") { oauth in
            texts(of: try await oauth.clientCredentials(parameters: ["assertion_hint": secret]))
        },
        Grant(testDescription: "code") { oauth in
            let authorization = try oauth.authorization(redirectURI: "app:/x", parameters: ["login_hint": secret])
            let state = authorization.state.reveal()
            let redirect = try #require(URL(string: "app:/x?code=\(secret)&state=\(state)"))
            let token = try await oauth.token(for: authorization, redirectedTo: redirect)
            return texts(of: authorization) + texts(of: token)
        },
        Grant(testDescription: "refused redirect") { oauth in
            let authorization = try oauth.authorization(redirectURI: "app:/x")
            let query = "error=access_denied&error_description=\(secret)&state=\(authorization.state.reveal())"
            let redirect = try #require(URL(string: "app:/x?\(query)&error_uri=\(secret)"))
            // Something has to be sent for the test to find.
            _ = try await oauth.clientCredentials(parameters: ["hint": secret])
            return texts(of: try await oauth.token(for: authorization, redirectedTo: redirect))
        },
        Grant(testDescription: "device code") { oauth in
            let json =
                #"{"device_code":"\#(secret)","user_code":"\#(secret)","verification_uri":"https://a.example/go"}"#
            let response = try JSONDecoder().decode(DeviceAuthorizationResponse.self, from: Data(json.utf8))
            let code = try OAuthDeviceCode(response, scopes: [], now: oauth.clock.now)
            return texts(of: code) + texts(of: try await oauth.token(for: code))
        },
        Grant(testDescription: "revocation") { oauth in
            try await oauth.revoke(old)
            return []
        },
        Grant(testDescription: "session") { oauth in
            let session = OAuthSession(
                oauth,
                store: MemoryTokenStore(old),
                options: RefreshOptions(now: { Bench.now }),
            )
            let token = try await session.token(for: "https://api.example")
            return texts(of: session) + texts(of: token)
        },
    ]

    private static let answers: [@Sendable (HTTPRequest) throws -> HTTPResponse] = [
        { _ in .json(#"{"access_token":"\#(secret)","refresh_token":"\#(secret)","id_token":"\#(secret)"}"#) },
        { _ in
            let words = #""error_description":"\#(secret)","error_uri":"https://\#(secret).example""#
            return .json(#"{"error":"invalid_grant",\#(words)}"#, status: 400)
        },
        { _ in .json(#"{"error":"Not a word: \#(secret)"}"#, status: 400) },
        { _ in .json(#"{"access_token":["\#(secret)"]}"#) },
        { _ in .json(#"{"access_token":"\#(secret)","token_type":"mac"}"#) },
        { _ in .json(#"{"access_token":"\#(secret) \#(secret)"}"#) },
        { _ in HTTPResponse(status: 200, headers: [.contentType: "text/html"], body: HTTPBody("<p>\(secret)</p>")) },
        { _ in HTTPResponse(status: 302, headers: [.location: "https://other.example/?code=\(secret)"]) },
        { _ in HTTPResponse(status: 401, headers: ["WWW-Authenticate": "Bearer error=\(secret)"]) },
        { _ in throw TransportError(.connectionReset, "broke off") },
    ]

    private static let proofs: [OAuthApplication.Authentication] = [
        .none, .basic(secret: secret), .post(secret: secret),
    ]

    private final class Hearing: EventObserver {
        let texts = Lock<[String]>([])
        func observe(_ event: TransportEvent) {
            let described = "\(event)"
            texts.withLock { $0.append(described) }
        }
    }

    /// The option that shows values in an API's errors does not show tokens.
    @Test
    func aClientThatRevealsValuesRevealsNoTokens() async throws {
        let answer = #"{"access_token":["\#(Self.secret)"],"expires_in":"\#(Self.secret)"}"#
        let transport = MockTransport { _ in .json(answer) }
        let oauth = OAuthClient(
            server: Bench.server,
            application: OAuthApplication(id: "reader"),
            client: APIClient(transport: transport).diagnosing([.everyFailure, .values]),
            date: { Bench.now },
        )
        let error = try await thrown { try await oauth.refresh(Self.old) }
        let failure = try #require(error as? any APIFailure)
        #expect(failure.phase == .decoding)
        for text in Self.texts(of: error) + [error.localizedDescription, failure.failureReason ?? ""] {
            #expect(!text.contains(Self.secret), "\(text)")
        }
    }

    @Test(arguments: grants, answers.indices)
    private func nothingThatIsPrintedShowsASecret(grant: Grant, answer: Int) async throws {
        for proof in Self.proofs {
            let (log, hearing) = (Lock(""), Hearing())
            let transport = MockTransport { try Self.answers[answer]($0) }
            let oauth = OAuthClient(
                server: Bench.server,
                application: OAuthApplication(id: "reader", authentication: proof),
                client: APIClient(transport: transport)
                    .logging(.bodies) { text in log.withLock { $0 += text } }.observing(hearing),
                clock: JumpingClock(),
                date: { Bench.now },
            )
            var texts = Self.texts(of: oauth) + Self.texts(of: oauth.application)
            do {
                texts += try await grant.run(oauth)
            } catch {
                texts += Self.texts(of: error) + [error.localizedDescription]
                if let failure = error as? any APIFailure {
                    texts += Self.texts(of: failure.context) + [failure.failureReason ?? "", "\(failure.reason)"]
                }
                if let inner = OAuthError(in: error) { texts += Self.texts(of: inner) + [inner.localizedDescription] }
            }
            for request in transport.requests {
                texts += Self.texts(of: request) + [request.curlCommand()]
            }
            texts += [log.withLock(\.self)] + hearing.texts.withLock(\.self)
            let verifiers = transport.requests.flatMap { Self.values(of: "code_verifier", in: $0) }
            for hidden in [Self.secret, Self.encoded] + verifiers {
                for text in texts { #expect(!text.contains(hidden), "\(text)") }
            }
            #expect(transport.requests.contains { Self.carries($0) }, "the test has something to find")
            #expect(!log.withLock(\.isEmpty))
            #expect(transport.requests.allSatisfy { $0.url.host() == "auth.example" }, "no secret goes elsewhere")
        }
    }

    private static func carries(_ request: HTTPRequest) -> Bool {
        let form = request.body?.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return form.contains(secret) || request.headers[.authorization]?.contains(encoded) == true
    }

    private static func values(of name: String, in request: HTTPRequest) -> [String] {
        let form = request.body?.bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return (FormText.items(of: form) ?? []).filter { $0.name == name }.map(\.value)
    }

    private static func texts<Value>(of value: Value) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return ["\(value)", String(reflecting: value), dumped]
    }
}
