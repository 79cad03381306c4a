import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

@testable import HikyakuOAuth

/// A server of whom nothing is there but what a test scripts.
struct Bench {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let server = OAuthServer(
        issuer: "https://auth.example",
        authorizationEndpoint: "https://auth.example/authorize",
        tokenEndpoint: "https://auth.example/token",
        deviceAuthorizationEndpoint: "https://auth.example/device",
        revocationEndpoint: "https://auth.example/revoke",
    )

    let transport = MockTransport()
    let clock = JumpingClock()
    var oauth: OAuthClient

    init(
        _ server: OAuthServer = Bench.server,
        authentication: OAuthApplication.Authentication = .none,
        answers: [MockTransport.Answer] = [],
    ) {
        oauth = OAuthClient(
            server: server,
            application: OAuthApplication(id: "reader", authentication: authentication),
            client: APIClient(transport: transport, options: ClientOptions(retryPolicy: .never)),
            clock: clock,
            date: { Bench.now },
        )
        for answer in answers { transport.enqueue(answer) }
    }

    init(json first: String, _ others: String..., status: HTTPStatus = .ok) {
        self.init(answers: ([first] + others).map { .response(.json($0, status: status)) })
    }

    /// The forms that were sent, in their order, as `name=value`.
    var forms: [[String]] {
        get throws {
            try transport.requests.map { request in
                let text = String(decoding: try #require(request.body?.bytes), as: UTF8.self)
                return try #require(FormText.items(of: text)).map { "\($0.name)=\($0.value)" }
            }
        }
    }
}

/// A clock that advances to the time that a caller waits for, so that waiting takes no time.
final class JumpingClock: HTTPClock {
    private struct State {
        var now = ContinuousClock.now
        var waits: [Duration] = []
    }

    private let state = Lock(State())

    var now: ContinuousClock.Instant { state.withLock(\.now) }
    /// What was waited, in order.
    var waits: [Duration] { state.withLock(\.waits) }

    func schedule(
        at instant: ContinuousClock.Instant,
        _ action: @escaping @Sendable () -> Void,
    ) -> HTTPClockTimer {
        state.withLock { state in
            state.waits.append(state.now.duration(to: instant))
            state.now = max(state.now, instant)
        }
        action()
        return HTTPClockTimer {}
    }
}

/// Runs what must throw, and returns what it throws.
func thrown<Value>(
    by work: () async throws -> Value,
    sourceLocation: SourceLocation = #_sourceLocation,
) async throws -> any Error {
    do {
        _ = try await work()
    } catch {
        return error
    }
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    throw NothingThrown()
}

struct NothingThrown: Error {}

/// The reason of what must be thrown as a problem.
func problem<Value>(
    of work: () async throws -> Value,
    sourceLocation: SourceLocation = #_sourceLocation,
) async throws -> OAuthProblem.Reason {
    let error = try await thrown(by: work, sourceLocation: sourceLocation)
    return try #require(error as? OAuthProblem, "\(error)", sourceLocation: sourceLocation).reason
}

/// The code of what the server must have said, wherever it is.
func code<Value>(
    of work: () async throws -> Value,
    sourceLocation: SourceLocation = #_sourceLocation,
) async throws -> OAuthError.Code {
    let error = try await thrown(by: work, sourceLocation: sourceLocation)
    return try #require(OAuthError(in: error), "\(error)", sourceLocation: sourceLocation).code
}
