import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Several processes with one store.
@Suite(.timeLimit(.minutes(10)))
struct SharedStoreTests {
    private typealias Fixture = RefreshFixture

    @Test func theLoserOfARaceTakesWhatTheWinnerHasWritten() async throws {
        let fixture = Fixture()
        fixture.enqueue { [store = fixture.store] _ in
            store.put(Fixture.token("theirs"))
            throw Fixture.Unwilling()
        }
        #expect(try await fixture.token() == "theirs", "and nobody hears of the refusal")
        #expect(fixture.store.log == ["load", "load"])
        #expect(fixture.refreshCount == 1)
    }

    @Test func theLoserOfARaceRecoversWhenTheWinnerWritesLate() async throws {
        let fixture = Fixture()
        await #expect(throws: Fixture.Unwilling.self) { try await fixture.token() }
        await #expect(throws: Fixture.Unwilling.self) { try await fixture.token() }
        fixture.store.put(Fixture.token("theirs"))
        #expect(try await fixture.token() == "theirs")
        #expect(fixture.refreshCount == 1, "the store was read, and the service left alone")
    }

    @Test func twoProvidersOfOneRotatingTokenBothGoOn() async throws {
        let store = WatchedStore(Fixture.token("old", endsIn: -1))
        let spent = Lock<Set<String>>([])
        let gate = Gate()
        let make: @Sendable (Bool) -> RefreshingToken = { isFirst in
            RefreshingToken(store: store, options: RefreshOptions(now: { Fixture.start })) { (old: IssuedToken) in
                let refreshToken = try #require(old.refreshToken).reveal()
                let isFresh = spent.withLock { $0.insert(refreshToken).inserted }
                guard isFresh else { throw Fixture.Unwilling() }
                if isFirst { await gate.wait() }
                return Fixture.token("new")
            }
        }
        let (winner, loser) = (make(true), make(false))
        async let won = winner.token(for: .shop)
        try #require(try await holds { !spent.withLock({ $0.isEmpty }) })
        await #expect(throws: Fixture.Unwilling.self) { try await loser.token(for: .shop) }
        gate.open()
        #expect(try await won.value?.reveal() == "new")
        #expect(try await loser.token(for: .shop).value?.reveal() == "new")
    }

    @Test func whatAnotherProcessDidDuringARefreshIsNotUndone() async throws {
        for theirs in [nil, Fixture.token("theirs")] {
            let fixture = Fixture()
            fixture.enqueueAtGate(Fixture.token("new"))
            let caller = Task { try await fixture.token() }
            try await fixture.waitForRefreshes(1)
            fixture.store.put(theirs)
            fixture.gate.open()
            #expect(try await caller.value == theirs?.token.reveal())
            #expect(fixture.store.token == theirs)
            #expect(fixture.store.log == ["load", "load"], "what the refresh has brought is never written")
            #expect(try await fixture.token() == theirs?.token.reveal())
            #expect(fixture.refreshCount == 1)
        }
    }

    @Test func aTokenOfAnotherProcessThatHasEndedIsRefreshedInItsTurn() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("dropped"))
        fixture.enqueue(Fixture.token("new"))
        let caller = Task { try await fixture.token() }
        try await fixture.waitForRefreshes(1)
        fixture.store.put(Fixture.token("theirs", endsIn: -1))
        fixture.gate.open()
        #expect(try await caller.value == "new")
        #expect(fixture.state.withLock { $0.replaced.last??.refreshToken } == Secret("r-theirs"))
        #expect(fixture.store.token == Fixture.token("new"))
    }

    @Test func aStoreThatCannotBeReadAfterARefreshGetsTheToken() async throws {
        let fixture = Fixture()
        fixture.enqueue { [store = fixture.store] _ in
            store.failNext(1)
            return Fixture.token("new")
        }
        #expect(try await fixture.token() == "new")
        #expect(fixture.store.token == Fixture.token("new"))
        #expect(fixture.storeFailures.count == 1)
    }

    @Test func aTokenThatWasRejectedBeforeAnythingWasLoadedIsRefreshed() async throws {
        let fixture = Fixture(Fixture.token("old"))
        fixture.enqueue(Fixture.token("new"))
        #expect(try await fixture.token(replacing: "old") == "new")
    }

    @Test func signingInInAnotherProcessSignsInHere() async throws {
        let fixture = Fixture(nil)
        #expect(try await fixture.token() == nil)
        fixture.store.put(Fixture.token("theirs"))
        #expect(try await fixture.token() == "theirs")
        try await fixture.provider.signOut()
        #expect(try await fixture.token() == nil)
        fixture.store.put(Fixture.token("theirs again"))
        #expect(try await fixture.token() == "theirs again")
    }

    @Test func aTokenThatNothingRefreshesIsReplacedByWhatAnotherProcessSignsInFor() async throws {
        let fixture = Fixture(Fixture.token("old", endsIn: 100, refreshToken: nil))
        fixture.clock.advance(by: .seconds(100))
        await #expect(throws: TokenError.expired) { try await fixture.token() }
        fixture.store.put(Fixture.token("theirs"))
        #expect(try await fixture.token() == "theirs")
    }

    @Test func aRejectedTokenThatCannotBeRefreshedIsReadFromTheStore() async throws {
        let fixture = Fixture(Fixture.token("old", refreshToken: nil))
        #expect(try await fixture.token() == "old")
        #expect(try await fixture.token(replacing: "old") == nil)
        fixture.store.put(Fixture.token("theirs"))
        #expect(try await fixture.token(replacing: "old") == "theirs")
    }

    @Test func signingOutHoldsEvenIfTheStoreCannotBeWritten() async throws {
        let fixture = Fixture(Fixture.token("old"))
        #expect(try await fixture.token() == "old")
        fixture.store.put(Fixture.token("theirs"))
        fixture.store.failNext(1)
        await #expect(throws: WatchedStore.Fault.self) { try await fixture.provider.signOut() }
        #expect(try await fixture.token() == nil, "what was there before is not new")
        #expect(try await fixture.token() == nil)
    }

    @Test func aStoreThatCannotBeReadAfterAFailureIsReported() async throws {
        let fixture = Fixture()
        fixture.enqueue { [store = fixture.store] _ in
            store.failNext(1)
            throw Fixture.Unwilling()
        }
        await #expect(throws: Fixture.Unwilling.self) { try await fixture.token() }
        #expect(fixture.storeFailures.count == 1)
    }

    @Test func aFailureThatPassesAtOnceStillEndsTheCall() async throws {
        let fixture = Fixture { $0.backOff = .zero }
        fixture.enqueue { _ in throw TransportError(.networkUnreachable, "") }
        fixture.enqueue(Fixture.token("new"))
        await #expect(throws: TransportError.self) { try await fixture.token() }
        #expect(fixture.refreshCount == 1)
        fixture.clock.advance(by: .zero)
        #expect(try await fixture.token() == "new")
    }
}
