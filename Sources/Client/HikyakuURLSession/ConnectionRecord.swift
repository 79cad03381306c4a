import Foundation
import HikyakuHTTP

/// When the stages of an exchange were, as URLSession reports it at the end.
struct ConnectionRecord: Sendable {
    var nameFound: Date?
    var connected: Date?
    var secured: Date?
    var requestBegan: Date?
    var requestSent: Date?
    var isReused = false
    /// As in ALPN: `http/1.1`, `h2`, `h3`.
    var protocolName: String?
    /// How often URLSession has sent the request before, over connections that turned out to be dead.
    var earlierCount = 0

    /// The events that were not emitted before, in their order.
    ///
    /// - Parameters:
    ///   - date: The wall clock's present time.
    ///   - now: The same moment of the clock that events have.
    ///   - begin: When the exchange began: no event is before it, even if the wall clock was set meanwhile.
    ///   - isSent: Whether the end of the request was emitted before.
    /// - Returns: Each event with its instant.
    func events(
        at date: Date,
        now: ContinuousClock.Instant,
        since begin: ContinuousClock.Instant,
        isSent: Bool,
    ) -> [(kind: TransportEvent.Kind, instant: ContinuousClock.Instant)] {
        let resending = (TransportEvent.Kind.resending(.connectionClosed), requestBegan)
        var stages: [(TransportEvent.Kind, Date?)] = Array(repeating: resending, count: earlierCount)
        if !isReused { stages += [(.nameFound, nameFound), (.connected, connected), (.secured, secured)] }
        if let protocolName { stages.append((.ready(isReused: isReused, protocolName: protocolName), requestBegan)) }
        if !isSent { stages.append((.requestSent, requestSent)) }
        var last = begin
        return stages.compactMap { kind, stage in
            guard let stage else { return nil }
            let seconds = date.timeIntervalSince(stage)
            guard seconds.isFinite, abs(seconds) < 1e9 else { return nil }
            last = min(max(last, now - .seconds(seconds)), now)
            return (kind, last)
        }
    }
}

#if canImport(Darwin)
extension ConnectionRecord {
    /// What the metrics of a task say of its last transaction over the network; `nil` if there was none.
    init?(_ metrics: URLSessionTaskMetrics) {
        let transactions = metrics.transactionMetrics.filter { $0.resourceFetchType == .networkLoad }
        guard let transaction = transactions.last else { return nil }
        self.init(
            nameFound: transaction.domainLookupEndDate,
            // The end of connecting contains the TLS handshake.
            connected: transaction.secureConnectionStartDate ?? transaction.connectEndDate,
            secured: transaction.secureConnectionEndDate,
            requestBegan: transaction.requestStartDate,
            requestSent: transaction.requestEndDate,
            isReused: transaction.isReusedConnection,
            protocolName: transaction.networkProtocolName,
            // No redirect is followed.
            earlierCount: transactions.dropLast().count { $0.requestStartDate != nil },
        )
    }
}
#endif
