#if canImport(Darwin)
import HikyakuURLSession
#else
import HikyakuWire
#endif

/// The settings for all calls of a client; each has a safe default.
///
/// ```swift
/// var options = ClientOptions(timeout: .seconds(30), userAgent: "Reader/2.1")
/// options.limits = ["search": CallLimit(rate: .perMinute(30))]
/// options.cookies = MemoryCookieStore()
/// let client = APIClient(options: options)
/// ```
public struct ClientOptions: Sendable {
    /// The decoder for requests that set none.
    ///
    /// Default: JSON with dates in ISO 8601.
    public var decoder: any ResponseDecoder
    /// The encoder for requests that set none.
    ///
    /// Default: JSON with dates in ISO 8601.
    public var encoder: any RequestEncoder
    /// How long a call may take if its request sets no timeout, from the call to the last byte of the body, including
    /// waiting, connecting, redirects, and retries with their pauses.
    ///
    /// Default: 300 seconds; `nil` for no timeout. See ``CallDeadline`` for a deadline that several calls share.
    public var timeout: Duration?
    /// The longest time for connecting, for the first byte, and without any data, in each exchange.
    ///
    /// Default: 10, 60 and 60 seconds.
    public var timeouts: TransportTimeouts
    /// The largest body, in bytes, that is buffered for a response with an accepted status; a larger one ends the call
    /// as `.limit`.
    ///
    /// Default: 64 MiB.
    public var bodyBytesMax: Int
    /// The largest part, in bytes, that is read of the body of a response whose status isn't accepted; never more than
    /// ``bodyBytesMax``.
    ///
    /// A failure is read from a body up to this size. Of a larger body only the beginning is read: then the call fails
    /// as `.unacceptableStatus`, with the status and without the service's failure. Default: 1 MiB.
    public var errorBodyBytesMax: Int
    /// The largest ratio of decompressed to compressed size, after the first mebibyte.
    ///
    /// A body with a larger ratio ends the call with ``FailureReason/compressionRatio``, streamed or not.
    ///
    /// Default: 200. Ten to twenty is common for JSON; a gzip bomb has about a thousand. The limit does not apply if
    /// the transport decodes content codings itself (``HTTPTransport/decodesContent``).
    public var compressionRatioMax: Int
    /// When a call is sent again after a transient failure.
    ///
    /// Default: ``RetryPolicy/standard``: at most three attempts of an idempotent request, with a budget of 20 % of the
    /// successful requests. ``RetryPolicy/never`` turns it off.
    public var retryPolicy: RetryPolicy
    /// When attempts to a service that fails are rejected without sending them; `nil` for never.
    ///
    /// Default: `nil`, since it may turn a partial failure of a service into a complete one; see ``CircuitBreaker``.
    public var circuitBreaker: CircuitBreaker?
    /// The limits of each origin (`.origin`) and of the groups that requests name (``APIRequest/limitGroup``).
    ///
    /// A request of a group obeys its group's limit and that of its origin. A group without a limit has only the
    /// origin's. The clients that are derived from one client share their limits. Default: none.
    public var limits: [LimitGroup: CallLimit]
    /// The redirect policy for requests that set none.
    ///
    /// Default: ``RedirectPolicy/follow``.
    public var redirectPolicy: RedirectPolicy
    /// The cookie store, used across requests and across the redirects of one request; with `nil` only a request's own
    /// cookies are sent.
    ///
    /// A request keeps its own `Cookie` field. Stored cookies are added after it, except those with the same names, up
    /// to 64 KiB in total: first the ones with the longest path, then the oldest. Default: `nil`.
    public var cookies: (any CookieStore)?
    /// The `User-Agent` of requests that set none.
    ///
    /// Default: `Hikyaku/` and its version.
    public var userAgent: String
    /// What the errors of the client's calls say to people and to developers.
    ///
    /// Default: `nil`, English texts.
    public var errorTexts: ErrorTexts?
    /// The clock for deadlines, pauses and limits, and for the dates in the fields of requests and responses.
    ///
    /// Default: the system clock.
    public var clock: any HTTPClock
    /// Returns random numbers from 0 to 1, for the jitter of pauses and for idempotency keys.
    package var random: @Sendable () -> Double = { .random(in: 0...1) }
    /// Whether each call runs in a task of its own.
    ///
    /// Otherwise only the first call of a type in a process does, if all parts of a call end on cancellation. So the
    /// order of tasks in a test would depend on the calls before it.
    package var givesCallsTasks = false

    /// Creates options; parameters that are not given have their defaults.
    public init(
        decoder: (any ResponseDecoder)? = nil,
        encoder: (any RequestEncoder)? = nil,
        timeout: Duration? = .seconds(300),
        timeouts: TransportTimeouts = TransportTimeouts(),
        bodyBytesMax: Int = 64 << 20,
        errorBodyBytesMax: Int = 1 << 20,
        compressionRatioMax: Int = 200,
        retryPolicy: RetryPolicy = .standard,
        circuitBreaker: CircuitBreaker? = nil,
        limits: [LimitGroup: CallLimit] = [:],
        redirectPolicy: RedirectPolicy = .follow,
        cookies: (any CookieStore)? = nil,
        userAgent: String = "Hikyaku/0.1",
        errorTexts: ErrorTexts? = nil,
        clock: any HTTPClock = SystemClock(),
    ) {
        self.decoder = decoder ?? WebJSON.decoder
        self.encoder = encoder ?? WebJSON.encoder
        self.timeout = timeout
        self.timeouts = timeouts
        self.bodyBytesMax = bodyBytesMax
        self.errorBodyBytesMax = errorBodyBytesMax
        self.compressionRatioMax = compressionRatioMax
        self.retryPolicy = retryPolicy
        self.circuitBreaker = circuitBreaker
        self.limits = limits
        self.redirectPolicy = redirectPolicy
        self.cookies = cookies
        self.userAgent = userAgent
        self.errorTexts = errorTexts
        self.clock = clock
    }
}

/// The transport of all clients without their own: one for the process, so that they share its connections.
///
/// It is created when the first of them sends a request.
package enum DefaultTransport {
    #if canImport(Darwin)
    package static let shared: any HTTPTransport = URLSessionTransport()
    #else
    package static let shared: any HTTPTransport = WireTransport()
    #endif
}
