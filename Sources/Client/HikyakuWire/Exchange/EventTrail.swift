#if os(Linux)
import HikyakuHTTP

/// When the steps of a handshake were taken.
struct HandshakeMarks: Sendable {
    var nameFound: ContinuousClock.Instant?
    var connected: ContinuousClock.Instant?
    var secured: ContinuousClock.Instant?
}

/// Emits the events of one exchange in order.
///
/// `@unchecked`: the compiler can't see that only the owner of the exchange's connection uses it, or `send` while there
/// is none, and that ownership changes under the engine's lock.
final class EventTrail: @unchecked Sendable {
    private let emitter: EventEmitter
    private let bodyCount: Int?
    /// The instant of the last event; no later event has an earlier one.
    private var last = ContinuousClock.now
    private var dequeuedAt: ContinuousClock.Instant?
    private var bytesSent = 0
    private var isSent = false
    private var hasFirstByte = false
    private var bytesReceived = 0

    /// Emits that the exchange began.
    init(_ request: HTTPRequest, _ emitter: EventEmitter) {
        self.emitter = emitter
        bodyCount = request.body.map(\.count) ?? 0
        emit(.began(request))
    }

    private func emit(_ kind: TransportEvent.Kind, at instant: ContinuousClock.Instant = .now) {
        last = max(last, instant)
        emitter.emit(kind, at: last)
    }

    /// Notes that the exchange left the queue; emitted with the next event.
    func dequeued(at instant: ContinuousClock.Instant) {
        dequeuedAt = instant
    }

    /// Emits the steps of a handshake, at its end or when the exchange ends before.
    func handshake(_ marks: HandshakeMarks) {
        emitDequeued()
        if let instant = marks.nameFound { emit(.nameFound, at: instant) }
        if let instant = marks.connected { emit(.connected, at: instant) }
        if let instant = marks.secured { emit(.secured, at: instant) }
    }

    /// The request is about to be sent.
    ///
    /// - Parameters:
    ///   - marks: The steps of the connection's handshake, if it is a new one.
    ///   - protocolName: The connection's protocol.
    func readied(_ marks: HandshakeMarks?, protocolName: String) {
        emitDequeued()
        if let marks { handshake(marks) }
        (bytesSent, isSent) = (0, false)
        emit(.ready(isReused: marks == nil, protocolName: protocolName))
    }

    /// The connection was dead, and the request is sent once more.
    func resending(_ reason: FailureReason) { emit(.resending(reason)) }

    private func emitDequeued() {
        guard let instant = dequeuedAt.take() else { return }
        emit(.dequeued, at: instant)
    }

    func sent(bodyBytes count: Int, isWhole: Bool) {
        if count > bytesSent {
            bytesSent = count
            emit(.bytesSent(count, expected: bodyCount))
        }
        guard isWhole, !isSent else { return }
        isSent = true
        emit(.requestSent)
    }

    func receivedFirstByte() {
        guard !hasFirstByte else { return }
        hasFirstByte = true
        emit(.firstByte)
    }

    func receivedInterim(_ status: Int) { emit(.interimResponse(HTTPStatus(status))) }

    func received(bodyBytes count: Int, expected: Int?) {
        bytesReceived += count
        emit(.bytesReceived(bytesReceived, expected: expected))
    }

    /// Emits the end, once; `nil` means that the response is complete.
    func ended(_ error: (any Error)?) {
        emitDequeued()
        emit(.ended(error.map(FailureReason.init(of:))))
    }
}
#endif
