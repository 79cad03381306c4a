import HikyakuBase
public import HikyakuHTTP

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
import Security
#endif

/// Moves the bytes of an exchange with URLSession, so that a call uses the proxies, VPNs, trust settings and HTTP/3 of
/// an Apple device.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.allowsCellularAccess = false
/// let client = APIClient(transport: URLSessionTransport(configuration: configuration))
/// ```
/// It is the default on Apple's platforms. On Linux it builds and works for plain calls, but use `WireTransport` there.
///
/// The connections are closed when the last reference is released.
///
/// ## What it guarantees
/// On Apple's platforms each row is given by this transport ("ours"), by Foundation, or not at all ("no"). What is not
/// given may still be so in some cases. The letters name the sources below; without one, Apple documents nothing, and
/// the row says what is known of its behaviour.
///
/// | | Apple | Linux |
/// |---|---|---|
/// | Follows no redirect: the 3xx is delivered | ours (D) | yes |
/// | Answers no challenge for a password: the 401 or 407 is delivered | ours (D) | yes |
/// | Keeps no cookie, no cache and no credential | ours (C) | yes |
/// | Applies the body limit while bytes arrive | ours (B) | yes, but some bytes may be queued before they are counted |
/// | A body shorter than its `Content-Length` is an error | Foundation | yes |
/// | A compressed body that was cut off is an error | Foundation | no, so no coding is requested by default |
/// | A body that doesn't match its coding is ``FailureReason/malformedContentCoding`` | Foundation (E) | yes |
/// | Limits the growth of a compressed body to 200:1 | no, only by the body limit | no, only by the body limit |
/// | Delivers bodies as they were sent | no, decoded | no, decoded |
/// | Delivers the first part alone of a response with several heads (`multipart/x-mixed-replace`) | ours (B) | yes |
/// | Keeps the order of response headers | no, sorted by name (H) | no, sorted by name |
/// | Keeps repeated response headers separate | no, except `Set-Cookie` (H) | no, except `Set-Cookie` |
/// | Accepts response headers that are not UTF-8, and status lines without a phrase | Foundation | no, an error |
/// | Keeps the order of request headers, and repeated ones separate | no, joined by `,` (R) | no, joined by `,` |
/// | Sends only the headers that you set | no (R) | no |
/// | Keeps the case of well-known methods | no, `get` may be sent as `GET` | no |
/// | Sends a body with GET | no, ``FailureReason/body`` | no, ``FailureReason/body`` |
/// | Emits interim responses (1xx) | Foundation (D) | yes |
/// | Reports framing and trailers | no | no |
/// | Rejects an invalid length, two lengths, a length with chunks, an unrequested 101 | ours, if reported (H) | yes |
/// | Distinguishes malformed chunks, a missing last chunk and an unsupported coding | no (E) | yes, by the text |
/// | Distinguishes a closed connection from a reset one | no (E) | yes |
/// | Limits the header block to 256 KiB and 500 names | ours, once it is complete (H) | yes, once it is complete |
/// | Handles trailers, and a connection that ends within the head | Foundation | no, the process crashes |
/// | Streams a response | Foundation (B); it may hold back the first 512 bytes | yes |
/// | Backpressure: a slow reader slows the server down | ours (T); suspending may come late | no |
/// | Ends a call whose reader is too slow: ``FailureReason/readerTooSlow`` at 64 MiB | ours | yes |
/// | Streams a file or a stream as the request's body | ours (W) | no, collected, up to 64 MiB |
/// | Holds a body back until the server agrees (`Expect: 100-continue`) | no, sent without the field | the same |
/// | Sends a replayable body again over a new connection | ours (D) | no, it times out |
/// | Has a separate timeout for connecting | no, the first byte's applies | no, the first byte's applies |
/// | Has timeouts for first byte and idle | ours; within the head, and after a wait for a network, see below | yes |
/// | A timeout stops while the app is suspended or the machine sleeps; a call's deadline does not | ours | yes |
/// | Verifies certificates | Foundation (S) | yes, with the system's authorities |
/// | Reports that a certificate is expired, not yet valid or untrusted | Foundation (E) | yes, by the text |
/// | Reports that a certificate is for another host | if Foundation does, otherwise as untrusted | yes, by the text |
/// | Reports that a certificate is self-signed | no, it is untrusted (E) | yes, by the text |
/// | Supports custom authorities and pinned public keys (``TLSOptions``) | ours (D, S), see below | no, an error |
/// | Supports client certificates | ours: PKCS#12 or the keychain (D, S) | no, an error |
/// | Sets a minimum version of TLS | Foundation (C) | no, libcurl's |
/// | Uses the system's proxies | Foundation (C) | only the environment's |
/// | Uses an ``HTTPProxy`` | Foundation (P), except for networks as exceptions | no, an error |
/// | Reports that a proxy failed | if Foundation does (E) | yes, except for an unreachable one |
/// | Supports Unix domain sockets and custom addresses for a host | no | no |
/// | Supports IPv6 addresses in the URL | Foundation | no, ``FailureReason/url`` |
/// | Limits the connections to a host to 64, or to the configuration's number | ours (C), see below | yes |
/// | Limits requests to 1,024 in flight and 10,000 waiting | ours | yes |
/// | Sends the waiting request with the highest task priority first | ours | yes |
/// | Emits events for name lookup, connecting, TLS and reuse | Foundation, at the end of the exchange (M) | no |
/// | Emits events for bytes, the first byte and the end | ours, decoded bytes (B) | yes, decoded bytes |
/// | Follows ``NetworkPreferences`` | Foundation (R, T) | no |
/// | Waits for a network, and emits that it does | Foundation, if the configuration says so (D) | no |
/// | Closes idle connections when it is shut down | Foundation (U) | no, when it is released |
/// | Can be cancelled at any moment | Foundation (T) | yes, but see below |
///
/// Sources: (B) [data delegate](https://developer.apple.com/documentation/foundation/urlsessiondatadelegate),
/// (C) [configuration](https://developer.apple.com/documentation/foundation/urlsessionconfiguration),
/// (D) [task delegate](https://developer.apple.com/documentation/foundation/urlsessiontaskdelegate),
/// (E) [errors](https://developer.apple.com/documentation/foundation/urlerror),
/// (H) [responses](https://developer.apple.com/documentation/foundation/httpurlresponse),
/// (M) [metrics](https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics),
/// (P) [proxies](https://developer.apple.com/documentation/network/proxyconfiguration),
/// (R) [requests](https://developer.apple.com/documentation/foundation/urlrequest),
/// (S) [trust](https://developer.apple.com/documentation/security/sectrust),
/// (T) [tasks](https://developer.apple.com/documentation/foundation/urlsessiontask),
/// (U) [sessions](https://developer.apple.com/documentation/foundation/urlsession),
/// (W) [streams](https://developer.apple.com/documentation/foundation/stream).
///
/// A failure that Foundation does not distinguish has the nearest reason that is certain:
/// ``FailureReason/truncatedResponse``, ``FailureReason/tlsFailed`` or ``FailureReason/transportFailed``. On Linux,
/// Foundation has only a few codes, and libcurl's text distinguishes the failures. If a version of libcurl has another
/// text, the reason is also the nearest one.
///
/// Within the head, the first byte's limit applies. After a wait for a network, only the call's deadline does until
/// something is sent or received, since Foundation doesn't report the end of the wait.
///
/// A request waits here for one of its host's connections. That an origin's requests share one, by HTTP/2 or HTTP/3, is
/// known when the first of them has ended: until then 64 are in flight. A configuration with Foundation's own number of
/// connections is taken for one without a number.
///
/// App Transport Security is a check of the system before these options: it rejects some servers that they accept, such
/// as one with a self-signed certificate, unless the app's Info.plist has an exception for the host.
///
/// Foundation adds `User-Agent`, `Accept`, `Accept-Language` and `Accept-Encoding` if the request has none. If a POST
/// has no `Content-Type`, Foundation declares its body as a form.
///
/// Four defects of Foundation on Linux matter here. Two are worked around: the process crashes if a task is cancelled
/// while a redirect waits for its completion handler, and default handling of a challenge waits forever. Two are not:
/// the process crashes if a connection ends within the head of a response, and a compressed body that was cut off is
/// delivered as a complete one.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let exchanges: ExchangeTable

    /// Makes a transport with its own session.
    ///
    /// - Parameter configuration: The settings of the session: proxies, cellular access, the number of connections to a
    ///   host, TLS versions. It is copied. Its cookies, cache, credentials and timeouts are replaced, since the client
    ///   handles these. Background configurations are not supported.
    public convenience init(configuration: URLSessionConfiguration = .ephemeral) {
        self.init(Self.stripped(configuration), rules: nil)
    }

    /// Makes a transport with its own session, whose trust in servers, client certificates and proxy are set here.
    ///
    /// On Linux, URLSession has no such settings; use `WireTransport`, which is the default there.
    ///
    /// - Parameters:
    ///   - configuration: The settings of the session, as without options.
    ///   - tls: The trusted authorities, public keys and client certificates. Files are read now, which blocks.
    ///   - proxy: The proxy; by default the system's, or that of the configuration.
    /// - Throws: ``TransportError`` with ``FailureReason/tlsFailed`` or ``FailureReason/proxyFailed`` for an option
    ///   that this platform can't take, and for a file or a certificate that can't be used.
    public convenience init(
        configuration: URLSessionConfiguration = .ephemeral,
        tls: TLSOptions,
        proxy: HTTPProxy = .environment,
    ) throws(TransportError) {
        let copy = Self.stripped(configuration)
        let rules = try TLSRules(tls)
        let proxy = try SessionProxy(proxy)
        #if canImport(Darwin)
        let version: tls_protocol_version_t = tls.minimumVersion >= .tls13 ? .TLSv13 : .TLSv12
        if copy.tlsMinimumSupportedProtocolVersion.rawValue < version.rawValue {
            copy.tlsMinimumSupportedProtocolVersion = version
        }
        copy.use(proxy)
        self.init(copy, rules: rules)
        #else
        guard rules.isDefault, tls.minimumVersion <= .tls12, tls.clientCertificates.isEmpty else {
            throw SessionCause.noTLSOptions.error("URLSession on Linux can't take TLSOptions")
        }
        guard proxy == .system else {
            throw SessionCause.noProxyOption.error("URLSession on Linux can't take an HTTPProxy")
        }
        self.init(copy, rules: nil)
        #endif
    }

    /// - Parameters:
    ///   - configuration: The configuration, stripped.
    ///   - rules: What decides about trust; `nil` for the system.
    ///   - limits: The limits; by default with the configuration's number of connections to a host.
    init(_ configuration: URLSessionConfiguration, rules: TLSRules?, limits: WaitingLine<Exchange>.Limits? = nil) {
        var limits = limits ?? WaitingLine<Exchange>.Limits()
        limits.perOriginMax = min(limits.perOriginMax, max(1, configuration.httpMaximumConnectionsPerHost))
        let exchanges = ExchangeTable(limits)
        // The session retains its delegate until it is invalidated. The delegate refers only to the table, so that the
        // transport can be released; its deinit invalidates the session.
        session = URLSession(
            configuration: configuration,
            delegate: SessionDelegate(exchanges: exchanges, rules: rules),
            delegateQueue: Self.makeQueue(),
        )
        self.exchanges = exchanges
    }

    deinit {
        // No request is in flight, since `send` holds a reference. After a shutdown this changes nothing.
        if exchanges.close() { invalidate() }
    }

    private func invalidate() {
        exchanges.invalidate()
        session.finishTasksAndInvalidate()
    }

    /// `true`: URLSession decodes gzip, deflate and brotli, and does not report it.
    public var decodesContent: Bool { true }

    /// `true`.
    public var endsOnCancellation: Bool { true }

    #if !canImport(Darwin)
    private static let proxies = EnvironmentProxies { ProcessInfo.processInfo.environment[$0] }

    /// Rejects a proxy of the environment whose URL can't be used: libcurl silently bypasses some of them.
    ///
    /// The hosts in `no_proxy` are ignored.
    private static func checkProxy(for request: HTTPRequest) throws(TransportError) {
        _ = try (HTTPOrigin(request.url)?.scheme == "https" ? proxies.https : proxies.http).get()
    }
    #endif

    /// Sends a request and returns its response with the decoded body, whole or as a stream.
    ///
    /// If the task is cancelled, the call ends at once. Its connection is closed or released soon after.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The options of this exchange; the limit counts decoded bytes.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``TransportError`` with the `URLError` as its underlying error, or `CancellationError`.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try request.checkForWire()
        #if !canImport(Darwin)
        try Self.checkProxy(for: request)
        #endif
        let urlRequest = try URLRequest(request)
        let exchange = Exchange(request: request, options: options)
        exchange.prepare { [self, unowned exchange] in
            if let body = request.body, body.bytes == nil {
                start(urlRequest, with: body, for: exchange)
            } else {
                start(urlRequest, for: exchange)
            }
        } leave: { [exchanges, unowned exchange] in
            exchanges.leave(exchange)
        }
        let priority = Task.currentPriority.rawValue
        // A `Result`, since these functions would lose the error's type anyway, and a throwing continuation costs more.
        let outcome = await CallCancellation.withHandler {
            await withCheckedContinuation { continuation in
                if exchange.wait(with: continuation) { exchanges.enter(exchange, priority: priority) }
            }
        } onCancel: {
            exchange.finish(.failure(CancellationError()))
        }
        exchange.synchronize()
        return try outcome.get()
    }

    /// Accepts no new requests, and ends the session when those in flight have ended or `grace` is over.
    ///
    /// A second call waits until the first one has ended, whatever its own grace.
    public func shutdown(within grace: Duration) async {
        if exchanges.close() {
            // Those that wait make their tasks while the session is valid. `endAll` cancels each exchange.
            let exchanges = exchanges
            let bounded = min(max(.zero, grace), .seconds(365 * 86_400))
            let timer = SystemClock().schedule(at: .now + bounded) { exchanges.endAll() }
            await exchanges.drained()
            timer.cancel()
            invalidate()
        } else {
            await exchanges.drained()
        }
    }

    /// Starts a request whose body isn't in memory.
    private func start(_ request: URLRequest, with body: HTTPBody, for exchange: Exchange) {
        #if canImport(Darwin)
        var request = request
        request.stream(body, of: exchange)
        start(request, for: exchange)
        #else
        // In a separate task, since the source of the body may ignore a cancellation.
        let collecting = Task {
            do {
                var request = request
                try await request.collect(body)
                start(request, for: exchange)
            } catch {
                exchange.finish(.failure(error), isOver: true)
            }
        }
        exchange.onEnd { collecting.cancel() }
        #endif
    }

    private func start(_ request: URLRequest, for exchange: Exchange) {
        let task: URLSessionDataTask
        switch exchanges.add(exchange, makeTask: { session.dataTask(with: request) }) {
        case .success(let made): task = made
        case .failure(let error): return exchange.finish(.failure(error))
        }
        #if canImport(Darwin)
        task.priority = exchange.priority
        #endif
        let queue = session.delegateQueue
        exchange.didStart {
            // In the delegate's queue, so that no cancellation comes between the delegate's check of a task and its
            // completion handler. Not in a cancellation handler, since on Linux `cancel` waits for the session's queue.
            queue.addOperation { task.cancel() }
        }
        task.resume()
    }
}

extension URLSessionTransport {
    /// A week, so that the client's deadlines end a call, never the session's timeout.
    static let timeoutSeconds: TimeInterval = 7 * 24 * 60 * 60

    /// The largest file or stream, in bytes, that is sent if it has to be in memory.
    static let collectedUploadBytesMax = 64 * 1024 * 1024

    /// The connections to a host if the configuration has Foundation's number, which is 6, or 4 on some platforms.
    static let connectionsPerHostMax = 64

    static func stripped(_ original: URLSessionConfiguration) -> URLSessionConfiguration {
        let copy = original.copy() as? URLSessionConfiguration ?? .ephemeral
        copy.httpShouldSetCookies = false
        copy.httpCookieAcceptPolicy = .never
        copy.httpCookieStorage = nil
        copy.urlCache = nil
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        copy.urlCredentialStorage = nil
        copy.timeoutIntervalForRequest = timeoutSeconds
        copy.timeoutIntervalForResource = timeoutSeconds
        if copy.httpMaximumConnectionsPerHost == URLSessionConfiguration.ephemeral.httpMaximumConnectionsPerHost {
            copy.httpMaximumConnectionsPerHost = connectionsPerHostMax
        }
        return copy
    }

    /// Makes a queue that runs one callback at a time, in the order of the events.
    private static func makeQueue() -> OperationQueue {
        let queue = OperationQueue()
        queue.name = "hikyaku.urlsession"
        queue.maxConcurrentOperationCount = 1
        return queue
    }
}
