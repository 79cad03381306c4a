#if os(Linux)
import CNghttp2

/// nghttp2's callbacks, which pass on to an ``HTTP2Session`` what was received and sent.
///
/// They never report an error to nghttp2: an invalid response ends its stream by a separate call. Nothing in them
/// throws, and nothing that a peer sends makes them trap.
enum HTTP2Callbacks {
    /// A session of nghttp2 that passes on all messages unchecked and leaves window updates to us; `nil` without
    /// memory.
    ///
    /// It can be used after ``connect(_:to:)``.
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
        setReceiving(callbacks)
        setSending(callbacks)
        var session: OpaquePointer?
        return nghttp2_session_client_new2(&session, callbacks, nil, options) == 0 ? session : nil
    }

    /// Sets the session that nghttp2's callbacks are passed on to, which has to free nghttp2's session.
    static func connect(_ pointer: OpaquePointer, to session: HTTP2Session) {
        // Unretained, and safe: nghttp2 calls back only from within a call of its functions, and only the session
        // calls them.
        nghttp2_session_set_user_data(pointer, Unmanaged.passUnretained(session).toOpaque())
    }

    /// Provides the body of a request with ``HTTP2Session/takeUpload(_:into:)``.
    static func makeUploadProvider() -> nghttp2_data_provider {
        var provider = nghttp2_data_provider()
        provider.read_callback = { _, id, room, count, flags, _, user in
            let room = UnsafeMutableRawBufferPointer(start: room, count: count)
            guard let taken = HTTP2Callbacks.session(user)?.takeUpload(id, into: room) else {
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            }
            if taken.isLast { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return taken.count
        }
        return provider
    }

    private static func setReceiving(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, _, user in
            HTTP2Callbacks.session(user)?.beganFrame()
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            if let frame { HTTP2Callbacks.session(user)?.beganBlock(on: frame.pointee.hd.stream_id) }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, _, name, nameSize, value, valueSize, _, user in
            HTTP2Callbacks.session(user)?.receivedField(
                UnsafeBufferPointer(start: name, count: nameSize),
                UnsafeBufferPointer(start: value, count: valueSize),
            )
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, user in
            HTTP2Callbacks.session(user)?.received(UnsafeRawBufferPointer(start: bytes, count: count), on: id)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            if let frame { HTTP2Callbacks.session(user)?.received(frame) }
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, _, user in
            if let frame { HTTP2Callbacks.session(user)?.refused(frame.pointee.hd.stream_id) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, code, user in
            HTTP2Callbacks.session(user)?.closed(id, code)
            return 0
        }
    }

    private static func setSending(_ callbacks: OpaquePointer?) {
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, user in
            if let frame { HTTP2Callbacks.session(user)?.sent(frame) }
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, code, user in
            if let frame { HTTP2Callbacks.session(user)?.notSent(frame, code) }
            return 0
        }
    }

    /// The session that a callback is for.
    private static func session(_ user: UnsafeMutableRawPointer?) -> HTTP2Session? {
        user.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }
}
#endif
