/// Makes the progress of one call of what its transport tells.
///
/// A call has one from the start, since nobody knows who will ask later; while nobody does, it only counts.
final class ProgressMeter: EventObserver {
    fileprivate struct State: Sendable {
        /// The exchange that is counted: the latest that began.
        var exchange: UInt64 = 0
        var latest: CallProgress?
        var speed = Speed()
        var listeners: [UInt64: Listener] = [:]
        var lastID: UInt64 = 0
        var isOver = false
    }

    fileprivate enum Listener: Sendable {
        case stream(AsyncStream<CallProgress>.Continuation)
        /// The meter of a chain, which this one's call is a part of.
        case chain(ProgressMeter)
    }

    private let state = Lock(State())

    func observe(_ event: TransportEvent) {
        switch event.kind {
        case .began: state.withLock { $0.begin(event.exchange) }
        case .bytesSent(let count, let total): move(.up, count, total, event)
        case .bytesReceived(let count, let total): move(.down, count, total, event)
        default: break
        }
    }

    private func move(_ direction: CallProgress.Direction, _ count: Int, _ total: Int?, _ event: TransportEvent) {
        state.withLock { state in
            guard event.exchange == state.exchange, !state.isOver else { return }
            let progress = state.moved(direction, count, total, at: event.instant)
            state.tell(progress)
        }
    }

    /// The progress from now on, the latest first; whoever is slower than the bytes gets the newest.
    var stream: AsyncStream<CallProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CallProgress.self,
            bufferingPolicy: .bufferingNewest(1),
        )
        guard let id = add(.stream(continuation)) else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in self?.forget(id) }
        return stream
    }

    /// Tells another call's progress as this one's too, until that call is over.
    func relay(_ other: ProgressMeter) {
        other.add(.chain(self))
    }

    /// Gives a listener the latest and what is to come; `nil` where nothing is to come.
    @discardableResult
    private func add(_ listener: Listener) -> UInt64? {
        state.withLock { state in
            if let latest = state.latest { listener.take(latest) }
            guard !state.isOver else { return nil }
            state.lastID += 1
            state.listeners[state.lastID] = listener
            return state.lastID
        }
    }

    fileprivate func take(_ progress: CallProgress) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.latest = progress
            state.tell(progress)
        }
    }

    private func forget(_ id: UInt64) {
        _ = state.withLock { $0.listeners.removeValue(forKey: id) }
    }

    /// Ends all streams, behind what they still have.
    func finish() {
        let listeners = state.withLock { state in
            state.isOver = true
            defer { state.listeners = [:] }
            return state.listeners
        }
        for case .stream(let continuation) in listeners.values { continuation.finish() }
    }
}

extension ProgressMeter.Listener {
    /// Takes one progress, under the lock of whoever tells.
    ///
    /// It only keeps the value, or wakes a task, and so all get them in order; from meter to meter it goes one way, down
    /// the chain.
    fileprivate func take(_ progress: CallProgress) {
        switch self {
        case .stream(let continuation): continuation.yield(progress)
        case .chain(let meter): meter.take(progress)
        }
    }
}

extension ProgressMeter.State {
    fileprivate func tell(_ progress: CallProgress) {
        for listener in listeners.values { listener.take(progress) }
    }

    fileprivate mutating func begin(_ exchange: UInt64) {
        self.exchange = exchange
        speed = ProgressMeter.Speed()
    }

    fileprivate mutating func moved(
        _ direction: CallProgress.Direction,
        _ count: Int,
        _ total: Int?,
        at instant: ContinuousClock.Instant,
    ) -> CallProgress {
        if latest?.direction != direction { speed = ProgressMeter.Speed() }
        let progress = CallProgress(
            direction: direction,
            bytesDone: count,
            bytesTotal: total,
            bytesPerSecond: speed.moved(to: count, at: instant),
        )
        latest = progress
        return progress
    }
}

extension ProgressMeter {
    /// A throughput that follows the last few seconds.
    struct Speed: Sendable {
        /// What is shorter says more of the buffers than of the network.
        private static let stepMin = Duration.milliseconds(100)
        /// A second ago counts for a third as much as now does.
        private static let memory = 1.0

        private var mark: (count: Int, instant: ContinuousClock.Instant)?
        private var smoothed: Double?

        mutating func moved(to count: Int, at instant: ContinuousClock.Instant) -> Double? {
            guard let mark, count >= mark.count else {
                mark = (count, instant)
                return smoothed
            }
            let step = mark.instant.duration(to: instant)
            guard step >= Self.stepMin else { return smoothed }
            let seconds = step / .seconds(1)
            let present = Double(count - mark.count) / seconds
            let weight = seconds / (seconds + Self.memory)
            smoothed = smoothed.map { $0 + (present - $0) * weight } ?? present
            self.mark = (count, instant)
            return smoothed
        }
    }
}
