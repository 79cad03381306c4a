#if os(Linux)
import Glibc

/// Nanoseconds of the system's monotonic clock, which stops while the machine sleeps; timeouts use it.
enum Nanoseconds {
    /// The coarse clock, which is read within a few nanoseconds and is at most a few milliseconds behind.
    static var coarseNow: Int64 { read(CLOCK_MONOTONIC_COARSE) }

    static var now: Int64 { read(CLOCK_MONOTONIC) }

    /// An instant so much later; `Int64.max`, which never comes, if the sum overflows.
    static func sum(_ instant: Int64, _ more: Int64) -> Int64 {
        let (sum, isOver) = instant.addingReportingOverflow(more)
        return isOver ? .max : sum
    }

    /// How many milliseconds to wait until then, including the delay of the coarse clock; -1 means no limit.
    static func milliseconds(until instant: Int64, from now: Int64) -> Int32 {
        guard instant != .max else { return -1 }
        let left = max(instant - now, 0)
        return left == 0 ? 0 : Int32(min((left + 999_999) / 1_000_000 + 4, 3_600_000))
    }

    private static func read(_ clock: Int32) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// The nanoseconds, at least 0; the largest number for durations that mean no limit.
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 3_000_000_000 else { return .max }
        return seconds < 0 ? 0 : max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
#endif
