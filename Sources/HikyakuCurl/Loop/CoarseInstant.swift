#if os(Linux)
import Glibc

/// An instant of the system's coarse clock: read within a few nanoseconds, and a few milliseconds behind at most.
///
/// It is what timeouts are measured by; the clock stands still while the machine sleeps.
struct CoarseInstant: Comparable {
    var nanoseconds: Int64

    static var now: CoarseInstant {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return CoarseInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Later than everything.
    static let never = CoarseInstant(nanoseconds: .max)

    static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

    /// The instant so many nanoseconds later; ``never`` where that can't be reckoned with.
    func advanced(by nanoseconds: Int64) -> CoarseInstant {
        let (sum, isOver) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return isOver ? .never : CoarseInstant(nanoseconds: sum)
    }

    /// How many milliseconds there are until then, rounded up, and with what the clock may be behind.
    func milliseconds(from now: CoarseInstant) -> Double {
        guard self != .never else { return .infinity }
        return max(0, (Double(nanoseconds) - Double(now.nanoseconds)) / 1_000_000).rounded(.up) + 4
    }
}

extension Duration {
    /// The nanoseconds, at least 0; the largest number for what is far enough away to stand for ever.
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 9_000_000_000 else { return .max }
        return seconds < 0 ? 0 : max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
#endif
