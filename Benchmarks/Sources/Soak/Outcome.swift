import HikyakuHTTP
import SoakSupport

/// What came of one request.
enum Outcome: Sendable {
    case rightBody
    case dropped
    case cancelled
    case failed(FailureReason)
    /// The gateway has answered a fault of the server with its own 502.
    case gatewayError
    /// What must never be: a wrong success, an error without a cause, a request without an end.
    case violation(String)

    /// Whether an error may be what came of the request.
    static func ofError(_ error: any Error, in trial: Trial) -> Outcome {
        if error is CancellationError {
            return trial.cancelsAfter == nil ? .violation("cancelled without a request for it") : .cancelled
        }
        guard let error = error as? TransportError else { return .violation("threw \(type(of: error)): \(error)") }
        let reason = error.reason
        if trial.behavior.isFault { return .failed(reason) }
        // Another request's fault may have closed the kept connection, and what isn't idempotent, or can't be read
        // again, isn't sent twice.
        let mayBeRepeated = trial.method != .post && !isStream(trial.sending)
        if !mayBeRepeated, [.connectionClosed, .connectionReset, .bodyConsumed].contains(reason) {
            return .failed(reason)
        }
        return .violation("a good answer became \(error)")
    }

    private static func isStream(_ sending: Trial.Sending) -> Bool {
        if case .stream = sending { true } else { false }
    }
}

/// The outcomes of all requests, counted.
struct Tally: Sendable {
    private(set) var requests = 0
    private(set) var counts: [String: Int] = [:]
    /// How often each kind of violation was seen, and one of them.
    private(set) var violations: [String: (count: Int, example: String)] = [:]

    mutating func add(_ outcome: Outcome, of trial: Trial, at index: Int) {
        requests += 1
        switch outcome {
        case .rightBody: counts["the right body", default: 0] += 1
        case .dropped: counts["dropped half-way", default: 0] += 1
        case .cancelled: counts["cancelled", default: 0] += 1
        case .failed(let reason): counts["error \(reason)", default: 0] += 1
        case .gatewayError: counts["502 of the gateway", default: 0] += 1
        case .violation(let text):
            let example = "request \(index): \(trial.words): \(text)"
            violations["\(trial.behavior) \(text.prefix(60))", default: (0, example)].count += 1
        }
    }

    mutating func add(_ other: Tally) {
        requests += other.requests
        counts.merge(other.counts, uniquingKeysWith: +)
        violations.merge(other.violations) { ($0.count + $1.count, $0.example) }
    }

    var lines: [String] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.value)  \($0.key)" }
    }
}
