/// When the attempts of one call, and its waits, began and ended.
///
/// It has no clock. Waits of less than a millisecond are dropped: nobody looks for them.
package struct CallJournal: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// How an attempt ended.
    package enum Outcome: Sendable, Hashable {
        case status(HTTPStatus)
        case failure(FailureReason)
    }

    package struct Attempt: Sendable {
        package let number: Int
        package let start: Instant
        package var end: Instant?
        package var outcome: Outcome?
    }

    package struct Wait: Sendable {
        package let phase: DeadlineSpending.Phase
        package let start: Instant
        package var end: Instant?
    }

    package private(set) var attempts: [Attempt] = []
    package private(set) var waits: [Wait] = []

    /// More attempts or waits are not recorded.
    static let entriesMax = 100

    private static let waitMin = Duration.milliseconds(1)

    /// Ends the present wait, if there is one, and begins another if the phase is one.
    mutating func enter(_ phase: DeadlineSpending.Phase, at now: Instant) {
        endWait(at: now)
        guard phase != .attempt, phase != .other, waits.count < Self.entriesMax else { return }
        waits.append(Wait(phase: phase, start: now))
    }

    mutating func beginAttempt(_ number: Int, at now: Instant) {
        guard attempts.count < Self.entriesMax else { return }
        attempts.append(Attempt(number: number, start: now))
    }

    /// Records the end of an attempt, unless it is known; without a number, that of the last one.
    mutating func endAttempt(_ number: Int?, _ outcome: Outcome, at now: Instant) {
        let index = attempts.lastIndex { number == nil || $0.number == number }
        guard let index, attempts[index].end == nil else { return }
        attempts[index].end = max(now, attempts[index].start)
        attempts[index].outcome = outcome
    }

    private mutating func endWait(at now: Instant) {
        guard let index = waits.indices.last, waits[index].end == nil else { return }
        // Another thread may have read the clock before the last change and come later.
        if waits[index].start.duration(to: now) < Self.waitMin {
            waits.removeLast()
        } else {
            waits[index].end = now
        }
    }
}
