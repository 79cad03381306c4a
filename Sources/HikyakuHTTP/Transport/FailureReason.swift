/// The stage at which a call failed.
///
/// Its cases are those of `APIError` and don't grow.
public enum FailurePhase: String, Sendable, Hashable, CaseIterable {
    /// The request can't be sent as it stands; nothing was sent.
    case invalidRequest
    /// No usable credential; nothing was sent.
    case unauthorized
    /// No whole response came.
    case transport
    /// The service responded with its own failure.
    case service
    /// The service responded with a status that isn't accepted, and no failure could be read.
    case unacceptableStatus
    /// The response isn't what the request says it is.
    case decoding
    /// A bound or policy of the client refused.
    case limit
    /// A deadline passed.
    case timedOut
    /// The caller gave up.
    case cancelled
    /// Something that the user put in the way threw.
    case other
}

/// Why a call failed, in a form that code can switch over.
///
/// ```swift
/// switch failure.reason {
/// case .hostNotFound: …
/// case .connectionRefused: …
/// default: …
/// }
/// ```
/// New members may come with any version, so a switch over reasons has a `default`. Transports, middleware and
/// providers may make reasons of their own.
public struct FailureReason: Sendable, Hashable, CustomStringConvertible {
    /// The stage that the reason belongs to.
    public let phase: FailurePhase
    /// A stable word for logs and metrics: `hostNotFound`.
    public let code: String

    /// Makes a reason, for transports and middleware of one's own.
    public init(_ phase: FailurePhase, _ code: String) {
        self.phase = phase
        self.code = code
    }

    /// The word with its stage, `transport.hostNotFound`, or the stage alone where the word says no more.
    public var description: String { code == phase.rawValue ? code : "\(phase.rawValue).\(code)" }
}

// MARK: - The request can't be sent

extension FailureReason {
    /// The environment's base URL is malformed, has no host, or is no `http` or `https` URL.
    public static let baseURL = FailureReason(.invalidRequest, "baseURL")
    /// The path begins with a scheme, or has a dot segment, an empty interpolated value, a control character, `?`, `#`
    /// or a broken percent triplet.
    public static let path = FailureReason(.invalidRequest, "path")
    /// A query or form value can't be written: not a number, infinite, or nested too deeply.
    public static let query = FailureReason(.invalidRequest, "query")
    /// A header's name is no token, or its value has a line break or another control character.
    public static let header = FailureReason(.invalidRequest, "header")
    /// The method is no token, or is `CONNECT`.
    public static let method = FailureReason(.invalidRequest, "method")
    /// The body can't be encoded, or the method can't carry it.
    public static let body = FailureReason(.invalidRequest, "body")
    /// The final URL, after `prepare(_:)` and middleware, is no `http` or `https` URL with a host.
    public static let url = FailureReason(.invalidRequest, "url")
    /// The request's own `prepare(_:)` threw.
    public static let prepare = FailureReason(.invalidRequest, "prepare")
    /// What the request's `Definition` says can't be read: two parts of it share a key.
    public static let definition = FailureReason(.invalidRequest, "definition")
    /// The request's `decoder` is of a type that is no `ResponseDecoder`.
    public static let decoder = FailureReason(.invalidRequest, "decoder")
    /// The request's `encoder` is of a type that is no `RequestEncoder`.
    public static let encoder = FailureReason(.invalidRequest, "encoder")
}

// MARK: - No whole response

extension FailureReason {
    /// The host's name leads to no address.
    public static let hostNotFound = FailureReason(.transport, "hostNotFound")
    /// The host is there, and nothing listens on the port.
    public static let connectionRefused = FailureReason(.transport, "connectionRefused")
    /// There is no way to the network, or none to the host: as a rule the machine is offline.
    public static let networkUnreachable = FailureReason(.transport, "networkUnreachable")
    /// The connection couldn't be opened for another cause.
    public static let connectionFailed = FailureReason(.transport, "connectionFailed")
    /// The server closed the connection without answering.
    public static let connectionClosed = FailureReason(.transport, "connectionClosed")
    /// The connection broke off while the request was sent or the response received.
    public static let connectionReset = FailureReason(.transport, "connectionReset")
    /// What came is no HTTP response, or breaks a rule that has no reason of its own.
    public static let malformedResponse = FailureReason(.transport, "malformedResponse")
    /// The connection was closed inside the response's header block.
    public static let truncatedHeaders = FailureReason(.transport, "truncatedHeaders")
    /// The body is shorter than the header block says, or a coded body ends before its end.
    public static let truncatedResponse = FailureReason(.transport, "truncatedResponse")
    /// `Content-Length` is no decimal number, or one that nothing can hold.
    public static let malformedContentLength = FailureReason(.transport, "malformedContentLength")
    /// `Content-Length` says two different lengths.
    public static let conflictingContentLength = FailureReason(.transport, "conflictingContentLength")
    /// The response has both `Content-Length` and `Transfer-Encoding`, so that its end is a matter of opinion.
    public static let ambiguousLength = FailureReason(.transport, "ambiguousLength")
    /// The transfer coding is none that was asked for: only `chunked` is.
    public static let unknownTransferCoding = FailureReason(.transport, "unknownTransferCoding")
    /// A chunk's size can't be read, or a chunk doesn't end where it should.
    public static let malformedChunk = FailureReason(.transport, "malformedChunk")
    /// The connection was closed before the last chunk.
    public static let missingLastChunk = FailureReason(.transport, "missingLastChunk")
    /// The server switched to another protocol unasked.
    public static let unexpectedUpgrade = FailureReason(.transport, "unexpectedUpgrade")
    /// The body is a part of the resource, and no part was asked for.
    public static let unexpectedPart = FailureReason(.transport, "unexpectedPart")
    /// The body isn't what its `Content-Encoding` says, or is damaged.
    public static let malformedContentCoding = FailureReason(.transport, "malformedContentCoding")
    /// The body has a content coding that wasn't asked for and can't be undone.
    public static let unknownContentCoding = FailureReason(.transport, "unknownContentCoding")
    /// No secure connection: the two sides found no common ground, or the certificate isn't trusted for a cause that
    /// has no reason of its own.
    public static let tlsFailed = FailureReason(.transport, "tlsFailed")
    /// The server's certificate is out of date, or not yet valid.
    public static let certificateExpired = FailureReason(.transport, "certificateExpired")
    /// The server's certificate is for another host.
    public static let certificateHostMismatch = FailureReason(.transport, "certificateHostMismatch")
    /// The server's certificate is self-signed, and not trusted by name.
    public static let certificateSelfSigned = FailureReason(.transport, "certificateSelfSigned")
    /// The server's certificate is not signed by a trusted authority.
    public static let certificateUntrusted = FailureReason(.transport, "certificateUntrusted")
    /// The server's public key matches none of the host's pins.
    public static let certificatePinMismatch = FailureReason(.transport, "certificatePinMismatch")
    /// The proxy can't be reached, or refuses.
    public static let proxyFailed = FailureReason(.transport, "proxyFailed")
    /// A one-shot body stream was read a second time.
    public static let bodyConsumed = FailureReason(.transport, "bodyConsumed")
    /// A redirect can't be followed: it names no URL, one that isn't `http` or `https`, or needs a body again that is
    /// gone.
    public static let redirectInvalid = FailureReason(.transport, "redirectInvalid")
    /// Redirects lead back to where they came from.
    public static let redirectLoop = FailureReason(.transport, "redirectLoop")
    /// A redirect leads from `https` to `http`, which has to be allowed.
    public static let redirectInsecure = FailureReason(.transport, "redirectInsecure")
    /// The transport was shut down.
    public static let shutDown = FailureReason(.transport, "shutDown")
    /// The transport failed in a way that it has no name for.
    public static let transportFailed = FailureReason(.transport, "transportFailed")
}

// MARK: - Beside the exchange

extension FailureReason {
    /// The response can't be written to the file that it was to go to.
    public static let fileNotWritten = FailureReason(.other, "fileNotWritten")
}

// MARK: - Bounds

extension FailureReason {
    /// The response's body is larger than the limit.
    public static let bodyTooLarge = FailureReason(.limit, "bodyTooLarge")
    /// There is no memory for the response's body, or to read it with.
    public static let outOfMemory = FailureReason(.limit, "outOfMemory")
    /// The response's header block is larger than the limit.
    public static let headersTooLarge = FailureReason(.limit, "headersTooLarge")
    /// The body grows when its content coding is undone as no honest one does.
    public static let compressionRatio = FailureReason(.limit, "compressionRatio")
    /// There are more redirects than the limit.
    public static let tooManyRedirects = FailureReason(.limit, "tooManyRedirects")
    /// The transport has as many requests waiting as it takes.
    public static let queueFull = FailureReason(.limit, "queueFull")
    /// The call's `timeout` passed.
    public static let deadline = FailureReason(.timedOut, "deadline")
    /// No connection was made in time.
    public static let connectTimeout = FailureReason(.timedOut, "connectTimeout")
    /// The request was sent, and no byte of a response came in time.
    public static let firstByteTimeout = FailureReason(.timedOut, "firstByteTimeout")
    /// The connection went silent amid the request or the response.
    public static let idleTimeout = FailureReason(.timedOut, "idleTimeout")
    /// The caller's task or the call itself was cancelled.
    public static let cancelled = FailureReason(.cancelled, "cancelled")
}

/// What a transport, or a step above it, throws when it can say what went wrong.
///
/// The client turns it into the phase of `APIError` that its reason belongs to.
public struct TransportError: Error, Sendable {
    /// Why, in a form that code can switch over.
    public var reason: FailureReason
    /// The particulars in one line, without secrets: they end up in logs.
    public var message: String
    /// What lies below: a code of the system or of the library that does the work.
    public var underlyingError: (any Error)?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: Why.
    ///   - message: The particulars in one line, without secrets.
    ///   - underlyingError: What lies below.
    public init(_ reason: FailureReason, _ message: String, underlyingError: (any Error)? = nil) {
        self.reason = reason
        self.message = message
        self.underlyingError = underlyingError
    }
}

extension TransportError: CustomStringConvertible, CustomReflectable {
    /// The reason and the particulars.
    public var description: String {
        message.isEmpty ? "\(reason)" : Redaction.printable("\(reason): \(message)", scalarsMax: .max)
    }

    /// The reason and the particulars, and of what lies below only the type, for `dump` and debuggers.
    public var customMirror: Mirror {
        let underlying = underlyingError.map { String(describing: type(of: $0)) }
        return Mirror(self, children: ["error": description, "underlyingError": underlying as Any])
    }
}
