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
    let bodyBytesMax: Int

    /// Where the header block will be recorded: memory that is freed by the thread that took it is reused most quickly.
    var head = ResponseHead(reserving: 512)
    /// Where the body will be collected: for the same reason, and of a size that `malloc` keeps for its thread.
    var body = BodyBuffer(reserving: 1024)
    let shape: RequestShape
    /// Who waits for the outcome; taken by the one outcome that it gets.
    ///
    /// That is all that a checked continuation would watch over.
    private var continuation: UnsafeContinuation<ReceivedResponse, any Error>?
    /// Whether the caller gave up, perhaps before the exchange was submitted.
    var isCancelled = false
    /// Whether no kept connection may be used, because the one that was tried had been written to unasked.
    var needsNewConnection = false
    /// The handle on which the exchange runs, until the outcome.
    var handle: EasyHandle?
    /// The exchange's place in the queue while it waits there.
    var ticket: RequestQueue<Exchange>.Ticket?

    /// What tells the exchange's observer; `nil` where there is none.
    let trail: EventTrail?

    init(request: HTTPRequest, options: TransportOptions) {
        self.request = request
        trail = EventTrail(request, options.observer)
        url = request.url.absoluteString
        shape = RequestShape(request)
        self.options = options
        bodyBytesMax = max(options.bodyBytesMax, 0)
    }

    func wait(with continuation: UnsafeContinuation<ReceivedResponse, any Error>) {
        self.continuation = continuation
    }

    /// Whether the request is so small that its caller may drive the loop: no more than libcurl sends at once.
    var mayBeQuick: Bool { (request.body.map { $0.bytes?.count ?? .max } ?? 0) <= EasyHandle.copiedBodyBytesMax }

    /// HTTP/2 is spoken over TLS alone.
    var mayUseHTTP2: Bool { !url.utf8.starts(with: "http:".utf8) }

    /// Whether the outcome is still to come.
    var isWaiting: Bool { continuation != nil }

    func finish(with outcome: Result<ReceivedResponse, any Error>) {
        guard let continuation else { return }
        self.continuation = nil
        handle = nil
        if case .success = outcome, options.streamsBody { return continuation.resume(with: outcome) }
        if let trail {
            if case .failure(let error) = outcome { trail.detach(error) } else { trail.detach(nil) }
        }
        continuation.resume(with: outcome)
    }

    /// The host with the port, which is what may be said of a URL in any error: `api.example:443`.
    var hostAndPort: String { HTTPOrigin(request.url)?.hostAndPort ?? "" }
}

/// A whole response as it was received; the head is read where it is wanted, not on the loop's thread.
struct ReceivedResponse: Sendable {
    let head: ResponseHead
    let body: Data
}
#endif
