import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite(.timeLimit(.minutes(10)))
struct SigningInAndOutTests {
    private typealias Fixture = RefreshFixture

    @Test func signingOutEndsARefreshAndDropsWhatComesOfIt() async throws {
        let fixture = Fixture()
        let wasCancelled = Lock(false)
        fixture.enqueue { [gate = fixture.gate] _ in
            await gate.wait()
            wasCancelled.withLock { $0 = Task.isCancelled }
            return Fixture.token("new")
        }
        let caller = Task { try await fixture.provider.token(for: .shop) }
        try await fixture.waitForRefreshes(1)
        try await fixture.provider.signOut()
        let token = try await caller.value
        #expect(throws: TokenError.missing) { try token.ready(for: Shop.AddDish(dish: .sample)) }
        fixture.gate.open()
        try #require(try await holds { wasCancelled.withLock({ $0 }) })
        try await fixture.waitForRest()
        #expect(fixture.store.log == ["load", "remove"], "the new token is never written")
        #expect(fixture.store.token == nil)
        #expect(try await fixture.token() == nil)
        #expect(try await fixture.token(replacing: "old") == nil)
        #expect(fixture.refreshCount == 1)
    }

    @Test func signingInReplacesTheTokenAndWritesTheStore() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("new"))
        let caller = Task { try await fixture.token() }
        try await fixture.waitForRefreshes(1)
        try await fixture.provider.signIn(Fixture.token("other"))
        #expect(try await caller.value == "other")
        #expect(fixture.store.token == Fixture.token("other"))
        fixture.gate.open()
        #expect(try await fixture.token(replacing: "old") == "other")
        #expect(fixture.store.log == ["load", "save other"])
    }

    @Test func signingInWithAnExpiredTokenRefreshesItForWaitingCalls() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("dropped"))
        fixture.enqueue(Fixture.token("new"))
        let caller = Task { try await fixture.token() }
        try await fixture.waitForRefreshes(1)
        try await fixture.provider.signIn(Fixture.token("other", endsIn: -1))
        #expect(try await caller.value == "new")
        #expect(fixture.state.withLock { $0.replaced.last??.refreshToken } == Secret("r-other"))
        fixture.gate.open()
        try await fixture.waitForRest()
        #expect(fixture.store.token == Fixture.token("new"))
    }

    @Test func signingOutWhileTheNewTokenIsSavedRemovesIt() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("new"))
        let caller = Task { try await fixture.token() }
        try await fixture.waitForRefreshes(1)
        fixture.store.hold(on: "save new")
        fixture.gate.open()
        try #require(try await holds { fixture.store.log.last == "save new" })
        let signOut = Task { try await fixture.provider.signOut() }
        #expect(try await caller.value == nil)
        #expect(fixture.store.log.last == "save new", "one thing after the other")
        fixture.store.hold(on: nil)
        try await signOut.value
        #expect(fixture.store.log == ["load", "load", "save new", "remove"])
        #expect(fixture.store.token == nil)
    }

    @Test func aStoreThatCannotBeWrittenIsReportedAndTheTokenIsUsed() async throws {
        let fixture = Fixture(nil)
        fixture.store.failNext(1)
        await #expect(throws: WatchedStore.Fault.self) { try await fixture.provider.signIn(Fixture.token("t")) }
        #expect(try await fixture.token() == "t")
        fixture.store.failNext(1)
        await #expect(throws: WatchedStore.Fault.self) { try await fixture.provider.signOut() }
        #expect(try await fixture.token() == nil)
        #expect(fixture.storeFailures.isEmpty, "the caller has heard of it")
    }

    @Test func whatAFailedSaveLeftInTheStoreIsNotTakenForNews() async throws {
        let fixture = Fixture(Fixture.token("stale", endsIn: 9000))
        fixture.store.failNext(1)
        try? await fixture.provider.signIn(Fixture.token("t", endsIn: 100))
        fixture.clock.advance(by: .seconds(100))
        fixture.enqueue(Fixture.token("new"))
        #expect(try await fixture.token() == "new")
        #expect(fixture.store.token == Fixture.token("new"))
    }

    @Test func aCancelledCallerSignsOutAllTheSame() async throws {
        let fixture = Fixture(Fixture.token("old"))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await fixture.provider.signOut()
        }
        task.cancel()
        try await task.value
        #expect(fixture.store.token == nil)
    }

    @Test func theRefreshMaySignOutItself() async throws {
        let fixture = Fixture()
        fixture.enqueue { [weak fixture] _ in
            try await fixture?.provider.signOut()
            throw Fixture.Unwilling()
        }
        #expect(try await fixture.token() == nil)
        try await fixture.waitForRest()
        #expect(fixture.store.token == nil)
        #expect(fixture.refreshCount == 1)
    }
}
