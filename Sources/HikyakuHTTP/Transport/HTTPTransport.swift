/// What moves the bytes of one attempt: the seam below everything else.
///
/// ## Writing one
/// A transport sends the request as it stands and returns the response as it came, whatever its status. Redirects,
/// cookies, credentials, further attempts and deadlines are not its business: what lies above it does them, so that
/// they behave the same over every transport.
///
/// `send` is called concurrently, from any thread, once for each attempt. It must
/// - return only whole responses: a body that was cut off is an error, never a short success;
/// - end soon after its task was cancelled, by throwing `CancellationError`, and give its connection back or close it;
///   one that does so for a ``CallCancellation`` too can promise it by `endsOnCancellation`, which saves each call a
///   task;
/// - hold to ``TransportOptions/bodyBytesMax`` where the body is collected, and to
///   ``TransportOptions/errorBodyBytesMax`` where the status isn't accepted, as
///   ``HTTPResponse/collectingBody(within:)`` does;
/// - return as soon as the header block is there where ``TransportOptions/streamsBody`` asks for it, and read on only
///   as the body is read; a body that breaks off then throws from its iterator;
/// - follow no redirect and add no credential;
/// - throw ``TransportError`` with a reason for what it can name. Other errors are reported as they are, without a
///   reason.
///
/// A transport needs no lock on the client's behalf: it is called with values and returns values.
public protocol HTTPTransport: Sendable, CancellationPromise {
    /// Whether response bodies arrive with their content coding undone, as URLSession delivers them. Default: `false`.
    ///
    /// Where it is `false`, the client adds `Accept-Encoding` to requests that have none and, on Linux, undoes gzip,
    /// deflate, brotli and zstd itself, with bounds on what comes out: the transport hands on body and fields as they
    /// came. On Apple's platforms the client asks such a transport for no coding, since only URLSession undoes them
    /// there.
    ///
    /// Where it is `true`, the transport asks for what it likes, and answers for it that a coded body that is cut off
    /// or damaged is an error and that none grows without bounds; the client looks at no coding then.
    var decodesContent: Bool { get }

    /// Sends a request and returns its final response, with the whole body unless the options ask for a stream.
    ///
    /// - Parameters:
    ///   - request: What to send.
    ///   - options: What holds for this attempt.
    /// - Returns: The response, whatever its status.
    /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse

    /// Takes no new requests, waits for those in flight, ends what is left after `grace`, and gives up all connections.
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

/// What holds for one attempt.
public struct TransportOptions: Sendable {
    /// The limit for collected bodies where nobody says another: 64 MiB.
    public static let bodyBytesMaxDefault = 64 * 1024 * 1024

    /// The limit for the bodies of responses that aren't accepted, where nobody says another: 1 MiB.
    public static let errorBodyBytesMaxDefault = 1024 * 1024

    /// The largest body that is collected of a response whose status is accepted, in bytes.
    ///
    /// A larger one ends the attempt with ``FailureReason/bodyTooLarge`` as soon as that is known. It doesn't hold for
    /// a streamed body.
    public var bodyBytesMax: Int

    /// The most that is collected of the body of a response whose status isn't accepted, in bytes; never more than
    /// ``bodyBytesMax``.
    ///
    /// Of a larger body, the response has only the beginning (``HTTPResponse/isBodyCut``). The rest isn't read, and the
    /// connection isn't used again. It doesn't hold for a streamed body.
    public var errorBodyBytesMax: Int

    /// Whether a status means success; by default 200 to 299.
    ///
    /// It is called on any thread, and only for bodies of more than ``errorBodyBytesMax``.
    public var accepts: @Sendable (HTTPStatus) -> Bool

    /// Whether the response is returned with its header block, and its body pulled by its reader.
    ///
    /// Default: `false`, the whole body is there when `send` returns.
    public var streamsBody: Bool

    /// How long each stage may take.
    public var timeouts: TransportTimeouts

    /// Who hears what happens on the wire; `nil`, the default, for nobody.
    public var observer: (any EventObserver)?

    /// Makes options; each has a default.
    public init(
        bodyBytesMax: Int = TransportOptions.bodyBytesMaxDefault,
        errorBodyBytesMax: Int = TransportOptions.errorBodyBytesMaxDefault,
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

/// How long the stages of an attempt may take; a stage that takes longer ends it with a reason of its own.
///
/// A hundred years or more stand for ever. How long a whole call may take is the client's business.
public struct TransportTimeouts: Sendable, Hashable {
    /// Finding the host, connecting and the TLS handshake together; ``FailureReason/connectTimeout``.
    public var connect: Duration
    /// From the request's last byte to the first of the response; ``FailureReason/firstByteTimeout``.
    public var firstByte: Duration
    /// Between two pieces of the request or of the response; ``FailureReason/idleTimeout``.
    ///
    /// It stands still while a streamed body waits for its reader, or an upload for its source.
    public var idle: Duration

    /// Makes timeouts; each has a default.
    public init(
        connect: Duration = .seconds(10),
        firstByte: Duration = .seconds(60),
        idle: Duration = .seconds(60),
    ) {
        self.connect = connect
        self.firstByte = firstByte
        self.idle = idle
    }
}
