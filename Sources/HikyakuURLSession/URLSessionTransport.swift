import HikyakuBase
public import HikyakuHTTP

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Moves the bytes of an attempt with URLSession, so that a call uses the proxies, VPNs, trust settings and HTTP/3 of
/// an Apple device.
///
/// It is the default there. On Linux it builds and works for plain calls, and `WireTransport` is the one to use.
///
/// A transport lives as long as its last reference: its connections are given up with it.
///
/// ## What it guarantees
/// "No" means that Foundation gives no way, not that it is never so by chance.
///
/// | | Apple | Linux |
/// |---|---|---|
/// | Follows no redirect: the 3xx is delivered | yes | yes |
/// | Answers no challenge: the 401 or 407 is delivered | yes | yes |
/// | Keeps no cookie, no cache and no credential | yes | yes |
/// | Holds to the body limit while bytes arrive | yes | yes, though some may queue up before they are counted |
/// | A body shorter than its `Content-Length` is an error | yes | yes |
/// | A compressed body that was cut off is an error | yes | no, so that none is asked for unless you do |
/// | A body that isn't what its coding says is ``FailureReason/malformedContentCoding`` | yes | yes |
/// | Bounds how much a compressed body grows, 200:1 | no, the body limit alone | no, the body limit alone |
/// | Bodies as they were sent | no, decoded | no, decoded |
/// | Response headers in their order | no, sorted by name | no, sorted by name |
/// | Repeated response headers apart | no, but for `Set-Cookie` | no, but for `Set-Cookie` |
/// | Response headers that are no UTF-8, and status lines without a phrase | yes | no, an error |
/// | Request headers in their order, repeated ones apart | no, joined by `,` | no, joined by `,` |
/// | Sends no header that you didn't give | no | no |
/// | Well-known methods in the case you wrote them | no, `get` may be sent as `GET` | no |
/// | Sends a body with GET | no, ``FailureReason/body`` | no, ``FailureReason/body`` |
/// | Shows framing, interim responses and trailers | no | no |
/// | Refuses a broken length, two lengths, a length beside chunks, an unasked 101 | yes, where they show | yes |
/// | Tells broken chunks, a missing last chunk and an unknown transfer coding apart | no | yes, by the text |
/// | Tells a connection that was closed from one that was reset | no | yes |
/// | Header block of 256 KiB and 500 names at most | yes, once it is whole | yes, once it is whole |
/// | Survives a connection that ends within the head, and trailers | yes | no, the process stops |
/// | Streams a response | yes | yes |
/// | A slow reader of a stream slows the server down | yes, the task is suspended | no, what comes is kept in memory |
/// | Streams a file or a stream as the request's body | yes | no, collected, up to 64 MiB |
/// | Sends a body once more over a new connection | no, ``FailureReason/bodyConsumed`` | no, it runs out of time |
/// | Connecting has a timeout of its own | no, it counts as the first byte's | no, it counts as the first byte's |
/// | First byte and idle have their timeouts | yes; silence within the head is the first byte's | as there |
/// | Verifies certificates | yes, as the system does | yes, by the system's authorities |
/// | Tells that a certificate is out of date, or untrusted | yes | yes, by the text |
/// | Tells that a certificate is for another host | where the system does, else it is untrusted | yes, by the text |
/// | Tells that a certificate is signed by itself | no, it is untrusted | yes, by the text |
/// | Authorities of your own, client certificates, pins of public keys (``TLSOptions``) | no | no |
/// | A minimum version of TLS | by the configuration, else the system's | no, libcurl's |
/// | Proxies, though none by ``HTTPProxy`` | the system's, or the configuration's | those of the environment alone |
/// | Tells that a proxy failed | where the system does | yes, but for one that can't be reached |
/// | Unix domain sockets, addresses of your own for a host | no | no |
/// | Addresses of IPv6 in the URL | yes | no, ``FailureReason/url`` |
/// | 64 connections to a host | no, what the configuration says | no, what the configuration says |
/// | 1,024 requests in flight, 10,000 that wait | as one: 11,024 | as one: 11,024 |
/// | Tells name lookup, connecting, TLS and reuse as events | no | no |
/// | Tells bytes, first byte and the end as events | yes, decoded bytes | yes, decoded bytes |
/// | Closes idle connections when it is shut down | yes | no, when it goes |
/// | Can be cancelled at any moment | yes | yes, but see below |
///
/// What Foundation doesn't tell apart has the nearest reason that is sure: ``FailureReason/truncatedResponse``,
/// ``FailureReason/tlsFailed``, ``FailureReason/transportFailed``. On Linux it has a few codes for all, and libcurl's
/// text tells them apart; a version of libcurl with other words leads to the nearest reason as well. A request that
/// waits for a connection has its first byte's time meanwhile.
///
/// Foundation adds `User-Agent`, `Accept`, `Accept-Language` and `Accept-Encoding` where the request has none, and
/// calls the body of a POST a form where nothing says what it is.
///
/// Foundation on Linux stops the process when a task is cancelled while a redirect waits for its answer, and waits for
/// ever where a challenge is handled by default; both are worked around here. It also stops the process when a
/// connection ends within the head of a response, and passes half a compressed body off as a whole one; both are not.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let exchanges: ExchangeTable

    /// Makes a transport with a session of its own.
    ///
    /// - Parameter configuration: What the session starts from: proxies, cellular access, the number of connections to
    ///   a host, TLS versions. It is copied; its cookies, cache, credentials and time limits are replaced, since they
    ///   are the business of the client above. A background configuration doesn't work here.
    public convenience init(configuration: URLSessionConfiguration = .ephemeral) {
        self.init(configuration: configuration, exchangesMax: Self.exchangesMax)
    }

    init(configuration: URLSessionConfiguration, exchangesMax: Int) {
        let exchanges = ExchangeTable(exchangesMax: exchangesMax)
        // The session keeps its delegate until it is invalidated. The delegate knows the table alone, so that the
        // transport can go, and invalidates the session as it goes.
        session = URLSession(
            configuration: Self.stripped(configuration),
            delegate: SessionDelegate(exchanges: exchanges),
            delegateQueue: Self.makeQueue(),
        )
        self.exchanges = exchanges
    }

    deinit {
        // Nothing is in flight any more: who sends holds a reference. After a shutdown this changes nothing.
        if exchanges.close() { session.finishTasksAndInvalidate() }
    }

    /// `true`: URLSession undoes gzip, deflate and brotli, and says nothing about it.
    public var decodesContent: Bool { true }

    /// `true`.
    public var endsOnCancellation: Bool { true }

    #if !canImport(Darwin)
    private static let proxies = EnvironmentProxies { ProcessInfo.processInfo.environment[$0] }

    /// Refuses a proxy of the environment whose URL can't be used: libcurl goes round some of them in silence.
    ///
    /// The hosts in `no_proxy` aren't looked at.
    private static func checkProxy(for request: HTTPRequest) throws(TransportError) {
        _ = try (HTTPOrigin(request.url)?.scheme == "https" ? proxies.https : proxies.http).get()
    }
    #endif

    /// Sends a request and returns its response with the decoded body, whole or as a stream.
    ///
    /// Cancelling the task ends the call at once and closes or frees its connection soon after.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - options: What holds for this attempt; the limit counts decoded bytes.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``TransportError`` with the `URLError` below it, or `CancellationError`.
    public func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        try request.checkForWire()
        #if !canImport(Darwin)
        try Self.checkProxy(for: request)
        #endif
        let urlRequest = try URLRequest(request)
        let exchange = Exchange(request: request, options: options)
        // A `Result`, since these functions would lose the error's type anyway and a throwing continuation is dearer.
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

    /// Takes no new requests, and ends the session when those in flight are done or `grace` is over.
    ///
    /// A second call waits for the first one's end, whatever its own grace.
    public func shutdown(within grace: Duration) async {
        if exchanges.close() {
            session.finishTasksAndInvalidate()
            let exchanges = exchanges
            // Each is cancelled by that, and the session ends itself with the last of them.
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
        // In a task of its own, since what makes the body may not heed a cancellation.
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
            // In the queue of the delegate, so that none falls between the delegate's look at a task and its answer;
            // and not in a cancellation handler, since on Linux `cancel` waits for the session's own queue.
            queue.addOperation { task.cancel() }
        }
        task.resume()
    }
}

extension URLSessionTransport {
    /// A week: the deadlines of the client above end a call, never the session's own.
    static let timeoutSeconds: TimeInterval = 7 * 24 * 60 * 60

    /// 1,024 on their way and 10,000 that wait, which can't be told apart here.
    static let exchangesMax = 11_024

    /// The most of a file or a stream that is sent where it has to be in memory.
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

    /// One callback at a time, in the order in which things happened.
    private static func makeQueue() -> OperationQueue {
        let queue = OperationQueue()
        queue.name = "hikyaku.urlsession"
        queue.maxConcurrentOperationCount = 1
        return queue
    }
}
