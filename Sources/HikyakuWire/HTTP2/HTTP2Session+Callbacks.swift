#if os(Linux)
import CNghttp2
import HikyakuHTTP

// nghttp2's callbacks. They note what was received and never report an error to nghttp2: an invalid response ends its
// stream by a separate call. Nothing in them throws, and nothing that a peer sends makes them trap.

extension HTTP2Session {
    /// A session that passes on all messages unchecked and leaves window updates to us; `nil` without memory.
    static func makeSession() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return nil }
        nghttp2_option_set_no_auto_window_update(options, 1)
        nghttp2_option_set_no_http_messaging(options, 1)
        nghttp2_option_set_no_closed_streams(options, 1)
        // ``HTTP2FrameWatch`` counts them.
        hikyaku_nghttp2_allow_continuations(options, 1 << 20)
        // As for HTTP/1.1, the size of a request's fields is not limited.
        nghttp2_option_set_max_send_header_block_length(options, 8 << 20)
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, _, user in
            HTTP2Session.of(user)?.frameHasBody = false
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let frame, let session = HTTP2Session.of(user) else { return 0 }
            session.current = session.streams[frame.pointee.hd.stream_id]
            session.current?.beginBlock()
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, _, name, nameSize, value, valueSize, _, user in
            HTTP2Session.of(user)?.receivedField(
                UnsafeBufferPointer(start: name, count: nameSize),
                UnsafeBufferPointer(start: value, count: valueSize),
            )
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, user in
            HTTP2Session.of(user)?.received(UnsafeRawBufferPointer(start: bytes, count: count), on: id)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            if let frame { HTTP2Session.of(user)?.received(frame) }
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, _, user in
            if let frame { HTTP2Session.of(user)?.refused(frame.pointee.hd.stream_id) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, user in
            HTTP2Session.of(user)?.closed(id, code)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, user in
            if let frame { HTTP2Session.of(user)?.sent(frame) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, code, user in
            if let frame { HTTP2Session.of(user)?.notSent(frame, code) }
            return 0
        }
        var session: OpaquePointer?
        return nghttp2_session_client_new2(&session, callbacks, nil, options) == 0 ? session : nil
    }

    /// The session that a callback is for.
    static func of(_ user: UnsafeMutableRawPointer?) -> HTTP2Session? {
        user.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Received

    fileprivate func receivedField(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        guard let stream = current, let problem = stream.append(name: name, value: value) else { return }
        fail(stream, problem)
    }

    fileprivate func received(_ piece: UnsafeRawBufferPointer, on id: Int32) {
        frameHasBody = frameHasBody || !piece.isEmpty
        guard let stream = streams[id] else { return account(piece.count, for: nil) }
        guard contains(piece) else {
            return fail(TransportError(.transportFailed, "HTTP/2: a body piece lies outside the received data"), nil)
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

    fileprivate func received(_ frame: UnsafePointer<nghttp2_frame>) {
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
            beginDraining()
        default:
            return
        }
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
    fileprivate func refused(_ id: Int32) {
        guard let stream = streams[id] else { return }
        remove(stream, resettingWith: nil)
        let error = TransportError.malformed("a frame of the response violates HTTP/2")
        add(.failed(id, HTTP2Failure(error: error, processing: stream.hasBegun ? .begun : .unknown)))
    }

    fileprivate func closed(_ id: Int32, _ code: UInt32) {
        guard let stream = streams[id] else { return }
        let isServers = stream.resetCode != nil || code == NGHTTP2_REFUSED_STREAM.rawValue
        let error = TransportError.malformed("HTTP/2 stream error: \(HTTP2Limits.name(ofErrorCode: code))")
        // If the windows of all streams have become too large, nghttp2 resets only the first stream.
        if !isServers, code == NGHTTP2_FLOW_CONTROL_ERROR.rawValue { return fail(error, code) }
        remove(stream, resettingWith: nil)
        let failure =
            isServers
            ? stream.failure(resetWith: stream.resetCode ?? code)
            : HTTP2Failure(error: error, processing: stream.hasBegun ? .begun : .unknown)
        add(.failed(id, failure))
    }

    // MARK: - Sent

    fileprivate func sent(_ frame: UnsafePointer<nghttp2_frame>) {
        let header = frame.pointee.hd
        let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(header.type) {
        case NGHTTP2_DATA.rawValue:
            watch.add(2 + header.length / 256)
            noteSent(header.stream_id, bodyBytes: header.length, isWhole: endsStream)
        case NGHTTP2_HEADERS.rawValue:
            if endsStream { noteSent(header.stream_id, bodyBytes: 0, isWhole: true) }
        case NGHTTP2_GOAWAY.rawValue:
            // nghttp2 sends it itself if the server broke a rule.
            let code = frame.pointee.goaway.error_code
            guard code != NGHTTP2_NO_ERROR.rawValue else { return }
            fail(.malformed("HTTP/2 connection error: \(HTTP2Limits.name(ofErrorCode: code))"), nil)
        default:
            return
        }
    }

    fileprivate func notSent(_ frame: UnsafePointer<nghttp2_frame>, _ code: Int32) {
        let header = frame.pointee.hd
        guard UInt32(header.type) == NGHTTP2_HEADERS.rawValue, let stream = streams[header.stream_id] else { return }
        remove(stream, resettingWith: nil)
        let isTooLarge = code == NGHTTP2_ERR_FRAME_SIZE_ERROR.rawValue || code == NGHTTP2_ERR_HEADER_COMP.rawValue
        let error =
            isTooLarge
            ? TransportError(.header, "the request's fields are too large for HTTP/2")
            : TransportError(.connectionClosed, "the request was not sent: the server accepts no further requests")
        add(.failed(stream.id, HTTP2Failure(error: error, processing: .none)))
    }
}

/// Copies the next bytes of a request's body into a frame.
func readUpload(
    _: OpaquePointer?,
    _ id: Int32,
    _ room: UnsafeMutablePointer<UInt8>?,
    _ count: Int,
    _ flags: UnsafeMutablePointer<UInt32>?,
    _: UnsafeMutablePointer<nghttp2_data_source>?,
    _ user: UnsafeMutableRawPointer?,
) -> Int {
    // An unknown stream is being reset: no more of it is sent.
    let deferred = Int(NGHTTP2_ERR_DEFERRED.rawValue)
    guard let session = HTTP2Session.of(user), let stream = session.streams[id], !session.stall(id) else {
        return deferred
    }
    let taken = stream.upload?.take(into: UnsafeMutableRawBufferPointer(start: room, count: count))
    if let upload = stream.upload, upload.wantsPiece, !upload.isAsked {
        stream.upload?.isAsked = true
        session.add(.wantsBody(id))
    }
    guard let taken else { return deferred }
    if stream.upload?.isOver == true { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return taken
}
#endif
