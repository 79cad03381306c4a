import Foundation
import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request in flight: what was received so far, and the waiting caller.
///
/// States: queued (if its origin has no free connection) → waiting → answered (a streamed body continues) → over.
/// The first end decides the outcome. Later events are ignored.
final class Exchange: Sendable {
    typealias Outcome = Result<HTTPResponse, any Error>

    fileprivate struct State {
        /// The waiting caller, until there is an outcome.
        var waiter: CheckedContinuation<Outcome, Never>?
        /// Set once; a caller that waits later gets it at once.
        var outcome: Outcome?
        /// Makes URLSession's task; until it was called.
        var start: (@Sendable () -> Void)?
        /// Whether it has waited for a connection.
        var hasWaited = false
        /// Frees the place in the queue if the exchange ends before it has a task.
        var leave: (@Sendable () -> Void)?
        /// Stops URLSession's task.
        var stop: (@Sendable () -> Void)?
        var response: HTTPURLResponse?
        var body = Data()
        var bodyLimit: BodyLimit
        var interimSize = HeadCheck.Size()
        var hasFirstByte = false
        var receivedBytes = 0
        var sentBytes = 0
        var bytesToSend = 0
        /// The streamed body, once its response was returned.
        var stream: DownloadStream?
        /// Whether the whole response was received, even if an error follows.
        var isWhole = false
        var isOver = false
        var silence = Silence()
        /// Whether the system waits for a network; then only the call's deadline applies.
        var awaitsConnectivity = false
        var timer: HTTPClockTimer?
        /// Stops the source of the request's body when the exchange ends.
        var endUpload: (@Sendable () -> Void)?
        /// Releases the streams of the request's body when the task has ended.
        var releaseUploads: [@Sendable () -> Void] = []
        /// Whether the body's source has not ended, and whether it is waited for now.
        var upload = (goesOn: false, waitsForSource: false)

        /// Whether a part of the request's body is known to be sent, but not all of it.
        var isSending: Bool {
            response == nil && (upload.goesOn || (sentBytes > 0 && sentBytes < bytesToSend))
        }
    }

    let origin: HTTPOrigin
    private let request: HTTPRequest
    private let options: TransportOptions
    private let state: Lock<State>
    private let emitter: EventEmitter?
    private let began = ContinuousClock.now

    init(request: HTTPRequest, options: TransportOptions) {
        // The request's URL was checked before.
        origin = HTTPOrigin(request.url) ?? HTTPOrigin(scheme: "", host: "", port: nil)
        self.request = request
        self.options = options
        state = Lock(State(bodyLimit: BodyLimit(options)))
        emitter = EventEmitter(options.observer)
        emitter?.emit(.began(request))
    }

    deinit {
        releaseUploads()
    }

    /// Releases the streams of the request's body, which no task reads any more.
    private func releaseUploads() {
        let releases = state.withLock { state in
            defer { state.releaseUploads = [] }
            return state.releaseUploads
        }
        for release in releases { release() }
    }

    /// Resumes `continuation` with the outcome when there is one; `false` if it was resumed at once.
    func wait(with continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiter = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
        return outcome == nil
    }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Passes through the lock after the outcome was set.
    ///
    /// The thread sanitizer doesn't see that a continuation orders memory accesses if it was resumed before it was
    /// awaited; it sees the lock.
    func synchronize() {
        state.withLock { _ in }
    }

    /// Sets what starts the exchange when its turn comes, and what frees its place if it ends before.
    func prepare(start: @escaping @Sendable () -> Void, leave: @escaping @Sendable () -> Void) {
        state.withLock { state in
            if !state.isOver { (state.start, state.leave) = (start, leave) }
        }
    }

    /// Starts the exchange.
    ///
    /// - Returns: `false` if it has ended before.
    func start() -> Bool {
        let (start, hasWaited) = state.withLock { state in
            defer { state.start = nil }
            return (state.start, state.hasWaited)
        }
        guard let start else { return false }
        if hasWaited { emitter?.emit(.dequeued) }
        start()
        return true
    }

    /// How urgent the request is among those of one connection.
    var priority: Float { request.networkPreferences.priorityInRange }

    /// Notes that the exchange waits for a connection.
    func enterQueue() {
        state.withLock { $0.hasWaited = true }
        options.listener?.enterQueue()
    }

    /// Notes that the exchange has waited for a connection, and has one now.
    func leaveQueue() { options.listener?.leaveQueue() }

    /// Sets how the work is stopped, and stops it if the outcome was set before.
    func didStart(stop: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            // Collecting a body may have taken time before this point.
            state.silence.end()
            if !state.isOver { state.stop = stop }
            return state.isOver
        }
        if isOver { stop() } else { watch() }
    }

    /// Sets the action for the end, or runs it if the exchange has ended; an action that was set before runs now.
    func onEnd(_ action: @escaping @Sendable () -> Void) {
        let due = state.withLock { state in
            guard !state.isOver else { return action }
            defer { state.endUpload = action }
            return state.endUpload ?? {}
        }
        due()
    }

    /// Adds what is released when the session's task has ended, or with this exchange if there was none.
    func onTaskEnd(_ release: @escaping @Sendable () -> Void) {
        state.withLock { $0.releaseUploads.append(release) }
    }

    /// Notes whether the source of the body goes on, and whether the exchange waits for it.
    func noteUpload(goesOn: Bool, waitsForSource: Bool) {
        state.withLock { $0.upload = (goesOn, waitsForSource) }
    }

    #if canImport(Darwin)
    /// A new stream of the request's body in place of the one that is being sent; `nil` if it can't be sent again.
    func makeBodyStream() -> InputStream? {
        guard let body = request.body, body.isReplayable else { return nil }
        return UploadPump.start(body, of: self)
    }
    #endif

    /// Ends the exchange: sets the outcome if there is none yet, otherwise the end of the streamed body.
    ///
    /// - Parameters:
    ///   - outcome: The outcome.
    ///   - isOver: Whether URLSession's task has ended by itself.
    func finish(_ outcome: Outcome, isOver: Bool = false) {
        let (before, outcome): (State?, Outcome) = state.withLock { state in
            guard !state.isOver else { return (nil, outcome) }
            let before = state
            state.isOver = true
            let outcome = outcome.mapError(state.withResponse)
            if state.outcome == nil { state.outcome = outcome }
            state.body = Data()
            (state.waiter, state.stop, state.timer, state.stream) = (nil, nil, nil, nil)
            (state.endUpload, state.start, state.leave) = (nil, nil, nil)
            return (before, outcome)
        }
        guard let before else { return }
        before.timer?.cancel()
        before.endUpload?()
        if let emitter {
            let error: (any Error)? = if case .failure(let error) = outcome { error } else { nil }
            emitter.emit(.ended(error.map(FailureReason.init(of:))))
        }
        if !isOver { before.stop?() }
        // A task that was started frees the place when the session says that it has ended. One that is just being made
        // frees it now, and is cancelled as soon as it is made.
        if before.stop == nil { before.leave?() }
        before.stream?.finish(outcome.map { _ in () })
        before.waiter?.resume(returning: outcome)
    }

    /// Resumes the caller with a response whose body is still to come.
    func answer(_ response: HTTPResponse, stream: DownloadStream) {
        let waiter = state.withLock { state in
            // The response isn't kept here, so that the exchange ends when it is dropped.
            guard !state.isOver else { return nil as CheckedContinuation<Outcome, Never>? }
            state.stream = stream
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: .success(response))
    }
}

// MARK: - Time

extension Exchange {
    /// Ends the exchange when a stage takes too long.
    ///
    /// URLSession doesn't distinguish connecting from waiting for the response, so both have the first byte's timeout.
    private func watch() {
        let timeouts = options.timeouts
        let (late, pause): (TransportError?, Duration?) = state.withLock { state in
            guard !state.isOver else { return (nil, nil) }
            // A body that waits for its reader or its source isn't silent, nor a task that waits for a network.
            if state.stream?.isHeld == true || state.upload.waitsForSource || state.awaitsConnectivity {
                state.silence.end()
            }
            let isIdle = state.response != nil || state.isSending
            let limit = isIdle ? timeouts.idle : timeouts.firstByte
            let shortest = min(timeouts.idle, timeouts.firstByte)
            if let pause = state.silence.check(limit: limit, shortest: shortest) { return (nil, pause) }
            let cause: SessionCause = isIdle ? .idleTimeout : .firstByteTimeout
            return (cause.error("no data was received for \(limit)"), nil)
        }
        if let late { return finish(.failure(late)) }
        guard let pause else { return }
        let timer = SystemClock().schedule(at: .now + pause) { [weak self] in self?.watch() }
        let isOver = state.withLock { state in
            if !state.isOver { state.timer = timer }
            return state.isOver
        }
        if isOver { timer.cancel() }
    }
}

// What the session's delegate reports, one call at a time.
extension Exchange {
    /// Takes the head and checks it; a second head ends the response of the first one.
    ///
    /// A head that breaks a rule ends the exchange, and so does an announced length that is too large. If the body is
    /// streamed, the response is returned now.
    func didReceive(_ response: HTTPURLResponse, flow: @escaping DownloadStream.Flow) {
        // Only on Linux do these come as responses.
        if HTTPStatus(response.statusCode).isInformational, response.statusCode != 101 {
            return didReceiveInterim(response)
        }
        let (isOver, first, body) = state.withLock { state -> (Bool, HTTPURLResponse?, Data) in
            defer {
                if state.response == nil { state.response = response }
                state.awaitsConnectivity = false
                state.silence.end()
            }
            return (state.isOver, state.response, state.body)
        }
        guard !isOver else { return }
        // Each part of a `multipart/x-mixed-replace` comes as a response of its own; the first one is complete now.
        if let first { return finish(.success(HTTPResponse(first, body: HTTPBody(body)))) }
        emitFirstByte()
        if let problem = HeadCheck.problem(in: response, to: request.method) { return finish(.failure(problem)) }
        if options.streamsBody {
            let stream = DownloadStream(flow: flow) { [weak self] in self?.finish(.failure(CancellationError())) }
            let body = HTTPBody(pulling: stream, count: bodyLength(of: response).flatMap { Int(exactly: $0) })
            return answer(HTTPResponse(response, body: body), stream: stream)
        }
        var limit = state.withLock(\.bodyLimit)
        // Outside of the lock, since it may call a user's code.
        limit.noteHead(HTTPStatus(response.statusCode))
        state.withLock { $0.bodyLimit = limit }
        options.listener?.received(HTTPResponse(response, body: .empty).beginning())
        guard let length = bodyLength(of: response).map({ Int(clamping: $0) }) else { return }
        let verdict = limit.verdict(on: length, HTTPStatus(response.statusCode))
        if verdict == .tooLarge { finish(.failure(limit.tooLarge(length))) }
    }

    /// How the body is treated after `count` more bytes; outside the lock, since it may call a user's code.
    private func verdict(onAdding count: Int) -> (BodyLimit, BodyLimit.Verdict) {
        var (limit, total, status) = state.withLock { state in
            (state.bodyLimit, state.body.count + count, HTTPStatus(state.response?.statusCode ?? 0))
        }
        let verdict = limit.verdict(on: total, status)
        return (limit, verdict)
    }

    /// Takes bytes of the body, and keeps them in memory up to the limit, unless it is streamed.
    func didReceive(_ data: Data) {
        let (limit, verdict) = options.streamsBody ? (BodyLimit(options), .fits) : verdict(onAdding: data.count)
        let (end, stream, received, room) = state.withLock { state -> (Outcome?, DownloadStream?, Int, Int) in
            guard !state.isOver else { return (nil, nil, 0, 0) }
            state.silence.end()
            state.receivedBytes += data.count
            if let stream = state.stream { return (nil, stream, state.receivedBytes, 0) }
            state.bodyLimit = limit
            let room = TransportError.keptBytesMax - state.body.count
            return (state.collect(data, verdict), nil, state.receivedBytes, room)
        }
        guard received > 0 else { return }
        if room > 0 { options.listener?.received(more: data.prefix(room)) }
        if case .failure = end {} else { emitter?.emit(.bytesReceived(received, expected: expectedBytes)) }
        if let end { return finish(end) }
        if let stream, !stream.push(data) { finish(.failure(DownloadStream.tooSlow)) }
    }

    func didSend(_ count: Int64, of total: Int64) {
        let sent = Int(clamping: count)
        let isNews = state.withLock { state in
            state.silence.end()
            state.awaitsConnectivity = false
            state.bytesToSend = Int(clamping: total)
            defer { state.sentBytes = max(sent, state.sentBytes) }
            return sent > state.sentBytes && !state.isOver
        }
        guard isNews else { return }
        emitter?.emit(.bytesSent(sent, expected: request.body?.count))
        if sent == request.body?.count { emitter?.emit(.requestSent) }
    }

    /// Emits an interim response (1xx), which changes nothing else; their fields together have the limits of a head.
    func didReceiveInterim(_ response: HTTPURLResponse) {
        let (isOver, isTooLarge) = state.withLock { state in
            state.awaitsConnectivity = false
            state.silence.end()
            state.interimSize.add(response)
            return (state.isOver, state.interimSize.isTooLarge)
        }
        guard !isOver else { return }
        if isTooLarge { return finish(.failure(HeadCheck.tooLarge)) }
        emitFirstByte()
        emitter?.emit(.interimResponse(HTTPStatus(response.statusCode)))
    }

    /// Emits the first byte of the first response, interim or not.
    private func emitFirstByte() {
        guard let emitter else { return }
        let isFirst = state.withLock { state in
            defer { state.hasFirstByte = true }
            return !state.hasFirstByte
        }
        if isFirst { emitter.emit(.firstByte) }
    }

    /// Notes that the system waits for a network.
    func didBeginWaitingForConnectivity() {
        let isOver = state.withLock { state in
            state.awaitsConnectivity = true
            return state.isOver
        }
        if !isOver { emitter?.emit(.waitingForConnectivity) }
    }

    /// Emits what is known of the connection only at the end.
    func didCollect(_ record: ConnectionRecord) {
        for _ in 0..<record.earlierCount { options.listener?.resend(after: .connectionClosed) }
        guard let emitter else { return }
        let (isOver, sent) = state.withLock { ($0.isOver, $0.sentBytes) }
        guard !isOver else { return }
        // Then its end was emitted as a progress of the body.
        let isSent = sent > 0 && sent == request.body?.count
        for event in record.events(at: Date(), now: .now, since: began, isSent: isSent) {
            emitter.emit(event.kind, at: event.instant)
        }
    }

    /// Notes that the response is complete, even if an error follows.
    func didReceiveWholeResponse() {
        state.withLock { $0.isWhole = true }
    }

    /// Sets the outcome from what was received; `finalResponse` is a head that was not reported before.
    func didComplete(with error: (any Error)?, finalResponse: URLResponse?) {
        releaseUploads()
        let (reported, body, isWhole, received) = state.withLock { state in
            (state.response, state.body, state.isWhole, state.receivedBytes)
        }
        let response = reported ?? finalResponse as? HTTPURLResponse
        if let error, !isWhole || response == nil {
            let failure = transportFailure(of: error, for: request, at: stage(response))
            return finish(.failure(failure), isOver: true)
        }
        guard let response else {
            return finish(
                .failure(SessionCause.malformedResponse.error("the response is not valid HTTP")),
                isOver: true,
            )
        }
        if reported == nil, let problem = HeadCheck.problem(in: response, to: request.method) {
            return finish(.failure(problem), isOver: true)
        }
        #if !canImport(Darwin)
        // Apple's Foundation checks the length itself.
        if let length = bodyLength(of: response), Int64(received) < length {
            let message = "the body ended after \(received) of \(length) bytes"
            return finish(.failure(SessionCause.truncatedResponse.error(message)), isOver: true)
        }
        #endif
        finish(.success(HTTPResponse(response, body: HTTPBody(body))), isOver: true)
    }

    private func stage(_ response: HTTPURLResponse?) -> ExchangeStage {
        if let response { return .receiving(transferCoding: response.value(forHTTPHeaderField: "Transfer-Encoding")) }
        return state.withLock { state in
            guard state.sentBytes > 0 else { return .connecting }
            return state.isSending ? .sending : .waiting
        }
    }

    private var expectedBytes: Int? {
        let response = state.withLock { $0.response }
        return response.flatMap { bodyLength(of: $0) }.flatMap { Int(exactly: $0) }
    }

    /// The length of the decoded body according to the head; `nil` if it is unknown.
    private func bodyLength(of response: HTTPURLResponse) -> Int64? {
        let coding = response.value(forHTTPHeaderField: "Content-Encoding")?.asciiLowercased ?? "identity"
        guard request.method != .head, ![204, 304].contains(response.statusCode), coding == "identity",
            response.expectedContentLength >= 0
        else { return nil }
        return response.expectedContentLength
    }
}

extension Exchange.State {
    /// The error of the exchange with what came of the response before it.
    fileprivate func withResponse(_ error: any Error) -> any Error {
        guard let error = error as? TransportError, let response else { return error }
        return error.after(HTTPResponse(response, body: .empty), body: body)
    }

    /// Takes bytes of a body that is collected.
    ///
    /// - Returns: The outcome if the body is too large, or if enough of an error's body was collected.
    fileprivate mutating func collect(_ data: Data, _ verdict: BodyLimit.Verdict) -> Exchange.Outcome? {
        guard let response else { return nil }
        guard verdict != .tooLarge else { return .failure(bodyLimit.tooLarge()) }
        if body.isEmpty { reserve(for: response) }
        body.append(data.prefix(bodyLimit.bytesMax - body.count))
        guard verdict == .cut else { return nil }
        var cut = HTTPResponse(response, body: HTTPBody(body))
        cut.isBodyCut = true
        return .success(cut)
    }

    /// Reserves memory if the size is known, up to a mebibyte, since a peer can announce any length.
    private mutating func reserve(for response: HTTPURLResponse) {
        guard response.expectedContentLength > 0 else { return }
        body.reserveCapacity(Int(min(response.expectedContentLength, Int64(min(bodyLimit.bytesMax, 1 << 20)))))
    }
}
