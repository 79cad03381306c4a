#if os(Linux)
import Foundation
import Hikyaku
import HikyakuBase
import Testing

@testable import HikyakuOAuth

/// Device codes against a server whose decisions are Authlib's; the second question counts as too early there.
@Suite(.enabled(if: AuthorizationServer.isInstalled, "run scripts/setup test"), .timeLimit(.minutes(10)))
struct DeviceServerTests {
    private let clock = JumpingClock()

    private func answer(_ answer: String, to code: OAuthDeviceCode) async throws {
        let environment = try await AuthorizationServer.shared.environment
        try await APIClient().send(Activation(environment: environment, userCode: code.userCode, answer: answer))
    }

    @Test(arguments: [
        ("public", OAuthApplication.Authentication.none), ("basic:1", .basic(secret: "s3cret: +&%é")),
        ("post", .post(secret: "s3cret: +&%é")),
    ])
    func theUserApproves(id: String, authentication: OAuthApplication.Authentication) async throws {
        let server = try await AuthorizationServer.shared
        let oauth = try await server.oauth(id, authentication, clock: clock)
        let token = try await oauth.signInByDevice(scopes: ["read"]) { code in
            #expect(code.userCode.wholeMatch(of: /[A-Z]{4}-[A-Z]{4}/) != nil)
            #expect(code.verificationURL.absoluteString == "\(server.issuer)/activate")
            #expect(code.completeVerificationURL?.query() == "user_code=\(code.userCode)")
            try await answer("yes", to: code)
        }
        #expect(token.scopes == ["read"])
        #expect(clock.waits == [.seconds(5)])
        let me = try await APIClient().send(Me(environment: server.environment).authorized(by: token.accessToken))
        #expect(me == Me.Response(user: "hermes", scope: "read"))
    }

    @Test
    func theUserDenies() async throws {
        let oauth = try await AuthorizationServer.shared.oauth(clock: clock)
        let error = try await code {
            try await oauth.signInByDevice { try await answer("no", to: $0) }
        }
        #expect(error == .accessDenied)
    }

    @Test
    func personTakesTheirTime() async throws {
        // After the first question, which is answered by "pending", and the second, by "slow down".
        let slow = AnsweringClock(after: 3)
        let oauth = try await AuthorizationServer.shared.oauth(clock: slow)
        let shown = Lock<OAuthDeviceCode?>(nil)
        slow.act {
            if let code = shown.withLock(\.self) { try? await answer("yes", to: code) }
        }
        let token = try await oauth.signInByDevice { code in shown.withLock { $0 = code } }
        #expect(token.refreshToken != nil)
        #expect(slow.waits == [.seconds(5), .seconds(5), .seconds(10)])
    }

    @Test
    func personNeverAnswers() async throws {
        let oauth = try await AuthorizationServer.shared.oauth(clock: clock)
        let error = try await code { try await oauth.signInByDevice { _ in } }
        #expect(error == .expiredToken)
        #expect(clock.waits.reduce(.zero, +) == .seconds(1800))
    }

    @Test
    func codeIsForOneApplication() async throws {
        let code = try await AuthorizationServer.shared.oauth(clock: clock).deviceCode()
        let other = try await AuthorizationServer.shared.oauth("post", .post(secret: "s3cret: +&%é"), clock: clock)
        try await answer("yes", to: code)
        let error = try await HikyakuOAuthTests.code { try await other.token(for: code) }
        #expect(error == .unauthorizedClient)
    }
}

/// A clock that goes on by itself, and has something done before one of its waits ends.
private final class AnsweringClock: HTTPClock {
    private let inner = JumpingClock()
    private let number: Int
    private let deed = Lock<(@Sendable () async -> Void)?>(nil)

    init(after number: Int) {
        self.number = number
    }

    var now: ContinuousClock.Instant { inner.now }
    var waits: [Duration] { inner.waits }

    func act(_ deed: @escaping @Sendable () async -> Void) {
        self.deed.withLock { $0 = deed }
    }

    func schedule(
        at instant: ContinuousClock.Instant,
        _ action: @escaping @Sendable () -> Void,
    ) -> HTTPClockTimer {
        let timer = inner.schedule(at: instant) {}
        guard inner.waits.count == number, let deed = deed.withLock(\.self) else {
            action()
            return timer
        }
        Task {
            await deed()
            action()
        }
        return timer
    }
}
#endif
