import Hikyaku
import HikyakuBase

/// Passes the events of the inner transport's exchange on, as far as they agree with what the caller sees.
///
/// Those of the response are held until it is known what becomes of it.
///
/// States: holding → opening → open, where all events pass. Or holding → replaced, where the exchange with the
/// fault emits those of the response. Holding and replaced → closed.
final class FaultEvents: EventObserver {
    fileprivate enum Phase {
        case holding, opening, open, replaced, closed
    }

    fileprivate struct State: Sendable {
        var phase = Phase.holding
        var exchange: UInt64?
        var held: [TransportEvent.Kind] = []
    }

    private let observer: any EventObserver
    private let clock: any HTTPClock
    private let state = Lock(State())

    init(_ observer: any EventObserver, clock: any HTTPClock) {
        self.observer = observer
        self.clock = clock
    }

    func observe(_ event: TransportEvent) {
        let passes = state.withLock { state in
            if state.exchange == nil { state.exchange = event.exchange }
            switch (state.phase, event.kind) {
            case (.closed, _): return false
            case (.open, _): return true
            case (.holding, .firstByte), (.holding, .interimResponse), (.holding, .bytesReceived), (.holding, .ended),
                (.opening, _):
                state.hold(event.kind)
                return false
            case (.replaced, .firstByte), (.replaced, .interimResponse), (.replaced, .bytesReceived),
                (.replaced, .ended):
                return false
            case (.holding, _), (.replaced, _): return true
            }
        }
        if passes { observer.observe(event) }
    }

    /// Emits an event of the exchange with the fault.
    func emit(_ kind: TransportEvent.Kind) {
        guard let exchange = state.withLock(\.exchange) else { return }
        observer.observe(TransportEvent(exchange: exchange, instant: clock.now, kind: kind))
    }

    /// Passes all events from now on: the response is that of the inner transport.
    func open() {
        state.withLock { if $0.phase == .holding { $0.phase = .opening } }
        while let kinds = state.withLock({ $0.takeHeld() }) {
            for kind in kinds { emit(kind) }
        }
    }

    /// Begins a response whose events the exchange with the fault emits.
    func replace(for request: HTTPRequest) {
        begin(request)
        let (isFirst, held) = state.withLock { state in
            defer { if state.phase == .holding { (state.phase, state.held) = (.replaced, []) } }
            return (state.phase == .holding, state.held)
        }
        guard isFirst else { return }
        emit(.firstByte)
        // Interim responses have come from the service, whatever becomes of the final one.
        for case .interimResponse(let status) in held { emit(.interimResponse(status)) }
    }

    /// Emits the end of the exchange, unless that is the inner transport's.
    func close(_ reason: FailureReason?, _ request: HTTPRequest) {
        let isOwn = state.withLock { state in
            guard state.phase == .holding || state.phase == .replaced else { return false }
            (state.phase, state.held) = (.closed, [])
            return true
        }
        guard isOwn else { return }
        begin(request)
        emit(.ended(reason))
    }

    /// Emits the beginning, if the inner transport did not get the request.
    private func begin(_ request: HTTPRequest) {
        let isFirst = state.withLock { state in
            guard state.exchange == nil else { return false }
            state.exchange = TransportEvent.makeExchange()
            return true
        }
        if isFirst { emit(.began(request)) }
    }
}

extension FaultEvents.State {
    fileprivate mutating func hold(_ kind: TransportEvent.Kind) {
        // Of the progress only the last is of use.
        if case .bytesReceived = kind, case .bytesReceived? = held.last { held.removeLast() }
        held.append(kind)
    }

    /// The held events; `nil` if there are none, so that events pass from now on.
    fileprivate mutating func takeHeld() -> [TransportEvent.Kind]? {
        guard phase == .opening else { return nil }
        guard !held.isEmpty else {
            phase = .open
            return nil
        }
        defer { held = [] }
        return held
    }
}
