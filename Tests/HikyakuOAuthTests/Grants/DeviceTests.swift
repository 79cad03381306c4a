import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import HikyakuOAuth

struct DeviceTests {
    private static let codeAnswer = #"""
        {"device_code":"d1","user_code":"AB-CD","verification_uri":"https://auth.example/go",
         "verification_uri_complete":"https://auth.example/go?c=AB-CD","expires_in":60,"interval":7}
        """#
    private static let token = #"{"access_token":"a"}"#

    private static func no(_ code: String, status: HTTPStatus = 400) -> MockTransport.Answer {
        .response(.json(#"{"error":"\#(code)"}"#, status: status))
    }

    private static func bench(_ code: String = codeAnswer, _ answers: MockTransport.Answer...) -> Bench {
        Bench(answers: [.response(.json(code))] + answers)
    }

    @Test
    func signInWaitsForThePerson() async throws {
        let bench = Self.bench(Self.codeAnswer, Self.no("authorization_pending"), .response(.json(Self.token)))
        let shown = Lock([OAuthDeviceCode]())
        let token = try await bench.oauth.signInByDevice(scopes: ["b", "a"]) { code in
            shown.withLock { $0.append(code) }
        }
        #expect(token.token.reveal() == "a")
        #expect(token.scopes == ["a", "b"])
        let code = try #require(shown.withLock(\.first))
        #expect(code.userCode == "AB-CD")
        #expect(code.verificationURL.absoluteString == "https://auth.example/go")
        #expect(code.completeVerificationURL?.absoluteString == "https://auth.example/go?c=AB-CD")
        #expect(code.interval == .seconds(7))
        let poll = ["client_id=reader", "grant_type=urn:ietf:params:oauth:grant-type:device_code", "device_code=d1"]
        #expect(try bench.forms == [["client_id=reader", "scope=a b"], poll, poll])
        #expect(bench.clock.waits == [.seconds(7), .seconds(7)])
    }

    @Test
    func slowDownAddsFiveSecondsForGood() async throws {
        let bench = Self.bench(
            Self.codeAnswer,
            Self.no("slow_down"),
            Self.no("authorization_pending"),
            Self.no("slow_down"),
            .response(.json(Self.token)),
        )
        _ = try await bench.oauth.signInByDevice { _ in }
        #expect(bench.clock.waits == [.seconds(7), .seconds(12), .seconds(12), .seconds(17)])
    }

    @Test
    func silenceOfTheServerDoublesTheInterval() async throws {
        let timeout = MockTransport.Answer.failure(TransportError(.connectTimeout, ""))
        let refused = MockTransport.Answer.failure(TransportError(.connectionRefused, ""))
        let tired = MockTransport.Answer.response(HTTPResponse(status: 503))
        let bench = Self.bench(Self.codeAnswer, timeout, tired, refused, .response(.json(Self.token)))
        let error = try await thrown { try await bench.oauth.signInByDevice { _ in } }
        // 7 + 14 + 28 seconds, and then the code's minute is over before the next question.
        #expect(bench.clock.waits == [.seconds(7), .seconds(14), .seconds(28), .seconds(11)])
        #expect(error as? OAuthError == OAuthError(.expiredToken))
        #expect(bench.transport.requests.count == 4)
    }

    @Test func aPauseThatTheServerAsksForIsKept() async throws {
        let busy = MockTransport.Answer.response(HTTPResponse(status: 429, headers: ["Retry-After": "20"]))
        let brief = MockTransport.Answer.response(HTTPResponse(status: 503, headers: ["Retry-After": "1"]))
        let bench = Self.bench(
            Self.codeAnswer.replacing("60", with: "600"),
            busy,
            brief,
            Self.no("authorization_pending"),
            .response(.json(Self.token)),
        )
        _ = try await bench.oauth.signInByDevice { _ in }
        #expect(bench.clock.waits == [.seconds(7), .seconds(20), .seconds(28), .seconds(28)])
    }

    @Test(arguments: ["access_denied", "expired_token", "invalid_grant", "invalid_client", "something_new"])
    func otherAnswersEndIt(word: String) async throws {
        let bench = Self.bench(Self.codeAnswer, Self.no("authorization_pending"), Self.no(word))
        #expect(try await code { try await bench.oauth.signInByDevice { _ in } } == .init(word))
        #expect(bench.transport.requests.count == 3)
    }

    @Test
    func codeEndsByItself() async throws {
        let pending = [MockTransport.Answer](repeating: Self.no("authorization_pending"), count: 100)
        let bench = Bench(answers: [.response(.json(Self.codeAnswer))] + pending)
        #expect(try await code { try await bench.oauth.signInByDevice { _ in } } == .expiredToken)
        #expect(bench.transport.requests.count == 1 + 8)
        #expect(bench.clock.waits.reduce(.zero, +) == .seconds(60))
    }

    @Test
    func waitingIsCancelledAtOnce() async throws {
        let transport = MockTransport()
        transport.enqueue(.json(Self.codeAnswer))
        let clock = ManualClock()
        let oauth = OAuthClient(
            server: Bench.server,
            application: OAuthApplication(id: "reader"),
            client: APIClient(transport: transport),
            clock: clock,
        )
        let task = Task { try await oauth.signInByDevice { _ in } }
        try #require(try await holds { clock.pendingCount != 0 })
        task.cancel()
        let error = try await thrown { try await task.value }
        #expect(error is CancellationError)
        #expect(clock.pendingCount == 0)
        #expect(transport.requests.count == 1)
    }

    /// In the pause before a poll, and in the wait for the end of the code.
    @Test(.timeLimit(.minutes(1)), arguments: [(0, 3), (57, 2)])
    func aDeadlineEndsTheWait(passed: Int, seconds: Int) async throws {
        let transport = MockTransport()
        transport.enqueue(.json(Self.codeAnswer))
        let clock = ManualClock()
        let oauth = OAuthClient(
            server: Bench.server,
            application: OAuthApplication(id: "reader"),
            client: APIClient(transport: transport, options: ClientOptions(clock: clock)),
            clock: clock,
        )
        let code = try await oauth.deviceCode()
        clock.advance(by: .seconds(passed))
        let before = clock.pendingCount
        let task = Task {
            try await CallDeadline.within(.seconds(seconds), clock: clock) { try await oauth.token(for: code) }
        }
        try #require(try await holds { clock.pendingCount != before })
        clock.advance(by: .seconds(seconds))
        let error = try await thrown { _ = try await task.value }
        #expect((error as? APIError<OAuthError>)?.reason == .deadline)
        #expect(transport.requests.count == 1)
    }

    @Test(arguments: [
        ("", 5, 1800), (#","interval":0,"expires_in":0"#, 5, 1800), (#","interval":-3,"expires_in":-3"#, 5, 1800),
        (#","interval":"9","expires_in":"90""#, 9, 90), (#","interval":0.1"#, 1, 1800),
        (#","interval":1e300,"expires_in":1e300"#, 600, 86_400), (#","interval":null,"expires_in":[]"#, 5, 1800),
    ])
    func timesAreBounded(members: String, interval: Int, lifetime: Int) async throws {
        let bench = Self.bench(
            #"{"device_code":"d","user_code":"u","verification_uri":"https://a.example"\#(members)}"#
        )
        let code = try await bench.oauth.deviceCode()
        #expect(code.interval == .seconds(interval))
        #expect(bench.clock.now.duration(to: code.expiresAt) == .seconds(lifetime))
    }

    @Test(arguments: [
        "{}", #"{"device_code":"","user_code":"u","verification_uri":"https://a.example"}"#,
        #"{"device_code":"d","user_code":7,"verification_uri":"https://a.example"}"#,
        #"{"device_code":"d","user_code":"\#(String(repeating: "u", count: 9000))","verification_uri":"https://a.example"}"#,
    ])
    func whatIsNotACodeIsADecodingFailure(json: String) async throws {
        let error = try await thrown { try await Self.bench(json).oauth.deviceCode() }
        #expect((error as? APIError<OAuthError>)?.phase == .decoding)
    }

    @Test(arguments: ["http://evil.example/go", "javascript:alert(1)", "file:///etc/passwd", "/go"])
    func unsafePageIsNotShown(url: String) async throws {
        let json = #"{"device_code":"d","user_code":"u","verification_uri":"\#(url)"}"#
        let reason = try await problem { try await Self.bench(json).oauth.deviceCode() }
        #expect(reason == .insecureEndpoint || reason == .malformedEndpoint)
        let other =
            #"{"device_code":"d","user_code":"u","verification_url":"https://a.example","verification_uri_complete":"\#(url)"}"#
        let code = try await Self.bench(other).oauth.deviceCode()
        #expect(code.completeVerificationURL == nil)
    }

    @Test
    func codesArePrintable() async throws {
        let json = #"{"device_code":"hunter2","user_code":"u\u001b[2J","verification_uri":"https://a.example"}"#
        let code = try await Self.bench(json).oauth.deviceCode()
        #expect(code.userCode == "u\u{FFFD}[2J")
        var text = "\(code)"
        dump(code, to: &text)
        #expect(!text.contains("hunter2"))
    }

    @Test
    func applicationWithASecretSendsItsNameToo() async throws {
        let bench = Bench(authentication: .basic(secret: "s"), answers: [.response(.json(Self.codeAnswer))])
        _ = try await bench.oauth.deviceCode()
        #expect(try bench.forms == [["client_id=reader"]])
        #expect(bench.transport.requests.first?.headers[.authorization] != nil)
    }
}
