import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One request of a ``MockTransport``, until the end of its response's body.
final class MockExchange: Sendable {
    private struct State: Sendable {
        /// Ends the current step.
        var endStep: (@Sendable (any Error) -> Void)?
        /// The error with which the exchange was ended early.
        var error: (any Error)?
        var isOver = false
        var didEnd: (@Sendable () -> Void)?
    }

    private let number: UInt64
    private let observer: (any EventObserver)?
    private let timeouts: TransportTimeouts
    private let clock: any HTTPClock
    private let state = Lock(State())

    init(_ options: TransportOptions, _ clock: any HTTPClock) {
        number = options.observer == nil ? 0 : TransportEvent.makeExchange()
        observer = options.observer
        timeouts = options.timeouts
        self.clock = clock
    }

    /// Calls a closure once when the exchange is over, at once if it is.
    func whenEnded(_ didEnd: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.didEnd = didEnd }
            return state.isOver
        }
        if isOver { didEnd() }
    }

    func emit(_ kind: @autoclosure () -> TransportEvent.Kind) {
        observer?.observe(TransportEvent(exchange: number, instant: clock.now, kind: kind()))
    }

    /// Runs a step, which ends early if the exchange is ended; its error ends the exchange.
    func step<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let race = Race<Value>()
        let error: (any Error)? = state.withLock { state in
            state.endStep = { race.finish(with: .failure($0)) }
            return state.error
        }
        if let error { throw error }
        do {
            return try await race.run(work)
        } catch {
            finish(because: error)
            throw error
        }
    }

    /// Ends the exchange early: the current step and later ones throw the error.
    func end(_ error: any Error) {
        let endStep = state.withLock { state in
            if state.error == nil { state.error = error }
            return state.endStep
        }
        endStep?(error)
        finish(because: error)
    }

    /// Emits the event of the end, once.
    func finish(because error: (any Error)? = nil) {
        let (isFirst, didEnd) = state.withLock { state in
            defer { (state.isOver, state.didEnd) = (true, nil) }
            return (!state.isOver, state.didEnd)
        }
        guard isFirst else { return }
        emit(.ended(error.map { FailureReason(of: $0) }))
        didEnd?()
    }

    /// Runs the work that gets the first byte, within a step.
    func withinFirstByte<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        try await within(timeouts.firstByte, .firstByteTimeout, "no byte of a response", work)
    }

    /// The body with a timeout for each piece, within the steps that pull them.
    func timed(_ body: HTTPBody) -> HTTPBody {
        guard body.bytes == nil else { return body }
        return HTTPBody(pulling: TimedBodySource(body, of: self), count: body.count)
    }

    fileprivate func withinIdle<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await within(timeouts.idle, .idleTimeout, "nothing", work)
    }

    /// Ends the current step if the work takes too long; a hundred years or more are not a limit.
    private func within<Value>(
        _ limit: Duration,
        _ reason: FailureReason,
        _ what: String,
        _ work: () async throws -> Value,
    ) async throws -> Value {
        guard limit < .farFuture else { return try await work() }
        let timer = clock.schedule(at: clock.now.advanced(by: max(limit, .zero))) { [weak self] in
            self?.end(TransportError(reason, "\(what) was received within \(limit)"))
        }
        defer { timer.cancel() }
        return try await work()
    }
}

/// The body of a scripted response, pulled by its reader.
///
/// `@unchecked`: the compiler can't see that the iterator and the count are touched only by `next`, which isn't called
/// twice at once.
final class MockBodySource: BodySource, @unchecked Sendable {
    private let exchange: MockExchange
    private let response: HTTPResponse
    private var iterator: HTTPBody.AsyncIterator
    private var count = 0

    init(_ response: HTTPResponse, of exchange: MockExchange) {
        self.exchange = exchange
        self.response = response
        iterator = response.body.makeAsyncIterator()
    }

    var trailers: HTTPHeaders { response.trailers }

    func next() async throws -> Data? {
        let piece = try await exchange.step { [self] in try await iterator.next() }
        guard let piece else {
            exchange.finish()
            return nil
        }
        count += piece.count
        exchange.emit(.bytesReceived(count, expected: response.body.count))
        return piece
    }

    func cancel() { exchange.end(CancellationError()) }
}

/// A body with a timeout for each piece.
///
/// `@unchecked`: the compiler can't see that the iterator is touched only by `next`, which isn't called twice at once.
private final class TimedBodySource: BodySource, @unchecked Sendable {
    private let exchange: MockExchange
    private let body: HTTPBody
    private var iterator: HTTPBody.AsyncIterator

    init(_ body: HTTPBody, of exchange: MockExchange) {
        self.exchange = exchange
        self.body = body
        iterator = body.makeAsyncIterator()
    }

    var trailers: HTTPHeaders { body.trailers }

    func next() async throws -> Data? {
        try await exchange.withinIdle { try await iterator.next() }
    }

    /// Releasing the reader releases the iterator, which ends the body.
    func cancel() {}
}
