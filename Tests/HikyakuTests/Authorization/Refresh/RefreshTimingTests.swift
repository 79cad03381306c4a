import Foundation
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// When a token counts as ended, and when it is refreshed ahead.
@Suite(.timeLimit(.minutes(10)))
struct RefreshTimingTests {
    private typealias Fixture = RefreshFixture

    /// Life of a token in seconds, whether it was issued here, and how long it is given.
    private static let leeways: [(TimeInterval, Bool, Int)] = [
        (3600, true, 3570), (3600, false, 3570), (60, true, 30), (40, true, 20), (40, false, 10), (1, true, 0),
    ]

    @Test(arguments: leeways)
    func theLeewayIsAtMostHalfOfALifeThatIsKnown(life: TimeInterval, isIssuedHere: Bool, seconds: Int) async throws {
        let token = Fixture.token("old", endsIn: life)
        let fixture = Fixture(isIssuedHere ? nil : token)
        if isIssuedHere { try await fixture.provider.signIn(token) }
        fixture.enqueue(Fixture.token("new", endsIn: 10_000))
        fixture.clock.advance(by: .seconds(seconds) - .milliseconds(1))
        #expect(try await fixture.token() == "old")
        fixture.clock.advance(by: .seconds(isIssuedHere && life == 1 ? 1 : 0) + .milliseconds(1))
        #expect(try await fixture.token() == "new")
    }

    @Test func aTokenIssuedExpiredIsUsedForTheWaitingCalls() async throws {
        let fixture = Fixture()
        fixture.enqueue(Fixture.token("first", endsIn: -5))
        fixture.enqueue(Fixture.token("second", endsIn: -5))
        #expect(try await fixture.token() == "first")
        #expect(try await fixture.token() == "second")
        #expect(fixture.refreshCount == 2)
    }

    private static let dates: [Double] = [
        .nan, .infinity, -.infinity, 1e300, -1e300, Date.distantFuture.timeIntervalSince1970,
    ]

    @Test(arguments: dates)
    func noDateIsTooMuch(seconds: Double) async throws {
        var token = Fixture.token("old")
        token.expiresAt = Date(timeIntervalSince1970: seconds)
        let fixture = Fixture(token) { $0.proactiveRefresh = .seconds(60) }
        fixture.enqueue(Fixture.token("new", endsIn: 100_000))
        #expect(try await fixture.token() == (seconds < 0 ? "new" : "old"))
        try await fixture.provider.signIn(token)
        fixture.clock.advance(by: .seconds(1))
        try await fixture.waitForRest()
    }

    @Test func noDurationIsTooMuch() async throws {
        for duration in [Duration.seconds(-1), .zero, .seconds(Int64.max)] {
            let fixture = Fixture(nil) {
                $0.leeway = duration
                $0.proactiveRefresh = duration
                $0.backOff = duration
            }
            try await fixture.provider.signIn(Fixture.token("old", endsIn: 100))
            #expect(try await fixture.token() == "old")
            fixture.enqueue { _ in throw CancellationError() }
            await #expect(throws: CancellationError.self) { try await fixture.token(replacing: "old") }
        }
    }

    @Test func aTokenIsRefreshedAheadWhileCallsGoOnWithIt() async throws {
        let fixture = Fixture(Fixture.token("old")) { $0.proactiveRefresh = .seconds(60) }
        #expect(try await fixture.token() == "old")
        fixture.enqueueAtGate(Fixture.token("new", endsIn: 7200))
        fixture.clock.advance(by: .seconds(3600 - 30 - 60) - .milliseconds(1))
        #expect(fixture.provider.state.withLock { $0.machine.work == .none })
        fixture.clock.advance(by: .milliseconds(1))
        try await fixture.waitForRefreshes(1)
        #expect(try await fixture.token() == "old", "nobody waits")
        fixture.gate.open()
        try await fixture.waitForRest()
        #expect(try await fixture.token() == "new")
        #expect(fixture.refreshCount == 1)
    }

    @Test func anUnusedTokenIsNotRefreshedProactively() async throws {
        let fixture = Fixture(nil) { $0.proactiveRefresh = .seconds(60) }
        try await fixture.provider.signIn(Fixture.token("old"))
        #expect(fixture.clock.pendingCount == 1)
        fixture.clock.advance(by: .seconds(3600 - 31))
        #expect(fixture.clock.pendingCount == 0)
        #expect(fixture.provider.state.withLock { $0.machine.work == .none })
        fixture.enqueue(Fixture.token("new", endsIn: 7200))
        #expect(try await fixture.token() == "old", "but the call that uses it so late has it refreshed")
        try await fixture.waitForRefreshes(1)
        try await fixture.waitForRest()
        #expect(try await fixture.token() == "new")
    }

    @Test func aFailedProactiveRefreshHasNoEffectBeforeExpiry() async throws {
        let fixture = Fixture(Fixture.token("old")) { $0.proactiveRefresh = .seconds(60) }
        #expect(try await fixture.token() == "old")
        fixture.clock.advance(by: .seconds(3600 - 60))
        try await fixture.waitForRefreshes(1)
        try await fixture.waitForRest()
        #expect(try await fixture.token() == "old")
        fixture.clock.advance(by: .seconds(30))
        await #expect(throws: Fixture.Unwilling.self) { try await fixture.token() }
        #expect(fixture.refreshCount == 1)
    }

    @Test func aTimerKeepsNoProviderAndGoesWithIt() async throws {
        let clock = ManualClock()
        weak var gone: RefreshingToken?
        do {
            let options = RefreshOptions(proactiveRefresh: .seconds(60), clock: clock, now: { Fixture.start })
            let provider = RefreshingToken(store: WatchedStore(nil), options: options) { $0 }
            gone = provider
            try await provider.signIn(Fixture.token("t"))
            #expect(clock.pendingCount == 1)
        }
        try #require(try await holds { gone == nil })
        #expect(clock.pendingCount == 0)
    }

    private static let failures: [(any Error, Bool)] = [
        (TransportError(.connectionReset, ""), true), (TransportError(.deadline, ""), true),
        (TransportError(.queueFull, ""), true), (CancellationError(), true),
        (TransportError(.missingToken, ""), false), (TransportError(.url, ""), false),
        (TokenError.missing, false), (NothingThrown(), false),
    ]

    @Test(arguments: failures.indices)
    func failuresAreDistinguished(index: Int) {
        let (error, isTransient) = Self.failures[index]
        #expect(RefreshOptions.isTransient(error) == isTransient, "\(error)")
    }

    private static let statuses: [(HTTPStatus, Bool)] = [
        (400, false), (401, false), (403, false), (404, false), (408, true), (429, true), (500, true), (503, true),
    ]

    @Test(arguments: statuses)
    func statusesAreDistinguished(status: HTTPStatus, isTransient: Bool) async throws {
        for body in [#"{"message":"no"}"#, ""] {
            let client = APIClient(transport: MockTransport { _ in .json(body, status: status) })
            let error = try await failure { () async throws(APIError<ShopError>) in
                try await client.send(Shop.DishByID(id: "1"))
            }
            #expect(RefreshOptions.isTransient(error) == isTransient)
        }
    }
}
