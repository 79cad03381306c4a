import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// A refreshing token whose time, store and service are in the test's hands.
final class RefreshFixture: Sendable {
    /// What the service does when another token is requested.
    typealias Answer = @Sendable (IssuedToken?) async throws -> IssuedToken

    struct Unwilling: Error {}

    struct State {
        var answers: [Answer] = []
        var replaced: [IssuedToken?] = []
        var storeFailures: [any Error] = []
    }

    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let environment = APIEnvironment.shop

    let clock = ManualClock()
    let store: WatchedStore
    let state = Lock(State())
    /// Holds the refresh until it is opened, where the test wants that.
    let gate = Gate()
    private let begin: ContinuousClock.Instant
    let provider: RefreshingToken

    init(
        _ stored: IssuedToken? = RefreshFixture.token("old", endsIn: -1),
        issues: Bool = false,
        _ change: (inout RefreshOptions) -> Void = { _ in },
    ) {
        store = WatchedStore(stored)
        begin = clock.now
        var options = RefreshOptions(clock: clock)
        options.now = { [clock, begin] in
            Self.start.addingTimeInterval(begin.duration(to: clock.now) / .seconds(1))
        }
        options.onStoreFailure = { [state] error in state.withLock { $0.storeFailures.append(error) } }
        change(&options)
        let refresh: Answer = { [state] old in
            let answer: Answer? = state.withLock { state in
                state.replaced.append(old)
                return state.answers.isEmpty ? nil : state.answers.removeFirst()
            }
            guard let answer else { throw Unwilling() }
            return try await answer(old)
        }
        provider =
            issues
            ? RefreshingToken.issued(in: store, options: options, by: refresh)
            : RefreshingToken(store: store, options: options, refresh: refresh)
    }

    /// Seconds from the beginning; `nil` for a token whose end isn't known.
    static func token(_ name: String, endsIn seconds: TimeInterval? = 3600, refreshToken: String? = "r") -> IssuedToken
    {
        IssuedToken(
            token: Secret(name),
            refreshToken: refreshToken.map { Secret("\($0)-\(name)") },
            expiresAt: seconds.map { start.addingTimeInterval($0) },
        )
    }

    /// Answers the next refresh.
    func enqueue(_ answer: @escaping Answer) {
        state.withLock { $0.answers.append(answer) }
    }

    func enqueue(_ token: IssuedToken) {
        enqueue { _ in token }
    }

    /// Answers the next refresh when the gate is opened.
    func enqueueAtGate(_ token: IssuedToken) {
        enqueue { [gate] _ in
            await gate.wait()
            return token
        }
    }

    /// How long the test has gone on by its clock.
    var seconds: Int { Int(begin.duration(to: clock.now) / .seconds(1)) }

    var refreshCount: Int { state.withLock { $0.replaced.count } }
    var storeFailures: [any Error] { state.withLock { $0.storeFailures } }

    /// The token's text; `nil` where there is none.
    func token() async throws -> String? {
        try await provider.token(for: Self.environment).value?.reveal()
    }

    /// The replacement of a rejected token.
    func token(replacing name: String) async throws -> String? {
        let refused = try AccessToken(name).ready(.required, scopes: [])
        return try await provider.token(replacing: refused, for: Self.environment)?.value?.reveal()
    }

    /// Returns when that many callers wait.
    func waitForCallers(_ count: Int) async throws {
        try #require(try await holds { provider.state.withLock({ $0.machine.waiters.count }) == count })
    }

    /// Returns when the service has received that many requests.
    func waitForRefreshes(_ count: Int) async throws {
        try #require(try await holds { refreshCount >= count })
    }

    /// Returns when the refresh that is under way can't take for ever any more.
    func waitForBound() async throws {
        try #require(try await holds { !provider.state.withLock({ $0.bounds.isEmpty }) })
    }

    /// Returns when nothing is under way.
    func waitForRest() async throws {
        let rests = try await holds {
            provider.state.withLock { $0.machine.work == .none && $0.machine.storeTasks.isEmpty }
        }
        try #require(rests)
    }
}

/// A store that records its calls, and fails where a test sets it.
final class WatchedStore: TokenStore {
    struct Fault: Error {}

    private struct State {
        var token: IssuedToken?
        var log: [String] = []
        var faultCount = 0
        var heldLine: String?
    }

    private let state: Lock<State>

    init(_ token: IssuedToken?) {
        state = Lock(State(token: token))
    }

    var log: [String] { state.withLock { $0.log } }
    var token: IssuedToken? { state.withLock { $0.token } }

    /// As another process would.
    func put(_ token: IssuedToken?) { state.withLock { $0.token = token } }

    func failNext(_ count: Int) { state.withLock { $0.faultCount = count } }

    /// Holds what would log that line; `nil` lets it go on.
    func hold(on line: String?) { state.withLock { $0.heldLine = line } }

    func save(_ token: IssuedToken) async throws {
        try await note("save \(token.token.reveal())")
        state.withLock { $0.token = token }
    }

    func load() async throws -> IssuedToken? {
        try await note("load")
        return state.withLock { $0.token }
    }

    func remove() async throws {
        try await note("remove")
        state.withLock { $0.token = nil }
    }

    private func note(_ line: String) async throws {
        try state.withLock { state in
            state.log.append(line)
            guard state.faultCount > 0 else { return }
            state.faultCount -= 1
            throw Fault()
        }
        // It goes on when its caller is cancelled.
        try #require(try await Task { try await holds { state.withLock({ $0.heldLine != line }) } }.value)
    }
}
