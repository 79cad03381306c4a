import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// The rules of a subscription, which Combine's adapter only carries out.
@Suite struct CallDeliveryTests {
    private enum Event: CaseIterable { case demand, noDemand, started, settled, delivered, cancel }

    /// What a delivery says to each of several events.
    private func answers(_ events: [Event]) -> [Bool] {
        var delivery = CallDelivery()
        return events.map { event in
            switch event {
            case .demand: delivery.demand(isPositive: true)
            case .noDemand: delivery.demand(isPositive: false)
            case .started: delivery.started()
            case .settled: delivery.settled()
            case .delivered: delivery.delivered()
            case .cancel: delivery.cancel()
            }
        }
    }

    @Test func theFirstDemandStartsTheCall() {
        #expect(answers([.noDemand, .demand, .demand, .started, .demand]) == [false, true, false, false, false])
    }

    @Test func theOutcomeIsSentOnce() {
        #expect(answers([.demand, .started, .settled, .delivered]) == [true, false, true, true])
        #expect(
            answers([.demand, .started, .settled, .settled, .delivered, .delivered]).suffix(4) == [
                true, false, true, false,
            ]
        )
    }

    @Test func aCallMayEndWhileItIsBeingStarted() {
        #expect(answers([.demand, .settled, .started, .delivered]) == [true, true, false, true])
    }

    @Test func aCancellationCancelsTheCallAndSendsNothing() {
        #expect(answers([.demand, .started, .cancel, .settled, .delivered]) == [true, false, true, false, false])
        #expect(answers([.cancel, .demand, .started]) == [false, false, true])
    }

    @Test func aCallThatIsBeingStartedIsCancelledAfterwards() {
        #expect(answers([.demand, .cancel, .started, .settled]) == [true, false, true, false])
    }

    @Test func aReceiverThatCancelsGetsNoCompletion() {
        #expect(answers([.demand, .started, .settled, .cancel, .delivered]) == [true, false, true, false, false])
    }

    @Test func aCancellationAfterTheEndChangesNothing() {
        #expect(
            answers([.demand, .started, .settled, .delivered, .cancel, .cancel, .demand]).suffix(3) == [
                false, false, false,
            ]
        )
    }

    /// In whatever order: at most one call is started, its outcome is sent once, and nothing after a cancellation.
    @Test func noOrderOfEventsBreaksARule() {
        var sequences: [[Event]] = [[]]
        for _ in 0..<6 { sequences = sequences.flatMap { head in Event.allCases.map { head + [$0] } } }
        for events in sequences {
            let answers = answers(events)
            let done = zip(events, answers).filter(\.1).map(\.0)
            #expect(done.count { $0 == .demand } <= 1 && done.count { $0 == .settled } <= 1, "\(events)")
            #expect(done.count { $0 == .delivered } <= 1, "\(events)")
            guard let cancelled = events.firstIndex(of: .cancel) else { continue }
            let later = zip(events, answers).dropFirst(cancelled + 1).filter(\.1).map(\.0)
            #expect(!later.contains(.demand) && !later.contains(.settled) && !later.contains(.delivered), "\(events)")
        }
    }
}
