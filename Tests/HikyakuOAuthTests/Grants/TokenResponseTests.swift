import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

struct TokenResponseTests {
    private func token(_ json: String, requested: Set<String> = []) async throws -> IssuedToken {
        try await Bench(json: json).oauth.clientCredentials(scopes: requested)
    }

    @Test
    func allMembersOfTheResponseAreKept() async throws {
        let token = try await token(
            #"""
            {"access_token": "a1", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r1",
             "scope": "write read", "id_token": "i.d.t", "example": {"x": []}}
            """#
        )
        #expect(token.token.reveal() == "a1")
        #expect(token.scheme == "Bearer")
        #expect(token.refreshToken?.reveal() == "r1")
        #expect(token.expiresAt == Bench.now.addingTimeInterval(3600))
        #expect(token.scopes == ["read", "write"])
        #expect(token.idToken?.reveal() == "i.d.t")
    }

    @Test(
        arguments: [
            ("", nil), (#","expires_in":null"#, nil), (#","expires_in":60"#, 60), (#","expires_in":60.5"#, 60.5),
            (#","expires_in":"3600""#, 3600), (#","expires_in":"1e3""#, nil), (#","expires_in":"soon""#, nil),
            (#","expires_in":"""#, nil), (#","expires_in":" 5""#, nil), (#","expires_in":"1.2.3""#, nil),
            (#","expires_in":0"#, nil), (#","expires_in":-1"#, nil), (#","expires_in":"-1""#, nil),
            (#","expires_in":1e300"#, 3_153_600_000), (#","expires_in":99999999999999999999999"#, 3_153_600_000),
            (#","expires_in":"99999999999999999999999""#, 3_153_600_000), (#","expires_in":true"#, nil),
            (#","expires_in":[60]"#, nil), (#","expires_in":{}"#, nil), (#","expires_in":1e999"#, nil),
        ] as [(String, Double?)]
    )
    func lifetimeIsReadAsServersWriteIt(member: String, seconds: Double?) async throws {
        let token = try await token(#"{"access_token":"a","token_type":"bearer"\#(member)}"#)
        #expect(token.expiresAt == seconds.map { Bench.now.addingTimeInterval($0) })
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER", "bEaReR"])
    func typeIsComparedWithoutCase(type: String) async throws {
        #expect(try await token(#"{"access_token":"a","token_type":"\#(type)"}"#).scheme == "Bearer")
    }

    @Test
    func missingTypeIsBearer() async throws {
        #expect(try await token(#"{"access_token":"a"}"#).scheme == "Bearer")
    }

    @Test
    func otherTypesAreSentAsTheClientSays() async throws {
        let bench = Bench(json: #"{"access_token":"a","token_type":"bot"}"#)
        let oauth = OAuthClient(
            server: Bench.server,
            application: OAuthApplication(id: "reader"),
            client: APIClient(transport: bench.transport),
            tokenTypes: ["bearer": "Bearer", "bot": "Bot"],
        )
        #expect(try await oauth.clientCredentials().scheme == "Bot")
    }

    /// What the error says is for the app that signs in, which sees no type of this module.
    @Test(arguments: [
        #"{"data":{"access_token":"a"}}"#, #"{"ok":true,"authed_user":{"access_token":"a"}}"#,
        "access_token=a&scope=repo&token_type=bearer", "[]", "",
    ])
    func aResponseOfAnotherFormSaysSo(body: String) async throws {
        let error = try await thrown { try await token(body) }
        let text = "\(error)"
        #expect(text.contains("answers with a JSON object that has an access_token"), "\(text)")
        #expect(!text.contains("KeyedResponse") && !text.contains("TextResponse"), "\(text)")
    }

    @Test(arguments: [
        (
            #"{"error":{"message":"Invalid code","type":"OAuthException","code":190}}"#, "OAuthException",
            "Invalid code",
        ),
        (#"{"error":{"message":"Invalid code"}}"#, "error", "Invalid code"),
    ])
    func anObjectInPlaceOfTheCodeIsRead(body: String, code: String, details: String) async throws {
        let bench = Bench(json: body, status: 400)
        let error = try await thrown { try await bench.oauth.clientCredentials() }
        #expect(OAuthError(in: error) == OAuthError(.init(code), details: details))
    }

    /// Registered codes are shown, and a service's own are not.
    @Test
    func logsShowTheCodesOfTheStandards() async throws {
        for (code, isShown) in [("invalid_scope", true), ("login_required", true), ("ada_is_locked", false)] {
            let bench = Bench(json: #"{"error":"\#(code)"}"#, status: 400)
            let error = try await thrown { try await bench.oauth.clientCredentials() }
            #expect("\(error)".contains(", code \(code)") == isShown)
        }
    }

    @Test(arguments: ["mac", "DPoP", "", "Bearer2"])
    func otherTypeIsRejected(type: String) async throws {
        let reason = try await problem { try await token(#"{"access_token":"a","token_type":"\#(type)"}"#) }
        #expect(reason == .unsupportedTokenType)
    }

    @Test(
        arguments: [
            (#","scope":"a b  c ""#, [], ["a", "b", "c"]), (#","scope":"""#, ["x"], ["x"]),
            (#","scope":"a,b, c""#, [], ["a", "b", "c"]), (#","scope":["a","b"]"#, [], ["a", "b"]),
            // The server has refused one of them, or names one in another form.
            (#","scope":"a""#, ["a", "b"], ["a"]), (#","scope":" ""#, ["x"], ["x"]), (#","scope":[]"#, [], nil),
            (
                #","scope":"https://a.example/auth/userinfo.email a""#, ["email", "a"],
                ["email", "a", "https://a.example/auth/userinfo.email"],
            ),
            ("", ["x", "y z"], ["x", "y", "z"]),
            (#","scope":null"#, ["x"], ["x"]), ("", [], nil), (#","scope":"a""#, [], ["a"]),
            (#","scope":7"#, ["x"], ["x"]),
        ] as [(String, Set<String>, Set<String>?)]
    )
    func scopesAreThoseOfTheServerOrTheRequested(
        member: String,
        requested: Set<String>,
        scopes: Set<String>?,
    ) async throws {
        let token = try await token(#"{"access_token":"a","token_type":"bearer"\#(member)}"#, requested: requested)
        #expect(token.scopes == scopes)
    }

    @Test(arguments: [
        "{}", #"{"access_token":null}"#, #"{"access_token":""}"#, #"{"access_token":7}"#,
        #"{"access_token":"a b"}"#, #"{"access_token":"a\n"}"#, #"{"access_token":"é"}"#,
        #"{"access_token":"a","refresh_token":"r\u0000"}"#, #"{"access_token":"a","refresh_token":7}"#,
        "[]", "null", "", "token",
    ])
    func whatIsNotATokenIsADecodingFailure(json: String) async throws {
        let error = try await thrown { try await token(json) }
        #expect((error as? APIError<OAuthError>)?.phase == .decoding)
    }

    @Test
    func tokenThatIsTooLongIsNotShown() async throws {
        let text = String(repeating: "hunter2", count: 10_000)
        let error = try await thrown { try await token(#"{"access_token":"\#(text)"}"#) }
        #expect((error as? APIError<OAuthError>)?.reason == .invalidValue)
        let isShown = "\(error)".contains("hunter")
        #expect(!isShown)
    }

    @Test
    func longestTokenIsTaken() async throws {
        let text = String(repeating: "a", count: 65_536)
        let isTaken = try await token(#"{"access_token":"\#(text)"}"#).token.reveal() == text
        #expect(isTaken)
    }

    @Test(arguments: [#","refresh_token":null"#, #","refresh_token":"""#, ""])
    func emptyRefreshTokenIsNone(member: String) async throws {
        #expect(try await token(#"{"access_token":"a"\#(member)}"#).refreshToken == nil)
    }

    @Test(arguments: [301, 302, 307, 308])
    func redirectIsNotFollowed(status: Int) async throws {
        let headers: HTTPHeaders = [.location: "https://evil.example/token"]
        let answer = HTTPResponse(status: HTTPStatus(status), headers: headers, body: .empty)
        let bench = Bench(answers: [.response(answer)])
        let error = try await thrown { try await bench.oauth.clientCredentials() }
        #expect((error as? APIError<OAuthError>)?.response?.status.code == status)
        #expect(bench.transport.requests.count == 1)
    }
}

struct OAuthErrorTests {
    @Test(arguments: [200, 400, 401, 403, 500])
    func answerIsAnErrorWhateverItsStatus(status: Int) async throws {
        let bench = Bench(
            json: #"{"error":"invalid_grant","error_description":"spent","error_uri":"https://a.example/e"}"#,
            status: HTTPStatus(status),
        )
        do {
            _ = try await bench.oauth.clientCredentials()
            Issue.record("nothing was thrown")
        } catch .service(let error, let response) as APIError<OAuthError> {
            #expect(error == OAuthError(.invalidGrant, details: "spent", uri: "https://a.example/e"))
            #expect(response.status.code == status)
        }
    }

    @Test(arguments: [
        #"{"error":7}"#, #"{"error":""}"#, #"{"error":null}"#, #"{"message":"no"}"#,
        "<html>", "", "[1]",
    ])
    func otherAnswersAreNone(body: String) async throws {
        let error = try await thrown { try await Bench(json: body, status: 400).oauth.clientCredentials() }
        #expect((error as? APIError<OAuthError>)?.phase == .unacceptableStatus)
        #expect(OAuthError(in: error) == nil)
    }

    @Test
    func serversWordsAreBoundedAndPrintable() {
        let long = String(repeating: "x", count: 10_000)
        let error = OAuthError(.init(long), details: "a\u{1B}[2J\u{202E}" + long, uri: "b\r\n" + long)
        #expect(error.code.rawValue.count == 64)
        #expect(error.details?.hasPrefix("a\u{FFFD}[2J\u{FFFD}xxx") == true)
        #expect(error.details?.count == 501)
        #expect(error.uri?.hasPrefix("b\u{FFFD}\u{FFFD}xxx") == true)
    }

    @Test
    func descriptionShowsTheCodeAlone() {
        var text = ""
        let error = OAuthError(.invalidGrant, details: "the code hunter2 is spent", uri: "https://a.example/hunter2")
        dump(error, to: &text)
        text += "\(error) \(String(reflecting: error)) \(error.localizedDescription) \(error.recoverySuggestion ?? "")"
        #expect(text.contains("invalid_grant"))
        #expect(!text.contains("hunter2"))
        #expect("\(OAuthError(.init("T0ken")))" == "the authorization server responded with an unknown error")
    }

    @Test
    func errorIsFoundWhereverItIs() throws {
        let error = OAuthError(.accessDenied)
        let failure = APIError<OAuthError>.service(error, BufferedResponse(status: 400))
        let inner = TransportError(.expiredToken, "", underlyingError: failure)
        let context = CallContext(underlyingError: inner)
        let outer = APIError<ProblemDetails>.unauthorized(CallFailure(.expiredToken, message: "", context: context))
        #expect(OAuthError(in: error) == error)
        #expect(OAuthError(in: failure) == error)
        #expect(OAuthError(in: inner) == error)
        #expect(OAuthError(in: outer) == error)
        #expect(OAuthError(in: CancellationError()) == nil)
        #expect(OAuthError(in: TransportError(.other, "")) == nil)
    }
}
