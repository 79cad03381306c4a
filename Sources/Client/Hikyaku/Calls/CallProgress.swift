import HikyakuBase

/// The progress of a call in bytes, in the current direction: upload or download.
///
/// It starts at zero again after a redirect, and for each retry. A download that resumes starts at what it already has
/// (``FileDestination/resumable(at:bytesMax:digest:)-(String,_,_)``), and an upload in parts
/// (``RequestBody/resumable(by:from:saving:)``) goes on counting.
public struct CallProgress: Sendable, Hashable {
    /// The direction of the bytes.
    public enum Direction: String, Sendable, Hashable, CaseIterable {
        /// The request's body is being sent.
        case up
        /// The response's body is being received.
        case down
    }

    /// The direction of the bytes.
    public let direction: Direction
    /// The number of bytes so far, as they are on the wire: with their content coding.
    public let bytesDone: Int
    /// The total number of bytes; `nil` if it is unknown.
    public let bytesTotal: Int?
    /// The throughput in bytes per second, weighted towards the last few seconds; `nil` until there are two
    /// measurements.
    public let bytesPerSecond: Double?

    package init(direction: Direction, bytesDone: Int, bytesTotal: Int? = nil, bytesPerSecond: Double? = nil) {
        self.direction = direction
        self.bytesDone = bytesDone
        self.bytesTotal = bytesTotal
        self.bytesPerSecond = bytesPerSecond
    }

    /// From 0 to 1; `nil` if the total is unknown.
    public var fractionCompleted: Double? {
        guard let bytesTotal else { return nil }
        guard bytesTotal > 0 else { return 1 }
        return min(1, Double(bytesDone) / Double(bytesTotal))
    }

    /// Unavailable: write `fractionCompleted`.
    @available(*, unavailable, renamed: "fractionCompleted")
    public var fraction: Double? { fractionCompleted }

    /// The estimated remaining time, at most a hundred years; `nil` if it is unknown.
    public var timeLeft: Duration? {
        guard let bytesTotal else { return nil }
        guard bytesDone < bytesTotal else { return .zero }
        guard let bytesPerSecond, bytesPerSecond > 0 else { return nil }
        let seconds = (Double(bytesTotal) - Double(bytesDone)) / bytesPerSecond
        return seconds < Duration.farFuture / .seconds(1) ? .seconds(seconds) : .farFuture
    }
}

extension CallProgress: CustomStringConvertible {
    /// `down 1048576 of 4194304 bytes`.
    public var description: String {
        "\(direction.rawValue) \(bytesDone)\(bytesTotal.map { " of \($0)" } ?? "") bytes"
    }
}

/// Computes the progress of one call from the events of its transport.
///
/// Every call has one from the start, since someone may read the progress later; without a reader it only counts.
final class ProgressMeter: EventObserver {
    fileprivate struct State: Sendable {
        /// The exchange that is counted: the one that started last.
        var exchange: UInt64 = 0
        /// What a download already has, and the size of its whole file.
        var resumed: (offset: Int, total: Int?) = (0, nil)
        var latest: CallProgress?
        var speed = Speed()
        var streams: [UInt64: AsyncStream<CallProgress>.Continuation] = [:]
        /// The meters of the chains that contain this one's call.
        var chains: [ProgressMeter] = []
        var isOver = false
        /// The meter that this one has joined, which takes over everything; its streams are already there.
        var whole: ProgressMeter?

        /// Sends the progress to the streams of this meter, and returns the chains that still need it.
        ///
        /// It runs under the lock, which keeps the order: yielding only stores the value, or resumes a task.
        func yield(_ progress: CallProgress) -> [ProgressMeter] {
            for continuation in streams.values { continuation.yield(progress) }
            return chains
        }
    }

    private static let lastID = Lock<UInt64>(0)

    private let state = Lock(State())

    func observe(_ event: TransportEvent) {
        switch event.kind {
        case .began: whole.state.withLock { ($0.exchange, $0.speed) = (event.exchange, Speed()) }
        case .bytesSent(let count, let total): move(.up, count, total, event)
        case .bytesReceived(let count, let total): move(.down, count, total, event)
        case .resuming(let offset, let total): resume(at: offset, of: total)
        default: break
        }
    }

    private func move(_ direction: CallProgress.Direction, _ count: Int, _ total: Int?, _ event: TransportEvent) {
        let (progress, chains): (CallProgress?, [ProgressMeter]) = whole.state.withLock { state in
            guard event.exchange == state.exchange, !state.isOver else { return (nil, []) }
            if state.latest?.direction != direction { state.speed = Speed() }
            let resumed: (offset: Int, total: Int?) = direction == .down ? state.resumed : (0, nil)
            let progress = CallProgress(
                direction: direction,
                bytesDone: count.addingSaturated(resumed.offset),
                bytesTotal: resumed.total ?? total?.addingSaturated(resumed.offset),
                bytesPerSecond: state.speed.moved(to: count, at: event.instant),
            )
            state.latest = progress
            return (progress, state.yield(progress))
        }
        if let progress { Self.relay(progress, to: chains) }
    }

    /// Counts from what a download already has.
    private func resume(at offset: Int, of total: Int?) {
        let progress = CallProgress(direction: .down, bytesDone: offset, bytesTotal: total)
        let chains: [ProgressMeter] = whole.state.withLock { state in
            guard !state.isOver else { return [] }
            state.resumed = (offset, offset > 0 ? total : nil)
            state.speed = Speed()
            state.latest = progress
            return state.yield(progress)
        }
        Self.relay(progress, to: chains)
    }

    /// Sends the progress through the chains, however long they are, without nested locks: the progress of one call
    /// arrives in order.
    private static func relay(_ progress: CallProgress, to chains: [ProgressMeter]) {
        var left = chains
        while let meter = left.popLast() {
            left += meter.whole.state.withLock { state in
                guard !state.isOver else { return [] }
                state.latest = progress
                return state.yield(progress)
            }
        }
    }

    /// The progress from now on, the latest first; a slow reader gets only the newest.
    var stream: AsyncStream<CallProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: CallProgress.self,
            bufferingPolicy: .bufferingNewest(1),
        )
        let id = Self.lastID.withLock { last in
            last += 1
            return last
        }
        let isOver = whole.state.withLock { state in
            if let latest = state.latest { continuation.yield(latest) }
            if !state.isOver { state.streams[id] = continuation }
            return state.isOver
        }
        if isOver { continuation.finish() }
        continuation.onTermination = { [weak self] _ in
            _ = self?.whole.state.withLock { $0.streams.removeValue(forKey: id) }
        }
        return stream
    }

    /// Also reports another call's progress as this one's, until that call has ended.
    func relay(_ other: ProgressMeter) {
        let latest = other.whole.state.withLock { state in
            if !state.isOver { state.chains.append(self) }
            return state.latest
        }
        if let latest { Self.relay(latest, to: [self]) }
    }

    /// Joins the meter of a chain that continues with this one's call, and ends with it.
    ///
    /// So an endless chain has one meter, instead of a sequence of meters that notify each other.
    func join(_ other: ProgressMeter) {
        let other = other.whole
        let before: State? = state.withLock { state in
            guard !state.isOver, state.whole == nil, other !== self else { return nil }
            defer {
                state = State()
                state.whole = other
            }
            return state
        }
        guard let before else { return other.relay(self) }
        other.state.withLock { state in
            // Another exchange may have started meanwhile.
            if before.exchange > state.exchange {
                (state.exchange, state.speed, state.resumed) = (before.exchange, before.speed, before.resumed)
            }
            state.latest = before.latest ?? state.latest
            state.streams.merge(before.streams) { own, _ in own }
            state.chains += before.chains
        }
        if let latest = before.latest { Self.relay(latest, to: [other]) }
    }

    /// The meter that this one has joined; itself if there is none.
    private var whole: ProgressMeter {
        guard let next = state.withLock({ $0.whole }) else { return self }
        var whole = next
        while let further = whole.state.withLock({ $0.whole }) { whole = further }
        if whole !== next { state.withLock { $0.whole = whole } }
        return whole
    }

    /// Ends all streams, after their pending elements.
    func finish() {
        let streams = whole.state.withLock { state in
            state.isOver = true
            state.chains = []
            defer { state.streams = [:] }
            return state.streams
        }
        for continuation in streams.values { continuation.finish() }
    }
}

extension ProgressMeter {
    /// A throughput over the last few seconds.
    struct Speed: Sendable {
        /// Shorter intervals measure the buffers rather than the network.
        private static let stepMin = Duration.milliseconds(100)
        /// In seconds: a measurement that is one second old has about a third of the weight of a new one.
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

extension Int {
    /// The sum; the largest number if it is larger.
    fileprivate func addingSaturated(_ other: Int) -> Int {
        let (sum, isOverflowing) = addingReportingOverflow(other)
        return isOverflowing ? .max : sum
    }
}
