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
