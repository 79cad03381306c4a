import HikyakuBase
import HikyakuHTTP

/// The recorded requests and connections, and the waiters for further ones.
final class Journal: Sendable {
    struct Counts: Sendable {
        var requests = 0
        var connections = 0
        var openConnections = 0
    }

    private typealias Waiter = (isMet: @Sendable (Counts) -> Bool, signal: AsyncStream<Void>.Continuation)

    private struct State {
        var counts = Counts()
        var record: RequestRecord
        var lastWaiterID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state: Lock<State>

    init(recordedRequestsMax: Int) {
        state = Lock(State(record: RequestRecord(countMax: recordedRequestsMax)))
    }

    var requests: [MockRequest] { state.withLock { $0.record.all } }
    var counts: Counts { state.withLock { $0.counts } }

    func received(_ request: MockRequest) {
        change { state in
            state.counts.requests += 1
            state.record.append(request)
        }
    }

    /// The new connection's number, from 1.
    func connectionOpened() -> Int {
        change { state in
            state.counts.connections += 1
            state.counts.openConnections += 1
            return state.counts.connections
        }
    }

    func connectionClosed() {
        change { $0.counts.openConnections -= 1 }
    }

    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        let (result, met) = state.withLock { state in
            let result = body(&state)
            let met = state.waiters.filter { $0.value.isMet(state.counts) }
            for id in met.keys { state.waiters[id] = nil }
            return (result, met.values)
        }
        for waiter in met { waiter.signal.yield() }
        return result
    }
}

// MARK: - Waiting

extension Journal {
    /// Returns as soon as a condition on the counts is met.
    func wait(
        for expectation: String,
        within limit: Duration,
        until isMet: @escaping @Sendable (Counts) -> Bool,
    ) async throws {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self)
        let id = add((isMet, signal))
        let timer = SystemClock().schedule(at: .after(limit)) { signal.finish() }
        defer {
            timer.cancel()
            state.withLock { $0.waiters[id] = nil }
        }
        for await _ in signals { return }
        try Task.checkCancellation()
        let counts = counts
        let message =
            "waited \(limit) for \(expectation); there were \(counts.requests) requests, "
            + "\(counts.connections) connections, \(counts.openConnections) of them open"
        throw MockServerError(reason: .waitTimedOut, message: message, systemCode: nil)
    }

    private func add(_ waiter: Waiter) -> Int {
        let (id, isMet) = state.withLock { state in
            state.lastWaiterID += 1
            state.waiters[state.lastWaiterID] = waiter
            return (state.lastWaiterID, waiter.isMet(state.counts))
        }
        if isMet { waiter.signal.yield() }
        return id
    }
}

/// The last requests, bounded in number and in bytes.
struct RequestRecord {
    private static let bytesMax = 256 * 1024 * 1024

    private let countMax: Int
    private var requests: [MockRequest] = []
    private var start = 0
    private var bytes = 0

    init(countMax: Int) {
        self.countMax = max(1, countMax)
    }

    var all: [MockRequest] { Array(requests[start...]) }

    mutating func append(_ request: MockRequest) {
        requests.append(request)
        bytes += request.recordedBytes
        while requests.count - start > countMax || (bytes > Self.bytesMax && requests.count - start > 1) {
            bytes -= requests[start].recordedBytes
            start += 1
        }
        // The rest is moved only rarely, so that appending has constant cost on average.
        if start > countMax || bytes > Self.bytesMax / 2 {
            requests.removeFirst(start)
            start = 0
        }
    }
}

extension MockRequest {
    fileprivate var recordedBytes: Int { body.count + rawHead.count }
}

extension ContinuousClock.Instant {
    /// The instant after a duration of any length.
    static func after(_ duration: Duration) -> Self {
        .now + min(max(.zero, duration), .seconds(365 * 86_400))
    }
}
