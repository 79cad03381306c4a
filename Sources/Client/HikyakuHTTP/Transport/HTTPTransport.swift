#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Moves the bytes of one exchange: the seam below everything else.
///
/// ```swift
/// struct Recorder: HTTPTransport {
///     // Adds to another transport, and passes everything on:
///     let inner: any HTTPTransport
///     var decodesContent: Bool { inner.decodesContent }
///
///     func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
///         let response = try await inner.send(request, options: options)
///         store(request.method, request.url, response.status)
///         return response
///     }
///
///     func shutdown(within grace: Duration) async { await inner.shutdown(within: grace) }
/// }
/// let client = APIClient(transport: Recorder(inner: transport))
/// ```
/// ## Writing one
/// A transport sends the request unchanged and returns the response as it came, whatever its status. The client above
/// it handles redirects, cookies, credentials, further attempts and deadlines, so that they behave the same over every
/// transport.
///
/// `send` is called concurrently, from any thread, once for each exchange: redirects make several in one attempt. It
/// must
/// - return only complete responses: a body that was cut off is an error, never a short success;
/// - end soon after its task was cancelled, by throwing `CancellationError`, and give its connection back or close it;
///   a transport that does so for a ``CallCancellation`` too can declare it by `endsOnCancellation`, which saves each
///   call a task;
/// - respect ``TransportOptions/bodyBytesMax`` if the body is collected, and ``TransportOptions/errorBodyBytesMax`` if
///   the status isn't accepted, as ``HTTPResponse/collectingBody(within:)`` does;
/// - with ``TransportOptions/streamsBody``, return after the header block, and read on only as the body is read; a body
///   that fails then throws from its iterator;
/// - follow no redirect and add no credential;
/// - send the body of a request with `Expect: 100-continue` only after a 100 or ``TransportTimeouts/expectation``, and
///   not at all if the final response comes before; one that can't do that must remove the field;
/// - send a request once, and once more at most if a kept connection turns out to be dead: further repeats are the
///   client's, which limits them, since they add to the load of a server that fails. A request that the server has
///   surely not processed fails as ``FailureReason/notProcessed``;
/// - throw ``TransportError`` with a reason for known failures. Other errors are reported unchanged, without a reason.
///
/// A transport needs no lock for the client: it is called with values and returns values.
public protocol HTTPTransport: Sendable, CancellationPromise {
    /// Whether response bodies arrive with their content coding undone, as URLSession delivers them. Default: `false`.
    ///
    /// If it is `false`, the client adds `Accept-Encoding` to requests that have none and, on Linux, decodes gzip,
    /// deflate, brotli and zstd itself, with limits on the decoded size: the transport returns body and fields
    /// unchanged. On Apple's platforms the client requests no coding from such a transport, since only URLSession
    /// decodes there.
    ///
    /// If it is `true`, the transport chooses the codings. It has to report a coded body that is cut off or damaged as
    /// an error, and to limit how much a body grows; the client ignores codings then.
    var decodesContent: Bool { get }

    /// Sends a request and returns its final response, with the whole body unless the options request a stream.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The options of this exchange.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``TransportError``, or `CancellationError` if the task was cancelled.
    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse

    /// Accepts no new requests, waits for those in flight, ends the rest after `grace`, and closes all connections.
    ///
    /// Requests that come later, and those that were ended, throw ``TransportError`` with ``FailureReason/shutDown``.
    /// Calling it again changes nothing. Default: does nothing.
    func shutdown(within grace: Duration) async
}

extension HTTPTransport {
    /// Bodies arrive as they were sent.
    public var decodesContent: Bool { false }

    /// Does nothing: there is nothing to end.
    public func shutdown(within grace: Duration) async {}
}

/// The options of one exchange.
///
/// ```swift
/// // A test of a transport, without a client:
/// let options = TransportOptions(bodyBytesMax: 1 << 20, timeouts: TransportTimeouts(connect: .seconds(2)))
/// let response = try await transport.send(HTTPRequest(url: menuURL), options: options)
/// ```
public struct TransportOptions: Sendable {
    /// The largest body that is collected of a response whose status is accepted, in bytes.
    ///
    /// A larger body ends the exchange with ``FailureReason/bodyTooLarge`` as soon as its size is known. The limit
    /// doesn't apply to streamed bodies.
    public var bodyBytesMax: Int

    /// The most that is collected of the body of a response whose status isn't accepted, in bytes; never more than
    /// ``bodyBytesMax``.
    ///
    /// Of a larger body, the response has only the beginning (``HTTPResponse/isBodyCut``). The rest isn't read, and the
    /// connection isn't used again. The limit doesn't apply to streamed bodies.
    public var errorBodyBytesMax: Int

    /// Whether a status means success; by default 200 to 299.
    ///
    /// It is called on any thread, at most once for each exchange, and only if the body doesn't arrive together with
    /// the header block or has more than ``errorBodyBytesMax``. A transport should call it as soon as it waits for the
    /// rest of a body: then the error of a call that ends there says so.
    public var accepts: @Sendable (HTTPStatus) -> Bool

    /// Whether `send` returns when the header block was received; the reader then pulls the body.
    ///
    /// Default: `false`: `send` returns when the whole body was received.
    public var streamsBody: Bool

    /// How long each stage may take.
    public var timeouts: TransportTimeouts

    /// Receives the events of the exchange; `nil` by default.
    public var observer: (any EventObserver)?

    /// Whether the transport may send the request once more if a kept connection turns out to be dead.
    ///
    /// Default: `true`. A client sets `false` for retries, which its policy counts.
    package var resendsOnce = true

    /// Receives what the transport does with the exchange by itself; `nil` by default.
    package var listener: (any ExchangeListener)?

    /// Makes options; each has a default.
    public init(
        bodyBytesMax: Int = 64 << 20,
        errorBodyBytesMax: Int = 1 << 20,
        accepts: @escaping @Sendable (HTTPStatus) -> Bool = { $0.isSuccess },
        streamsBody: Bool = false,
        timeouts: TransportTimeouts = TransportTimeouts(),
        observer: (any EventObserver)? = nil,
    ) {
        self.bodyBytesMax = bodyBytesMax
        self.errorBodyBytesMax = errorBodyBytesMax
        self.accepts = accepts
        self.streamsBody = streamsBody
        self.timeouts = timeouts
        self.observer = observer
    }
}

/// Learns when an exchange waits because of the transport's own limits, and when its request is sent once more.
///
/// An exchange that ends in the queue doesn't leave it. The functions may be called under a transport's lock, so they
/// must not call the transport.
package protocol ExchangeListener: AnyObject, Sendable {
    func enterQueue()
    func leaveQueue()
    /// A connection is made, for which the request waits.
    func beginConnecting()
    func endConnecting()
    /// The request is sent once more, for the reason for which the exchange would end.
    func resend(after reason: FailureReason)
    /// The head of a response has arrived, whose body is waited for.
    ///
    /// - Parameter beginning: What came.
    func received(_ beginning: HTTPResponse)
    /// More of its body has arrived; all pieces together are no larger than what an error keeps.
    func received(more: Data)
}

/// How long the stages of an exchange may take; a stage that takes longer ends it with a reason of its own.
///
/// ```swift
/// let timeouts = TransportTimeouts(connect: .seconds(5), firstByte: .seconds(20), idle: .seconds(15))
/// let client = APIClient(options: ClientOptions(timeouts: timeouts))
/// ```
/// A hundred years or more mean no limit. The client limits the time of a whole call.
public struct TransportTimeouts: Sendable, Hashable {
    /// Finding the host, connecting and the TLS handshake together; ``FailureReason/connectTimeout``.
    public var connect: Duration
    /// From the request's last byte to the first of the response; ``FailureReason/firstByteTimeout``.
    public var firstByte: Duration
    /// Between two pieces of the request or of the response; ``FailureReason/idleTimeout``.
    ///
    /// It is paused while a streamed body waits for its reader, or an upload for its source.
    public var idle: Duration
    /// How long a request with `Expect: 100-continue` holds its body back; then the body is sent without the server's
    /// consent, so that this time ends no exchange.
    ///
    /// It never exceeds ``firstByte``. It begins when the fields were sent. Many servers never answer before they have
    /// the body (RFC 9110, section 10.1.1), so each request to such a server takes longer by this time. Default: one
    /// second, as in curl.
    public var expectation: Duration

    /// Makes timeouts; each has a default.
    public init(
        connect: Duration = .seconds(10),
        firstByte: Duration = .seconds(60),
        idle: Duration = .seconds(60),
        expectation: Duration = .seconds(1),
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
        self.expectation = expectation
    }
}
