#if os(Linux)
import CNghttp2
import FoundationEssentials
import HikyakuHTTP

/// The client's side of one HTTP/2 connection: bytes in, events out; requests in, bytes out.
///
/// It has no socket and no clock. nghttp2 does framing, HPACK, flow control and the states of streams.
/// ``HTTP2FrameWatch`` bounds what comes, and ``HTTP2Stream`` checks messages, so that the same holds with each version
/// of nghttp2.
///
/// It is not safe for use by several threads at once: only the loop uses it. Received bytes go to
/// ``receive(_:at:_:)``. After each other call, ``flush(_:)`` writes the output, and ``nextEvent()`` is read until
/// there is none. When ``isOver`` is `true`, the connection has to be closed.
///
/// [RFC 9113](https://www.rfc-editor.org/rfc/rfc9113)
final class HTTP2Session {
    /// How much a single ``flush(_:)`` writes: a connection that takes everything must not keep others waiting.
    private static let flushBytesMax = 128 * 1024

    private let limits: HTTP2Limits
    /// nghttp2's session, which is freed with this object and used by nothing else.
    private let session: OpaquePointer
    private var streams: [Int32: HTTP2Stream] = [:]
    /// The stream whose header block nghttp2 reads, or has read last.
    private var current: HTTP2Stream?
    private var watch: HTTP2FrameWatch
    private var frameHasBody = false
    /// The bytes that are being received; each piece of a body must lie within them.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The beginning of a frame's header that is not complete.
    private var header: [UInt8] = []
    private var events: [HTTP2Event] = []
    private var eventIndex = 0
    private var output: HTTP2Output
    /// Received bytes of bodies that wait for their readers.
    private var unreadBytes = 0
    /// Received bytes by which the connection's window was not updated yet.
    private var owedBytes = 0
    /// Whether the server accepts no further requests on this connection.
    private(set) var isDraining = false
    /// What the server said when it ended the connection.
    private var goAway: HTTP2GoAway?
    /// Why the connection can't be used any more.
    private(set) var error: TransportError?

    /// The error for requests that the connection no longer accepts.
    private var endError: TransportError {
        guard let goAway else { return WireCause.closed.error("the connection was closed") }
        return goAway.code.cause.error("the server ended the connection (\(goAway))")
    }

    /// Makes the session of a new connection; its preface is then in the output.
    ///
    /// - Throws: An error with the reason `outOfMemory`.
    init(_ limits: HTTP2Limits = HTTP2Limits()) throws(TransportError) {
        guard let session = HTTP2Callbacks.makeSession() else {
            throw WireCause.memory.error("not enough memory for an HTTP/2 session")
        }
        self.limits = limits
        self.session = session
        watch = HTTP2FrameWatch(limits)
        output = HTTP2Output(limits)
        HTTP2Callbacks.connect(session, to: self)
        let settings = [
            (NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, UInt32(max(limits.streamWindow, 0))),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, UInt32(clamping: limits.headerBytesMax)),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.rawValue), value: $1) }
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
        nghttp2_session_set_local_window_size(session, 0, 0, max(limits.connectionWindow, 65_535))
        if limits.firstStreamID > 1 { nghttp2_session_set_next_stream_id(session, limits.firstStreamID) }
    }

    deinit {
        nghttp2_session_del(session)
    }

    // MARK: - Requests

    /// How many further requests the connection accepts at the moment.
    var capacity: Int {
        max(streamsMax - streams.count, 0)
    }

    /// Whether no request is in progress.
    var isIdle: Bool { streams.isEmpty }

    /// Whether the connection has to be closed when the output is written.
    var isOver: Bool { error != nil || isDraining && isIdle }

    /// How many requests the connection carries at a time; 0 if it accepts no further ones.
    var streamsMax: Int {
        guard error == nil, !isDraining, nghttp2_session_check_request_allowed(session) != 0 else { return 0 }
        let allowed = nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
        return min(limits.streamsMax, Int(allowed))
    }

    /// Whether requests were made ready that the connection doesn't take: the server no longer reads.
    var isChoked: Bool { output.isChoked }

    /// Begins a request, which is then in the output.
    ///
    /// - Parameters:
    ///   - request: The request, checked for the wire. A body that isn't in memory is sent with ``send(_:isLast:on:)``.
    ///   - url: Its URL. The host is `:authority`, unless the request has a `Host` field.
    ///   - expectsContinue: Whether the body is held back until ``goAhead(_:)``.
    ///   - holdsBack: Whether the response's body is read at its reader's pace, which gives its bytes back to flow
    ///     control with ``read(_:on:)``. Otherwise they are given back as they come.
    /// - Returns: The stream's number; `nil` if ``capacity`` is 0.
    /// - Throws: An error for a URL that can't be sent, or when there is no memory.
    func open(
        _ request: HTTPRequest,
        _ url: RequestURL,
        expectsContinue: Bool = false,
        holdsBack: Bool,
    ) throws(TransportError) -> Int32? {
        guard capacity > 0 else { return nil }
        let upload = HTTP2Upload(request.body, isHeld: expectsContinue)
        let id = try HTTP2RequestFields(request, url).withFields { fields, count in
            guard upload != nil else { return nghttp2_submit_request(session, nil, fields, count, nil, nil) }
            var provider = HTTP2Callbacks.makeUploadProvider()
            return nghttp2_submit_request(session, nil, fields, count, &provider, nil)
        }
        guard id > 0 else {
            if id == NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE.rawValue { return nil }
            throw WireCause.memory.error("not enough memory for an HTTP/2 stream")
        }
        let isForHead = request.method == .head
        let stream = HTTP2Stream(id: id, isForHead: isForHead, holdsBack, limits, outputStart: output.addedBytes)
        stream.upload = upload
        streams[id] = stream
        watch.add(8)
        // At once, so that nghttp2 holds no request back if the server then allows fewer.
        fill()
        return id
    }

    /// Adds the next piece of a request's body, after ``HTTP2Event/wantsBody(_:)``.
    func send(_ piece: Data, isLast: Bool, on id: Int32) {
        guard let stream = streams[id], stream.upload != nil else { return }
        stream.upload?.add(piece, isLast: isLast)
        nghttp2_session_resume_data(session, id)
    }

    /// Lets the body of a request be sent that was held back.
    func goAhead(_ id: Int32) {
        guard let stream = streams[id], stream.upload?.isHeld == true else { return }
        stream.upload?.isHeld = false
        nghttp2_session_resume_data(session, id)
    }

    /// Updates the window of a held-back body by the bytes that its reader has taken.
    func read(_ count: Int, on id: Int32) {
        guard let stream = streams[id], stream.holdsBack else { return }
        let count = min(max(count, 0), stream.unreadBytes)
        stream.unreadBytes -= count
        nghttp2_session_consume_stream(session, id, count)
        release(count)
    }

    /// Resets a stream whose response is no longer needed; no further event is added for it.
    func cancel(_ id: Int32) {
        guard let stream = streams[id] else { return }
        remove(stream, resettingWith: NGHTTP2_CANCEL)
    }

    /// Sends GOAWAY to the server; streams that are not over fail.
    func close() {
        guard error == nil else { return }
        let cause = WireCause.shutDown.error("the connection was closed by the client")
        connectionEnded(cause)
        nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue)
    }

    /// Notes that the connection is closed: streams that are not over have failed.
    ///
    /// - Parameter cause: The error; `nil` if the server closed the connection.
    func connectionEnded(_ cause: TransportError? = nil) {
        isDraining = true
        failAll { $0.failure(cause, after: goAway, isWritten: output.writtenBytes > $0.outputStart) }
        if error == nil { error = cause ?? endError }
    }

    // MARK: - Bytes

    /// Reads received bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes, in pieces of any size.
    ///   - now: The present instant in nanoseconds, by which floods are detected.
    ///   - handle: Called with each event; it may call the session.
    func receive(
        _ bytes: UnsafeRawBufferPointer,
        at now: Int64,
        _ handle: (HTTP2Event) -> Void,
    ) {
        watch.refill(at: now)
        input = bytes
        var rest = bytes
        while error == nil, !rest.isEmpty {
            let (count, violation) = watch.next(in: rest)
            feed(rest, count, hasViolation: violation != nil)
            // If nghttp2 found an error, `fill` sends and reports it before the next frame is read.
            fill()
            if let violation { fail(violation) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        while let event = nextEvent() { handle(event) }
        input = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Gives nghttp2 a number of bytes, and each frame's header in one piece.
    ///
    /// Its newer versions count a part of a header as another CONTINUATION frame, and allow only a few.
    private func feed(_ bytes: UnsafeRawBufferPointer, _ count: Int, hasViolation: Bool) {
        var start = 0
        if !header.isEmpty {
            // The frame that must not be read may be the one whose header has begun.
            if hasViolation, count == 0 { return }
            start = min(HTTP2FrameWatch.headerCount - header.count, count)
            header += bytes[..<start]
            guard header.count == HTTP2FrameWatch.headerCount else { return }
            header.withUnsafeBytes { feed($0) }
            header.removeAll(keepingCapacity: true)
        }
        let end = count - (hasViolation ? 0 : min(watch.headerBytes, count - start))
        feed(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
        header += bytes[end..<count]
    }

    private func feed(_ bytes: UnsafeRawBufferPointer) {
        guard error == nil, let start = bytes.baseAddress, !bytes.isEmpty else { return }
        let taken = nghttp2_session_mem_recv(session, start, bytes.count)
        if taken < 0 { fail(Self.error(of: Int32(taken)), NGHTTP2_INTERNAL_ERROR.rawValue) }
    }

    /// The next event that hasn't been handled.
    func nextEvent() -> HTTP2Event? {
        guard eventIndex < events.count else {
            events.removeAll(keepingCapacity: events.count < 256)
            eventIndex = 0
            return nil
        }
        defer { eventIndex += 1 }
        return events[eventIndex]
    }

    /// Writes the output.
    ///
    /// - Parameter write: Writes some of the bytes and returns how many, 0 if the connection takes no more for now;
    ///   it must not call the session.
    /// - Returns: Whether everything is written, or ``flushBytesMax``; otherwise it has to be called again when the
    ///   connection takes more.
    func flush(_ write: (UnsafeRawBufferPointer) -> Int) -> Bool {
        let end = output.writtenBytes + Self.flushBytesMax
        while true {
            fill()
            while let event = output.nextWritten() { add(event) }
            guard !output.isEmpty, output.writtenBytes < end else { return true }
            let count = output.withPending(write)
            guard count > 0 else { return false }
            output.wrote(count)
        }
    }

    /// Whether there is something to write.
    var hasOutput: Bool { !output.isEmpty || nghttp2_session_want_write(session) != 0 }

    /// Fills the output with frames.
    ///
    /// Requests' bodies exceed the limit by one frame at most; all other frames are limited by what the server may send
    /// and the client opens.
    private func fill() {
        output.makeRoom()
        for id in output.takeStalled() { nghttp2_session_resume_data(session, id) }
        while true {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &start)
            guard count > 0 else {
                if count < 0, error == nil { fail(Self.error(of: Int32(count)), NGHTTP2_INTERNAL_ERROR.rawValue) }
                return
            }
            output.add(UnsafeBufferPointer(start: start, count: count))
        }
    }
}

// MARK: - Streams and their ends

extension HTTP2Session {
    private func add(_ event: HTTP2Event) { events.append(event) }

    /// Counts a piece of a body, and updates the stream's window unless its reader has to do that.
    private func account(_ count: Int, for stream: HTTP2Stream?) {
        owedBytes += count
        if let stream, stream.holdsBack {
            stream.unreadBytes += count
            unreadBytes += count
        } else if let stream {
            nghttp2_session_consume_stream(session, stream.id, count)
        }
        release(0)
    }

    /// Notes how many bytes no longer wait for a reader.
    private func release(_ count: Int) {
        unreadBytes -= count
        guard owedBytes > 0, unreadBytes <= limits.unreadBytesMax else { return }
        nghttp2_session_consume_connection(session, owedBytes)
        owedBytes = 0
    }

    /// Removes a stream; what the server still sends on it is dropped.
    private func remove(_ stream: HTTP2Stream, resettingWith code: nghttp2_error_code?) {
        streams[stream.id] = nil
        if current === stream { current = nil }
        if let code {
            nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, code.rawValue)
        }
        release(stream.unreadBytes)
    }

    /// Ends a stream because of what the server sent on it.
    private func fail(_ stream: HTTP2Stream, _ error: TransportError) {
        remove(stream, resettingWith: NGHTTP2_PROTOCOL_ERROR)
        add(.failed(stream.id, HTTP2Failure(error: error, processing: .begun)))
    }

    /// Ends the connection because of what the server sent.
    private func fail(_ error: TransportError, _ code: UInt32?) {
        guard self.error == nil else { return }
        self.error = error
        isDraining = true
        failAll { HTTP2Failure(error: error, processing: $0.hasBegun ? .begun : .unknown) }
        add(.broken(error))
        if let code { nghttp2_session_terminate_session(session, code) }
    }

    private func fail(_ violation: HTTP2FrameWatch.Violation) {
        if case .headerBlock(let id) = violation, let stream = streams[id] { fail(stream, HTTP2FieldBlock.tooLarge) }
        let (text, code) = violation.meaning
        fail(.malformedHTTP2(text), code)
    }

    private func failAll(_ failure: (HTTP2Stream) -> HTTP2Failure) {
        let left = streams.values.sorted { $0.id < $1.id }
        streams.removeAll()
        current = nil
        unreadBytes = 0
        for stream in left { add(.failed(stream.id, failure(stream))) }
    }

    private static func error(of code: Int32) -> TransportError {
        switch code {
        case NGHTTP2_ERR_NOMEM.rawValue: WireCause.memory.error("not enough memory for HTTP/2")
        case NGHTTP2_ERR_FLOODED.rawValue: .malformedHTTP2("the server sends frames faster than it reads the replies")
        default: .malformedHTTP2("the server does not speak HTTP/2")
        }
    }
}

// MARK: - Called by nghttp2

// ``HTTP2Callbacks`` calls these functions from within the calls of nghttp2's functions above.
extension HTTP2Session {
    func beganFrame() { frameHasBody = false }

    func beganBlock(on id: Int32) {
        current = streams[id]
        current?.beginBlock()
    }

    func receivedField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard let stream = current, let problem = stream.append(name: name, value: value) else { return }
        fail(stream, problem)
    }

    func received(_ piece: UnsafeRawBufferPointer, on id: Int32) {
        frameHasBody = frameHasBody || !piece.isEmpty
        guard let stream = streams[id] else { return account(piece.count, for: nil) }
        guard contains(piece) else {
            return fail(WireCause.defect.error("HTTP/2: a body piece lies outside the received data"), nil)
        }
        let (taken, problem) = stream.takeBody(piece.count)
        if taken > 0 || problem == nil {
            account(taken, for: stream)
            add(.body(id, UnsafeRawBufferPointer(rebasing: piece[..<taken])))
        }
        guard let problem else { return }
        fail(stream, problem)
        account(piece.count - taken, for: nil)
    }

    /// Whether the bytes are part of the input, so that they stay valid after the callback.
    private func contains(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard let start = piece.baseAddress, let inputStart = input.baseAddress else { return piece.isEmpty }
        return start >= inputStart && start + piece.count <= inputStart + input.count
    }

    func received(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        let stream = streams[header.stream_id]
        let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_DATA.rawValue:
            if frameHasBody { watch.add(1) }
            if let stream, endsStream { end(stream, trailers: [:]) }
        case NGHTTP2_HEADERS.rawValue:
            if let stream { endBlock(of: stream, endsStream: endsStream) }
        case NGHTTP2_RST_STREAM.rawValue:
            stream?.resetCode = frame.pointee.rst_stream.error_code
        case NGHTTP2_SETTINGS.rawValue:
            if header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 { add(.capacityChanged) }
        case NGHTTP2_GOAWAY.rawValue:
            isDraining = true
            note(frame.pointee.goaway)
            add(.draining)
        default:
            return
        }
    }

    /// Keeps what the server says of the connection's end; an error is not replaced by a later NO_ERROR.
    private func note(_ frame: nghttp2_goaway) {
        guard goAway == nil || frame.error_code != NGHTTP2_NO_ERROR.rawValue else { return }
        goAway = HTTP2GoAway(frame.error_code, debugData: Self.debugData(of: frame))
    }

    private static func debugData(of frame: nghttp2_goaway) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: frame.opaque_data, count: frame.opaque_data == nil ? 0 : frame.opaque_data_len)
    }

    /// nghttp2's own words for the rule that the server broke.
    private static func rule(in frame: nghttp2_goaway) -> String {
        let words = Redaction.words(in: debugData(of: frame))
        return words.isEmpty ? "" : " (\(words))"
    }

    private func endBlock(of stream: HTTP2Stream, endsStream: Bool) {
        do throws(TransportError) {
            switch try stream.endBlock(endsStream: endsStream) {
            case .informational(let status):
                add(.informational(stream.id, status: status))
            case .head(let head):
                watch.add(1)
                add(.head(stream.id, head))
                if endsStream { end(stream, trailers: [:]) }
            case .trailers(let trailers):
                end(stream, trailers: trailers)
            }
        } catch {
            fail(stream, error)
        }
    }

    private func end(_ stream: HTTP2Stream, trailers: HTTPHeaders) {
        watch.add(4)
        if let problem = stream.problemAtEnd { return fail(stream, problem) }
        // The rest of the request's body is no longer needed.
        let isSending = stream.upload.map { !$0.isOver } ?? false
        remove(stream, resettingWith: isSending ? NGHTTP2_CANCEL : nil)
        add(.ended(stream.id, trailers: trailers))
    }

    /// nghttp2 resets the stream itself, but only after the frames that came with this one are read.
    func refused(_ id: Int32) {
        guard let stream = streams[id] else { return }
        remove(stream, resettingWith: nil)
        let error = TransportError.malformedHTTP2("a frame of the response violates HTTP/2")
        add(.failed(id, HTTP2Failure(error: error, processing: stream.hasBegun ? .begun : .unknown)))
    }

    func closed(_ id: Int32, _ code: UInt32) {
        guard let stream = streams[id] else { return }
        let isServers = stream.resetCode != nil || code == NGHTTP2_REFUSED_STREAM.rawValue
        let error = TransportError.malformedHTTP2("HTTP/2 stream error: \(HTTP2Code(code))")
        // If the windows of all streams have become too large, nghttp2 resets only the first stream.
        if !isServers, code == NGHTTP2_FLOW_CONTROL_ERROR.rawValue { return fail(error, code) }
        remove(stream, resettingWith: nil)
        let failure =
            isServers
            ? goAway.flatMap { stream.resetCode == nil ? stream.failure(refusedBy: $0) : nil }
                ?? stream.failure(resetWith: HTTP2Code(stream.resetCode ?? code))
            : HTTP2Failure(error: error, processing: stream.hasBegun ? .begun : .unknown)
        add(.failed(id, failure))
    }

    /// Copies the next bytes of a request's body into a frame.
    ///
    /// - Returns: How many bytes, and whether they are the last ones; `nil` if there are none for now.
    func takeUpload(_ id: Int32, into room: UnsafeMutableRawBufferPointer) -> (count: Int, isLast: Bool)? {
        // An unknown stream is being reset: no more of it is sent.
        guard let stream = streams[id], !output.stall(id) else { return nil }
        let taken = stream.upload?.take(into: room)
        if let upload = stream.upload, upload.wantsPiece, !upload.isRequested {
            stream.upload?.isRequested = true
            add(.wantsBody(id))
        }
        return taken.map { ($0, stream.upload?.isOver == true) }
    }

    func sent(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_DATA.rawValue:
            watch.add(2 + header.length / 256)
            output.noteAdded(header.stream_id, bodyBytes: header.length, isWhole: endsStream)
        case NGHTTP2_HEADERS.rawValue:
            if endsStream { output.noteAdded(header.stream_id, bodyBytes: 0, isWhole: true) }
        case NGHTTP2_GOAWAY.rawValue:
            // nghttp2 sends it itself if the server broke a rule.
            let code = frame.pointee.goaway.error_code
            guard code != NGHTTP2_NO_ERROR.rawValue else { return }
            fail(
                .malformedHTTP2("HTTP/2 connection error: \(HTTP2Code(code))\(Self.rule(in: frame.pointee.goaway))"),
                nil,
            )
        default:
            return
        }
    }

    func notSent(_ frame: UnsafePointer<nghttp2_frame>, _ code: Int32) {
        let header = frame.pointee.hd
        guard UInt32(header.type) == NGHTTP2_HEADERS.rawValue, let stream = streams[header.stream_id] else { return }
        remove(stream, resettingWith: nil)
        let isTooLarge = code == NGHTTP2_ERR_FRAME_SIZE_ERROR.rawValue || code == NGHTTP2_ERR_HEADER_COMP.rawValue
        let error =
            isTooLarge
            ? WireCause.fieldsTooLarge.error("the request's fields are too large for HTTP/2")
            : WireCause.refusedStream.error("the request was not sent: the server accepts no further requests")
        add(.failed(stream.id, HTTP2Failure(error: error, processing: .none)))
    }
}
#endif
