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
