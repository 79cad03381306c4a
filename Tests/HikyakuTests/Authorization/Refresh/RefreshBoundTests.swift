import Foundation
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Refreshes and timers that come late, or never.
@Suite(.timeLimit(.minutes(10)))
struct RefreshBoundTests {
    private typealias Fixture = RefreshFixture

    @Test func aRefreshThatNeverEndsIsGivenUp() async throws {
        let fixture = Fixture()
        fixture.enqueueAtGate(Fixture.token("late"))
        fixture.enqueue(Fixture.token("new"))
        let caller = Task { try await fixture.token() }
        try await fixture.waitForRefreshes(1)
        try await fixture.waitForBound()
        fixture.clock.advance(by: .seconds(60) - .milliseconds(1))
        #expect(fixture.provider.state.withLock { $0.machine.waiters.count } == 1)
        fixture.clock.advance(by: .milliseconds(1))
        await #expect {
            try await caller.value
        } throws: {
            ($0 as? TransportError)?.reason == .refreshTimeout
        }
        await #expect(throws: TransportError.self) { try await fixture.token() }
        fixture.clock.advance(by: .seconds(10))
        #expect(try await fixture.token() == "new")
        fixture.gate.open()
        try await fixture.waitForRest()
        #expect(fixture.store.token == Fixture.token("new"), "what came too late is dropped")
        #expect(try await fixture.token() == "new")
    }

    @Test func withoutABoundARefreshTakesItsTime() async throws {
        let fixture = Fixture { $0.refreshTimeout = nil }
        fixture.enqueueAtGate(Fixture.token("new", endsIn: 100_000))
        let caller = Task { try await fixture.token() }
        try await fixture.waitForRefreshes(1)
        #expect(fixture.clock.pendingCount == 0)
        fixture.clock.advance(by: .seconds(10_000))
        fixture.gate.open()
        #expect(try await caller.value == "new")
    }

    @Test func aRefreshThatWaitsForItselfInADetachedTaskEnds() async throws {
        let fixture = Fixture()
        fixture.enqueue { [weak fixture] _ in
            let token = try await Task.detached { try await fixture?.token() }.value
            return Fixture.token(token ?? "none")
        }
        let caller = Task { try await fixture.token() }
        try await fixture.waitForCallers(2)
        try await fixture.waitForBound()
        fixture.clock.advance(by: .seconds(60))
        await #expect(throws: TransportError.self) { try await caller.value }
    }

    @Test func aTaskThatARefreshStartsIsPartOfIt() async throws {
        let fixture = Fixture()
        fixture.enqueue { [weak fixture] _ in
            let token = try await Task { try await fixture?.token() }.value
            return Fixture.token(token ?? "none")
        }
        await #expect(throws: TokenError.refreshNeedsItself) { try await fixture.token() }
    }

    @Test func aPauseThatComesLateKeepsTheNextOne() async throws {
        let fixture = Fixture()
        for _ in 0..<2 { fixture.enqueue { _ in throw TransportError(.networkUnreachable, "") } }
        fixture.enqueue(Fixture.token("new"))
        await #expect(throws: TransportError.self) { try await fixture.token() }
        let first = try #require(fixture.provider.state.withLock { $0.machine.lastFailure?.number })
        fixture.clock.advance(by: .seconds(10))
        await #expect(throws: TransportError.self) { try await fixture.token() }
        fixture.provider.pause(first)
        fixture.clock.advance(by: .seconds(10))
        #expect(try await fixture.token() == "new")
    }

    @Test func aFailedStoreIsReportedOnOneLineWithoutItsText() async throws {
        struct Leak: Error { let token = "hunter2" }
        let text = "Hikyaku: the token store failed, and may hold a used token: "
        #expect(RefreshOptions.storeFailureLine(Leak()) == text + "Leak")
        let error = try #require(
            await #expect(throws: StoreFileError.self) {
                try await FileTokenStore(path: "/nowhere/at\nall").save(Fixture.token("hunter2"))
            }
        )
        let line = RefreshOptions.storeFailureLine(error)
        #expect(line.hasPrefix(text + "StoreFileError: the token file /nowhere/at"))
        #expect(!line.contains("\n") && !line.contains("hunter2"))
    }

    @Test func nothingIsLeftOfARefresh() async throws {
        let fixture = Fixture(nil, issues: true)
        for number in 0..<300 {
            fixture.enqueue(Fixture.token("t\(number)", endsIn: -1))
            #expect(try await fixture.token() == "t\(number)")
        }
        try #require(try await holds { fixture.clock.pendingCount == 0 })
        try #require(try await holds { fixture.provider.state.withLock({ $0.refreshes.isEmpty && $0.bounds.isEmpty }) })
    }
}
