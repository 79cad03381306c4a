#if os(Linux)
import CCurl
import FoundationEssentials
import HikyakuHTTP

/// One of libcurl's easy handles with all that its callbacks touch; kept and used again for one exchange after another
/// where libcurl can do that (``CurlLibrary/mayReuseHandles``).
///
/// The loop's driver alone touches it. A handle whose transfer failed is not used again, so that nothing of the failure
/// can show up in another's.
final class EasyHandle {
    let pointer: UnsafeMutableRawPointer
    /// Where the callbacks find what they need.
    let transfer: UnsafeMutablePointer<Transfer>
    /// Where the handle stands among those in flight.
    var place = 0
    /// Where the loop counts what is on the way to the same origin.
    var origin = 0

    // What is set on the handle, and stays from one exchange to the next.
    private var url = ""
    private(set) var parsedURL: OpaquePointer?
    private var kind: RequestShape.Kind?
    private var method: String?
    private var headers = HTTPHeaders()
    private var headerList: HeaderList?
    private var headerListHasContent = false
    private var connectTimeout: Duration?
    private var usesNewConnection = false
    private var reportsProgress = false
    var connection: HandleConnection
    /// As libcurl has it by itself.
    private var bufferBytes = (16 * 1024, 64 * 1024)
    private let errorText: UnsafeMutablePointer<CChar>
    /// Held because a share may go only after the last handle that has it.
    private let sessions: TLSSessions

    /// Bodies up to this size are copied by libcurl, and go out in one piece with the header block.
    static let copiedBodyBytesMax = 32 * 1024

    init?(
        _ options: CurlOptions,
        _ settings: ConnectionSettings,
        _ connections: KeptConnections,
        _ sessions: TLSSessions,
    ) {
        guard let pointer = curl_easy_init() else { return nil }
        self.sessions = sessions
        connection = HandleConnection(settings)
        transfer = .allocate(capacity: 1)
        transfer.initialize(to: Transfer(easy: pointer, connections: connections))
        self.pointer = pointer
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        guard setBaseOptions(options), setPointers(), setCallbacks(),
            setConnectionBase()
        else { return nil }
    }

    deinit {
        curl_easy_cleanup(pointer)
        curl_url_cleanup(parsedURL)
        errorText.deallocate()
        transfer.deinitialize(count: 1)
        transfer.deallocate()
    }

    // MARK: - One exchange

    /// Sets what the exchange needs.
    ///
    /// - Throws: An error when libcurl doesn't take the URL, or has no memory.
    func begin(_ exchange: Exchange) throws(TransportError) {
        transfer.pointee.begin(exchange)
        exchange.handle = self
        errorText.pointee = 0
        // Copies of the request would count references that other threads count too, which is slow.
        let shape = exchange.shape
        transfer.pointee.isForHead = shape.kind == .head
        guard setURL(exchange.url) else { throw TransportError(.url, "libcurl can't read the URL") }
        try setConnection(for: exchange)
        guard setHeaders(exchange.request.headers, hasContent: shape.kind == .content),
            setKind(shape.kind, body: exchange.request.body), setMethod(shape.method),
            setConnectTimeout(exchange.options.timeouts.connect),
            setUsesNewConnection(exchange.needsNewConnection), setBuffers(for: exchange),
            setReportsProgress(exchange.trail != nil || exchange.upload != nil)
        else { throw TransportError(.transportFailed, "libcurl can't set up the request") }
    }

    /// Makes the handle ready for the next exchange.
    func reset() {
        reportsProgress = reportsProgress || transfer.pointee.endsWithTLS
        transfer.pointee.reset()
        guard kind == .content else { return }
        // This frees libcurl's copy of the body, and makes the method POST as a side effect: so it is set anew next
        // time.
        _ = hikyaku_curl_set_string(pointer, CURLOPT_POSTFIELDS, nil)
        kind = nil
    }

    /// What libcurl says of a failure beyond its code; empty where it says nothing.
    var failureText: String { String(cString: errorText) }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        _ = hikyaku_curl_get_long(pointer, info, &value)
        return value
    }

    // MARK: - Options

    private func setURL(_ url: String) -> Bool {
        guard url != self.url else { return true }
        guard let parsed = parsedURL ?? curl_url() else { return false }
        parsedURL = parsed
        self.url = url
        // Handed over as text, it would be parsed with each request again.
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_DISALLOW_USER | CURLU_NON_SUPPORT_SCHEME)
        return curl_url_set(parsed, CURLUPART_URL, url, flags) == CURLUE_OK
            && hikyaku_curl_set_pointer(pointer, CURLOPT_CURLU, UnsafeMutableRawPointer(parsed)) == CURLE_OK
    }

    private func setHeaders(_ headers: HTTPHeaders, hasContent: Bool) -> Bool {
        if headerList != nil, hasContent == headerListHasContent, headers.hasSameLines(as: self.headers) { return true }
        guard let list = HeaderList(headers, hasContent: hasContent) else { return false }
        let code = hikyaku_curl_set_list(pointer, CURLOPT_HTTPHEADER, list.pointer)
        // Only now may the list go that the handle had until here.
        headerList = consume list
        headerListHasContent = hasContent
        self.headers = headers
        return code == CURLE_OK
    }

    private func setKind(_ kind: RequestShape.Kind, body: HTTPBody?) -> Bool {
        if kind == self.kind, kind != .content { return true }
        self.kind = kind
        guard setLong(CURLOPT_NOBODY, kind == .head ? 1 : 0) else { return false }
        switch kind {
        case .plain: return setLong(CURLOPT_HTTPGET, 1)
        case .head: return true
        case .content: return setLong(CURLOPT_POST, 1) && setContent(of: body)
        }
    }

    private func setContent(of body: HTTPBody?) -> Bool {
        guard let body, body.bytes == nil else { return setContent(body?.bytes ?? Data()) }
        // Without a length it goes out in chunks.
        let count = curl_off_t(body.count ?? -1)
        return hikyaku_curl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, count) == CURLE_OK
            && hikyaku_curl_set_string(pointer, CURLOPT_POSTFIELDS, nil) == CURLE_OK
    }

    /// What is taken from the socket and given to it at once: more for streams, since each go costs some calls of the
    /// system, and less for all others, since it is allocated for each transfer.
    private func setBuffers(for exchange: Exchange) -> Bool {
        let (receive, send) = (
            exchange.download == nil ? 16 * 1024 : ResponseStream.receiveBufferBytes,
            exchange.upload == nil ? 64 * 1024 : UploadStream.sendBufferBytes,
        )
        guard bufferBytes != (receive, send) else { return true }
        bufferBytes = (receive, send)
        return setLong(CURLOPT_BUFFERSIZE, receive) && setLong(CURLOPT_UPLOAD_BUFFERSIZE, send)
    }

    private func setContent(_ content: Data) -> Bool {
        guard hikyaku_curl_set_offset(pointer, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.count)) == CURLE_OK
        else {
            return false
        }
        guard content.count <= Self.copiedBodyBytesMax else {
            transfer.pointee.upload = content
            return hikyaku_curl_set_string(pointer, CURLOPT_POSTFIELDS, nil) == CURLE_OK
        }
        guard !content.isEmpty else { return hikyaku_curl_set_string(pointer, CURLOPT_COPYPOSTFIELDS, "") == CURLE_OK }
        return content.withUnsafeBytes { bytes in
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            return hikyaku_curl_set_string(pointer, CURLOPT_COPYPOSTFIELDS, start) == CURLE_OK
        }
    }

    private func setMethod(_ method: String?) -> Bool {
        guard method != self.method else { return true }
        self.method = method
        return hikyaku_curl_set_string(pointer, CURLOPT_CUSTOMREQUEST, method) == CURLE_OK
    }

    private func setConnectTimeout(_ timeout: Duration) -> Bool {
        guard timeout != connectTimeout else { return true }
        connectTimeout = timeout
        return setLong(CURLOPT_CONNECTTIMEOUT_MS, LookUpTime.milliseconds(timeout))
    }

    private func setUsesNewConnection(_ isWanted: Bool) -> Bool {
        guard isWanted != usesNewConnection else { return true }
        usesNewConnection = isWanted
        return setLong(CURLOPT_FRESH_CONNECT, isWanted ? 1 : 0)
    }

    /// Only who is observed, or sends a stream, which is looked after meanwhile, pays for being asked about progress.
    private func setReportsProgress(_ isWanted: Bool) -> Bool {
        guard isWanted != reportsProgress else { return true }
        reportsProgress = isWanted
        return setLong(CURLOPT_NOPROGRESS, isWanted ? 0 : 1)
    }

    func setLong(_ option: CURLoption, _ value: Int) -> Bool {
        hikyaku_curl_set_long(pointer, option, value) == CURLE_OK
    }

    /// What holds for every request.
    private func setBaseOptions(_ options: CurlOptions) -> Bool {
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_PROTOCOLS, Int(CURLPROTO_HTTP | CURLPROTO_HTTPS)), (CURLOPT_DISALLOW_USERNAME_IN_URL, 1),
            (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_HTTP_CONTENT_DECODING, 0), (CURLOPT_HTTP_TRANSFER_DECODING, 0),
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_TCP_NODELAY, 1), (CURLOPT_TCP_KEEPALIVE, 1),
        ]
        return numbers.allSatisfy { setLong($0, $1) } && hikyaku_curl_set_quick_exit(pointer) == CURLE_OK
    }

    private func setPointers() -> Bool {
        let own = UnsafeMutableRawPointer(transfer)
        let pointers: [(CURLoption, UnsafeMutableRawPointer)] = [
            (CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorText)),
            (CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque()),
            (CURLOPT_HEADERDATA, own), (CURLOPT_WRITEDATA, own), (CURLOPT_READDATA, own), (CURLOPT_SEEKDATA, own),
            (CURLOPT_RESOLVER_START_DATA, own), (CURLOPT_OPENSOCKETDATA, own), (CURLOPT_PREREQDATA, own),
            (CURLOPT_XFERINFODATA, own),
        ]
        return pointers.allSatisfy { hikyaku_curl_set_pointer(pointer, $0, $1) == CURLE_OK }
            && hikyaku_curl_set_pointer(pointer, CURLOPT_SHARE, sessions.pointer) == CURLE_OK
    }
}
#endif
