#if os(Linux)
import Glibc

/// Nanoseconds of the system's clock that stands still while the machine sleeps: what timeouts are measured by.
enum Nanoseconds {
    /// Read within a few nanoseconds, and a few milliseconds behind at most.
    static var coarseNow: Int64 { read(CLOCK_MONOTONIC_COARSE) }

    static var now: Int64 { read(CLOCK_MONOTONIC) }

    /// An instant so much later; `Int64.max`, which never comes, where that can't be reckoned with.
    static func sum(_ instant: Int64, _ more: Int64) -> Int64 {
        let (sum, isOver) = instant.addingReportingOverflow(more)
        return isOver ? .max : sum
    }

    /// How many milliseconds to wait until then, with what the coarse clock may be behind; -1 means no limit.
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
    /// The nanoseconds, at least 0; the largest number for what is far enough away to stand for ever.
    var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        guard seconds < 3_000_000_000 else { return .max }
        return seconds < 0 ? 0 : max(0, seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
#endif
