#if os(Linux)
import CCurl
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// What belongs to the one exchange that an easy handle carries: what libcurl's callbacks read and write.
///
/// It has a place in memory of its own, which the callbacks get as their context. They come some ten times a request,
/// so that counting references and checking for exclusive access, as for a class, would be felt.
struct Transfer: ~Copyable {
    private let easy: UnsafeMutableRawPointer

    private(set) var exchange: Exchange?
    private(set) var head = ResponseHead()
    private var body = BodyBuffer()
    /// A body that libcurl reads piece by piece.
    var upload = Data()
    private var uploadPosition = 0
    /// Why a callback ended the transfer.
    private(set) var failure: TransportError?
    /// Whether a connection is being made for the exchange.
    private var hasOpenedSocket = false
    /// How often the request was begun to be sent: libcurl sends it again when a kept connection turns out to be dead.
    private(set) var sendCount = 0
    /// The loop's time, as of its present turn.
    private var clock: UnsafePointer<CoarseInstant>?
    /// How long the exchange may stay where it is.
    var timer = StageTimer()
    /// Whether the exchange waits for its caller, as reader or as source; its timeouts stand still meanwhile.
    var isHeldBack = false

    init(easy: UnsafeMutableRawPointer) {
        self.easy = easy
    }

    mutating func begin(_ exchange: Exchange) {
        self.exchange = exchange
        swap(&head, &exchange.head)
        swap(&body, &exchange.body)
    }

    mutating func reset() {
        exchange = nil
        head = ResponseHead()
        body = BodyBuffer()
        upload = Data()
        uploadPosition = 0
        failure = nil
        hasOpenedSocket = false
        sendCount = 0
        isHeldBack = false
    }

    /// Begins to keep the time; gives the first instant at which anything can be over.
    mutating func keepTime(_ limits: StageTimer.Limits, by clock: UnsafePointer<CoarseInstant>) -> CoarseInstant {
        self.clock = clock
        return timer.begin(limits, hasUpload: !upload.isEmpty, at: clock.pointee)
    }

    private var now: CoarseInstant { clock?.pointee ?? .now }

    /// Whether all of the body was taken; what small bodies are, libcurl took beforehand.
    var isBodyOut: Bool { uploadPosition >= upload.count }

    /// Whether the transfer has neither a connection nor begun to make one.
    var isLookingUp: Bool { !hasOpenedSocket && sendCount == 0 }

    /// The whole response; the transfer has none afterwards.
    mutating func takeResponse() -> ReceivedResponse {
        ReceivedResponse(head: head, body: body.take())
    }

    /// The length that the response's header block announces.
    private var announcedLength: Int? {
        var length: curl_off_t = -1
        _ = hikyaku_curl_get_offset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        return length >= 0 ? Int(length) : nil
    }
}

extension Transfer {
    // MARK: - Receiving

    /// Returns the number of bytes taken; any other than all ends the transfer.
    mutating func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        timer.receives(at: now)
        switch head.append(line) {
        case nil:
            break
        case .tooLarge?:
            fail(.headersTooLarge, ResponseHead.tooLargeText)
            return 0
        case .malformed(let what)?:
            fail(.malformedResponse, what)
            return 0
        }
        if head.isComplete, let exchange, let length = announcedLength, length > exchange.bodyBytesMax, bodyMayCome {
            fail(.bodyTooLarge, "the body has \(length) bytes, the limit is \(exchange.bodyBytesMax)")
            return 0
        }
        return line.count
    }

    /// Whether the length in the header block is that of a body which follows.
    private var bodyMayCome: Bool {
        exchange?.request.method != .head && head.status != 204 && head.status != 304
    }

    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let exchange else { return 0 }
        timer.receives(at: now)
        guard bytes.count <= exchange.bodyBytesMax - body.count else {
            fail(.bodyTooLarge, "the body has more than \(exchange.bodyBytesMax) bytes")
            return 0
        }
        let expected = body.count == 0 ? announcedLength : nil
        guard body.append(bytes, expecting: expected) else {
            fail(.transportFailed, "there is no memory for the body")
            return 0
        }
        return bytes.count
    }

    // MARK: - Sending

    mutating func sendBody(into room: UnsafeMutableRawBufferPointer) -> Int {
        timer.sentBody(at: now)
        let end = min(uploadPosition + room.count, upload.count)
        guard uploadPosition < end else { return 0 }
        let first = upload.startIndex
        let copied = upload.copyBytes(to: room, from: (first + uploadPosition)..<(first + end))
        uploadPosition += copied
        return copied
    }

    mutating func seekBody(to offset: curl_off_t, from origin: Int32) -> Int32 {
        guard origin == SEEK_SET, 0...upload.count ~= Int(offset) else { return CURL_SEEKFUNC_FAIL }
        uploadPosition = Int(offset)
        return CURL_SEEKFUNC_OK
    }

    /// As libcurl does it by itself, but a child process doesn't inherit the socket; none for who gave up meanwhile.
    mutating func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address, exchange?.isWaiting == true else { return -1 }
        hasOpenedSocket = true
        timer.connects(at: now)
        #if canImport(Darwin)
        let descriptor = socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptor
        #else
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, type, address.pointee.protocol)
        #endif
    }

    /// libcurl asks before it sends, and again before it sends once more because a kept connection turned out to be
    /// dead.
    ///
    /// The server may have acted on the first one even so, so that only idempotent requests may go twice (RFC 9110,
    /// section 9.2.2).
    mutating func mayBeSent() -> Bool {
        guard let exchange, exchange.isWaiting else { return false }
        sendCount += 1
        timer.sends(at: now)
        if sendCount == 1 || exchange.request.method.isIdempotent { return true }
        fail(.connectionClosed, "the kept connection was closed, and \(exchange.request.method) is not sent twice")
        return false
    }

    private mutating func fail(_ reason: FailureReason, _ text: String) {
        failure = TransportError(reason, "\(exchange?.hostAndPort ?? ""): \(text)")
    }
}
#endif
