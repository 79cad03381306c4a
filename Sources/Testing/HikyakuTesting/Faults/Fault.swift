public import Hikyaku
import HikyakuBase

/// What a ``FaultTransport`` does to one exchange; any version may add cases, so a switch needs a `default`.
///
/// ```swift
/// let service = MockTransport { _ in .json(#"[{"id": 1, "name": "Ramen"}]"#) }
/// let transport = FaultTransport(service)
/// transport.enqueue(.status(.serviceUnavailable, retryAfter: .seconds(1)))
/// transport.enqueue(.delay(.milliseconds(20)), .truncatedBody(at: 0.5))
/// let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .standard))
/// ```
/// A fraction is the part of the body that comes before the fault, from 0 to 1. If the body's length is unknown, it is
/// that of its first piece. A body without a byte has no such faults.
public enum Fault: Sendable, Hashable {
    /// The response, or the fault in its place, comes later; a delay of ``TransportTimeouts/firstByte`` or more ends
    /// the exchange then.
    case delay(Duration)
    /// The exchange fails for a reason: before the service has received the request, or after it has processed the
    /// request, so that the response is lost.
    ///
    /// A timeout fails after its time.
    case failure(FailureReason, reachesService: Bool)
    /// A gateway responds instead of the service, perhaps after the service has processed the request, with
    /// `Retry-After` in whole seconds.
    case status(HTTPStatus, retryAfter: Duration? = nil, reachesService: Bool = false)
    /// The response says another media type than that of its body.
    case contentType(String)
    /// The body ends at a fraction, as ``FailureReason/truncatedResponse``.
    case truncatedBody(at: Double = 0.5)
    /// Some bits of the byte at a fraction are changed.
    ///
    /// The default, the highest bit, makes ASCII text invalid UTF-8, which a decoder finds. Other bits may change a
    /// number in a way that no client finds without a checksum.
    case corruptBody(at: Double = 0.5, bits: UInt8 = 0x80)
    /// The body pauses at a fraction; a pause of ``TransportTimeouts/idle`` or more ends the exchange then.
    case pausedBody(Duration, at: Double = 0.5)
}

extension Fault: CustomStringConvertible {
    /// The fault in a few words: `connectionReset after the service`.
    public var description: String {
        switch self {
        case .delay(let duration): "delay of \(duration)"
        case .failure(let reason, let reachesService): "\(reason.code) \(Self.side(reachesService))"
        case .status(let status, let retryAfter, let reachesService):
            "status \(status.code) \(Self.side(reachesService))"
                + (retryAfter.map { ", Retry-After \($0.wholeSeconds)" } ?? "")
        case .contentType(let type): "content type \(Redaction.printable(type))"
        case .truncatedBody(let fraction): "body truncated at \(fraction)"
        case .corruptBody(let fraction, let bits): "body corrupt at \(fraction), bits \(bits)"
        case .pausedBody(let duration, let fraction): "body pauses for \(duration) at \(fraction)"
        }
    }

    private static func side(_ reachesService: Bool) -> String {
        reachesService ? "after the service" : "before the service"
    }
}

extension Duration {
    /// The seconds in whole numbers, rounded up; what is negative is zero.
    var wholeSeconds: Int64 {
        // `components` traps if an Int64 can't represent the seconds.
        let (seconds, attoseconds) = Swift.max(.zero, Swift.min(self, .farFuture)).components
        return seconds + (attoseconds > 0 ? 1 : 0)
    }
}

/// One exchange of a ``FaultTransport``: the request, what was done to it, and how it ended.
public struct FaultRecord: Sendable {
    /// How an exchange ended.
    public enum Outcome: Sendable, Hashable {
        /// It has not ended.
        case pending
        /// A response was returned; its streamed body may be still in flight.
        case response(HTTPStatus)
        /// It failed for a reason.
        case failure(FailureReason)
    }

    /// The number of the exchange, counted from 1.
    public let number: Int
    /// The request, with everything that the client has added.
    public let request: HTTPRequest
    /// When it was sent, since the transport was made, by the transport's clock.
    public let start: Duration
    /// When it ended; `nil` if it has not.
    public internal(set) var end: Duration?
    /// The faults that had an effect, in their order.
    public internal(set) var faults: [Fault] = []
    /// Whether the service may have received the request.
    ///
    /// It is `false` only if that is impossible: the request was not passed to the inner transport, or that failed
    /// before it had a connection.
    public internal(set) var reachedService = false
    /// How it ended.
    public internal(set) var outcome = Outcome.pending

    init(number: Int, request: HTTPRequest, start: Duration) {
        self.number = number
        self.request = request
        self.start = start
    }
}

extension FaultRecord: CustomStringConvertible {
    /// The exchange in one line, without secrets:
    /// `#2 POST https://a.example/orders, 0.2 to 1.0 seconds: 503, not received; status 503 before the service`.
    public var description: String {
        let result =
            switch outcome {
            case .pending: "pending"
            case .response(let status): "\(status.code)"
            case .failure(let reason): "\(reason)"
            }
        let last = end.map { " to \($0 / .seconds(1))" } ?? ""
        let time = "\(start / .seconds(1))\(last) seconds"
        let received = reachedService ? "" : ", not received"
        let done = faults.isEmpty ? "" : "; " + faults.map(\.description).joined(separator: ", ")
        return "#\(number) \(request), \(time): \(result)\(received)\(done)"
    }
}

/// The records of one transport.
final class FaultLog: Sendable {
    private let clock: any HTTPClock
    private let start: ContinuousClock.Instant
    private let state = Lock<[FaultRecord]>([])

    init(clock: any HTTPClock) {
        self.clock = clock
        start = clock.now
    }

    var records: [FaultRecord] { state.withLock(\.self) }

    /// Adds a record.
    ///
    /// - Returns: Its number.
    func add(_ request: HTTPRequest) -> Int {
        let now = start.duration(to: clock.now)
        return state.withLock { records in
            records.append(FaultRecord(number: records.count + 1, request: request, start: now))
            return records.count
        }
    }

    func update(_ number: Int, _ change: (inout FaultRecord) -> Void) {
        state.withLock { change(&$0[number - 1]) }
    }

    func end(_ number: Int, _ outcome: FaultRecord.Outcome) {
        let now = start.duration(to: clock.now)
        update(number) { ($0.outcome, $0.end) = (outcome, now) }
    }
}
