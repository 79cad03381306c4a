#if os(Linux)
import CCurl
import HikyakuHTTP

/// Keeps the time of all transfers in flight, at the cost of a comparison a turn.
///
/// What happens only ever makes a transfer's time end later. So those in flight are looked through when the first of
/// the ends that were seen has come, and not before.
final class StageWatch {
    /// The present turn's time, where the callbacks find it; touched only by the loop's driver.
    private let clock: UnsafeMutablePointer<CoarseInstant>
    private var due = CoarseInstant.never
    private var limits = StageTimer.Limits(TransportTimeouts())
    private var timeouts = TransportTimeouts()

    /// How long it is at least from one look through all to the next.
    private static let pause: Int64 = 5_000_000

    init() {
        clock = .allocate(capacity: 1)
        clock.initialize(to: .now)
    }

    deinit {
        clock.deallocate()
    }

    /// Begins a turn.
    func readClock() {
        clock.pointee = .now
    }

    /// Whether the time of a transfer may be over.
    var isDue: Bool { due <= clock.pointee }

    /// How long the loop may wait.
    var millisecondsLeft: Double { due.milliseconds(from: clock.pointee) }

    func begin(_ handle: EasyHandle, _ exchange: Exchange) {
        if exchange.options.timeouts != timeouts {
            timeouts = exchange.options.timeouts
            limits = StageTimer.Limits(timeouts)
        }
        readClock()
        due = min(due, handle.transfer.pointee.keepTime(limits, by: clock))
    }

    /// Those whose time is over, with what to say of it.
    func overdue(among handles: [EasyHandle]) -> [(EasyHandle, Exchange, TransportError)] {
        let now = clock.pointee
        due = .never
        var overdue: [(EasyHandle, Exchange, TransportError)] = []
        for handle in handles {
            // Nobody waits any more for one whose name is still looked up.
            guard let exchange = handle.transfer.pointee.exchange, exchange.isWaiting else { continue }
            switch handle.verdict(at: now) {
            case .goesOn(let instant):
                due = min(due, max(instant, now.advanced(by: Self.pause)))
            case .expired(let reason):
                overdue.append((handle, exchange, handle.timeoutError(reason, of: exchange)))
            }
        }
        return overdue
    }

    /// Those whose names are looked up for too long.
    ///
    /// They are ended before libcurl sees the time itself: it would let go of the thread that looks the name up, and
    /// make room for the next one.
    func overdueLookUps(among handles: [EasyHandle]) -> [(EasyHandle, Exchange, TransportError)] {
        handles.compactMap { handle in
            guard handle.transfer.pointee.isLookingUp, let exchange = handle.transfer.pointee.exchange,
                exchange.isWaiting, handle.transfer.pointee.timer.isConnectOver(at: clock.pointee)
            else { return nil }
            return (handle, exchange, handle.timeoutError(.connectTimeout, of: exchange))
        }
    }
}

extension EasyHandle {
    fileprivate func verdict(at now: CoarseInstant) -> StageTimer.Verdict {
        var timer = transfer.pointee.timer
        defer { transfer.pointee.timer = timer }
        let (isHeldBack, isLookingUp) = (transfer.pointee.isHeldBack, transfer.pointee.isLookingUp)
        return timer.verdict(at: now, isHeldBack: isHeldBack, isLookingUp: isLookingUp) {
            let bytesSent = offset(CURLINFO_SIZE_UPLOAD_T)
            let sending = transfer.pointee.sending
            return StageTimer.Sending(
                bytesSent: bytesSent,
                isOut: sending.isWhole && bytesSent >= sending.bytesTaken,
                microsecondsToFirstByte: offset(CURLINFO_STARTTRANSFER_TIME_T),
            )
        }
    }

    /// Whether the transfer went over a connection that takes several at a time.
    var isMultiplexed: Bool { number(CURLINFO_HTTP_VERSION) >= Int(CURL_HTTP_VERSION_2_0) }

    func offset(_ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        _ = hikyaku_curl_get_offset(pointer, info, &value)
        return Int(value)
    }
}

extension EasyHandle {
    fileprivate func timeoutError(_ reason: FailureReason, of exchange: Exchange) -> TransportError {
        let timeouts = exchange.options.timeouts
        let text =
            switch reason {
            case .connectTimeout where transfer.pointee.isLookingUp: "the name wasn't found within \(timeouts.connect)"
            case .connectTimeout: "no connection within \(timeouts.connect)"
            case .firstByteTimeout: "no byte of a response within \(timeouts.firstByte)"
            default: "silence for \(timeouts.idle)"
            }
        return TransportError(reason, "\(exchange.hostAndPort): \(text)")
    }
}

extension RequestQueue.Limits {
    init(_ options: CurlOptions) {
        self.init(
            perOriginMax: options.connectionsPerHostMax,
            inFlightMax: options.requestsInFlightMax,
            queuedMax: options.queuedRequestsMax,
        )
    }
}
#endif
