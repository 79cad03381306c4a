import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

struct ClientAuthenticationTests {
    private static let answer = MockTransport.Answer.response(.json(#"{"access_token":"a"}"#))

    @Test
    func publicApplicationSendsItsName() async throws {
        let bench = Bench(answers: [Self.answer])
        _ = try await bench.oauth.clientCredentials(scopes: ["b", "a"], parameters: ["audience": "x&y", "api": "z"])
        #expect(
            try bench.forms == [
                ["client_id=reader", "grant_type=client_credentials", "scope=a b", "api=z", "audience=x&y"]
            ]
        )
        let request = try #require(bench.transport.requests.first)
        #expect(request.headers[.authorization] == nil)
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "https://auth.example/token")
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.headers[.accept] == "application/json")
    }

    /// The encoding is that of a form, so that a colon can't end the name.
    @Test(arguments: [
        ("reader", "secret", "reader:secret"), ("a:b", "c d", "a%3Ab:c%20d"), ("é", "%&+", "%C3%A9:%25%26%2B"),
        ("a-._~", "", "a-._~:"),
    ])
    func secretGoesIntoAField(id: String, secret: String, pair: String) async throws {
        let transport = MockTransport()
        transport.enqueue(Self.answer)
        let oauth = OAuthClient(
            server: Bench.server,
            application: OAuthApplication(id: id, authentication: .basic(secret: secret)),
            client: APIClient(transport: transport),
        )
        _ = try await oauth.clientCredentials()
        let request = try #require(transport.requests.first)
        #expect(request.headers[.authorization] == "Basic \(Data(pair.utf8).base64EncodedString())")
        #expect(request.headers.first { $0.name == .authorization }?.isSecret == true)
        #expect(request.body?.bytes == Data("grant_type=client_credentials".utf8))
    }

    @Test
    func secretGoesIntoTheForm() async throws {
        let bench = Bench(authentication: .post(secret: "s&t"), answers: [Self.answer])
        _ = try await bench.oauth.clientCredentials()
        #expect(
            try bench.forms == [["client_id=reader", "client_secret=s&t", "grant_type=client_credentials"]]
        )
        #expect(bench.transport.requests.first?.headers[.authorization] == nil)
    }

    @Test(arguments: ["client_id", "grant_type", "scope", "client_secret", "code_verifier", "state"])
    func parametersOfTheGrantCannotBeReplaced(name: String) async throws {
        let bench = Bench(answers: [Self.answer])
        let reason = try await problem { try await bench.oauth.clientCredentials(parameters: [name: "x"]) }
        #expect(reason == .reservedParameter)
        #expect(bench.transport.requests.isEmpty)
    }

    @Test
    func nothingPrintsASecret() async throws {
        let log = Lock("")
        let answer = #"{"access_token":"hunter2-a","refresh_token":"hunter2-r","id_token":"hunter2-i"}"#
        for authentication in [OAuthApplication.Authentication.basic(secret: "hunter2"), .post(secret: "hunter2")] {
            let bench = Bench(authentication: authentication, answers: [.response(.json(answer))])
            let client = APIClient(transport: bench.transport).logging(.bodies) { text in log.withLock { $0 += text } }
            let oauth = OAuthClient(server: Bench.server, application: bench.oauth.application, client: client)
            let token = try await oauth.clientCredentials()
            bench.transport.enqueue(.json(#"{"error":"x","error_description":"hunter2"}"#, status: 400))
            let error = try await thrown { try await oauth.refresh(token) }
            let authorization = try oauth.authorization(redirectURI: "a:/b")
            let secrets = [authorization.state.reveal(), authorization.verifier.reveal()]
            var text = log.withLock(\.self)
            for value in [oauth, oauth.application, token, error, authorization] as [Any] {
                dump(value, to: &text)
                text += "\(value) \(String(reflecting: value))"
            }
            #expect(text.contains("POST https://auth.example/token"))
            for secret in secrets + ["hunter2", Data("reader:hunter2".utf8).base64EncodedString()] {
                #expect(!text.contains(secret))
            }
        }
    }
}
