#if canImport(Darwin)
import HikyakuURLSession
#else
import HikyakuWire
#endif

/// What holds for all calls of a client, each with a default that needs no thought.
public struct ClientOptions: Sendable {
    /// What decodes responses whose request names no decoder.
    ///
    /// Default: JSON with dates in ISO 8601.
    public var decoder: any ResponseDecoder
    /// What encodes bodies whose request names no encoder.
    ///
    /// Default: JSON with dates in ISO 8601.
    public var encoder: any RequestEncoder
    /// How long a whole call may take whose request says nothing else, from the call to the last byte of the body:
    /// waiting, connecting, redirects and further attempts included.
    ///
    /// Default: 300 seconds; `nil` for ever. See ``CallDeadline`` for one that several calls share.
    public var timeout: Duration?
    /// How long connecting, waiting for the first byte, and silence may take in each attempt.
    ///
    /// Default: 10, 60 and 60 seconds.
    public var timeouts: TransportTimeouts
    /// The largest body that is collected of a response that is accepted, in bytes; a larger one ends the call as
    /// `.limit`.
    ///
    /// Default: 64 MiB.
    public var bodyBytesMax: Int
    /// The most that is read of the body of a response that isn't accepted, in bytes, and never more than
    /// ``bodyBytesMax``.
    ///
    /// A failure is read from a body up to this size. Of a larger one only the beginning is read: then the call ends as
    /// `.unacceptableStatus`, with the status and no failure of the service. Default: 1 MiB.
    public var errorBodyBytesMax: Int
    /// How many times a body may grow when its content coding is undone, past its first mebibyte; one that grows more
    /// ends the call with ``FailureReason/compressionRatio``, streamed or not.
    ///
    /// Default: 200. Ten to twenty is common for JSON; a bomb of gzip has about a thousand. Where the transport undoes
    /// codings by itself (``HTTPTransport/decodesContent``), it doesn't hold.
    public var compressionRatioMax: Int
    /// What is done with redirects where the request says nothing else.
    ///
    /// Default: ``RedirectPolicy/follow``.
    public var redirectPolicy: RedirectPolicy
    /// What keeps cookies between requests, and between the hops of one; `nil` has none sent but a request's own.
    ///
    /// A request that has a `Cookie` field keeps it: stored cookies are added behind it, but those whose names it has,
    /// as long as the whole has no more than 64 KiB; what comes first is what has the longest path, then the oldest.
    /// Default: `nil`.
    public var cookies: (any CookieStore)?
    /// The `User-Agent` of requests that say nothing else.
    ///
    /// Default: `Hikyaku/` and its version.
    public var userAgent: String
    /// The time by which deadlines are kept.
    ///
    /// Default: the machine's.
    public var clock: any HTTPClock

    /// Makes options; what isn't given has its default.
    public init(
        decoder: (any ResponseDecoder)? = nil,
        encoder: (any RequestEncoder)? = nil,
        timeout: Duration? = .seconds(300),
        timeouts: TransportTimeouts = TransportTimeouts(),
        bodyBytesMax: Int = TransportOptions.bodyBytesMaxDefault,
        errorBodyBytesMax: Int = TransportOptions.errorBodyBytesMaxDefault,
        compressionRatioMax: Int = 200,
        redirectPolicy: RedirectPolicy = .follow,
        cookies: (any CookieStore)? = nil,
        userAgent: String = "Hikyaku/0.1",
        clock: any HTTPClock = SystemClock(),
    ) {
        self.decoder = decoder ?? WebJSON.decoder
        self.encoder = encoder ?? WebJSON.encoder
        self.timeout = timeout
        self.timeouts = timeouts
        self.bodyBytesMax = bodyBytesMax
        self.errorBodyBytesMax = errorBodyBytesMax
        self.compressionRatioMax = compressionRatioMax
        self.redirectPolicy = redirectPolicy
        self.cookies = cookies
        self.userAgent = userAgent
        self.clock = clock
    }
}

extension ClientOptions {
    /// What holds for the transport in a call.
    func transportOptions(for context: RequestContext) -> TransportOptions {
        TransportOptions(
            bodyBytesMax: bodyBytesMax,
            errorBodyBytesMax: errorBodyBytesMax,
            accepts: context.call.accepts,
            streamsBody: context.streamsBody,
            timeouts: timeouts,
            observer: context.call.observer,
        )
    }
}

/// The transport of all clients that were given none: one for the process, so that they share its connections.
///
/// It is made when the first of them sends.
enum DefaultTransport {
    #if canImport(Darwin)
    static let shared: any HTTPTransport = URLSessionTransport()
    #else
    static let shared: any HTTPTransport = WireTransport()
    #endif
}
