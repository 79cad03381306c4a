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
    private var framing = BodyFraming()
    /// Whether the request is a HEAD, to which no body comes.
    var isForHead = false
    private var body = BodyBuffer()
    private var bodyLimit: BodyLimit?
    /// Whether a callback ended the transfer because the body of an error is long enough, so that the connection goes.
    private(set) var isBodyCut = false
    /// Whether the body goes to a reader, and what came of it in this round.
    private(set) var isStreamed = false
    var piece: OpenPiece?
    /// A body that libcurl reads piece by piece.
    var upload = Data()
    private var uploadPosition = 0
    /// Whether a streamed body has to be begun anew before it is read again.
    var mustRestartUpload = false
    /// Why a callback ended the transfer.
    private(set) var failure: TransportError?
    /// Whether a callback ended the transfer because more came than the whole response, so that the connection goes.
    private(set) var hasExcess = false
    /// Whether libcurl was told to wait: for the reader of the response, or for the source of the request.
    var isReceivingPaused = false
    var isSendingPaused = false
    /// Whether the server closed the connection amid a streamed request, which ended the transfer.
    var isAbandoned = false
    /// Whether the body ends with a connection over TLS, and whether that end was said; `nil` where it can't be seen.
    private(set) var endsWithTLS = false
    private var isEndSaid: Bool?
    /// Whether the transfer waits for the look-up of a name; not one that waits for another's connection.
    private(set) var isLookingUp = false
    private var hasOpenedSocket = false
    /// Tells whether a kept connection may be used.
    let connections: KeptConnections
    /// The sockets that were opened for the exchange, until a connection is chosen.
    private var openedSockets: [curl_socket_t] = []
    /// The connection over which the request goes, and whether it was made for it.
    private(set) var usedConnection: KeptConnections.Ports?
    private var isNewConnection = false
    /// Whether nothing was sent because something came unasked over the kept connection, so that another is needed.
    private(set) var mustStartAfresh = false
    /// How often the request was begun to be sent: libcurl sends it again when a kept connection turns out to be dead.
    private(set) var sendCount = 0
    /// The loop's time, as of its present turn.
    private var clock: UnsafePointer<CoarseInstant>?
    /// How long the exchange may stay where it is.
    var timer = StageTimer()
    /// What tells the exchange's observer, as long as the exchange goes on; `nil` where there is none.
    private var trail: EventTrail?
    /// How much of the body came, where somebody observes.
    private var receivedBytes = 0

    init(easy: UnsafeMutableRawPointer, connections: KeptConnections) {
        self.easy = easy
        self.connections = connections
    }

    mutating func begin(_ exchange: Exchange) {
        self.exchange = exchange
        isStreamed = exchange.options.streamsBody
        bodyLimit = BodyLimit(exchange.options)
        trail = exchange.trail
        trail?.attach(to: easy)
        swap(&head, &exchange.head)
        swap(&body, &exchange.body)
    }

    mutating func reset() {
        exchange = nil
        head = ResponseHead()
        framing = BodyFraming()
        body = BodyBuffer()
        bodyLimit = nil
        isBodyCut = false
        isStreamed = false
        piece = nil
        upload = Data()
        uploadPosition = 0
        mustRestartUpload = false
        failure = nil
        hasExcess = false
        isReceivingPaused = false
        isSendingPaused = false
        isAbandoned = false
        isLookingUp = false
        endsWithTLS = false
        isEndSaid = nil
        hasOpenedSocket = false
        if !openedSockets.isEmpty { openedSockets = [] }
        usedConnection = nil
        isNewConnection = false
        mustStartAfresh = false
        sendCount = 0
        trail = nil
        receivedBytes = 0
    }

    /// Begins to keep the time; gives the first instant at which anything can be over.
    mutating func keepTime(_ limits: StageTimer.Limits, by clock: UnsafePointer<CoarseInstant>) -> CoarseInstant {
        self.clock = clock
        return timer.begin(limits, hasUpload: !upload.isEmpty || exchange?.upload != nil, at: clock.pointee)
    }

    var now: CoarseInstant { clock?.pointee ?? .now }

    /// Whether all of the body was taken; what small bodies are, libcurl took beforehand.
    var isBodyOut: Bool { uploadPosition >= upload.count }

    /// Whether a connection is being made for the transfer.
    var isConnecting: Bool { hasOpenedSocket && sendCount == 0 }

    /// The whole response; the transfer has none afterwards.
    mutating func takeResponse() -> ReceivedResponse {
        ReceivedResponse(head: head, body: HTTPBody(body.take()), isBodyCut: isBodyCut)
    }

    /// What is missing of the response when the connection, or the stream, is over.
    var problemAtEnd: ResponseProblem? {
        if framing.endsWithConnection, endsWithTLS ? isEndSaid == false : isAbandoned && !head.isHTTP1 {
            return ResponseProblem(.truncatedResponse, "the connection ended, and nothing says that the body did")
        }
        return framing.problemAtEnd {
            var length: curl_off_t = -1
            _ = hikyaku_curl_get_offset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
            return length >= 0 ? Int(length) : nil
        }
    }

    var isChunked: Bool { framing.isChunked }
}

extension Transfer {
    // MARK: - Receiving

    /// Returns the number of bytes taken; any other than all ends the transfer.
    mutating func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        timer.receives(at: now)
        trail?.receivedHeader(isBodyOut: sending.isWhole)
        guard !head.isComplete else { return line.count }
        if let problem = head.append(line) { return fail(problem) }
        return head.isComplete ? beginBody(behind: line) : line.count
    }

    private mutating func beginBody(behind line: UnsafeRawBufferPointer) -> Int {
        guard let exchange else { return 0 }
        do throws(ResponseProblem) {
            framing = try head.bodyFraming(isForHead: isForHead)
            // What is streamed is handed over before anybody else reads the fields.
            if isStreamed { _ = try head.headers() }
        } catch {
            return fail(error)
        }
        if isNewConnection, let usedConnection, head.isHTTP1 || !exchange.mayUseHTTP2 {
            connections.expectSilence(on: usedConnection)
        }
        if framing.endsWithConnection, head.isHTTP1, exchange.isSecure {
            endsWithTLS = true
            TLSEnd.expect(on: easy)
        }
        if beginStreaming(bodyCount: framing.announcedLength, isEmpty: framing.isComplete) { return line.count }
        guard mayCollect(framing.announcedLength ?? 0) != .tooLarge else { return 0 }
        cutWhereFull()
        return isBodyCut || endsEarly() ? 0 : line.count
    }

    /// Says what becomes of a body of so many bytes; one that is too large is a failure.
    private mutating func mayCollect(_ count: Int) -> BodyLimit.Verdict {
        guard let verdict = bodyLimit?.verdict(on: count, HTTPStatus(head.status)) else { return .fits }
        if verdict == .tooLarge, let error = bodyLimit?.tooLarge(framing.announcedLength) {
            fail(error.reason, error.message)
        }
        return verdict
    }

    /// Waits for nothing more where the rest of an announced body won't be taken.
    private mutating func cutWhereFull() {
        guard let length = framing.announcedLength, let bodyLimit else { return }
        isBodyCut = length > bodyLimit.bytesMax && body.count == bodyLimit.bytesMax
    }

    /// Returns the number of bytes taken; any other than all ends the transfer.
    mutating func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        if mustPause(before: bytes.count) { return Int(CURL_WRITEFUNC_PAUSE) }
        timer.receives(at: now)
        guard head.isComplete else { return fail(.malformed("the body came before the header block was over")) }
        var position = 0
        do throws(ResponseProblem) {
            while true {
                switch try framing.next(in: bytes, from: &position) {
                case .body(let slice):
                    guard acceptBody(slice) else { return 0 }
                case .more:
                    return endsEarly() ? 0 : bytes.count
                case .excess:
                    // A stream of HTTP/2 carries one message, so that there it is the length that is wrong.
                    guard head.isHTTP1 else { return fail(.malformed("the body is longer than its Content-Length")) }
                    hasExcess = true
                    return 0
                }
            }
        } catch {
            return fail(error)
        }
    }

    /// Whether the response is whole and the upload isn't, over HTTP/2, which older versions of libcurl never see the
    /// end of: they would spin instead.
    private mutating func endsEarly() -> Bool {
        guard !head.isHTTP1, CurlLibrary.missesEarlyEnds, framing.isComplete, !upload.isEmpty || exchange?.upload != nil
        else { return false }
        var sent: curl_off_t = 0
        _ = hikyaku_curl_get_offset(easy, CURLINFO_SIZE_UPLOAD_T, &sent)
        let (bytesTaken, isWhole) = sending
        hasExcess = !isWhole || sent < curl_off_t(bytesTaken)
        return hasExcess
    }

    /// Takes bytes that are the body's, without any of its framing; `false` ends the transfer.
    private mutating func acceptBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isStreamed {
            guard piece?.append(bytes) == true else {
                fail(.outOfMemory, "there is no memory for the body")
                return false
            }
            noteReceived(bytes.count)
            return true
        }
        let verdict = mayCollect(body.count + bytes.count)
        guard verdict != .tooLarge, let bytesMax = bodyLimit?.bytesMax else { return false }
        let taken = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytesMax - body.count))
        guard body.append(taken, expecting: framing.announcedLength.map { min($0, bytesMax) }) else {
            fail(.outOfMemory, "there is no memory for the body")
            return false
        }
        noteReceived(taken.count)
        if verdict == .cut { isBodyCut = true } else { cutWhereFull() }
        return !isBodyCut
    }

    private mutating func noteReceived(_ count: Int) {
        guard let trail else { return }
        receivedBytes += count
        trail.receivedBody(receivedBytes, expected: framing.announcedLength)
    }

    // MARK: - Sending

    /// Told as libcurl goes on, if somebody observes or the end has to be looked at.
    mutating func progressed(_ uploaded: curl_off_t) {
        if endsWithTLS { isEndSaid = TLSEnd.wasSaid(on: easy) ?? isEndSaid }
        trail?.progressed(Int(uploaded), isBodyOut: sending.isWhole)
    }

    mutating func sendBody(into room: UnsafeMutableRawBufferPointer) -> Int {
        timer.sentBody(at: now)
        if let stream = exchange?.upload { return sendBody(of: stream, into: room) }
        let end = min(uploadPosition + room.count, upload.count)
        guard uploadPosition < end else { return 0 }
        let first = upload.startIndex
        let copied = upload.copyBytes(to: room, from: (first + uploadPosition)..<(first + end))
        uploadPosition += copied
        return copied
    }

    mutating func seekBody(to offset: curl_off_t, from origin: Int32) -> Int32 {
        if let stream = exchange?.upload {
            guard offset == 0, stream.mayRestart else { return refuseRestart() }
            // Begun anew only when the request is sent again, which may be refused.
            mustRestartUpload = true
            return CURL_SEEKFUNC_OK
        }
        guard origin == SEEK_SET, 0...upload.count ~= Int(offset) else { return CURL_SEEKFUNC_FAIL }
        uploadPosition = Int(offset)
        return CURL_SEEKFUNC_OK
    }

    /// A look-up begins.
    ///
    /// With a proxy of the environment that has to be told an address, the host is looked up when the proxy's
    /// connection is there. Nothing says when that look-up is over, so that it counts as connecting.
    mutating func startsLookUp() {
        guard !hasOpenedSocket || usedConnection != nil else { return }
        isLookingUp = true
        timer.connects(at: now)
        guard let exchange else { return }
        LookUpTime.give(exchange.options.timeouts.connect, on: easy)
    }

    /// As libcurl does it by itself, but a child process doesn't inherit the socket.
    ///
    /// None for who gave up meanwhile, unless others may be waiting to share the connection: without it, libcurl would
    /// let them wait until a timeout.
    mutating func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address, let exchange, exchange.isWaiting || exchange.mayUseHTTP2 else { return -1 }
        if isLookingUp { LookUpTime.end(exchange.options.timeouts.connect, isWanted: exchange.isWaiting, on: easy) }
        isLookingUp = false
        hasOpenedSocket = true
        usedConnection = nil
        timer.connects(at: now)
        #if canImport(Darwin)
        let descriptor = socket(address.pointee.family, address.pointee.socktype, address.pointee.protocol)
        if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        #else
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.pointee.family, type, address.pointee.protocol)
        #endif
        openedSockets.append(descriptor)
        trail?.connects(ConnectingSocket(descriptor, to: address))
        return descriptor
    }

    /// libcurl asks before it sends, and again before it sends once more because a kept connection turned out to be
    /// dead.
    ///
    /// The server may have acted on the first one even so, so that only idempotent requests may go twice (RFC 9110,
    /// section 9.2.2).
    mutating func mayBeSent(over connection: KeptConnections.Ports) -> Bool {
        guard let exchange, exchange.isWaiting else { return false }
        guard sendCount == 0 || exchange.request.method.isIdempotent else {
            fail(.connectionClosed, "the kept connection was closed, and \(exchange.request.method) is not sent twice")
            return false
        }
        if !openedSockets.isEmpty {
            connections.add(connection, opened: openedSockets)
            isNewConnection = true
            openedSockets = []
        } else if !connections.isUsable(connection) || isAsDoubtful(connection, exchange) {
            // What was read of a body for the first try has to be read again.
            mustStartAfresh = sendCount == 0 || restartUpload()
            return false
        }
        usedConnection = connection
        isLookingUp = false
        sendCount += 1
        timer.sends(at: now)
        uploadPosition = 0
        guard sendCount == 1 || restartUpload() else { return false }
        trail?.readied()
        return true
    }

    /// Whether a request that was lost with one kept connection is about to go over another, which may be as dead.
    ///
    /// libcurl would try five of them. Over HTTP/2 what is sent again may share a connection that lives.
    private func isAsDoubtful(_ connection: KeptConnections.Ports, _ exchange: Exchange) -> Bool {
        sendCount > 0 && (!exchange.mayUseHTTP2 || connections.isSilent(connection))
    }

    /// Returns 0, with which a callback ends the transfer.
    private mutating func fail(_ problem: ResponseProblem) -> Int {
        fail(problem.reason, problem.text)
        return 0
    }

    mutating func fail(_ reason: FailureReason, _ text: String) {
        failure = TransportError(reason, "\(exchange?.hostAndPort ?? ""): \(text)")
    }
}
#endif
