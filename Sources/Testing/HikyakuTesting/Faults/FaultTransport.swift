public import Hikyaku
import HikyakuBase

/// A transport that injects faults into the exchanges of another one, and records what it did to each.
///
/// ```swift
/// let service = MockTransport { request in .json(#"{"id": 1, "name": "Ramen"}"#) }
/// let transport = FaultTransport(service, plan: .standard, seed: 4711)
/// transport.enqueue(.failure(.connectionReset, reachesService: true))
/// let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .standard))
/// _ = try await client.send(Shop.DishByID(id: 1))
/// #expect(transport.records.map(\.reachedService) == [true, true])
/// ```
/// Enqueued faults are used first, in order, one entry for each exchange, and then the plan. The plan's faults for an
/// exchange depend only on the seed and on the number of the exchange: calls that are made one after the other have the
/// same faults each time, and concurrent ones do in ``VirtualTime``.
///
/// It keeps the contract of ``HTTPTransport`` as far as the inner transport does: a fault looks like the same event on
/// a network, also to an observer. An exchange without a fault is passed to the inner transport unchanged. The records
/// grow with each exchange: make a transport for each test.
public final class FaultTransport: HTTPTransport {
    private struct State: Sendable {
        var script: [[Fault]] = []
        var inFlight: [Int: FaultExchange] = [:]
        var isShutDown = false
        /// Those who wait until no exchange is in flight.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let inner: any HTTPTransport
    private let plan: FaultPlan
    private let seed: UInt64
    private let clock: any HTTPClock
    private let log: FaultLog
    private let state = Lock(State())

    /// Makes a transport.
    ///
    /// - Parameters:
    ///   - inner: The transport that sends the requests: a ``MockTransport``, or a real one. Give it the same clock.
    ///   - plan: The faults by probability.
    ///   - seed: The seed of the plan.
    ///   - clock: The clock for delays and timeouts.
    public init(
        _ inner: any HTTPTransport,
        plan: FaultPlan = .none,
        seed: UInt64 = 0,
        clock: any HTTPClock = SystemClock(),
    ) {
        self.inner = inner
        self.plan = plan
        self.seed = seed
        self.clock = clock
        log = FaultLog(clock: clock)
    }

    /// Makes a transport with the clock and the seed of a virtual time.
    ///
    /// - Parameters:
    ///   - inner: The transport that sends the requests: a ``MockTransport`` with the same clock.
    ///   - plan: The faults by probability.
    ///   - time: The virtual time.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public convenience init(_ inner: any HTTPTransport, plan: FaultPlan = .none, in time: VirtualTime) {
        self.init(inner, plan: plan, seed: time.seed, clock: time.clock)
    }

    /// The exchanges so far, in the order in which they were sent.
    public var records: [FaultRecord] { log.records }

    /// The records as text, one line for each exchange.
    public var transcript: String { records.map(\.description).joined(separator: "\n") }

    /// Adds the faults of one exchange after the enqueued ones; no faults let an exchange pass.
    public func enqueue(_ faults: Fault...) {
        state.withLock { $0.script.append(faults) }
    }

    /// As the inner transport.
    public var decodesContent: Bool { inner.decodesContent }

    /// As the inner transport: a fault's own waits end.
    public var endsOnCancellation: Bool { inner.endsOnCancellation }

    /// Sends the request through the inner transport, with the faults of this exchange.
    ///
    /// - Throws: ``TransportError`` of a fault; the errors of the inner transport.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try request.checkForWire()
        guard !CallCancellation.isCancelled else { throw CancellationError() }
        let (number, exchange) = try begin(request, options)
        guard let exchange else { return try await pass(request, options, number) }
        return try await exchange.send(through: inner)
    }

    /// Lets the inner transport shut down, and ends the exchanges with faults after the grace.
    public func shutdown(within grace: Duration) async {
        state.withLock { $0.isShutDown = true }
        let end = clock.now.advanced(by: max(.zero, min(grace, .farFuture)))
        let timer = clock.schedule(at: end) { self.endAll() }
        defer { timer.cancel() }
        await inner.shutdown(within: grace)
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.inFlight.isEmpty { state.waiting.append(continuation) }
                return state.inFlight.isEmpty
            }
            if isOver { continuation.resume() }
        }
    }
}

extension FaultTransport {
    /// - Returns: The number of the exchange, and the exchange if it has faults.
    private func begin(_ request: HTTPRequest, _ options: TransportOptions) throws -> (Int, FaultExchange?) {
        guard !state.withLock(\.isShutDown) else { throw Self.wasShutDown }
        let number = log.add(request)
        let scripted: [Fault]? = state.withLock { $0.script.isEmpty ? nil : $0.script.removeFirst() }
        var generator = SplitMix64(seed: seed, stream: UInt64(number) + 16)
        let faults = scripted ?? plan.faults(for: request, using: &generator)
        guard !faults.isEmpty else { return (number, nil) }
        let exchange = FaultExchange(number, request, options, faults, clock: clock, log: log) { [weak self] in
            self?.remove(number)
        }
        state.withLock { $0.inFlight[number] = exchange }
        // The transport may have been shut down meanwhile.
        if state.withLock(\.isShutDown) { exchange.end(Self.wasShutDown) }
        return (number, exchange)
    }

    /// Sends a request without faults.
    private func pass(_ request: HTTPRequest, _ options: TransportOptions, _ number: Int) async throws -> HTTPResponse {
        do {
            let response = try await inner.send(request, options: options)
            log.update(number) { $0.reachedService = true }
            log.end(number, .response(response.status))
            return response
        } catch {
            log.update(number) { $0.reachedService = error.mayComeAfterService }
            log.end(number, .failure(FailureReason(of: error)))
            throw error
        }
    }

    private func remove(_ number: Int) {
        let (exchange, waiting) = state.withLock { state in
            let exchange = state.inFlight.removeValue(forKey: number)
            guard state.inFlight.isEmpty else { return (exchange, [CheckedContinuation<Void, Never>]()) }
            defer { state.waiting = [] }
            return (exchange, state.waiting)
        }
        for continuation in waiting { continuation.resume() }
        // Released after unlocking.
        _ = exchange
    }

    private func endAll() {
        let exchanges = state.withLock { $0.inFlight.sorted { $0.key < $1.key }.map(\.value) }
        for exchange in exchanges { exchange.end(Self.wasShutDown) }
    }

    private static let wasShutDown = TransportError(.shutDown, "the transport was shut down")
}

extension Error {
    /// Whether the service may have received a request whose exchange failed with this error.
    var mayComeAfterService: Bool {
        guard let error = self as? TransportError else { return true }
        if error.reason.phase == .invalidRequest { return false }
        let early: Set<FailureReason> = [
            .hostNotFound, .connectionRefused, .networkUnreachable, .connectionFailed, .connectTimeout, .tlsFailed,
            .queueFull,
        ]
        return !early.contains(error.reason)
    }
}
