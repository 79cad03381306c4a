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

    /// Whether the response is returned with its header block, and its body pulled by whoever reads it.
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
