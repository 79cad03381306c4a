import Foundation
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10)))
struct RefreshingTokenTests {
    private typealias Fixture = RefreshFixture

    @Test func fiftyCallsCauseOneRefresh() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("new"))
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try await fixture.token() } }
            try await fixture.waitForCallers(50)
            try await fixture.waitForRefreshes(1)
            fixture.gate.open()
            var tokens: [String?] = []
            for try await token in group { tokens.append(token) }
            #expect(tokens == Array(repeating: "new", count: 50))
        }
        #expect(fixture.refreshCount == 1)
        #expect(fixture.store.log == ["load", "load", "save new"], "a look before and after, and nothing more")
        #expect(fixture.state.withLock { $0.replaced } == [Fixture.token("old", endsIn: -1)])
    }

    @Test func aTokenThatIsRejectedIsRefreshedOnce() async throws {
        let fixture = Fixture(Fixture.token("old", endsIn: nil))
        fixture.enqueueAtGate(Fixture.token("new", endsIn: nil))
        #expect(try await fixture.token() == "old", "without an end, it is used until it is refused")
        fixture.clock.advance(by: .seconds(1_000_000))
        #expect(try await fixture.token() == "old")
        async let first = fixture.token(replacing: "old")
        async let second = fixture.token(replacing: "old")
        try await fixture.waitForCallers(2)
        fixture.gate.open()
        #expect(try await [first, second] == ["new", "new"])
        #expect(try await fixture.token(replacing: "old") == "new", "it was replaced meanwhile")
        #expect(try await fixture.token(replacing: "older") == "new")
        #expect(fixture.refreshCount == 1)
    }

    @Test func aCancelledCallerEndsAloneAndAtOnce() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("new"))
        let cancelled = Task { try await fixture.token() }
        let other = Task { try await fixture.token() }
        try await fixture.waitForCallers(2)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(fixture.provider.state.withLock { $0.machine.waiters.count } == 1)
        fixture.gate.open()
        #expect(try await other.value == "new")
    }

    @Test func aRefreshContinuesWithoutWaitingCalls() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("new"))
        let cancelled = Task { try await fixture.token() }
        try await fixture.waitForRefreshes(1)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        fixture.gate.open()
        try await fixture.waitForRest()
        #expect(fixture.store.token == Fixture.token("new"))
        #expect(try await fixture.token() == "new")
        #expect(fixture.refreshCount == 1)
    }

    @Test func aCallerThatIsCancelledBeforehandEnds() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("new"))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await fixture.token()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        fixture.gate.open()
        try await fixture.waitForRest()
    }

    @Test func aFinalFailureIsNotRepeatedUntilTheTokenChanges() async throws {
        let fixture = Fixture()
        for _ in 0..<3 {
            await #expect(throws: Fixture.Unwilling.self) { try await fixture.token() }
            await #expect(throws: Fixture.Unwilling.self) { try await fixture.token(replacing: "old") }
            fixture.clock.advance(by: .seconds(1000))
        }
        #expect(fixture.refreshCount == 1)
        try await fixture.provider.signIn(Fixture.token("other", endsIn: 10_000))
        #expect(try await fixture.token() == "other")
        #expect(fixture.refreshCount == 1)
    }

    @Test func aPassingFailureIsTriedAgainAfterAPause() async throws {
        let fixture = Fixture()
        fixture.enqueue { _ in throw TransportError(.networkUnreachable, "") }
        fixture.enqueue(Fixture.token("new"))
        for _ in 0..<3 {
            await #expect { try await fixture.token() } throws: { error in
                (error as? TransportError)?.reason == .networkUnreachable
            }
        }
        fixture.clock.advance(by: .milliseconds(9999))
        await #expect(throws: TransportError.self) { try await fixture.token() }
        #expect(fixture.refreshCount == 1)
        fixture.clock.advance(by: .milliseconds(1))
        #expect(fixture.refreshCount == 1, "only a call tries again")
        #expect(try await fixture.token() == "new")
        #expect(fixture.refreshCount == 2)
    }

    @Test func aPauseEndsForItsOwnFailureAlone() async throws {
        let fixture = Fixture()
        fixture.enqueue { _ in throw TransportError(.networkUnreachable, "") }
        await #expect(throws: TransportError.self) { try await fixture.token() }
        try await fixture.provider.signIn(Fixture.token("other", endsIn: -1))
        await #expect(throws: Fixture.Unwilling.self) { try await fixture.token() }
        fixture.clock.advance(by: .seconds(10))
        await #expect(throws: Fixture.Unwilling.self) { try await fixture.token() }
        #expect(fixture.refreshCount == 2)
    }

    @Test func theStoreIsWrittenBeforeAnyoneGetsTheToken() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("new"))
        let caller = Task { try await fixture.token() }
        try await fixture.waitForRefreshes(1)
        fixture.store.hold(on: "save new")
        fixture.gate.open()
        try #require(try await holds { fixture.store.log == ["load", "load", "save new"] })
        #expect(fixture.provider.state.withLock { $0.machine.waiters.count } == 1, "it waits for the store")
        fixture.store.hold(on: nil)
        #expect(try await caller.value == "new")
    }

    @Test func aTokenThatCannotBeSavedIsUsedAndTheFailureIsReported() async throws {
        let fixture = Fixture()
        fixture.enqueue { [store = fixture.store] _ in
            store.failNext(2)
            return Fixture.token("new")
        }
        #expect(try await fixture.token() == "new")
        #expect(fixture.store.log == ["load", "load", "save new"])
        #expect(fixture.storeFailures.count == 2 && fixture.storeFailures.allSatisfy { $0 is WatchedStore.Fault })
        #expect(fixture.store.token == Fixture.token("old", endsIn: -1))
        #expect(try await fixture.token() == "new")
    }

    @Test func aStoreThatCannotBeReadEndsTheCallAndIsReadAgain() async throws {
        let fixture = Fixture(Fixture.token("old"))
        fixture.store.failNext(1)
        await #expect(throws: WatchedStore.Fault.self) { try await fixture.token() }
        #expect(try await fixture.token() == "old")
        #expect(fixture.storeFailures.isEmpty, "the caller has heard of it")
    }

    @Test func membersThatARefreshOmitsAreKept() async throws {
        var old = Fixture.token("old", endsIn: -1)
        old.scopes = ["read"]
        old.idToken = Secret("id")
        let fixture = Fixture(old)
        fixture.enqueue(IssuedToken(token: Secret("new")))
        let token = try await fixture.provider.token(for: .shop)
        #expect(token.scopes == ["read"])
        #expect(fixture.store.token?.refreshToken == Secret("r-old"))
        #expect(fixture.store.token?.idToken == Secret("id"))
    }

    @Test func whatOneProcessRefreshesAnotherTakes() async throws {
        let fixture = Fixture(Fixture.token("old", endsIn: 100))
        #expect(try await fixture.token() == "old")
        fixture.clock.advance(by: .seconds(100))
        fixture.store.put(Fixture.token("theirs"))
        #expect(try await fixture.token() == "theirs")
        #expect(fixture.refreshCount == 0)
        fixture.clock.advance(by: .seconds(3600))
        fixture.store.put(Fixture.token("theirs too", endsIn: 3000))
        fixture.enqueue(Fixture.token("ours", endsIn: 9000))
        #expect(try await fixture.token() == "ours")
        #expect(
            fixture.state.withLock { $0.replaced.map { $0?.refreshToken } } == [Secret("r-theirs too")],
            "the newest refresh token is sent, and no older one",
        )
    }

    @Test func whatAnotherProcessMakesOfASignInIsTaken() async throws {
        let fixture = Fixture(nil)
        try await fixture.provider.signIn(Fixture.token("ours", endsIn: 100))
        fixture.store.put(Fixture.token("theirs"))
        fixture.clock.advance(by: .seconds(100))
        #expect(try await fixture.token() == "theirs")
        #expect(fixture.refreshCount == 0)
    }

    @Test func signingOutInAnotherProcessSignsOutHere() async throws {
        let fixture = Fixture(Fixture.token("old", endsIn: 100))
        #expect(try await fixture.token() == "old")
        fixture.clock.advance(by: .seconds(100))
        fixture.store.put(nil)
        #expect(try await fixture.token() == nil)
        #expect(fixture.refreshCount == 0)
    }

    @Test func aTokenThatNothingRefreshesEnds() async throws {
        let fixture = Fixture(Fixture.token("old", endsIn: 100, refreshToken: nil))
        #expect(try await fixture.token() == "old")
        #expect(try await fixture.token(replacing: "old") == nil, "the caller gets its response")
        #expect(try await fixture.token() == "old", "one 401 doesn't end a session that nothing could bring back")
        fixture.clock.advance(by: .seconds(100))
        await #expect(throws: TokenError.expired) { try await fixture.token() }
        #expect(try await fixture.token(replacing: "old") == nil)
        #expect(fixture.refreshCount == 0)
    }

    @Test func aTokenThatIsIssuedAgainAsItWasIsNotSentAgain() async throws {
        let fixture = Fixture(Fixture.token("old"))
        fixture.enqueue(Fixture.token("old"))
        #expect(try await fixture.token(replacing: "old") == nil)
        #expect(try await fixture.token() == "old")
        #expect(fixture.refreshCount == 1)
    }

    @Test func tokensThatNeedNoRefreshTokenAreIssued() async throws {
        let fixture = Fixture(nil, issues: true)
        fixture.enqueue(Fixture.token("first", refreshToken: nil))
        fixture.enqueue(Fixture.token("second", refreshToken: nil))
        fixture.enqueue(Fixture.token("third", refreshToken: nil))
        #expect(try await fixture.token() == "first")
        fixture.clock.advance(by: .seconds(60))
        #expect(try await fixture.token(replacing: "first") == "second")
        try await fixture.provider.signOut()
        #expect(fixture.store.token == nil)
        #expect(try await fixture.token() == "third")
        let replaced = fixture.state.withLock { $0.replaced.map { $0?.token.reveal() } }
        #expect(replaced == [nil, "first", nil])
    }
}
