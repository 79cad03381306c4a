import HikyakuBase

/// How long the parts of a call took, and what went over the wire.
///
/// Only ``total`` covers the whole call. Everything else is about the exchange that started last. That is the one with
/// the response, unless attempts ran concurrently; a redirect or a retry before it counts only in the total. Values
/// that the transport doesn't report are `nil`, and so is everything but the total for a stub.
public struct CallTimings: Sendable, Hashable {
    /// From the start of the call to the decoded value.
    public var total: Duration
    /// How long the request waited because of the transport's limits; `nil` if it did not wait.
    public var queued: Duration?
    /// Resolving the host name; `nil` over a reused connection.
    public var nameLookup: Duration?
    /// From the addresses to an open connection, to the host or its proxy; `nil` over a reused connection.
    public var connect: Duration?
    /// The TLS handshake; `nil` without TLS, and over a reused connection.
    public var tls: Duration?
    /// From the open connection to the request's last byte.
    public var request: Duration?
    /// From the request's last byte to the first of the response: usually the service's processing time and one round
    /// trip.
    public var firstByte: Duration?
    /// From the first byte of the response to its last; `nil` for a streamed body, which is received later.
    public var body: Duration?
    /// Whether the connection was already open.
    public var isConnectionReused: Bool?
    /// The ALPN name of the protocol: `http/1.1` or `h2`.
    public var protocolName: String?
    /// The size of the request's body in bytes; `nil` if none was sent.
    public var bytesSent: Int?
    /// The size of the response's body in bytes as it was on the wire, before content decoding; `nil` if there was
    /// none.
    public var bytesReceived: Int?

    /// Creates timings with a total; tests of code that uses them can set the rest.
    public init(total: Duration) {
        self.total = total
    }
}

extension CallTimings: CustomStringConvertible {
    /// The known parts in milliseconds: `total 12.3 ms, waiting 8.1 ms`.
    public var description: String {
        let parts = partsText
        return "total \(total.milliseconds) ms\(parts.isEmpty ? "" : ", ")\(parts)"
    }

    /// The known parts without the total.
    var partsText: String {
        let parts: [(String, Duration?)] = [
            ("queued", queued), ("name", nameLookup), ("connect", connect), ("TLS", tls),
            ("request", request),
            ("waiting", firstByte), ("body", body),
        ]
        return parts.compactMap { name, duration in duration.map { "\(name) \($0.milliseconds) ms" } }
            .joined(separator: ", ")
    }
}

/// Computes the timings of one call from its events.
package final class TimingsRecorder: EventObserver {
    fileprivate struct Record: Sendable {
        var exchange: UInt64 = 0
        /// The latest event before the connection was open; the interval of the next one starts here.
        var step: ContinuousClock.Instant?
        // Some transports report the connection at the end, so these may be set in any order.
        var ready: ContinuousClock.Instant?
        var sent: ContinuousClock.Instant?
        var firstByte: ContinuousClock.Instant?
        var ended: ContinuousClock.Instant?
        var timings = CallTimings(total: .zero)

        var complete: CallTimings {
            var timings = timings
            timings.request = Self.interval(ready, sent)
            timings.firstByte = Self.interval(sent, firstByte)
            timings.body = Self.interval(firstByte, ended)
            return timings
        }

        mutating func take(_ event: TransportEvent) {
            switch event.kind {
            case .began: step = event.instant
            case .dequeued: timings.queued = nextStep(event)
            case .nameFound: timings.nameLookup = nextStep(event)
            case .connected: timings.connect = nextStep(event)
            case .secured: timings.tls = nextStep(event)
            case .ready(let isReused, let protocolName):
                (ready, step) = (event.instant, event.instant)
                (timings.isConnectionReused, timings.protocolName) = (isReused, protocolName)
            case .requestSent: sent = event.instant
            case .firstByte: firstByte = event.instant
            case .ended: ended = event.instant
            case .bytesSent(let count, _): timings.bytesSent = count
            case .bytesReceived(let count, _): timings.bytesReceived = count
            case .resending: step = event.instant
            case .waitingForConnectivity, .interimResponse: break
            case .drifted, .retrying, .reconnecting, .resuming, .circuit, .fallingBack: break
            case .waitingForLimit, .admittedByLimit, .quotaLearned: break
            }
        }

        private mutating func nextStep(_ event: TransportEvent) -> Duration? {
            defer { step = event.instant }
            return step?.duration(to: event.instant)
        }

        private static func interval(
            _ begin: ContinuousClock.Instant?,
            _ end: ContinuousClock.Instant?,
        ) -> Duration? {
            begin.flatMap { begin in end.map { begin.duration(to: $0) } }
        }
    }

    private let record = Lock(Record())

    package init() {}

    package func observe(_ event: TransportEvent) {
        record.withLock { record in
            if case .began = event.kind { record = Record(exchange: event.exchange) }
            if event.exchange == record.exchange { record.take(event) }
        }
    }

    /// The call's last exchange; 0 if there was none.
    package var exchange: UInt64 { record.withLock(\.exchange) }

    /// The timings so far, without the total.
    package var timings: CallTimings { record.withLock(\.complete) }
}
