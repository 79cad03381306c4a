import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request in flight: what came so far, and who waits for it.
///
/// States: waiting → answered (a streamed body goes on) → over. Whoever ends it first decides its outcome; what comes
/// later is ignored.
final class Exchange: Sendable {
    typealias Outcome = Result<HTTPResponse, any Error>

    struct State {
        /// Who waits, until there is an outcome.
        var waiter: CheckedContinuation<Outcome, Never>?
        /// Set once; a waiter that comes later gets it at once.
        var outcome: Outcome?
        /// Ends the work below.
        var stop: (@Sendable () -> Void)?
        var response: HTTPURLResponse?
        var body = Data()
        var bodyLimit: BodyLimit
        var receivedBytes = 0
        var sentBytes = 0
        var bytesToSend = 0
        /// The body that is pulled, once its response was handed over.
        var stream: DownloadStream?
        /// Whether the whole response is there although an error follows.
        var isWhole = false
        var isOver = false
        var lastActivity = ContinuousClock.now
        var timer: HTTPClockTimer?
        /// What feeds the request's body, to be told of the end.
        var endUpload: (@Sendable () -> Void)?

        /// Whether the request's body is known to be under way.
        var isSending: Bool { response == nil && sentBytes > 0 && sentBytes < bytesToSend }
    }

    let request: HTTPRequest
    let options: TransportOptions
    let state: Lock<State>
    private let number: UInt64

    init(request: HTTPRequest, options: TransportOptions) {
        self.request = request
        self.options = options
        state = Lock(State(bodyLimit: BodyLimit(options)))
        number = options.observer == nil ? 0 : TransportEvent.makeExchange()
        tell(.began(request))
    }

    func tell(_ kind: @autoclosure () -> TransportEvent.Kind) {
        options.observer?.observe(TransportEvent(exchange: number, kind: kind()))
    }

    /// Hands the outcome to `continuation` when there is one; `false` when that is at once, and nothing is to be done.
    func wait(with continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiter = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
        return outcome == nil
    }

    /// Says how the work is ended, and ends it where the outcome was there before the work.
    func didStart(stop: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            // Until here a body may have been collected.
            state.lastActivity = .now
            if !state.isOver { state.stop = stop }
            return state.isOver
        }
        if isOver { stop() } else { watch() }
    }

    /// Notes what is done at the end, or does it where that has come.
    func onEnd(_ action: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.endUpload = action }
            return state.isOver
        }
        if isOver { action() }
    }

    /// Ends the exchange: sets the outcome where there is none yet, else the end of the streamed body.
    ///
    /// - Parameters:
    ///   - outcome: What it comes to.
    ///   - isOver: Whether the work below has ended by itself.
    func finish(_ outcome: Outcome, isOver: Bool = false) {
        let before: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            let before = state
            state.isOver = true
            if state.outcome == nil { state.outcome = outcome }
            state.body = Data()
            (state.waiter, state.stop, state.timer, state.stream) = (nil, nil, nil, nil)
            state.endUpload = nil
            return before
        }
        guard let before else { return }
        before.timer?.cancel()
        before.endUpload?()
        tell(.ended(outcome.failureReason))
        if !isOver { before.stop?() }
        before.stream?.finish(outcome.map { _ in () })
        before.waiter?.resume(returning: outcome)
    }

    /// Hands over the response whose body is still to come.
    func answer(_ response: HTTPResponse, stream: DownloadStream) {
        let waiter = state.withLock { state in
            // The response isn't kept here: whoever drops it ends the exchange.
            guard !state.isOver else { return nil as CheckedContinuation<Outcome, Never>? }
            state.stream = stream
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: .success(response))
    }
}

extension Exchange.Outcome {
    /// What an observer is told of it.
    fileprivate var failureReason: FailureReason? {
        guard case .failure(let error) = self else { return nil }
        if error is CancellationError { return .cancelled }
        return (error as? TransportError)?.reason ?? .transportFailed
    }
}

// MARK: - Time

extension Exchange {
    /// Ends the exchange when a stage takes too long.
    ///
    /// URLSession doesn't tell connecting from waiting for the answer, so both have the time of the first byte.
    private func watch() {
        let check: @Sendable () -> Void = { [weak self] in self?.watch() }
        let now = ContinuousClock.now
        let (late, next): (TransportError?, ContinuousClock.Instant?) = state.withLock { state in
            guard !state.isOver else { return (nil, nil) }
            // A stream that waits for its reader isn't silent.
            if state.stream?.isHeld == true { state.lastActivity = now }
            let isIdle = state.response != nil || state.isSending
            let limit = isIdle ? options.timeouts.idle : options.timeouts.firstByte
            let end = state.lastActivity + min(max(limit, .zero), .farFuture)
            guard end > now else {
                let reason: FailureReason = isIdle ? .idleTimeout : .firstByteTimeout
                return (TransportError(reason, "nothing came for \(limit)"), nil)
            }
            // A stage that begins meanwhile may have less time.
            let soonest = min(options.timeouts.idle, options.timeouts.firstByte, .farFuture)
            return (nil, min(end, now + max(soonest, .milliseconds(10))))
        }
        if let late { return finish(.failure(late)) }
        guard let next else { return }
        let timer = SystemClock().schedule(at: next, check)
        let isOver = state.withLock { state in
            if !state.isOver { state.timer = timer }
            return state.isOver
        }
        if isOver { timer.cancel() }
    }
}
