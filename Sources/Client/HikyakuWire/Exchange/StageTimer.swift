#if os(Linux)
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
#endif
