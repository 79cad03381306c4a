#if os(Linux)
import CSSL
import Glibc
import HikyakuHTTP

/// How long an exchange may stay where it is, once it has a connection.
///
/// Noting that something moved is one store; whether the time is up is only looked at when it may be.
struct StageTimer {
    /// How far the exchange is.
    enum Stage {
        case sending
        /// All of the request is out, and no byte of a response came.
        case waiting
        case receiving
    }

    /// The timeouts in nanoseconds.
    struct Limits {
        let connect: Int64
        let firstByte: Int64
        let idle: Int64

        init(_ timeouts: TransportTimeouts) {
            connect = timeouts.connect.clampedNanoseconds
            firstByte = timeouts.firstByte.clampedNanoseconds
            idle = timeouts.idle.clampedNanoseconds
        }

        /// Those that most requests have, reckoned once.
        private static let usual = Limits(usualTimeouts)
        private static let usualTimeouts = TransportTimeouts()

        static func of(_ timeouts: TransportTimeouts) -> Limits {
            timeouts == usualTimeouts ? usual : Limits(timeouts)
        }

        /// The least that passes before any stage with a connection can be over.
        var shortest: Int64 { min(firstByte, idle) }
    }

    let limits: Limits
    private(set) var stage = Stage.sending
    private var lastMove: Int64 = 0

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Begins to count where nothing has moved yet.
    mutating func begin(at now: Int64) {
        if lastMove == 0 { lastMove = now }
    }

    mutating func move(to stage: Stage, at now: Int64) {
        self.stage = stage
        lastMove = now
    }

    /// Notes that a part of the request was sent, or all of it; a response that comes meanwhile goes on.
    mutating func sent(isWhole: Bool, at now: Int64) {
        if stage == .receiving { move(at: now) } else { move(to: isWhole ? .waiting : .sending, at: now) }
    }

    /// Notes progress in the same stage, or the end of a pause that doesn't count.
    mutating func move(at now: Int64) { lastMove = now }

    /// When the time is up as things are.
    var end: Int64 {
        Nanoseconds.sum(lastMove, stage == .waiting ? limits.firstByte : limits.idle)
    }

    /// Why the exchange ends when the time is up.
    var reason: FailureReason { stage == .waiting ? .firstByteTimeout : .idleTimeout }
}

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
