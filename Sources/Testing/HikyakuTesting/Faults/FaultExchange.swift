import Hikyaku
import HikyakuBase

/// One exchange with faults, until the end of its response's body.
///
/// States: running → over, once. An exchange that is ended early throws that error at its next step.
final class FaultExchange: Sendable {
    private struct State: Sendable {
        var error: (any Error)?
        var wait: ClockWait?
        var isOver = false
    }

    private let number: Int
    private let request: HTTPRequest
    private let options: TransportOptions
    private let faults: [Fault]
    private let clock: any HTTPClock
    private let log: FaultLog
    private let events: FaultEvents?
    private let didEnd: @Sendable () -> Void
    private let state = Lock(State())

    init(
        _ number: Int,
        _ request: HTTPRequest,
        _ options: TransportOptions,
        _ faults: [Fault],
        clock: any HTTPClock,
        log: FaultLog,
        didEnd: @escaping @Sendable () -> Void,
    ) {
        self.number = number
        self.request = request
        self.options = options
        self.faults = faults
        self.clock = clock
        self.log = log
        events = options.observer.map { FaultEvents($0, clock: clock) }
        self.didEnd = didEnd
    }

    /// Sends the request, and applies the faults.
    func send(through inner: any HTTPTransport) async throws -> HTTPResponse {
        do {
            try check()
            let response = try await faultedResponse(from: inner)
            log.end(number, .response(response.status))
            return response
        } catch {
            finish(because: error)
            throw error
        }
    }

    /// Ends the exchange early.
    func end(_ error: any Error) {
        let wait = state.withLock { state in
            if state.error == nil { state.error = error }
            return state.wait
        }
        wait?.end(.failure(error))
        finish(because: error)
    }

    /// Emits the event of the end, once.
    func finish(because error: (any Error)? = nil) {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return }
        let reason = error.map { FailureReason(of: $0) }
        if let reason { log.end(number, .failure(reason)) }
        events?.close(reason, request)
        didEnd()
    }
}

// MARK: - The faults before the body

extension FaultExchange {
    private func faultedResponse(from inner: any HTTPTransport) async throws -> HTTPResponse {
        if let fault = faults.first(where: { $0.isOwnEnd(reachesService: false) }) {
            return try await ending(by: fault)
        }
        let response = try await innerResponse(from: inner)
        if let fault = faults.first(where: { $0.isOwnEnd(reachesService: true) }) {
            // The response is dropped first, which ends the exchange of the inner transport.
            _ = consume response
            return try await ending(by: fault)
        }
        return try await changed(response)
    }

    private func innerResponse(from inner: any HTTPTransport) async throws -> HTTPResponse {
        var innerOptions = options
        innerOptions.observer = events
        do {
            let response = try await inner.send(request, options: innerOptions)
            log.update(number) { $0.reachedService = true }
            try check()
            return response
        } catch {
            log.update(number) { $0.reachedService = $0.reachedService || error.mayComeAfterService }
            throw state.withLock(\.error) ?? error
        }
    }

    /// The end of the exchange by a fault: its error, or a gateway's response.
    private func ending(by fault: Fault) async throws -> HTTPResponse {
        try await delay()
        note(fault)
        switch fault {
        case .status(let status, let retryAfter, _):
            events?.replace(for: request)
            var response = HTTPResponse(status: status, headers: [.contentType: "text/plain"])
            if let retryAfter { response.headers[.retryAfter] = "\(retryAfter.wholeSeconds)" }
            if request.method != .head { response.body = HTTPBody("injected status \(status.code)") }
            if !options.streamsBody { response = try await response.collectingBody(within: options) }
            emitReceived(response.body.count ?? 0, expected: response.body.count)
            return try delivered(response)
        case .failure(let reason, _):
            if let limit = options.timeouts.limit(for: reason) { try await pause(for: limit) }
            throw TransportError(reason, "injected fault: \(fault)")
        default:
            throw TransportError(.transportFailed, "injected fault: \(fault)")
        }
    }

    /// The response with the faults that change it.
    private func changed(_ original: HTTPResponse) async throws -> HTTPResponse {
        var response = original
        try await delay()
        for fault in faults {
            guard case .contentType(let type) = fault else { continue }
            note(fault)
            response.headers[.contentType] = type
        }
        let bodyFaults = faults.filter { $0.bodyFraction != nil }
        guard !bodyFaults.isEmpty, response.body.count != 0 else {
            events?.open()
            return try delivered(response)
        }
        events?.replace(for: request)
        response.trailers = [:]
        response.body = HTTPBody(
            pulling: FaultBodySource(original, bodyFaults, of: self),
            count: original.body.count,
        )
        guard !options.streamsBody else { return response }
        return try await response.collectingBody(within: options)
    }

    /// A response to which nothing happens any more.
    private func delivered(_ response: HTTPResponse) throws -> HTTPResponse {
        try check()
        finish()
        return response
    }

    private func delay() async throws {
        for fault in faults {
            guard case .delay(let duration) = fault else { continue }
            note(fault)
            try await pause(for: duration, within: options.timeouts.firstByte, .firstByteTimeout)
        }
    }
}

// MARK: - What the body needs, too

extension FaultExchange {
    /// Throws the error by which the exchange was ended early.
    func check() throws {
        if let error = state.withLock(\.error) { throw error }
    }

    func note(_ fault: Fault) {
        log.update(number) { $0.faults.append(fault) }
    }

    func emitReceived(_ count: Int, expected: Int?) {
        events?.emit(.bytesReceived(count, expected: expected))
    }

    /// Waits; a limit that passes before ends the exchange.
    private func pause(
        for duration: Duration,
        within limit: Duration? = nil,
        _ reason: FailureReason = .idleTimeout,
    ) async throws {
        let limit = limit.map { max(.zero, $0) } ?? .farFuture
        let time = min(max(.zero, duration), limit)
        let wait = ClockWait()
        let error = state.withLock { state in
            state.wait = wait
            return state.error
        }
        if let error { throw error }
        defer { state.withLock { $0.wait = nil } }
        // A hundred years or more are not a limit.
        try await wait.run(until: time < .farFuture ? clock.now.advanced(by: time) : nil, by: clock)
        if duration >= limit { throw TransportError(reason, "injected fault: nothing came within \(limit)") }
    }

    /// A pause in the body.
    func pauseBody(for duration: Duration) async throws {
        try await pause(for: duration, within: options.timeouts.idle)
    }
}

extension Fault {
    /// Whether it is the end of the exchange, before or after the service.
    fileprivate func isOwnEnd(reachesService: Bool) -> Bool {
        switch self {
        case .failure(_, reachesService), .status(_, _, reachesService): true
        default: false
        }
    }

    /// Where in the body it is; `nil` for a fault outside of the body.
    var bodyFraction: Double? {
        switch self {
        case .truncatedBody(let fraction), .corruptBody(let fraction, _), .pausedBody(_, let fraction): fraction
        default: nil
        }
    }
}

extension TransportTimeouts {
    /// The time after which a timeout ends an exchange; `nil` for other reasons.
    fileprivate func limit(for reason: FailureReason) -> Duration? {
        switch reason {
        case .connectTimeout: connect
        case .firstByteTimeout: firstByte
        case .idleTimeout: idle
        default: nil
        }
    }
}
