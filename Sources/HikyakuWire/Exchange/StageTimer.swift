#if os(Linux)
import CSSL
import Glibc
import HikyakuHTTP

/// How long an exchange may stay in its stage, once it has a connection.
///
/// Noting progress is one store; whether the time is up is checked only when it may be.
struct StageTimer {
    /// How far the exchange is.
    enum Stage {
        case sending
        /// The body is held back until the server agrees to it, which ends by itself.
        case expecting
        /// The whole request was sent, and no byte of a response came.
        case waiting
        case receiving
    }

    /// The timeouts in nanoseconds.
    struct Limits {
        let connect: Int64
        let firstByte: Int64
        let idle: Int64
        let expectation: Int64

        init(_ timeouts: TransportTimeouts) {
            connect = timeouts.connect.clampedNanoseconds
            firstByte = timeouts.firstByte.clampedNanoseconds
            idle = timeouts.idle.clampedNanoseconds
            expectation = min(timeouts.expectation.clampedNanoseconds, firstByte)
        }

        /// The limits of most requests, computed once.
        private static let usual = Limits(usualTimeouts)
        private static let usualTimeouts = TransportTimeouts()

        static func of(_ timeouts: TransportTimeouts) -> Limits {
            timeouts == usualTimeouts ? usual : Limits(timeouts)
        }

        /// The shortest time after which any stage can time out.
        var shortest: Int64 { min(firstByte, idle) }
    }

    let limits: Limits
    private(set) var stage = Stage.sending
    private var lastMove: Int64 = 0

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Begins to count, unless there was progress before.
    mutating func begin(at now: Int64) {
        if lastMove == 0 { lastMove = now }
    }

    mutating func move(to stage: Stage, at now: Int64) {
        self.stage = stage
        lastMove = now
    }

    /// Notes that a part of the request was sent, or all of it; a response that has begun stays in its stage.
    mutating func sent(isWhole: Bool, at now: Int64) {
        if stage == .receiving { move(at: now) } else { move(to: isWhole ? .waiting : .sending, at: now) }
    }

    /// Notes progress in the same stage, or the end of a pause that doesn't count.
    mutating func move(at now: Int64) { lastMove = now }

    /// When the present stage times out.
    var end: Int64 {
        let limit =
            switch stage {
            case .waiting: limits.firstByte
            case .expecting: limits.expectation
            case .sending, .receiving: limits.idle
            }
        return Nanoseconds.sum(lastMove, limit)
    }

    /// Why the exchange ends when the time is up.
    var reason: FailureReason { stage == .waiting ? .firstByteTimeout : .idleTimeout }
}

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
