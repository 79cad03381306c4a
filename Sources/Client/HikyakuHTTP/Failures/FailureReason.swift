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

    /// What it says in English; a reference, since most copies of a reason are never shown.
    private let texts: Texts?

    private final class Texts: Sendable {
        let text: ErrorText
        let isOfUnsentRequest: Bool

        init(_ text: ErrorText, isOfUnsentRequest: Bool) {
            (self.text, self.isOfUnsentRequest) = (text, isOfUnsentRequest)
        }
    }

    /// Makes a reason, for your own transports and middleware.
    public init(_ phase: FailurePhase, _ code: String) {
        self.phase = phase
        self.code = code
        texts = nil
    }

    /// Makes a reason with its English text: what happened and what to do, for people, and a hint for developers.
    package init(
        _ phase: FailurePhase,
        _ code: String,
        _ errorDescription: String,
        _ suggestion: Suggestion,
        hint: String,
        isOfUnsentRequest: Bool = false,
    ) {
        self.phase = phase
        self.code = code
        let text = ErrorText(errorDescription, recoverySuggestion: suggestion.description, hint: hint)
        texts = Texts(text, isOfUnsentRequest: isOfUnsentRequest)
    }

    /// Whether the service has not got the request of a call that failed so, or has rejected it.
    package var isOfUnsentRequest: Bool { texts?.isOfUnsentRequest == true }

    /// What it says in English; `nil` for a reason that has no text of its own.
    package var text: ErrorText? { texts?.text }

    /// Compares phase and code.
    public static func == (one: Self, other: Self) -> Bool { one.phase == other.phase && one.code == other.code }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }

    /// The word with its stage, `transport.hostNotFound`, or only the stage if both are the same word.
    public var description: String { code == phase.rawValue ? code : "\(phase.rawValue).\(code)" }
}

// MARK: - The request can't be sent

extension FailureReason {
    /// A header's name is not a token, or its value has a line break or another control character.
    public static let header = FailureReason(
        .invalidRequest,
        "header",
        "The request contains a value that can't be sent.",
        .checkInput,
        hint: "Correct the header in the reason.",
    )
    /// The method is not a token, is `CONNECT`, or is a known one in another case, such as `post`.
    public static let method = FailureReason(
        .invalidRequest,
        "method",
        "The app could not make the request.",
        .report,
        hint: "Use a method that is a token, such as GET.",
    )
    /// The body can't be encoded, or the method can't carry it.
    public static let body = FailureReason(
        .invalidRequest,
        "body",
        "The data can't be sent.",
        "Check what you have entered or chosen, such as a file. If it is correct, report this to the app's developers.",
        hint: "Correct the request's body: the reason says what is wrong.",
    )
    /// The final URL, after `prepare(_:)` and middleware, is not an `http` or `https` URL with a host; or an absolute
    /// URL as the path of a request can't be sent.
    public static let url = FailureReason(
        .invalidRequest,
        "url",
        "The address of the request can't be used.",
        .report,
        hint: "Check the code that makes it: a path with a URL of the service, prepare(_:), or a middleware.",
    )
}

// MARK: - No whole response

extension FailureReason {
    /// The host's name has no address.
    public static let hostNotFound = FailureReason(
        .transport,
        "hostNotFound",
        "The service could not be found.",
        .checkNetwork,
        hint: "Check the host in the base URL, and the DNS of this machine.",
    )
    /// The host refused the connection: no program listens on the port.
    public static let connectionRefused = FailureReason(
        .transport,
        "connectionRefused",
        "The service refused the connection.",
        .tryLater,
        hint: "Check the port, and that the service is running.",
    )
    /// There is no route to the network or to the host; usually the machine is offline.
    public static let networkUnreachable = FailureReason(
        .transport,
        "networkUnreachable",
        "There is no network connection to the service.",
        "Check the internet connection, and whether the app may use it, then try again.",
        hint:
            "There is no route to the network or to the host: the machine is offline or may not use this network, or a "
            + "VPN or a firewall is in between.",
    )
    /// The connection could not be opened for another reason.
    public static let connectionFailed = FailureReason(
        .transport,
        "connectionFailed",
        "The service could not be reached.",
        .checkNetwork,
        hint: "Check the address, the socket path and the firewall.",
    )
    /// The server closed the connection without a response.
    public static let connectionClosed = FailureReason(
        .transport,
        "connectionClosed",
        "The service closed the connection without a response.",
        .tryAgain,
        hint: "Look into the log of the service: it may have crashed, or rejects this kind of request.",
    )
    /// The server has said that it did not process the request: over HTTP/2 by REFUSED_STREAM or HTTP_1_1_REQUIRED, or
    /// by the last stream of its GOAWAY.
    ///
    /// It may be sent again, whatever its method
    /// ([RFC 9113, section 8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)).
    public static let notProcessed = FailureReason(
        .transport,
        "notProcessed",
        "The service did not accept the request.",
        .tryAgain,
        hint: "The server refused the request (REFUSED_STREAM or GOAWAY): it is overloaded, or is being shut down.",
    )
    /// The connection broke off while the request was sent or the response received.
    public static let connectionReset = FailureReason(
        .transport,
        "connectionReset",
        "The connection was interrupted.",
        .tryAgain,
        hint: "A server or a proxy on the way dropped the connection: see context.attempt for how often.",
    )
    /// The response is not valid HTTP, or breaks a rule that has no reason of its own.
    public static let malformedResponse = FailureReason(
        .transport,
        "malformedResponse",
        "The service's response can't be understood.",
        .reportToService,
        hint: "Check the scheme and the port: another kind of server may be listening there.",
    )
    /// The connection was closed inside the response's header block.
    public static let truncatedHeaders = FailureReason(
        .transport,
        "truncatedHeaders",
        "The service's response broke off.",
        .tryAgain,
        hint: "The connection broke off, or a server or proxy closed it early.",
    )
    /// The body is shorter than its framing declares, or a compressed body is incomplete.
    public static let truncatedResponse = FailureReason(
        .transport,
        "truncatedResponse",
        "The service's response broke off.",
        .tryAgain,
        hint: "The connection broke off, or a server or proxy closed it early.",
    )
    /// `Content-Length` is not a decimal number, or is out of range.
    public static let malformedContentLength = FailureReason(
        .transport,
        "malformedContentLength",
        "The service's response can't be understood.",
        .reportToService,
        hint: "The service, or a proxy in between, breaks HTTP's rules.",
    )
    /// `Content-Length` has conflicting values.
    public static let conflictingContentLength = FailureReason(
        .transport,
        "conflictingContentLength",
        "The service's response can't be understood.",
        .reportToService,
        hint: "The service, or a proxy in between, breaks HTTP's rules.",
    )
    /// The response has both `Content-Length` and `Transfer-Encoding`, so that its end is ambiguous.
    public static let ambiguousLength = FailureReason(
        .transport,
        "ambiguousLength",
        "The service's response can't be understood.",
        .reportToService,
        hint: "The service, or a proxy in between, breaks HTTP's rules.",
    )
    /// The transfer coding is unsupported: only `chunked` is supported.
    public static let unknownTransferCoding = FailureReason(
        .transport,
        "unknownTransferCoding",
        "The service's response can't be understood.",
        .reportToService,
        hint: "The service, or a proxy in between, breaks HTTP's rules.",
    )
    /// A chunk's size can't be read, or a chunk doesn't end where it should.
    public static let malformedChunk = FailureReason(
        .transport,
        "malformedChunk",
        "The service's response can't be understood.",
        .reportToService,
        hint: "The service, or a proxy in between, breaks HTTP's rules.",
    )
    /// The connection was closed before the last chunk.
    public static let missingLastChunk = FailureReason(
        .transport,
        "missingLastChunk",
        "The service's response broke off.",
        .tryAgain,
        hint: "The connection broke off, or a server or proxy closed it early.",
    )
    /// The server switched to another protocol that was not requested.
    public static let unexpectedUpgrade = FailureReason(
        .transport,
        "unexpectedUpgrade",
        "The service's response can't be understood.",
        .reportToService,
        hint: "Check the URL: it may belong to a WebSocket or another protocol.",
    )
    /// The body doesn't match its `Content-Encoding`, or is damaged.
    public static let malformedContentCoding = FailureReason(
        .transport,
        "malformedContentCoding",
        "The service's response is damaged.",
        .reportToService,
        hint: "Send Accept-Encoding: identity to get it uncompressed.",
    )
    /// The body has a content coding that was not requested and is not supported.
    public static let unknownContentCoding = FailureReason(
        .transport,
        "unknownContentCoding",
        "The service's response is compressed in a way that the app can't read.",
        .reportToService,
        hint:
            "Name the coding in an Accept-Encoding of the request's own, and decode the body yourself, or report it to "
            + "the service.",
    )
    /// The TLS handshake failed: both sides support nothing in common, or the certificate isn't trusted for a cause
    /// that has no reason of its own.
    public static let tlsFailed = FailureReason(
        .transport,
        "tlsFailed",
        "A secure connection could not be made.",
        "Try another network. \(Suggestion.reportIfAgain)",
        hint: "Check the certificate, the host name, the port and this machine's clock.",
        isOfUnsentRequest: true,
    )
    /// The server's certificate is out of date, or not yet valid.
    public static let certificateExpired = FailureReason(
        .transport,
        "certificateExpired",
        "The service's identity can't be verified: its certificate has expired or is not valid yet.",
        "Check the date and time of this device. If they are correct, report this to the service.",
        hint: "Check this machine's clock; otherwise the service must renew its certificate.",
        isOfUnsentRequest: true,
    )
    /// The server's certificate is for another host.
    public static let certificateHostMismatch = FailureReason(
        .transport,
        "certificateHostMismatch",
        "The service's identity can't be verified: its certificate is for another address.",
        .leaveNetwork,
        hint: "Check the host name in the base URL.",
        isOfUnsentRequest: true,
    )
    /// The server's certificate is self-signed, and not among the trusted ones.
    public static let certificateSelfSigned = FailureReason(
        .transport,
        "certificateSelfSigned",
        "The service's identity can't be verified: it issued its certificate itself.",
        .leaveNetwork,
        hint: "If it is the right certificate, add its file to TLSOptions.trustedAuthorities.",
        isOfUnsentRequest: true,
    )
    /// The server's certificate is not signed by a trusted authority.
    public static let certificateUntrusted = FailureReason(
        .transport,
        "certificateUntrusted",
        "The service's identity can't be verified: the issuer of its certificate isn't trusted.",
        .leaveNetwork,
        hint: "If the service has a private authority, add its file to TLSOptions.trustedAuthorities.",
        isOfUnsentRequest: true,
    )
    /// The server's public key matches none of the host's pins.
    public static let certificatePinMismatch = FailureReason(
        .transport,
        "certificatePinMismatch",
        "The service's identity can't be verified: it isn't the one that the app expects.",
        .leaveNetwork,
        hint: "If the service has changed its key, update TLSOptions.pins.",
        isOfUnsentRequest: true,
    )
    /// The proxy can't be reached, or rejects the request.
    public static let proxyFailed = FailureReason(
        .transport,
        "proxyFailed",
        "The connection through the network's proxy failed.",
        "Check the proxy in the network settings.",
        hint: "Check the proxy's address and credentials, or https_proxy and no_proxy in the environment.",
        isOfUnsentRequest: true,
    )
    /// A one-shot body stream was read a second time.
    public static let bodyConsumed = FailureReason(
        .transport,
        "bodyConsumed",
        "The data can't be sent a second time.",
        .tryAgain,
        hint: "Create a new stream for each call, or set isReplayable if the stream can start again.",
    )
    /// A redirect can't be followed: it has no URL, one that isn't `http` or `https`, or needs a body that can't be
    /// read again.
    public static let redirectInvalid = FailureReason(
        .transport,
        "redirectInvalid",
        "The service points to another place in a way that can't be followed.",
        .reportToService,
        hint: "Read the redirect itself as the response with redirectPolicy .never, or report it to the service.",
    )
    /// The transport was shut down.
    public static let shutDown = FailureReason(
        .transport,
        "shutDown",
        "The app has closed its connections.",
        "Start the app again.",
        hint: "The client's transport was shut down: create a client with a new one, APIClient(transport:).",
        isOfUnsentRequest: true,
    )
    /// The transport failed for another reason.
    public static let transportFailed = FailureReason(.transport, "transportFailed")
}

// MARK: - Bounds

extension FailureReason {
    /// The response's body is larger than the limit.
    public static let bodyTooLarge = FailureReason(
        .limit,
        "bodyTooLarge",
        "The service's response is larger than the app allows.",
        "Request less at once.",
        hint: "Raise bodyBytesMax in the client's options, or download to a file.",
    )
    /// There is not enough memory, such as for a body or for a connection with TLS.
    public static let outOfMemory = FailureReason(
        .limit,
        "outOfMemory",
        "There is not enough memory.",
        "Request or send less, or close other programs.",
        hint: "Give the process more memory, or use streams and files in place of bodies in memory.",
    )
    /// The response's header block is larger than the limit.
    public static let headersTooLarge = FailureReason(
        .limit,
        "headersTooLarge",
        "The service's response is larger than the app allows.",
        .reportToService,
        hint: "This limit is fixed: report it to the service.",
    )
    /// The decompressed body exceeds the allowed ratio to the compressed size.
    public static let compressionRatio = FailureReason(
        .limit,
        "compressionRatio",
        "The service's response is more strongly compressed than the app allows.",
        .reportToService,
        hint: "If you trust the service, raise compressionRatioMax in the client's options.",
    )
    /// A streamed body was read more slowly than it was received, by more bytes than the transport keeps.
    public static let readerTooSlow = FailureReason(
        .limit,
        "readerTooSlow",
        "The data arrived faster than the app could use it.",
        .tryAgain,
        hint: "Read the stream without long pauses, or download to a file.",
    )
    /// There are more redirects than the limit.
    public static let tooManyRedirects = FailureReason(
        .limit,
        "tooManyRedirects",
        "The service points to too many other addresses.",
        .reportToService,
        hint: "Raise the limit if the redirects are right: redirectPolicy .follow(limit:).",
    )
    /// Too many requests wait already, for the transport or for a limit of the client.
    public static let queueFull = FailureReason(
        .limit,
        "queueFull",
        "Too many requests are waiting.",
        .tryLater,
        hint: "Send fewer at once, or raise the limit in the options of the client or of its transport.",
    )
    /// No connection was made in time.
    public static let connectTimeout = FailureReason(
        .timedOut,
        "connectTimeout",
        "The service could not be reached in time.",
        .checkNetwork,
        hint: "Check the host, the port and the firewall, or raise timeouts.connect in the client's options.",
    )
    /// The request was sent, and no byte of a response was received in time.
    public static let firstByteTimeout = FailureReason(
        .timedOut,
        "firstByteTimeout",
        "The service did not respond in time.",
        .tryLater,
        hint: "Raise timeouts.firstByte in the client's options if the service needs longer.",
    )
    /// Nothing was sent or received for too long during the request or the response.
    public static let idleTimeout = FailureReason(
        .timedOut,
        "idleTimeout",
        "The service stopped responding.",
        .tryAgain,
        hint: "Raise timeouts.idle in the client's options if the service pauses for longer.",
    )
    /// The caller's task or the call itself was cancelled.
    public static let cancelled = FailureReason(.cancelled, "cancelled")
}
