#if os(Linux)
import FoundationEssentials
import HikyakuHTTP

/// The exchanges that one HTTP/2 connection carries, with its session; only the loop uses it.
///
/// It decides the outcome of each exchange; the loop moves bytes between the session and the socket. It has no clock:
/// its functions get the present instant of the coarse clock.
final class HTTP2Carrier {
    /// A request that is given up after this time, while nothing at all was received, shows that the connection may be
    /// dead.
    private static let silentTime: Int64 = 1_000_000_000
    /// How much of a request's body is copied at once, and the sizes of pieces that are not copied.
    private static let pieceBytes = 64 * 1024
    private static let wholePieceBytes = 64 * 1024...256 * 1024

    /// The end of an exchange.
    enum Outcome {
        /// The response is complete.
        case complete
        case failed(any Error)
        /// It is sent again; if `needsNew`, over a new connection only.
        case repeated(Exchange.Loss, needsNew: Bool)
    }

    private struct Carried {
        let exchange: Exchange
        /// Whether the connection had carried an exchange before, so that it may have been dead.
        let isOnKept: Bool
        /// Whether the request may be sent again without a retry of the client.
        let isTrusted: Bool
        let begin: Int64
        /// How many exchanges the connection carried when it began, with this one.
        let position: Int
        var bodyBytesSent = 0
        var hasHead = false
        /// Whether the session needs a piece of the request's body.
        var wantsBody = false
        /// Whether the body's source has nothing for now.
        var isStarved = false
    }

    private let session: HTTP2Session
    private let site: Site
    /// By the numbers of their streams.
    private var carried: [Int32: Carried] = [:]
    /// The streams that received bytes since ``closePieces()``.
    private var openStreams: [Int32] = []
    /// The streams whose header block came since ``noteHeads()``, and whose body is collected.
    private var newHeads: [Int32] = []
    /// The streams for which the request's body has to be read.
    private var uploadsToRead: [Int32] = []
    private var outcomes: [(exchange: Exchange, outcome: Outcome)] = []
    private var lastReceived: Int64 = 0
    private var cause: TransportError?
    /// Whether the server has allowed another number of streams, or accepts no more.
    private var hasNewLimit = false
    /// Whether the server requires HTTP/1.1 for this origin's requests.
    private(set) var wantsHTTP1 = false
    /// Whether the header block of any response came, so that the connection may be dead by now.
    private(set) var hasAnswered = false
    /// Whether the connection gets no further requests.
    var isRetired = false
    /// Whether it is in the loop's list of connections with output.
    var isTouched = false
    var sendingFault: IOFault?

    init(for site: Site, _ limits: HTTP2Limits = HTTP2Limits()) throws(TransportError) {
        session = try HTTP2Session(limits)
        self.site = site
    }

    var isIdle: Bool { carried.isEmpty }
    /// Whether the connection has to be closed.
    var isOver: Bool { session.isOver || isRetired && carried.isEmpty }
    /// How many exchanges the connection may carry.
    var exchangesMax: Int { isRetired ? 0 : session.streamsMax }
    /// Why the connection can't be used.
    var error: TransportError? { session.error }

    /// Whether ``exchangesMax`` may have changed since the last call.
    func takeNewLimit() -> Bool {
        defer { hasNewLimit = false }
        return hasNewLimit
    }

    /// The outcomes of exchanges since the last call, which are no longer carried.
    func takeOutcomes() -> [(exchange: Exchange, outcome: Outcome)] {
        defer { outcomes.removeAll(keepingCapacity: true) }
        return outcomes
    }

    // MARK: - The exchanges

    /// Begins an exchange.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - isOnKept: Whether the connection may be dead by now.
    ///   - isTrusted: Whether the request may be sent again without a retry of the client; see ``ReuseTrust``.
    ///   - now: The present instant.
    /// - Returns: Whether it has begun; otherwise the connection accepts no more exchanges at the moment.
    func start(_ exchange: Exchange, isOnKept: Bool, isTrusted: Bool, at now: Int64) -> Bool {
        guard let request = exchange.request else {
            outcomes.append((exchange, .failed(site.error(.defect, "there is no request for HTTP/2"))))
            return true
        }
        do throws(TransportError) {
            let isHeld = exchange.sender.isHeld
            guard
                let id = try session.open(
                    request,
                    exchange.url,
                    expectsContinue: isHeld,
                    holdsBack: exchange.options.streamsBody,
                )
            else { return false }
            exchange.stream = id
            exchange.stage.move(to: isHeld ? .expecting : .sending, at: now)
            let position = carried.count + 1
            carried[id] = Carried(
                exchange: exchange,
                isOnKept: isOnKept,
                isTrusted: isTrusted,
                begin: now,
                position: position,
            )
        } catch {
            outcomes.append((exchange, .failed(site.error(error))))
        }
        return true
    }

    /// Gives up an exchange, whose stream is reset.
    ///
    /// - Parameters:
    ///   - exchange: The exchange; one that is not carried is ignored.
    ///   - error: The error of the exchange.
    ///   - now: The present instant.
    func abandon(_ exchange: Exchange, _ error: any Error, at now: Int64) {
        guard let entry = carried[exchange.stream], entry.exchange === exchange else { return }
        let isSilent = lastReceived <= entry.begin && now - entry.begin >= Self.silentTime
        if isSilent, !entry.isStarved { retire() }
        session.cancel(exchange.stream)
        end(exchange.stream, .failed(error))
    }

    /// Lets the connection carry no further exchange.
    private func retire() { (isRetired, hasNewLimit) = (true, true) }

    /// Sends GOAWAY to the server, and ends the exchanges that are left with the error.
    func close(_ error: TransportError?) {
        isRetired = true
        for id in carried.keys.sorted() {
            end(id, .failed(error ?? site.error(.closed, "the connection was closed")))
        }
        session.close()
    }

    /// Continues an exchange whose reader or source is ready.
    func goOn(_ exchange: Exchange, at now: Int64) {
        let id = exchange.stream
        guard carried[id]?.exchange === exchange else { return }
        // While the server holds the upload back, the session requests no piece that would show the failure.
        if let failure = exchange.sender.upload?.failure { return abandon(exchange, failure, at: now) }
        if carried[id]?.isStarved == true {
            carried[id]?.isStarved = false
            exchange.stage.move(at: now)
            uploadsToRead.append(id)
        }
        giveBack(id, exchange)
    }

    private func giveBack(_ id: Int32, _ exchange: Exchange) {
        guard exchange.isStreaming, let count = exchange.download?.takeCredit(), count > 0 else { return }
        session.read(count, on: id)
    }

    private func end(_ id: Int32, _ outcome: Outcome) {
        guard let entry = carried.removeValue(forKey: id) else { return }
        if newHeads.last == id { newHeads.removeLast() }
        entry.exchange.closePiece()
        entry.exchange.stream = 0
        outcomes.append((entry.exchange, outcome))
    }

    // MARK: - Bytes

    /// Handles received bytes.
    func receive(_ bytes: UnsafeRawBufferPointer, at now: Int64) {
        lastReceived = now
        session.receive(bytes, at: now) { handle($0, at: now) }
        noteHeads()
        closePieces()
    }

    /// Notes the bodies that did not arrive together with their header blocks.
    private func noteHeads() {
        guard !newHeads.isEmpty else { return }
        for id in newHeads { carried[id]?.exchange.noteHead() }
        newHeads.removeAll(keepingCapacity: true)
    }

    /// Gives the readers of streamed bodies what was received.
    private func closePieces() {
        guard !openStreams.isEmpty else { return }
        for id in openStreams {
            guard let exchange = carried[id]?.exchange else { continue }
            exchange.closePiece()
            giveBack(id, exchange)
        }
        openStreams.removeAll(keepingCapacity: true)
    }

    /// The connection has ended; the exchanges that it still carries have failed, or are sent again.
    ///
    /// - Parameters:
    ///   - cause: The error; `nil` if the server closed the connection.
    ///   - now: The present instant.
    func connectionEnded(_ cause: TransportError?, at now: Int64) {
        self.cause = cause
        isRetired = true
        session.connectionEnded(cause)
        while let event = session.nextEvent() { handle(event, at: now, isAtEnd: true) }
    }

    /// Writes the output.
    ///
    /// - Parameters:
    ///   - buffer: A buffer for pieces of requests' bodies.
    ///   - now: The present instant.
    ///   - write: Writes some bytes and returns how many.
    /// - Returns: Whether there is more to write at once.
    func flush(
        _ buffer: UnsafeMutableRawBufferPointer,
        at now: Int64,
        _ write: (UnsafeRawBufferPointer) -> Int,
    ) -> Bool {
        readBodies(buffer, at: now)
        let isDone = session.flush(write)
        if !isDone, session.isChoked { retire() }
        while let event = session.nextEvent() { handle(event, at: now) }
        return isDone && (!uploadsToRead.isEmpty || session.hasOutput)
    }

    /// Gives pieces of requests' bodies to the session.
    private func readBodies(_ buffer: UnsafeMutableRawBufferPointer, at now: Int64) {
        guard !uploadsToRead.isEmpty else { return }
        let ids = uploadsToRead
        uploadsToRead.removeAll(keepingCapacity: true)
        for id in ids {
            guard let entry = carried[id], entry.wantsBody, let upload = entry.exchange.sender.upload else { continue }
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Self.pieceBytes))
            switch upload.read(into: room, orWhole: Self.wholePieceBytes) {
            case .piece(let piece):
                carried[id]?.wantsBody = false
                session.send(piece, isLast: false, on: id)
            case .bytes(let count):
                carried[id]?.wantsBody = false
                let piece = buffer.baseAddress.map { Data(bytes: $0, count: count) } ?? Data()
                session.send(piece, isLast: false, on: id)
            case .end:
                carried[id]?.wantsBody = false
                session.send(Data(), isLast: true, on: id)
            case .pause:
                carried[id]?.isStarved = true
            case .failure:
                abandon(entry.exchange, entry.exchange.sourceError, at: now)
            }
        }
    }

    // MARK: - Events

    private func handle(_ event: HTTP2Event, at now: Int64, isAtEnd: Bool = false) {
        switch event {
        case .informational(let id, let status):
            guard let exchange = carried[id]?.exchange else { return }
            exchange.received(at: now)
            exchange.trail?.receivedInterim(status)
            if status == 100, exchange.sender.isHeld { goAhead(id, exchange, at: now) }
        case .head(let id, let head): begin(id, head, at: now)
        case .body(let id, let bytes):
            guard let exchange = carried[id]?.exchange else { return }
            exchange.received(at: now)
            if exchange.isStreaming, openStreams.last != id { openStreams.append(id) }
            take(exchange.take(bytes), id, exchange, at: now)
        case .ended(let id, let trailers):
            carried[id]?.exchange.complete(trailers: trailers)
            end(id, .complete)
        case .failed(let id, let failure): fail(id, failure, isAtEnd: isAtEnd)
        case .wantsBody(let id):
            carried[id]?.wantsBody = true
            uploadsToRead.append(id)
        case .sent(let id, let count, let isWhole): sent(id, count, isWhole: isWhole, at: now)
        case .capacityChanged, .draining: hasNewLimit = true
        case .broken(let error):
            cause = error
            isRetired = true
        }
    }

    private func begin(_ id: Int32, _ head: HTTP2Head, at now: Int64) {
        guard let exchange = carried[id]?.exchange else { return }
        carried[id]?.hasHead = true
        hasAnswered = true
        exchange.received(at: now, isFinal: true)
        var response = HTTPResponse(status: HTTPStatus(head.status), headers: head.headers)
        response.isEndStated = true
        exchange.download?.giveBack()
        let fed = exchange.begin(response, length: head.contentLength, isComplete: head.contentLength == 0)
        if !exchange.isStreaming { newHeads.append(id) }
        take(fed, id, exchange, at: now)
    }

    /// Lets a request's body be sent that was held back.
    private func goAhead(_ id: Int32, _ exchange: Exchange, at now: Int64) {
        exchange.goAhead(at: now)
        session.goAhead(id)
    }

    /// Ends an exchange if no more of its response is needed.
    private func take(_ fed: Exchange.Fed?, _ id: Int32, _ exchange: Exchange, at now: Int64) {
        switch fed {
        case nil, .more: return
        case .complete:
            session.cancel(id)
            end(id, .complete)
        case .failed(let error): abandon(exchange, site.error(error), at: now)
        }
    }

    private func sent(_ id: Int32, _ count: Int, isWhole: Bool, at now: Int64) {
        guard let entry = carried[id] else { return }
        let (exchange, bodyBytes) = (entry.exchange, entry.bodyBytesSent + count)
        carried[id]?.bodyBytesSent = bodyBytes
        exchange.trail?.sent(bodyBytes: bodyBytes, isWhole: isWhole)
        exchange.stage.sent(isWhole: isWhole, at: now)
    }

    private func fail(_ id: Int32, _ failure: HTTP2Failure, isAtEnd: Bool) {
        guard let entry = carried[id] else { return }
        switch failure.processing {
        // Fields that are too large fail again.
        case .none where failure.error.reason == .header: end(id, .failed(site.error(failure.error)))
        case .none: lose(id, entry, .unsent, failure.error)
        case .refused where session.isDraining: lose(id, entry, .refused, failure.error)
        // The server's limit came after the request was sent; it applies to later connections, too.
        case .refused where entry.position > session.streamsMax:
            lose(id, entry, .refused, failure.error, onlyIfKept: false, needsNew: false)
        case .overHTTP1Only:
            wantsHTTP1 = true
            retire()
            lose(id, entry, .refused, failure.error, onlyIfKept: false)
        case .unknown where isAtEnd: lose(id, entry, .sent, failure.error)
        default: end(id, .failed(site.error(failure.error)))
        }
    }

    /// Nothing of a response came: the request is sent again if that is allowed.
    private func lose(
        _ id: Int32,
        _ entry: Carried,
        _ loss: Exchange.Loss,
        _ error: TransportError,
        onlyIfKept: Bool = true,
        needsNew: Bool = true,
    ) {
        let isAllowed = entry.isTrusted && (entry.isOnKept || !onlyIfKept)
        let error = entry.exchange.prepareReplay(isAllowed: isAllowed, loss, after: error)
        end(id, error.map { .failed(site.error($0)) } ?? .repeated(loss, needsNew: needsNew))
    }

    // MARK: - Time

    /// Ends the exchanges that have timed out.
    ///
    /// - Returns: When to check again, by the coarse clock.
    func checkTimes(at now: Int64) -> Int64 {
        var next = Int64.max
        for (id, entry) in carried {
            let exchange = entry.exchange
            if exchange.isExpectationOver(at: now) { goAhead(id, exchange, at: now) }
            var end = exchange.stage.end
            if exchange.isStreaming, let download = exchange.download {
                // The time while its reader has something to read does not count.
                end = download.readSince.map { max(end, Nanoseconds.sum($0, exchange.stage.limits.idle)) } ?? .max
            }
            if entry.isStarved, !entry.hasHead { end = .max }
            guard end <= now else {
                next = min(next, end, Nanoseconds.sum(now, exchange.stage.limits.shortest))
                continue
            }
            let isUnanswered = exchange.stage.reason == .firstByteTimeout
            // Nothing was received in the meantime: the connection may be dead for further requests too.
            let begin = end - (isUnanswered ? exchange.stage.limits.firstByte : exchange.stage.limits.idle)
            if lastReceived <= begin { retire() }
            session.cancel(id)
            self.end(id, .failed(site.error(exchange.timeoutError)))
        }
        return next
    }
}
#endif
