/// Makes the timings of one call of its events.
final class TimingsRecorder: EventObserver {
    fileprivate struct Record: Sendable {
        var exchange: UInt64 = 0
        /// The latest event of the way to the connection; nothing was waited for before the first of a later one.
        var step: ContinuousClock.Instant?
        var ready: ContinuousClock.Instant?
        var sent: ContinuousClock.Instant?
        var firstByte: ContinuousClock.Instant?
        var timings = CallTimings(total: .zero)
    }

    private let record = Lock(Record())

    func observe(_ event: TransportEvent) {
        record.withLock { record in
            if case .began = event.kind { record = Record(exchange: event.exchange) }
            if event.exchange == record.exchange { record.take(event) }
        }
    }

    /// The call's last exchange; 0 where there was none.
    var exchange: UInt64 { record.withLock(\.exchange) }

    func timings(total: Duration) -> CallTimings {
        var timings = record.withLock { $0.timings }
        timings.total = total
        return timings
    }
}

extension Optional<TimingsRecorder> {
    /// What was recorded, with the call's whole time.
    func timings(total: Duration) -> CallTimings {
        self?.timings(total: total) ?? CallTimings(total: total)
    }
}

extension TimingsRecorder.Record {
    fileprivate mutating func take(_ event: TransportEvent) {
        switch event.kind {
        case .began: step = event.instant
        case .dequeued: timings.queued = nextStep(event)
        case .nameFound: timings.nameLookup = nextStep(event)
        case .connected: timings.connect = nextStep(event)
        case .secured: timings.tls = nextStep(event)
        case .ready(let isReused, let protocolName): takeReady(event, isReused, protocolName)
        case .requestSent: (sent, timings.request) = (event.instant, ready?.duration(to: event.instant))
        case .firstByte: (firstByte, timings.firstByte) = (event.instant, sent?.duration(to: event.instant))
        case .ended: timings.body = firstByte?.duration(to: event.instant)
        case .bytesSent(let count, _): timings.bytesSent = count
        case .bytesReceived(let count, _): timings.bytesReceived = count
        case .drifted: break
        }
    }

    private mutating func nextStep(_ event: TransportEvent) -> Duration? {
        defer { step = event.instant }
        return step?.duration(to: event.instant)
    }

    private mutating func takeReady(_ event: TransportEvent, _ isReused: Bool, _ protocolName: String) {
        ready = event.instant
        step = event.instant
        timings.isConnectionReused = isReused
        timings.protocolName = protocolName
    }
}
