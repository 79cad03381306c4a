#if os(Linux)
import FoundationEssentials
import HikyakuBase
import HikyakuHTTP

/// One request in flight, from `send` to its outcome.
///
/// `@unchecked`: the compiler can't see who uses what. The properties marked as the engine's are used under its lock.
/// All others belong to the owner of the exchange's connection (``Connection/use``), and to `send` before the
/// exchange is submitted and after its outcome; ownership changes under the lock.
final class Exchange: @unchecked Sendable {
    /// Where the exchange is.
    enum Phase {
        /// Not submitted yet. Next: all others.
        case new
        /// It is not in flight yet. Next: `waiting`, `active`, `over`.
        case queued(WaitingLines<Exchange>.Ticket)
        /// It is in flight and has no connection yet. Next: `active`, `over`.
        case waiting(Int)
        /// It has a connection. Next: `over`, or `waiting` if the connection was dead.
        case active(Connection)
        /// Its outcome is known.
        case over
    }

    let url: RequestURL
    /// The request, if it may be sent over HTTP/2.
    let request: HTTPRequest?
    let options: TransportOptions
    let isIdempotent: Bool
    let method: HTTPMethod
    let trail: EventTrail?
    #if SANITIZES_THREADS
    /// Locked while `send` is resumed, and then by `send` itself: a continuation orders both, but the thread sanitizer
    /// knows only locks.
    let handover = Lock(())
    #endif

    // The engine's.
    var phase = Phase.new
    var isCancelled = false
    /// Set when the exchange is submitted, and not changed afterwards.
    var site: Site?
    var origin = 0
    var timer: Int?
    /// When it began, if it was alone.
    var begin: Int64 = 0
    /// Its number in the order in which the transport's exchanges got connections.
    var number: UInt64 = 0

    // The owner's.
    private let own: UnsafeMutablePointer<Progress>
    private var isBodyCut = false
    /// What `send` returns; not part of `own`, which the loop still changes after it has returned a stream's head.
    private var response: HTTPResponse?
    /// The stream of a body that is streamed.
    private(set) var download: ResponseStream?
    private var hasNotedHead = false
    var isReceivingPaused = false
    private var isWrittenForProxy = false
    /// Whether the caller has the response's head, and the outcome is its stream's.
    private(set) var isStreaming = false
    /// Why the rest of the request can't be sent; a response that the server has sent before is still used.
    var sendingFault: IOFault?
    /// Whether the request was sent once more without a retry of the client.
    var isReplayed = false
    private var continuation: UnsafeContinuation<Void, any Error>?
    /// The number of its stream over HTTP/2.
    var stream: Int32 = 0

    /// The state that changes with each piece that is sent or received.
    ///
    /// Swift checks the access to a class's properties for conflicts at run time. State with one owner doesn't need
    /// that check, which would take an eighth of a small request's instructions.
    private struct Progress: ~Copyable {
        var sender: RequestSender
        var reader: ResponseReader
        var stage: StageTimer
        var body = BodyBuffer()
        var bodyLimit: BodyLimit
        /// The length of the response's body, if its header block states one.
        var announcedLength: Int?
        /// The piece that is added to a streamed body while the connection's bytes are read.
        var piece: OpenPiece?
        /// The response whose body is collected.
        var collected: HTTPResponse?
        /// Whether its connection has carried an exchange before.
        var isReusing = false
    }

    init(_ request: HTTPRequest, _ options: TransportOptions) throws(TransportError) {
        url = RequestURL(request.urlText)
        self.request = url.isSecure ? request : nil
        self.options = options
        method = request.method
        isIdempotent = request.method.isIdempotent
        let bytes = request.body?.bytes ?? Data()
        let isSmall = bytes.count <= RequestSender.smallBodyBytesMax
        let head = try RequestHead(request, url, room: isSmall ? bytes.count : 0)
        trail = options.observer == nil ? nil : EventEmitter(options.observer).map { EventTrail(request, $0) }
        let upload = request.body.flatMap { $0.bytes == nil ? UploadStream($0) : nil }
        own = .allocate(capacity: 1)
        own.initialize(
            to: Progress(
                sender: RequestSender(head, body: bytes, upload: upload),
                reader: ResponseReader(isForHead: request.method == .head),
                stage: StageTimer(StageTimer.Limits.of(options.timeouts)),
                bodyLimit: BodyLimit(options),
            )
        )
    }

    deinit {
        own.deinitialize(count: 1)
        own.deallocate()
    }

    var sender: RequestSender {
        _read { yield own.pointee.sender }
        _modify { yield &own.pointee.sender }
    }

    var stage: StageTimer {
        _read { yield own.pointee.stage }
        _modify { yield &own.pointee.stage }
    }

    private var announcedLength: Int? { own.pointee.announcedLength }
    /// Whether any byte of a response came; over HTTP/2, whether its head did.
    var hasResponseBegun: Bool { own.pointee.reader.hasBegun || own.pointee.collected != nil || isStreaming }
    /// Whether the header block of the response is complete.
    private var hasResponseHead: Bool { own.pointee.reader.head.isComplete }

    /// Reports that it is no longer queued.
    func leaveQueue() {
        trail?.dequeued(at: .now)
        options.listener?.leaveQueue()
    }

    /// Streams the body of the response; called before the exchange is submitted.
    func receiveBody(into stream: ResponseStream) {
        download = stream
    }

    /// Whether the caller may wait for the response on its own thread: not with streams, and not with a large body.
    var mayBeQuick: Bool { !options.streamsBody && sender.upload == nil && sender.isSmall }

    /// Rewrites the request for a proxy that forwards it, once: all connections of an origin use the same proxy.
    func writeForProxy(_ proxy: HTTPProxy.Server?) {
        guard !isWrittenForProxy else { return }
        isWrittenForProxy = true
        // The last proxy makes an asterisk of a URL without a path (RFC 9112, section 3.2.4).
        let hasNoTarget = method == .options && url.hasNoTarget
        let target = hasNoTarget ? url.text : HTTPProxy.Server.target(of: url.text)
        sender.forward(to: target, authorization: proxy?.authorization)
    }

    func wait(with continuation: UnsafeContinuation<Void, any Error>) {
        self.continuation = continuation
    }

    // MARK: - The response

    /// The state of the response after bytes were received.
    enum Fed {
        case more
        /// The response is complete, or no more of it is needed.
        case complete
        case failed(TransportError)
    }

    /// Takes bytes of HTTP/1.1 that were received.
    ///
    /// - Returns: Whether the response goes on.
    func feed(_ bytes: UnsafeRawBufferPointer) -> Fed {
        var position = 0
        do throws(TransportError) {
            while true {
                switch try own.pointee.reader.next(in: bytes, from: &position) {
                case .more:
                    noteHead()
                    noteInterimResponses()
                    if own.pointee.sender.isHeld, own.pointee.reader.head.saysContinue { goAhead() }
                    return .more
                case .end: return complete(trailers: try own.pointee.reader.trailers())
                case .head:
                    noteInterimResponses()
                    if let fed = try beginBody() { return fed }
                case .body(let slice):
                    if let fed = take(slice) { return fed }
                }
            }
        } catch {
            guard own.pointee.collected == nil, !isStreaming, let head = own.pointee.reader.head.refused else {
                return .failed(isLate(error) ? .late(error) : error)
            }
            return .failed(error.after(head))
        }
    }

    /// Whether the bytes of another protocol are rather those of the last response: the server has spoken HTTP before.
    private func isLate(_ error: TransportError) -> Bool {
        own.pointee.isReusing && own.pointee.reader.head.isFirst && error.reason == .malformedResponse
    }

    private func noteInterimResponses() {
        guard let trail, own.pointee.reader.head.hasInterim else { return }
        trail.receivedFirstByte()
        for status in own.pointee.reader.takeInterimStatuses() { trail.receivedInterim(status) }
    }

    /// How many of the next bytes can be received directly into the piece of a streamed body.
    var directBytes: Int { isStreaming ? own.pointee.reader.bodyBytesLeft : 0 }

    /// Notes how many bytes were received into the piece.
    func feedDirect(_ count: Int) -> Fed {
        trail?.received(bodyBytes: count, expected: announcedLength)
        return own.pointee.reader.took(count) ? .complete : .more
    }

    /// Takes the end of the connection.
    func feedEnd(isProven: Bool) -> Fed {
        if let problem = own.pointee.reader.problemAtEnd(isProven: isProven) { return .failed(problem) }
        do { return complete(trailers: try own.pointee.reader.trailers()) } catch { return .failed(error) }
    }

    var outOfMemory: Fed { .failed(WireCause.memory.error("not enough memory for the body")) }

    private func beginBody() throws(TransportError) -> Fed? {
        if own.pointee.sender.isHeld { received(isFinal: true) }
        // A proxy that forwards requests says so in a response of its own.
        if isWrittenForProxy, own.pointee.reader.head.status == 407 {
            let challenges = (try? own.pointee.reader.head.headers())?.values(for: "Proxy-Authenticate") ?? []
            throw ProxyRefusal.login("the proxy responded with 407", challenges)
        }
        // A header block that can't be read ends the exchange before any of it is used.
        var response = HTTPResponse(
            status: HTTPStatus(own.pointee.reader.head.status),
            headers: try own.pointee.reader.head.headers(),
        )
        response.isEndStated = nil
        return begin(
            response,
            length: own.pointee.reader.framing.announcedLength,
            isComplete: own.pointee.reader.framing.isComplete,
        )
    }

    /// Takes the final response without its body.
    ///
    /// - Parameters:
    ///   - response: Its status and fields.
    ///   - length: The length of its body, if it is known.
    ///   - isComplete: Whether there is no body.
    /// - Returns: The outcome; `nil` if the body follows.
    func begin(_ response: consuming HTTPResponse, length: Int?, isComplete: Bool) -> Fed? {
        own.pointee.announcedLength = length
        guard options.streamsBody, !isComplete, let download else {
            own.pointee.collected = response
            return take(upTo: announcedLength ?? 0) ?? cutWhereFull()
        }
        response.body = HTTPBody(pulling: download, count: announcedLength)
        self.response = response
        isStreaming = true
        resume(continuation.take(), nil)
        return nil
    }

    /// The error for a body of that size that is not collected; `nil` if it is.
    private func take(upTo count: Int) -> Fed? {
        guard let status = own.pointee.collected?.status,
            own.pointee.bodyLimit.verdict(on: count, status) == .tooLarge
        else { return nil }
        return .failed(own.pointee.bodyLimit.tooLarge(announcedLength))
    }

    /// Ends the response if the rest of its body will not be collected.
    private func cutWhereFull() -> Fed? {
        guard let length = announcedLength, length > own.pointee.bodyLimit.bytesMax,
            own.pointee.body.count == own.pointee.bodyLimit.bytesMax
        else { return nil }
        isBodyCut = true
        return .complete
    }

    /// Takes bytes of the body.
    ///
    /// - Returns: The outcome; `nil` if more follows.
    func take(_ bytes: UnsafeRawBufferPointer) -> Fed? {
        trail?.received(bodyBytes: bytes.count, expected: announcedLength)
        guard isStreaming else { return collect(bytes) }
        openPiece()
        return own.pointee.piece?.append(bytes) == true ? nil : outOfMemory
    }

    /// Opens the piece that bytes of a streamed body are added to, unless it is open.
    ///
    /// - Returns: How many bytes it has room for; `nil` if there is not enough memory for it.
    @discardableResult
    func openPiece() -> Int? {
        if own.pointee.piece == nil { own.pointee.piece = download?.openPiece() }
        return own.pointee.piece?.room
    }

    /// Receives bytes of a streamed body into its open piece.
    func receiveToPiece(upTo count: Int, _ receive: (UnsafeMutableRawBufferPointer) -> Received) -> Received {
        own.pointee.piece?.receive(upTo: count, receive) ?? .blocked
    }

    /// Gives the stream's reader what was received; `true` if it has so much that receiving has to stop.
    @discardableResult
    func closePiece() -> Bool {
        guard let piece = own.pointee.piece.take() else { return false }
        return download?.close(piece) ?? false
    }

    /// Notes that a body that is collected has to be waited for.
    func noteHead() {
        guard let head = own.pointee.collected else { return }
        own.pointee.bodyLimit.noteHead(head.status)
        guard !hasNotedHead else { return }
        hasNotedHead = true
        options.listener?.received(head.beginning(with: own.pointee.body.beginning(upTo: TransportError.keptBytesMax)))
    }

    /// Shows the listener a piece of a body that has to be waited for, up to what an error keeps.
    @inline(never)
    private func note(_ bytes: UnsafeRawBufferPointer, after count: Int) {
        let kept = bytes.prefix(TransportError.keptBytesMax - count)
        options.listener?.received(more: Data(kept))
    }

    private func collect(_ bytes: UnsafeRawBufferPointer) -> Fed? {
        guard let status = own.pointee.collected?.status else { return nil }
        let verdict = own.pointee.bodyLimit.verdict(on: own.pointee.body.count + bytes.count, status)
        guard verdict != .tooLarge else { return .failed(own.pointee.bodyLimit.tooLarge(announcedLength)) }
        let bytesMax = own.pointee.bodyLimit.bytesMax
        let taken = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytesMax - own.pointee.body.count))
        let count = own.pointee.body.count
        if hasNotedHead, count < TransportError.keptBytesMax { note(taken, after: count) }
        guard own.pointee.body.append(taken, expecting: announcedLength.map { min($0, bytesMax) }) else {
            return outOfMemory
        }
        guard verdict == .cut else { return cutWhereFull() }
        isBodyCut = true
        return .complete
    }

    /// Takes the end of the response.
    @discardableResult
    func complete(trailers: HTTPHeaders) -> Fed {
        if !isStreaming {
            own.pointee.collected?.trailers = trailers
        } else if !trailers.isEmpty {
            download?.keep(trailers)
        }
        return .complete
    }

    /// Whether the connection may carry another request, now that the response is complete.
    var keepsConnection: Bool {
        own.pointee.reader.keepsConnection && sender.isSent && !isBodyCut && !sender.closesConnection
            && sendingFault == nil
    }

    // MARK: - The outcome

    /// Completes the response that `send` returns; called before the lock under which the exchange ends.
    func prepareResponse() {
        guard !isStreaming, var collected = own.pointee.collected.take() else { return }
        collected.body = HTTPBody(own.pointee.body.take())
        collected.isBodyCut = isBodyCut
        response = collected
    }

    /// The error of the exchange with what came of the response before it; called by the connection's owner.
    ///
    /// A cancellation has no room for that: the listener knows it.
    func withResponse(_ error: any Error) -> any Error {
        guard !isStreaming, let error = error as? TransportError, let response = own.pointee.collected.take() else {
            return error
        }
        return error.after(response, body: own.pointee.body.take())
    }

    /// What `send` returns; called once, after the exchange has resumed it.
    func takeResponse() -> HTTPResponse? { response.take() }

    /// Gives `send`, or the stream's reader, the outcome; called once, outside of the lock.
    ///
    /// Nothing of the exchange that `send` reads is changed here.
    func finish(_ error: (any Error)?) {
        sender.upload?.stop()
        let (download, continuation) = (download, continuation)
        (self.download, self.continuation) = (nil, nil)
        if isStreaming {
            trail?.ended(error)
            download?.end(with: error.map { .failure($0) } ?? .success(()))
            return
        }
        resume(continuation, error)
    }

    private func resume(_ continuation: UnsafeContinuation<Void, any Error>?, _ error: (any Error)?) {
        #if SANITIZES_THREADS
        // Locked until `resume` has returned: it reads the frame to which the resumed task writes next.
        handover.withLock { _ in
            if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
        }
        #else
        if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
        #endif
    }
}

// What the owner of the exchange's connection does with it.
extension Exchange {
    /// Sends as much of the request as the connection takes; called by the connection's owner.
    func transmit(over connection: Connection, readsStream: Bool) -> RequestSender.Progress {
        let before = sender.bytesSent
        let progress = sender.advance(readsStream: readsStream) { connection.send($0) }
        trail?.sent(bodyBytes: sender.bodyBytesSent, isWhole: sender.isSent)
        if case .failed(let fault) = progress { sendingFault = fault }
        if progress == .held, stage.stage == .sending {
            stage.move(to: .expecting, at: Nanoseconds.coarseNow)
            return progress
        }
        guard sender.bytesSent > before || sender.isSent else {
            // A kept connection may still be full of an earlier request whose response came before it was read.
            stage.begin(at: Nanoseconds.coarseNow)
            return progress
        }
        stage.sent(isWhole: sender.isSent, at: Nanoseconds.coarseNow)
        return progress
    }

    /// Notes that the request is about to be sent.
    func begin(on connection: Connection) {
        if connection.site.isForwarded { writeForProxy(connection.site.proxy) }
        let marks = connection.marks.take()
        own.pointee.isReusing = marks == nil
        trail?.readied(marks, protocolName: connection.protocolName)
    }

    /// Why the source of the request's body failed.
    var sourceError: any Error { sender.upload?.failure ?? Self.defect("a source failed without an error") }

    /// The error of a state that should be impossible.
    static func defect(_ text: String) -> TransportError {
        WireCause.defect.error(text)
    }

    /// Notes that a part of the response came.
    ///
    /// - Parameters:
    ///   - now: The present instant.
    ///   - isFinal: Whether the head of the final response is complete: a body that is still held back is not sent any
    ///     more. Before that, only a 100 or the time of the expectation ends the stage.
    func received(at now: Int64 = Nanoseconds.coarseNow, isFinal: Bool = false) {
        trail?.receivedFirstByte()
        if stage.stage != .expecting || isFinal { stage.move(to: .receiving, at: now) }
    }

    /// Lets a body that was held back be sent.
    func goAhead(at now: Int64 = Nanoseconds.coarseNow) {
        sender.goAhead()
        stage.move(to: .sending, at: now)
    }

    /// Whether the body is held back, and the server has had its time to agree or to refuse.
    func isExpectationOver(at now: Int64) -> Bool { stage.stage == .expecting && stage.end <= now }

    /// Whether the exchange waits for its caller, as reader or as source, for which there is no time limit.
    var isHeldBack: Bool { isReceivingPaused || sender.isStarved && !hasResponseHead }
}

// The rules for both protocols.
extension Exchange {
    /// Prepares the request to be sent again after its connection was lost or the server refused it, if that is
    /// allowed.
    ///
    /// It must not have brought a byte of a response. It is allowed if nothing of the request was sent, and once if the
    /// server has not processed it, or the method is idempotent (RFC 9110, section 9.2.2). Further repeats are the
    /// client's, which limits them.
    ///
    /// - Parameters:
    ///   - isAllowed: Whether the connection may have been dead before the request was sent, or the server has refused
    ///     it for a reason that no longer applies.
    ///   - loss: What the server may have done with the request.
    ///   - error: Why the connection was lost.
    /// - Returns: The error that ends the exchange; `nil` if the request is sent again.
    func prepareReplay(isAllowed: Bool, _ loss: Loss, after error: TransportError) -> TransportError? {
        guard !hasResponseBegun, isAllowed, !isReplayed, loss == .unsent || options.resendsOnce else { return error }
        let problem =
            if loss == .sent, !isIdempotent {
                "\(method) is not idempotent, so it is not sent again"
            } else if !sender.restart() {
                "the request's body can't be read again"
            } else {
                nil as String?
            }
        guard let problem else {
            guard loss != .unsent else { return nil }
            isReplayed = true
            trail?.resending(error.reason)
            options.listener?.resend(after: error.reason)
            return nil
        }
        let text = "\(loss == .refused ? error.message : "the kept connection was closed"), and \(problem)"
        if loss == .sent { return WireCause.keptClosed.error(text, underlyingError: error.underlyingError) }
        var error = error
        error.message = text
        return error
    }

    /// What a server may have done with a request whose connection was lost before its response.
    enum Loss {
        case unsent
        /// It has said that it did not process it.
        case refused
        case sent
    }

    /// The error for the timeout of the present stage.
    var timeoutError: TransportError {
        stage.reason == .firstByteTimeout
            ? WireCause.firstByteTimeout.error("no response within \(options.timeouts.firstByte)")
            : WireCause.idleTimeout.error("no data for \(options.timeouts.idle)")
    }
}
#endif
