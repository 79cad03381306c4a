import HikyakuBase
public import HikyakuHTTP

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Moves the bytes of an exchange with URLSession, so that a call uses the proxies, VPNs, trust settings and HTTP/3 of
/// an Apple device.
///
/// It is the default on Apple's platforms. On Linux it builds and works for plain calls, but use `WireTransport` there.
///
/// The connections are closed when the last reference is released.
///
/// ## What it guarantees
/// "No" means that Foundation has no API to guarantee it. It may still be so in some cases.
///
/// | | Apple | Linux |
/// |---|---|---|
/// | Follows no redirect: the 3xx is delivered | yes | yes |
/// | Answers no challenge: the 401 or 407 is delivered | yes | yes |
/// | Keeps no cookie, no cache and no credential | yes | yes |
/// | Applies the body limit while bytes arrive | yes | yes, but some bytes may be queued before they are counted |
/// | A body shorter than its `Content-Length` is an error | yes | yes |
/// | A compressed body that was cut off is an error | yes | no, so no coding is requested by default |
/// | A body that doesn't match its coding is ``FailureReason/malformedContentCoding`` | yes | yes |
/// | Limits the growth of a compressed body to 200:1 | no, only by the body limit | no, only by the body limit |
/// | Delivers bodies as they were sent | no, decoded | no, decoded |
/// | Keeps the order of response headers | no, sorted by name | no, sorted by name |
/// | Keeps repeated response headers separate | no, except `Set-Cookie` | no, except `Set-Cookie` |
/// | Accepts response headers that are not UTF-8, and status lines without a phrase | yes | no, an error |
/// | Keeps the order of request headers, and repeated ones separate | no, joined by `,` | no, joined by `,` |
/// | Sends only the headers that you set | no | no |
/// | Keeps the case of well-known methods | no, `get` may be sent as `GET` | no |
/// | Sends a body with GET | no, ``FailureReason/body`` | no, ``FailureReason/body`` |
/// | Reports framing, interim responses and trailers | no | no |
/// | Rejects an invalid length, two lengths, a length with chunks, an unrequested 101 | yes, if reported | yes |
/// | Distinguishes malformed chunks, a missing last chunk and an unsupported transfer coding | no | yes, by the text |
/// | Distinguishes a closed connection from a reset one | no | yes |
/// | Limits the header block to 256 KiB and 500 names | yes, once it is complete | yes, once it is complete |
/// | Handles trailers, and a connection that ends within the head | yes | no, the process crashes |
/// | Streams a response | yes | yes |
/// | Backpressure: a slow reader slows the server down | yes, the task is suspended | no, bytes are kept in memory |
/// | Streams a file or a stream as the request's body | yes | no, collected, up to 64 MiB |
/// | Holds a body back until the server agrees (`Expect: 100-continue`) | no, sent without the field | the same |
/// | Sends a replayable body again over a new connection | yes | no, it times out |
/// | Has a separate timeout for connecting | no, the first byte's applies | no, the first byte's applies |
/// | Has timeouts for first byte and idle | yes; within the head, the first byte's applies | the same |
/// | Verifies certificates | yes, as the system does | yes, with the system's authorities |
/// | Reports that a certificate is expired, not yet valid or untrusted | yes | yes, by the text |
/// | Reports that a certificate is for another host | if the system does, otherwise as untrusted | yes, by the text |
/// | Reports that a certificate is self-signed | no, it is untrusted | yes, by the text |
/// | Supports custom authorities, client certificates and pinned public keys (``TLSOptions``) | no | no |
/// | Sets a minimum version of TLS | by the configuration, otherwise the system's | no, libcurl's |
/// | Uses proxies, but never an ``HTTPProxy`` | the system's, or the configuration's | only the environment's |
/// | Reports that a proxy failed | if the system does | yes, except for an unreachable one |
/// | Supports Unix domain sockets and custom addresses for a host | no | no |
/// | Supports IPv6 addresses in the URL | yes | no, ``FailureReason/url`` |
/// | Limits the connections to a host to 64 | no, the configuration's limit | no, the configuration's limit |
/// | Limits requests to 1,024 in flight and 10,000 waiting | one limit: 11,024 | one limit: 11,024 |
/// | Sends the waiting request with the highest task priority first | no | no |
/// | Emits events for name lookup, connecting, TLS and reuse | no | no |
/// | Emits events for bytes, the first byte and the end | yes, decoded bytes | yes, decoded bytes |
/// | Closes idle connections when it is shut down | yes | no, when it is released |
/// | Can be cancelled at any moment | yes | yes, but see below |
///
/// A failure that Foundation does not distinguish has the nearest reason that is certain:
/// ``FailureReason/truncatedResponse``, ``FailureReason/tlsFailed`` or ``FailureReason/transportFailed``. On Linux,
/// Foundation has only a few codes, and libcurl's text distinguishes the failures. If a version of libcurl has another
/// text, the reason is also the nearest one. While a request waits for a connection, its first-byte timeout runs.
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
        self.init(configuration: configuration, exchangesMax: Self.exchangesMax)
    }

    init(configuration: URLSessionConfiguration, exchangesMax: Int) {
        let exchanges = ExchangeTable(exchangesMax: exchangesMax)
        // The session retains its delegate until it is invalidated. The delegate refers only to the table, so that the
        // transport can be released; its deinit invalidates the session.
        session = URLSession(
            configuration: Self.stripped(configuration),
            delegate: SessionDelegate(exchanges: exchanges),
            delegateQueue: Self.makeQueue(),
        )
        self.exchanges = exchanges
    }

    deinit {
        // No request is in flight, since `send` holds a reference. After a shutdown this changes nothing.
        if exchanges.close() { session.finishTasksAndInvalidate() }
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
        // A `Result`, since these functions would lose the error's type anyway, and a throwing continuation costs more.
        let outcome = await CallCancellation.withHandler {
            await withCheckedContinuation { continuation in
                guard exchange.wait(with: continuation) else { return }
                if let body = request.body, body.bytes == nil {
                    start(urlRequest, with: body, for: exchange)
                } else {
                    start(urlRequest, for: exchange)
                }
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
            session.finishTasksAndInvalidate()
            let exchanges = exchanges
            // `endAll` cancels each exchange, and the session ends after the last one.
            let bounded = min(max(.zero, grace), .seconds(365 * 86_400))
            let timer = SystemClock().schedule(at: .now + bounded) { exchanges.endAll() }
            await exchanges.drained()
            timer.cancel()
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

    /// 1,024 requests in flight and 10,000 waiting, which can't be distinguished here.
    static let exchangesMax = 11_024

    /// The largest file or stream, in bytes, that is sent if it has to be in memory.
    static let collectedUploadBytesMax = 64 * 1024 * 1024

    private static func stripped(_ original: URLSessionConfiguration) -> URLSessionConfiguration {
        let copy = original.copy() as? URLSessionConfiguration ?? .ephemeral
        copy.httpShouldSetCookies = false
        copy.httpCookieAcceptPolicy = .never
        copy.httpCookieStorage = nil
        copy.urlCache = nil
        copy.requestCachePolicy = .reloadIgnoringLocalCacheData
        copy.urlCredentialStorage = nil
        copy.timeoutIntervalForRequest = timeoutSeconds
        copy.timeoutIntervalForResource = timeoutSeconds
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
