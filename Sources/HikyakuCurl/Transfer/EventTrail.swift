#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

/// Makes the events of one observed exchange of what libcurl's callbacks and counters say.
///
/// `@unchecked`: the compiler can't see that the state is touched by `send` before the mailbox's lock hands the
/// exchange to the loop, then by the loop's driver alone, and by `send` again when it has the outcome.
final class EventTrail: @unchecked Sendable {
    private let emitter: EventEmitter
    private let bodyCount: Int?
    private var easy: UnsafeMutableRawPointer?
    /// When libcurl got the exchange, which is what it counts its times from.
    private var beginning = ContinuousClock.now
    /// No event happened before the one before it.
    private var last = ContinuousClock.now
    private var end: ContinuousClock.Instant?

    private var hasFoundName = false
    /// The sockets that are being connected; empty when one is.
    private var connecting: [ConnectingSocket] = []
    private var isConnected = false
    private var isReady = false
    private var isSent = false
    private var hasFirstByte = false
    private var bytesSent = 0

    /// Tells that the exchange began.
    init(_ request: HTTPRequest, _ emitter: EventEmitter) {
        self.emitter = emitter
        bodyCount = request.body.map(\.count) ?? 0
        emit(.began(request))
    }

    func dequeued() {
        emit(.dequeued)
    }

    /// Begins to count where libcurl does; what happened before was waiting.
    func attach(to easy: UnsafeMutableRawPointer) {
        self.easy = easy
        beginning = .now
    }

    private func emit(_ kind: TransportEvent.Kind, at instant: ContinuousClock.Instant = .now) {
        last = max(last, instant)
        emitter.emit(kind, at: last)
    }

    /// An instant that libcurl has noted; `nil` where it has none.
    private func instant(_ info: CURLINFO) -> ContinuousClock.Instant? {
        var microseconds: curl_off_t = 0
        guard let easy, hikyaku_curl_get_offset(easy, info, &microseconds) == CURLE_OK, microseconds > 0 else {
            return nil
        }
        return min(beginning + .microseconds(microseconds), .now)
    }
}

extension EventTrail {
    // MARK: - Connecting

    /// A connection is begun to be made, perhaps the second one to be tried.
    func connects(_ socket: ConnectingSocket) {
        if isReady { (hasFoundName, isConnected, isReady, isSent) = (false, false, false, false) }
        if !isConnected { connecting.append(socket) }
        guard !hasFoundName else { return }
        hasFoundName = true
        emit(.nameFound, at: instant(CURLINFO_NAMELOOKUP_TIME_T) ?? .now)
    }

    /// There is a connection, and the request is about to be sent over it.
    func readied() {
        let isReused = !hasFoundName
        if !isReused { emitConnection() }
        isReady = true
        isSent = false
        emit(.ready(isReused: isReused, protocolName: NegotiatedProtocol.name(of: easy)))
    }

    private func emitConnection(before error: (any Error)? = nil) {
        // Some versions of libcurl don't note when they connected if the handshake fails; it has just been, then.
        let isHandshakeFailure = (error as? TransportError).map { Self.handshakeReasons.contains($0.reason) } ?? false
        if !isConnected {
            guard let connected = instant(CURLINFO_CONNECT_TIME_T) ?? (isHandshakeFailure ? .now : nil) else { return }
            connect(at: connected)
        }
        if let secured = instant(CURLINFO_APPCONNECT_TIME_T) { emit(.secured, at: secured) }
    }

    private func connect(at instant: ContinuousClock.Instant) {
        isConnected = true
        connecting = []
        emit(.connected, at: instant)
    }

    /// Looks whether there is a connection: libcurl says nothing of it before the handshake over it is done, too.
    private func lookForConnection() {
        guard connecting.contains(where: \.isConnected) else { return }
        connect(at: instant(CURLINFO_CONNECT_TIME_T) ?? .now)
    }

    private static let handshakeReasons: Set<FailureReason> = [
        .tlsFailed, .certificateExpired, .certificateHostMismatch, .certificateSelfSigned, .certificateUntrusted,
        .certificatePinMismatch,
    ]

    // MARK: - Sending and receiving

    /// libcurl went on.
    ///
    /// - Parameters:
    ///   - count: How much of the body was handed to the system.
    ///   - isBodyOut: Whether libcurl has taken all of it.
    func progressed(_ count: Int, isBodyOut: Bool) {
        // libcurl goes on telling while a transfer is removed whose end is known already.
        guard easy != nil else { return }
        guard isReady else { return lookForConnection() }
        if count > bytesSent {
            bytesSent = count
            emit(.bytesSent(count, expected: bodyCount))
        }
        guard !isSent, isBodyOut, count >= bodyCount ?? 0, hasHeadersOut else { return }
        isSent = true
        emit(.requestSent)
    }

    private var hasHeadersOut: Bool {
        var count = 0
        return easy.map { hikyaku_curl_get_long($0, CURLINFO_REQUEST_SIZE, &count) } == CURLE_OK && count > 0
    }

    /// A line of the header block came.
    func receivedHeader(isBodyOut: Bool) {
        guard !hasFirstByte else { return }
        var count: curl_off_t = 0
        if let easy { _ = hikyaku_curl_get_offset(easy, CURLINFO_SIZE_UPLOAD_T, &count) }
        progressed(Int(count), isBodyOut: isBodyOut)
        hasFirstByte = true
        // With a body, libcurl notes the first byte that went out there.
        emit(.firstByte, at: (bodyCount == 0 ? instant(CURLINFO_STARTTRANSFER_TIME_T) : nil) ?? .now)
    }

    func receivedBody(_ count: Int, expected: Int?) {
        emit(.bytesReceived(count, expected: expected))
    }

    // MARK: - The end

    /// libcurl is through with the exchange, or has to let go of it: nothing is heard of it after this.
    ///
    /// For a response whose body is streamed that is so at the body's end, where ``emitEnd(_:)`` follows at once.
    ///
    /// - Parameter error: What ends the exchange; `nil` for a whole response.
    func detach(_ error: (any Error)?) {
        guard easy != nil else { return }
        if hasFoundName, !isReady { emitConnection(before: error) }
        easy = nil
        end = .now
    }

    /// Tells of the end, once, when it is known whether the response is whole; `nil` where it is.
    func emitEnd(_ error: (any Error)?) {
        emit(.ended(error.map(FailureReason.init(of:))), at: end ?? .now)
    }
}
#endif
