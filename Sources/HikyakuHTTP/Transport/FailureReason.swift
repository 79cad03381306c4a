/// The stage at which a call failed.
///
/// ```swift
/// do {
///     show(try await client.send(Shop.Dishes()))
/// } catch where error.phase == .transport || error.phase == .timedOut {
///     show("The service can't be reached at the moment.")
/// } catch {
///     show(error.localizedDescription)
/// }
/// ```
/// Its cases are those of `APIError` and don't grow.
public enum FailurePhase: String, Sendable, Hashable, CaseIterable {
    /// The request is invalid; nothing was sent.
    case invalidRequest
    /// No usable credential; nothing was sent.
    case unauthorized
    /// No complete response was received.
    case transport
    /// The service responded with its own failure.
    case service
    /// The service responded with a status that isn't accepted, and no failure could be read.
    case unacceptableStatus
    /// The response does not match the request's model.
    case decoding
    /// A limit was exceeded: one of the client's, or the available memory.
    case limit
    /// A deadline passed.
    case timedOut
    /// The caller cancelled the call.
    case cancelled
    /// A middleware, or another part that the app provides, threw another error.
    case other
}

/// Why a call failed, in a form that code can switch over.
///
/// ```swift
/// do {
///     show(try await client.send(Shop.Dishes()))
/// } catch {
///     switch error.reason {
///     case .hostNotFound: show("Is the address right?")
///     case .connectionRefused: show("Is the service running?")
///     default: show(error.localizedDescription)
///     }
/// }
/// ```
/// Any version may add members, so a switch over reasons needs a `default`. Transports, middleware and providers may
/// define their own reasons.
public struct FailureReason: Sendable, Hashable, CustomStringConvertible {
    /// The stage that the reason belongs to.
    public let phase: FailurePhase
    /// A stable word for logs and metrics: `hostNotFound`.
    public let code: String

    /// Makes a reason, for your own transports and middleware.
    public init(_ phase: FailurePhase, _ code: String) {
        self.phase = phase
        self.code = code
    }

    /// The word with its stage, `transport.hostNotFound`, or only the stage if both are the same word.
    public var description: String { code == phase.rawValue ? code : "\(phase.rawValue).\(code)" }
}

// MARK: - The request can't be sent

extension FailureReason {
    /// The environment's base URL is malformed, has no host, or is not an `http` or `https` URL.
    public static let baseURL = FailureReason(.invalidRequest, "baseURL")
    /// The path begins with a scheme, or has a dot segment, an empty interpolated value, a control character, `?`, `#`
    /// or a broken percent triplet.
    public static let path = FailureReason(.invalidRequest, "path")
    /// A query or form value can't be written: not a number, infinite, or nested too deeply.
    public static let query = FailureReason(.invalidRequest, "query")
    /// A header's name is not a token, or its value has a line break or another control character.
    public static let header = FailureReason(.invalidRequest, "header")
    /// The method is not a token, is `CONNECT`, or is a known one in another case, such as `post`.
    public static let method = FailureReason(.invalidRequest, "method")
    /// The body can't be encoded, or the method can't carry it.
    public static let body = FailureReason(.invalidRequest, "body")
    /// The final URL, after `prepare(_:)` and middleware, is not an `http` or `https` URL with a host; or an absolute
    /// URL as the path of a request can't be sent.
    public static let url = FailureReason(.invalidRequest, "url")
    /// The request's own `prepare(_:)` threw.
    public static let prepare = FailureReason(.invalidRequest, "prepare")
    /// The request's `Definition` is invalid: two parts of it share a key.
    public static let definition = FailureReason(.invalidRequest, "definition")
    /// The request's `decoder` is of a type that is not a `ResponseDecoder`.
    public static let decoder = FailureReason(.invalidRequest, "decoder")
    /// The request's `encoder` is of a type that is not a `RequestEncoder`.
    public static let encoder = FailureReason(.invalidRequest, "encoder")
    /// The client substitutes another environment, which is probably that of the request, but mistyped.
    public static let substitution = FailureReason(.invalidRequest, "substitution")
}

// MARK: - No whole response

extension FailureReason {
    /// The host's name has no address.
    public static let hostNotFound = FailureReason(.transport, "hostNotFound")
    /// The host refused the connection: no program listens on the port.
    public static let connectionRefused = FailureReason(.transport, "connectionRefused")
    /// There is no route to the network or to the host; usually the machine is offline.
    public static let networkUnreachable = FailureReason(.transport, "networkUnreachable")
    /// The connection could not be opened for another reason.
    public static let connectionFailed = FailureReason(.transport, "connectionFailed")
    /// The server closed the connection without a response.
    public static let connectionClosed = FailureReason(.transport, "connectionClosed")
    /// The server has said that it did not process the request: over HTTP/2 by REFUSED_STREAM or HTTP_1_1_REQUIRED, or
    /// by the last stream of its GOAWAY.
    ///
    /// It may be sent again, whatever its method
    /// ([RFC 9113, section 8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)).
    public static let notProcessed = FailureReason(.transport, "notProcessed")
    /// The connection broke off while the request was sent or the response received.
    public static let connectionReset = FailureReason(.transport, "connectionReset")
    /// The response is not valid HTTP, or breaks a rule that has no reason of its own.
    public static let malformedResponse = FailureReason(.transport, "malformedResponse")
    /// The connection was closed inside the response's header block.
    public static let truncatedHeaders = FailureReason(.transport, "truncatedHeaders")
    /// The body is shorter than its framing declares, or a compressed body is incomplete.
    public static let truncatedResponse = FailureReason(.transport, "truncatedResponse")
    /// `Content-Length` is not a decimal number, or is out of range.
    public static let malformedContentLength = FailureReason(.transport, "malformedContentLength")
    /// `Content-Length` has conflicting values.
    public static let conflictingContentLength = FailureReason(.transport, "conflictingContentLength")
    /// The response has both `Content-Length` and `Transfer-Encoding`, so that its end is ambiguous.
    public static let ambiguousLength = FailureReason(.transport, "ambiguousLength")
    /// The transfer coding is unsupported: only `chunked` is supported.
    public static let unknownTransferCoding = FailureReason(.transport, "unknownTransferCoding")
    /// A chunk's size can't be read, or a chunk doesn't end where it should.
    public static let malformedChunk = FailureReason(.transport, "malformedChunk")
    /// The connection was closed before the last chunk.
    public static let missingLastChunk = FailureReason(.transport, "missingLastChunk")
    /// The server switched to another protocol that was not requested.
    public static let unexpectedUpgrade = FailureReason(.transport, "unexpectedUpgrade")
    /// The body is a part of the resource, and no part was requested.
    public static let unexpectedPart = FailureReason(.transport, "unexpectedPart")
    /// The body doesn't match its `Content-Encoding`, or is damaged.
    public static let malformedContentCoding = FailureReason(.transport, "malformedContentCoding")
    /// The file does not have its digest: the one that the service has sent, or the one that was expected.
    public static let digestMismatch = FailureReason(.transport, "digestMismatch")
    /// The body has a content coding that was not requested and is not supported.
    public static let unknownContentCoding = FailureReason(.transport, "unknownContentCoding")
    /// The TLS handshake failed: both sides support nothing in common, or the certificate isn't trusted for a cause
    /// that has no reason of its own.
    public static let tlsFailed = FailureReason(.transport, "tlsFailed")
    /// The server's certificate is out of date, or not yet valid.
    public static let certificateExpired = FailureReason(.transport, "certificateExpired")
    /// The server's certificate is for another host.
    public static let certificateHostMismatch = FailureReason(.transport, "certificateHostMismatch")
    /// The server's certificate is self-signed, and not among the trusted ones.
    public static let certificateSelfSigned = FailureReason(.transport, "certificateSelfSigned")
    /// The server's certificate is not signed by a trusted authority.
    public static let certificateUntrusted = FailureReason(.transport, "certificateUntrusted")
    /// The server's public key matches none of the host's pins.
    public static let certificatePinMismatch = FailureReason(.transport, "certificatePinMismatch")
    /// The proxy can't be reached, or rejects the request.
    public static let proxyFailed = FailureReason(.transport, "proxyFailed")
    /// A one-shot body stream was read a second time.
    public static let bodyConsumed = FailureReason(.transport, "bodyConsumed")
    /// A redirect can't be followed: it has no URL, one that isn't `http` or `https`, or needs a body that can't be
    /// read again.
    public static let redirectInvalid = FailureReason(.transport, "redirectInvalid")
    /// Redirects form a loop.
    public static let redirectLoop = FailureReason(.transport, "redirectLoop")
    /// A redirect leads from `https` to `http`, which has to be allowed.
    public static let redirectInsecure = FailureReason(.transport, "redirectInsecure")
    /// The server broke a rule of the protocol by which a body is uploaded in parts.
    public static let uploadInvalid = FailureReason(.transport, "uploadInvalid")
    /// The server no longer has an upload that was begun before.
    public static let uploadLost = FailureReason(.transport, "uploadLost")
    /// An upload in parts is complete, and its response was lost: the server doesn't send it again.
    public static let uploadResponseLost = FailureReason(.transport, "uploadResponseLost")
    /// The transport was shut down.
    public static let shutDown = FailureReason(.transport, "shutDown")
    /// The transport failed for another reason.
    public static let transportFailed = FailureReason(.transport, "transportFailed")
}

// MARK: - Beside the exchange

extension FailureReason {
    /// The response can't be written to its file.
    public static let fileNotWritten = FailureReason(.other, "fileNotWritten")
    /// Another call, perhaps of another process, already downloads to the same file.
    public static let fileInUse = FailureReason(.other, "fileInUse")
}

// MARK: - Bounds

extension FailureReason {
    /// The response's body is larger than the limit.
    public static let bodyTooLarge = FailureReason(.limit, "bodyTooLarge")
    /// There is not enough memory, such as for a body or for a connection with TLS.
    public static let outOfMemory = FailureReason(.limit, "outOfMemory")
    /// There is not enough room on the disk for the response's file, or a quota or the file system limits its size.
    public static let diskFull = FailureReason(.limit, "diskFull")
    /// The request's body is larger than the service accepts.
    public static let uploadTooLarge = FailureReason(.limit, "uploadTooLarge")
    /// The response's header block is larger than the limit.
    public static let headersTooLarge = FailureReason(.limit, "headersTooLarge")
    /// The decompressed body exceeds the allowed ratio to the compressed size.
    public static let compressionRatio = FailureReason(.limit, "compressionRatio")
    /// A streamed body was read more slowly than it was received, by more bytes than the transport keeps.
    public static let readerTooSlow = FailureReason(.limit, "readerTooSlow")
    /// There are more redirects than the limit.
    public static let tooManyRedirects = FailureReason(.limit, "tooManyRedirects")
    /// Too many requests wait already, for the transport or for a limit of the client.
    public static let queueFull = FailureReason(.limit, "queueFull")
    /// A limit of the client, or a quota that the service has told, admits the request only after its deadline.
    public static let rateLimited = FailureReason(.limit, "rateLimited")
    /// The call's `timeout` passed.
    public static let deadline = FailureReason(.timedOut, "deadline")
    /// No connection was made in time.
    public static let connectTimeout = FailureReason(.timedOut, "connectTimeout")
    /// The request was sent, and no byte of a response was received in time.
    public static let firstByteTimeout = FailureReason(.timedOut, "firstByteTimeout")
    /// Nothing was sent or received for too long during the request or the response.
    public static let idleTimeout = FailureReason(.timedOut, "idleTimeout")
    /// The caller's task or the call itself was cancelled.
    public static let cancelled = FailureReason(.cancelled, "cancelled")
}

/// The error of a transport, or of a step above it, with a reason.
///
/// ```swift
/// nonisolated extension FailureReason {
///     static let maintenance = FailureReason(.other, "maintenance")
/// }
/// nonisolated struct MaintenanceWindow: HTTPMiddleware {
///     func intercept(
///         _ request: HTTPRequest, context: RequestContext, next: MiddlewareNext
///     ) async throws -> HTTPResponse {
///         let response = try await next(request)
///         guard response.headers["X-Maintenance"] == nil else {
///             throw TransportError(.maintenance, "the service is being maintained")
///         }
///         return response
///     }
/// }
/// ```
/// The client turns it into the phase of `APIError` to which its reason belongs.
public struct TransportError: Error, Sendable {
    /// Why, in a form that code can switch over.
    public var reason: FailureReason
    /// The details in one line, without secrets, since they are logged.
    public var message: String
    /// The underlying error: a code of the system or of a library.
    public var underlyingError: (any Error)?
    /// What a developer can do, if the general hint of the reason doesn't fit: the `hint` of the call's error.
    public var hint: String?
    /// Whether the cause may be gone a moment later, if that isn't what its reason says.
    private var ownTransience: Transience??
    /// Whether a credential's provider or signer threw it, so that it says nothing about the exchange.
    package var isOfCredential = false
    /// A reference, since few errors have one.
    private var received: Received?

    private final class Received: Sendable {
        let response: HTTPResponse

        init(_ response: HTTPResponse) { self.response = response }
    }

    /// The response that came before the error, with the beginning of its body in memory; `nil` if none did.
    package var response: HTTPResponse? {
        get { received?.response }
        set { received = newValue.map(Received.init) }
    }

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - message: The details in one line, without secrets.
    ///   - underlyingError: The underlying error.
    ///   - hint: What a developer can do; `nil` for the general hint of the reason.
    public init(
        _ reason: FailureReason,
        _ message: String,
        underlyingError: (any Error)? = nil,
        hint: String? = nil,
    ) {
        self.reason = reason
        self.message = message
        self.underlyingError = underlyingError
        self.hint = hint
    }

    /// Whether the cause may be gone a moment later, and what the service has done; `nil` if it will still be there.
    package var transience: Transience? {
        get { ownTransience ?? Transience(reason) }
        set { ownTransience = .some(newValue) }
    }

    /// The error of a cause that will still be there, although those of its reason usually pass.
    package var final: TransportError {
        var error = self
        error.transience = nil
        return error
    }
}

/// An error of the package that says what a developer can do.
package protocol HintedError: Error {
    /// What a developer can do; `nil` for nothing.
    var hint: String? { get }
}

extension TransportError: HintedError {}

extension TransportError: CustomStringConvertible, CustomReflectable {
    /// The reason and the details.
    public var description: String {
        message.isEmpty ? "\(reason)" : Redaction.printable("\(reason): \(message)", scalarsMax: .max)
    }

    /// The reason and the details, and only the type of the underlying error, for `dump` and debuggers.
    public var customMirror: Mirror {
        let underlying = underlyingError.map { String(describing: type(of: $0)) }
        return Mirror(self, children: ["error": description, "underlyingError": underlying as Any])
    }
}
