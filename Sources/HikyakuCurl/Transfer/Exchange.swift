#if os(Linux)
import FoundationEssentials
import HikyakuHTTP

/// One request on its way, from `send` to the loop and back.
///
/// `@unchecked`: the compiler can't see that the mutable state is written by `send` before the mailbox's lock hands the
/// exchange to the loop, and from then on is touched by the loop's driver alone.
final class Exchange: @unchecked Sendable {
    let request: HTTPRequest
    /// The URL as libcurl gets it.
    let url: String
    let options: TransportOptions

    /// Where the header block will be recorded: memory that is freed by the thread that took it is reused most quickly.
    var head = ResponseHead(reserving: 512)
    /// Where the body will be collected: for the same reason, and of a size that `malloc` keeps for its thread.
    var body = BodyBuffer(reserving: 1024)
    let shape: RequestShape
    /// Whether the scheme is https; what a request is checked for leaves nothing but http beside it.
    let isSecure: Bool
    /// Who waits for the outcome; taken by the one outcome that it gets.
    ///
    /// That is all that a checked continuation would watch over.
    private var continuation: UnsafeContinuation<ReceivedResponse, any Error>?
    /// Whether the caller gave up, perhaps before the exchange was submitted.
    var isCancelled = false
    /// Whether no kept connection may be used, because the one that was tried had been written to unasked.
    var needsNewConnection = false
    /// Whether the exchange was begun anew because its connection was lost before an answer.
    var isRepeated = false
    /// The handle on which the exchange runs, until the outcome.
    var handle: EasyHandle?
    /// The exchange's place in the queue while it waits there.
    var ticket: RequestQueue<Exchange>.Ticket?
    /// Where the response's body goes when it is streamed, and where a request's body comes from that is; until the
    /// outcome.
    private(set) var download: ResponseStream?
    private(set) var upload: UploadStream?
    /// Held for a moment by both sides when a streamed response is handed over.
    ///
    /// The continuation orders their steps by itself, but the thread sanitizer doesn't see it where one is resumed
    /// before it is awaited, and reports races that aren't there.
    let handover: Lock<Void>?
    /// Whether the caller has the response's head, and the outcome is its stream's.
    private var isStreaming = false
    /// What the loop has to look after at the end of its round.
    var agenda: LoopAgenda?
    var isOnAgenda = false

    /// What tells the exchange's observer; `nil` where there is none.
    let trail: EventTrail?

    init(request: HTTPRequest, options: TransportOptions) {
        self.request = request
        trail = options.observer == nil ? nil : EventEmitter(options.observer).map { EventTrail(request, $0) }
        url = request.urlText
        shape = RequestShape(request)
        isSecure = url.isSecureURL
        self.options = options
        handover = options.streamsBody ? Lock(()) : nil
    }

    func wait(with continuation: UnsafeContinuation<ReceivedResponse, any Error>) {
        self.continuation = continuation
    }

    /// Makes what the exchange needs for bodies that are streamed; for `send`, before it hands the exchange over.
    func prepareStreams(over transport: CurlTransport) {
        if options.streamsBody { download = ResponseStream(of: self, over: transport) }
        guard let body = request.body, body.bytes == nil else { return }
        let upload = UploadStream(body)
        self.upload = upload
        upload.start { [self, mailbox = transport.mailbox] in mailbox.goOn(self) }
    }

    /// Whether the caller may drive the loop: not with a body that takes more than one go, and not past a head.
    var mayBeQuick: Bool {
        !options.streamsBody
            && (request.body.map { $0.bytes?.count ?? .max } ?? 0) <= EasyHandle.copiedBodyBytesMax
    }

    /// HTTP/2 is spoken over TLS alone.
    var mayUseHTTP2: Bool { isSecure }

    /// Whether the outcome is still to come.
    var isWaiting: Bool { continuation != nil || isStreaming }

    /// Hands the caller the head, and the body as a stream; what comes later is the stream's.
    func deliver(_ head: ResponseHead, bodyCount: Int?) {
        guard let download, let continuation else { return }
        self.continuation = nil
        isStreaming = true
        let response = ReceivedResponse(head: head, body: HTTPBody(pulling: download, count: bodyCount))
        handover?.withLock { _ in }
        continuation.resume(returning: response)
    }

    func finish(with outcome: Result<ReceivedResponse, any Error>) {
        guard isWaiting else { return }
        _ = handle?.transfer.pointee.closePiece()
        let (continuation, download) = (continuation, download)
        upload?.stop()
        trail?.detach(outcome.thrown)
        (self.continuation, self.download, upload, handle, isStreaming) = (nil, nil, nil, nil, false)
        if let continuation {
            continuation.resume(with: outcome)
        } else {
            trail?.emitEnd(outcome.thrown)
            download?.end(with: outcome.map { _ in () })
        }
    }

    /// The host with the port, which is what may be said of a URL in any error: `api.example:443`.
    var hostAndPort: String { HTTPOrigin(request.url)?.hostAndPort ?? "" }
}

extension String {
    /// Whether what isn't `http:` begins the text; to look at one byte in place is many times as quick as
    /// `starts(with:)`.
    fileprivate var isSecureURL: Bool {
        let isPlain = utf8.withContiguousStorageIfAvailable { $0.count > 4 && $0[4] == UInt8(ascii: ":") }
        return !(isPlain ?? utf8.starts(with: "http:".utf8))
    }
}

/// A response as it was received, whole or streamed; the head is read where it is wanted, not on the loop's thread.
struct ReceivedResponse: Sendable {
    let head: ResponseHead
    let body: HTTPBody
    var isBodyCut = false
}

extension Result {
    fileprivate var thrown: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
#endif
