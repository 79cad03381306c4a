import HikyakuBase

/// Where the intervals of calls and exchanges are recorded.
package protocol IntervalRecorder: Sendable {
    /// Begins an interval.
    ///
    /// - Parameters:
    ///   - kind: What takes the time.
    ///   - text: What it is about, without secrets.
    /// - Returns: The number to end it with; `nil` if nothing is recorded now.
    func begin(_ kind: CallIntervals.Kind, _ text: () -> String) -> UInt64?

    /// Ends an interval once, with its outcome.
    func end(_ kind: CallIntervals.Kind, _ id: UInt64, _ text: String)

    /// Records a moment.
    func mark(_ text: () -> String)
}

/// Makes intervals of the calls of a client, and of their exchanges.
///
/// An exchange begins and ends by its events. One that a transport never ends takes memory, so only the newest stay.
package final class CallIntervals: EventObserver {
    package enum Kind: Sendable {
        case call
        case exchange
    }

    /// The interval of a call, which ends once.
    package struct Call: Sendable {
        fileprivate let id: UInt64
        fileprivate let recorder: any IntervalRecorder

        package func end(with outcome: String) { recorder.end(.call, id, outcome) }

        package func end(throwing error: any Error) {
            let settled = error as? any SettledError
            let code = settled?.shownCode.map { " \($0)" } ?? ""
            end(with: "\(settled?.reason ?? FailureReason(of: error))\(code)")
        }
    }

    /// How many exchanges are kept that have not ended.
    static let exchangesMax = 10_000

    private let recorder: any IntervalRecorder
    /// The number of the interval of each exchange that is recorded.
    private let exchanges = Lock<[UInt64: UInt64]>([:])

    package init(_ recorder: any IntervalRecorder) {
        self.recorder = recorder
    }

    /// Begins the interval of a call; `nil` if nothing is recorded.
    package func begin(_ requestType: Any.Type) -> Call? {
        recorder.begin(.call) { String(reflecting: requestType).withoutModule }
            .map { Call(id: $0, recorder: recorder) }
    }

    package func observe(_ event: TransportEvent) {
        switch event.kind {
        case .began(let request): begin(request, event.exchange)
        case .ended(let reason):
            guard let id = exchanges.withLock({ $0.removeValue(forKey: event.exchange) }) else { return }
            recorder.end(.exchange, id, reason.map { "\($0)" } ?? "complete")
        case .retrying(let reason, let pause): recorder.mark { "retrying after \(pause) because of \(reason)" }
        case .resending(let reason): recorder.mark { "sending once more because of \(reason)" }
        case .resuming(let offset, _): recorder.mark { "resuming at \(offset)" }
        case .reconnecting(let reason, let pause):
            recorder.mark { "reconnecting after \(pause)\(reason.map { " because of \($0)" } ?? "")" }
        case .circuit(let change): recorder.mark { "the circuit of \(change.circuit) is \(change.state)" }
        case .fallingBack(let reason): recorder.mark { "falling back to its own value because of \(reason)" }
        case .waitingForLimit(let name): recorder.mark { "waiting for the limit \(name)" }
        case .admittedByLimit(let name, let wait): recorder.mark { "admitted by the limit \(name) after \(wait)" }
        case .waitingForConnectivity: recorder.mark { "waiting for a network" }
        case .interimResponse(let status): recorder.mark { "interim response \(status.code)" }
        case .dequeued, .nameFound, .connected, .secured, .ready, .bytesSent, .requestSent, .firstByte, .bytesReceived,
            .quotaLearned, .drifted:
            break
        }
    }

    private func begin(_ request: HTTPRequest, _ exchange: UInt64) {
        guard let id = recorder.begin(.exchange, { "\(request.method) \(request.shownURL)" }) else { return }
        let lost: UInt64? = exchanges.withLock { exchanges in
            let oldest = exchanges.count < Self.exchangesMax ? nil : exchanges.keys.min()
            let lost = oldest.flatMap { exchanges.removeValue(forKey: $0) }
            exchanges[exchange] = id
            return lost
        }
        if let lost { recorder.end(.exchange, lost, "unknown") }
    }
}
