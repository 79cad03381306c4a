#if os(Linux)
import CNghttp2
import CSSL
import Glibc

/// One client's connection to the front, with the connections behind it; all of it is one thread's.
final class FrontConnection {
    /// One request, and the connection by which it is answered.
    final class Stream {
        let id: Int32
        var fields: [AnswerReader.Field] = []
        var upstream: Int32 = -1
        var reader = AnswerReader(isForHead: false)
        /// What the other server is still to get, and how much of it counts for the client's window.
        var upload: [UInt8] = []
        var owedBytes = 0
        var isInChunks = false
        var isRequestWhole = false
        /// What the client is still to get.
        var download: [UInt8] = []
        var trailers: [AnswerReader.Field] = []
        var isAnswerWhole = false
        var isEndSent = false
        var isInEndlessField = false

        init(_ id: Int32) {
            self.id = id
        }
    }

    private static let pieceBytes = 64 * 1024

    private let descriptor: Int32
    private let ssl: OpaquePointer
    private var session: OpaquePointer?
    private let authority: [UInt8]
    private let upstreamPort: Int
    fileprivate var streams: [Int32: Stream] = [:]
    /// Connections behind this one that wait for its next request.
    private var idle: [Int32] = []
    private var output: [UInt8] = []
    /// Whether what is sent from here on isn't nghttp2's: a header block without an end.
    private var isRaw = false
    private var isOver = false
    private var isReset = false

    init?(_ descriptor: Int32, _ identity: FrontIdentity, port: Int, upstream: Int) {
        guard let ssl = SSL_new(identity.context) else { return nil }
        (self.descriptor, self.ssl, upstreamPort) = (descriptor, ssl, upstream)
        authority = Array("127.0.0.1:\(port)".utf8)
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        SSL_set_fd(ssl, descriptor)
        // What is written again after a full buffer lies at another address.
        let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
        SSL_ctrl(ssl, SSL_CTRL_MODE, Int(modes), nil)
    }

    deinit {
        nghttp2_session_del(session)
        SSL_free(ssl)
    }

    func run() {
        guard SSL_accept(ssl) == 1, makeSession() else { return }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        while !isOver {
            pump()
            if isOver { break }
            wait()
        }
        for stream in streams.values where stream.upstream >= 0 { close(stream.upstream) }
        for upstream in idle { close(upstream) }
        if isReset {
            var linger = linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        } else {
            hangUp()
        }
    }

    /// Closes so that what was sent arrives: closed with bytes unread, it would be broken off.
    private func hangUp() {
        SSL_shutdown(ssl)
        shutdown(descriptor, Int32(SHUT_WR))
        var room = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<1000 {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 5000) > 0, recv(descriptor, &room, room.count, 0) > 0 else { return }
        }
    }

    // MARK: - The client

    private func makeSession() -> Bool {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return false }
        nghttp2_option_set_no_auto_window_update(options, 1)
        // What is wrong is to reach the client.
        nghttp2_option_set_no_http_messaging(options, 1)
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, user in
            guard let id = frame?.pointee.hd.stream_id, let front = FrontConnection.of(user) else { return 0 }
            if front.streams[id] == nil { front.streams[id] = Stream(id) }
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, frame, name, nameSize, value, size, _, user in
            guard let id = frame?.pointee.hd.stream_id, let stream = FrontConnection.of(user)?.streams[id] else {
                return 0
            }
            let name = Array(UnsafeBufferPointer(start: name, count: nameSize))
            stream.fields.append((name, Array(UnsafeBufferPointer(start: value, count: size))))
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, user in
            FrontConnection.of(user)?.received(UnsafeBufferPointer(start: bytes, count: count), on: id)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, user in
            guard let header = frame?.pointee.hd else { return 0 }
            let isEnd = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
            FrontConnection.of(user)?.received(UInt32(header.type), on: header.stream_id, isEnd: isEnd)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, _, user in
            FrontConnection.of(user)?.closed(id)
            return 0
        }
        guard nghttp2_session_server_new2(&session, callbacks, nil, options) == 0 else { return false }
        nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
        let most = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
            value: 100,
        )
        return withUnsafePointer(to: most) { nghttp2_submit_settings(session, 0, $0, 1) } == 0
    }

    fileprivate static func of(_ user: UnsafeMutableRawPointer?) -> FrontConnection? {
        user.map { Unmanaged<FrontConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func received(_ bytes: UnsafeBufferPointer<UInt8>, on id: Int32) {
        guard let stream = streams[id] else { return consume(bytes.count, id) }
        if stream.isInChunks { stream.upload += Array("\(String(bytes.count, radix: 16))\r\n".utf8) }
        stream.upload += bytes
        if stream.isInChunks { stream.upload += [0x0D, 0x0A] }
        stream.owedBytes += bytes.count
    }

    private func consume(_ count: Int, _ id: Int32) {
        nghttp2_session_consume(session, id, count)
    }

    private func received(_ type: UInt32, on id: Int32, isEnd: Bool) {
        guard let stream = streams[id] else { return }
        if type == NGHTTP2_HEADERS.rawValue { begin(stream, hasBody: !isEnd) }
        guard isEnd, type == NGHTTP2_HEADERS.rawValue || type == NGHTTP2_DATA.rawValue else { return }
        if stream.isInChunks { stream.upload += Array("0\r\n\r\n".utf8) }
        stream.isRequestWhole = true
    }

    /// The stream has ended on both sides, or was reset.
    private func closed(_ id: Int32) {
        guard let stream = streams.removeValue(forKey: id), stream.upstream >= 0 else { return }
        nghttp2_session_consume_connection(session, stream.owedBytes)
        if stream.isAnswerWhole, stream.reader.isSound, stream.isRequestWhole, stream.upload.isEmpty {
            idle.append(stream.upstream)
        } else {
            close(stream.upstream)
        }
    }

    /// Writes what there is, as far as the client takes it.
    private func pump() {
        repeat { fill() } while !output.isEmpty && write()
        if nghttp2_session_want_read(session) == 0, nghttp2_session_want_write(session) == 0 { isOver = true }
    }

    private func fill() {
        while !isRaw, output.count < Self.pieceBytes {
            var start: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &start)
            if count > 0, let start {
                output += UnsafeBufferPointer(start: start, count: count)
            } else if !resetAnswered() {
                return
            }
        }
    }

    /// Whether all of it was taken.
    private func write() -> Bool {
        while !output.isEmpty {
            let count = SSL_write(ssl, output, Int32(min(output.count, 16 * 1024)))
            guard count > 0 else {
                noteError(count)
                return false
            }
            output.removeFirst(Int(count))
        }
        return true
    }

    private func noteError(_ code: Int32) {
        let error = SSL_get_error(ssl, code)
        if error != SSL_ERROR_WANT_READ, error != SSL_ERROR_WANT_WRITE { isOver = true }
        ERR_clear_error()
    }

    /// Resets streams whose answer is out, and the rest of whose request isn't wanted (RFC 9113, section 8.1).
    private func resetAnswered() -> Bool {
        let answered = streams.values.filter { $0.isEndSent && !$0.isRequestWhole }
        for stream in answered {
            stream.isEndSent = false
            nghttp2_submit_rst_stream(session, 0, stream.id, NGHTTP2_NO_ERROR.rawValue)
        }
        return !answered.isEmpty
    }

    private func readClient() {
        var room = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            let count = SSL_read(ssl, &room, Int32(room.count))
            guard count > 0 else { return noteError(count) }
            if !isRaw, nghttp2_session_mem_recv(session, room, Int(count)) < 0 { isOver = true }
        }
    }

    // MARK: - The loop

    private func wait() {
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN) | (output.isEmpty ? 0 : Int16(POLLOUT)), revents: 0)
        ]
        let streams = Array(streams.values)
        for stream in streams {
            let reads = stream.download.count + output.count < 2 * Self.pieceBytes ? Int16(POLLIN) : 0
            let events = reads | (stream.upload.isEmpty ? 0 : Int16(POLLOUT))
            // One that nothing is wanted of would be reported again and again when it has ended.
            entries.append(pollfd(fd: events == 0 ? -1 : stream.upstream, events: events, revents: 0))
        }
        let idle = idle
        for upstream in idle { entries.append(pollfd(fd: upstream, events: Int16(POLLIN), revents: 0)) }
        guard poll(&entries, nfds_t(entries.count), -1) > 0 else { return }
        if entries[0].revents != 0 { readClient() }
        for (stream, entry) in zip(streams, entries.dropFirst()) where self.streams[stream.id] === stream {
            let events = Int32(entry.revents)
            if events & POLLOUT != 0 { writeUpstream(stream) }
            if events & (POLLIN | POLLHUP | POLLERR) != 0, entry.events & Int16(POLLIN) != 0 { readUpstream(stream) }
            if isOver { return }
        }
        for (upstream, entry) in zip(idle, entries.dropFirst(1 + streams.count)) where entry.revents != 0 {
            // It was closed, unless it was taken for a request meanwhile.
            guard let index = self.idle.firstIndex(of: upstream) else { continue }
            close(self.idle.remove(at: index))
            // As servers say goodbye that are done, so that what comes late is known not to be processed.
            if self.streams.isEmpty { nghttp2_session_terminate_session(session, NGHTTP2_NO_ERROR.rawValue) }
        }
    }

    /// Ends as the other server has ended, after all that came before it.
    private func end(isReset: Bool = false) {
        guard !isOver else { return }
        (isOver, self.isReset) = (true, isReset)
        for _ in 0..<1000 {
            isOver = false
            pump()
            isOver = true
            guard !output.isEmpty || !isRaw && nghttp2_session_want_write(session) != 0 else { return }
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, 5000) > 0, Int32(entry.revents) & (POLLERR | POLLHUP) == 0 else { return }
        }
    }

    // MARK: - The other server

    private func begin(_ stream: Stream, hasBody: Bool) {
        func value(_ name: StaticString) -> [UInt8] { stream.fields.first { $0.name.elements(name) }?.value ?? [] }
        let host = value(":authority")
        stream.reader = AnswerReader(isForHead: value(":method").elements("HEAD"))
        stream.isInChunks = hasBody && !stream.fields.contains { $0.name.elements("content-length") }
        stream.upload = value(":method") + [0x20] + value(":path") + Array(" HTTP/1.1\r\nHost: ".utf8)
        stream.upload += host == authority ? Array("127.0.0.1:\(upstreamPort)".utf8) : host
        for field in stream.fields where field.name.first != UInt8(ascii: ":") {
            stream.upload += [0x0D, 0x0A] + field.name + Array(": ".utf8) + field.value
        }
        stream.upload += Array((stream.isInChunks ? "\r\nTransfer-Encoding: chunked\r\n\r\n" : "\r\n\r\n").utf8)
        stream.upstream = takeIdle() ?? connectUpstream()
        if stream.upstream < 0 { end() }
    }

    /// A kept connection, unless it was closed: as clients look before they send what isn't sent twice.
    private func takeIdle() -> Int32? {
        while let upstream = idle.popLast() {
            var byte: UInt8 = 0
            if recv(upstream, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0, errno == EAGAIN { return upstream }
            close(upstream)
        }
        return nil
    }

    private func connectUpstream() -> Int32 {
        let upstream = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = HTTP2Front.loopback(upstreamPort)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(upstream)
            return -1
        }
        var one: Int32 = 1
        setsockopt(upstream, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        return upstream
    }

    private func writeUpstream(_ stream: Stream) {
        let count = send(stream.upstream, stream.upload, stream.upload.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        // What is wrong shows when it is read.
        guard count > 0 else { return stream.upload = errno == EAGAIN ? stream.upload : [] }
        stream.upload.removeFirst(count)
        guard stream.upload.isEmpty else { return }
        consume(stream.owedBytes, stream.id)
        stream.owedBytes = 0
    }

    private func readUpstream(_ stream: Stream) {
        var room = [UInt8](repeating: 0, count: Self.pieceBytes)
        let count = recv(stream.upstream, &room, room.count, Int32(MSG_DONTWAIT))
        if count < 0 { return errno == EAGAIN || errno == EINTR ? () : end(isReset: true) }
        guard count > 0 else { return endUpstream(stream) }
        for event in stream.reader.read(Array(room[..<count])) { handle(event, stream) }
        if stream.reader.isInHead, isRaw || stream.reader.waiting.count > 128 * 1024 { sendEndlessHead(stream) }
    }

    private func handle(_ event: AnswerReader.Event, _ stream: Stream) {
        switch event {
        case .informational(let status, let fields):
            withFields(status, fields) { nghttp2_submit_headers(session, 0, stream.id, nil, $0, $1, nil) }
        case .head(let status, let fields, let hasBody):
            var provider = nghttp2_data_provider()
            provider.read_callback = readDownload
            stream.isEndSent = !hasBody
            withFields(status, fields) { start, count in
                guard hasBody else { return nghttp2_submit_response(session, stream.id, start, count, nil) }
                return nghttp2_submit_response(session, stream.id, start, count, &provider)
            }
        case .body(let bytes):
            stream.download += bytes
            nghttp2_session_resume_data(session, stream.id)
        case .end(let trailers):
            (stream.trailers, stream.isAnswerWhole) = (trailers, true)
            nghttp2_session_resume_data(session, stream.id)
        case .excess(let bytes):
            // After the end of the stream, which ends the connection. Both are written at once: a frame that came later
            // could end the next request's exchange too.
            fill()
            output += Self.frame(0, 0, stream.id, bytes)
        }
    }

    /// The other server has closed its connection.
    private func endUpstream(_ stream: Stream) {
        guard stream.reader.isWholeAtClose else {
            if stream.reader.isInHead, !stream.reader.waiting.isEmpty {
                // A header block whose rest doesn't come: `:status: 200`, and no END_HEADERS.
                pump()
                output += Self.frame(1, 0, stream.id, [0x88])
                isRaw = true
            }
            return end()
        }
        stream.isAnswerWhole = true
        nghttp2_session_resume_data(session, stream.id)
        close(stream.upstream)
        stream.upstream = -1
        pump()
    }

    /// Hands on a head that doesn't end, in frames that don't.
    private func sendEndlessHead(_ stream: Stream) {
        if !isRaw {
            pump()
            output += Self.frame(1, 0, stream.id, [0x88])
            isRaw = true
            _ = stream.reader.takeLine()
        }
        var block: [UInt8] = []
        if stream.isInEndlessField {
            block = stream.reader.takeAll()
        } else if let name = stream.reader.takeNameOfEndlessLine() {
            stream.isInEndlessField = true
            // A value of 127 bytes and 2^27, of which the latter is written by seven bits at a time.
            block = [0, UInt8(truncatingIfNeeded: name.count)] + name + [127, 0x80, 0x80, 0x80, 0x40]
        }
        while let line = stream.reader.takeLine() {
            guard let field = AnswerReader.fields(in: line[...]).first else { continue }
            block += [0, UInt8(truncatingIfNeeded: field.name.count)] + field.name
            block += [UInt8(truncatingIfNeeded: field.value.count)] + field.value
            guard block.count > 8 * 1024 else { continue }
            output += Self.frame(9, 0, stream.id, block)
            block = []
        }
        while !block.isEmpty {
            output += Self.frame(9, 0, stream.id, Array(block.prefix(8 * 1024)))
            block.removeFirst(min(block.count, 8 * 1024))
        }
    }

    private static func frame(_ type: UInt8, _ flags: UInt8, _ id: Int32, _ payload: [UInt8]) -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        return bytes(payload.count, 3) + [type, flags] + bytes(Int(id), 4) + payload
    }
}

/// Calls a closure with fields in nghttp2's form; without a status, they are trailers.
private func withFields(
    _ status: [UInt8]?,
    _ fields: [AnswerReader.Field],
    _ body: (UnsafePointer<nghttp2_nv>, Int) -> Int32,
) {
    var all = fields
    if let status { all.insert((Array(":status".utf8), status), at: 0) }
    var bytes = all.flatMap { $0.name + $0.value }
    bytes.withUnsafeMutableBufferPointer { bytes in
        var position = 0
        let entries = all.map { field in
            let start = bytes.baseAddress.map { $0 + position }
            position += field.name.count + field.value.count
            return nghttp2_nv(
                name: start,
                value: start.map { $0 + field.name.count },
                namelen: field.name.count,
                valuelen: field.value.count,
                flags: 0,
            )
        }
        entries.withUnsafeBufferPointer { entries in
            if let start = entries.baseAddress { _ = body(start, entries.count) }
        }
    }
}

private func readDownload(
    _ session: OpaquePointer?,
    _ id: Int32,
    _ room: UnsafeMutablePointer<UInt8>?,
    _ count: Int,
    _ flags: UnsafeMutablePointer<UInt32>?,
    _: UnsafeMutablePointer<nghttp2_data_source>?,
    _ user: UnsafeMutableRawPointer?,
) -> Int {
    guard let stream = FrontConnection.of(user)?.streams[id], let room else {
        return Int(NGHTTP2_ERR_DEFERRED.rawValue)
    }
    let taken = min(count, stream.download.count)
    if taken == 0, !stream.isAnswerWhole { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
    stream.download.withUnsafeBytes { bytes in
        UnsafeMutableRawBufferPointer(start: room, count: taken)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
    }
    stream.download.removeFirst(taken)
    guard stream.isAnswerWhole, stream.download.isEmpty else { return taken }
    flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
    stream.isEndSent = true
    if !stream.trailers.isEmpty {
        flags?.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
        withFields(nil, stream.trailers) { nghttp2_submit_trailer(session, id, $0, $1) }
    }
    return taken
}
#endif
