/// The texts for people: what happened, and what to do next.
struct ErrorText {
    let what: String
    let next: String

    init(_ what: String, _ next: String) {
        self.what = what
        self.next = next
    }

    init(_ reason: FailureReason) {
        self = Self.byReason[reason] ?? Self.byPhase(reason.phase)
    }

    init(status: HTTPStatus) {
        let what = "The service responded with \(status)."
        switch status.code {
        case 401: self.init(what, "Sign in again, or check the token.")
        case 403: self.init(what, "Request the permission that this call needs.")
        case 404, 410: self.init(what, "Check that the resource still exists.")
        case 408, 429: self.init(what, "Wait a while, then try again.")
        case 300..<400: self.init(what, "Send the request to the address in the Location header.")
        case 500..<600: self.init(what, "Try again later: the fault is on the service's side.")
        default: self.init(what, "Compare the request with what the service expects.")
        }
    }

    private static func byPhase(_ phase: FailurePhase) -> ErrorText {
        switch phase {
        case .invalidRequest:
            ErrorText(
                "The request is invalid.",
                "Correct the part of the request that the reason names.",
            )
        case .unauthorized: ErrorText("The request needs authorization.", "Sign in, then try again.")
        case .transport: ErrorText("The connection to the service failed.", "Check the network, then try again.")
        case .service, .unacceptableStatus:
            ErrorText("The service rejected the request.", "Compare the request with what the service expects.")
        case .decoding:
            ErrorText(
                "The response does not match the model.",
                "Compare the model with the response at the path in the reason.",
            )
        case .limit: ErrorText("A limit of the client was exceeded.", "Request less, or raise the limit.")
        case .timedOut: ErrorText("The service took too long.", "Try again, or allow more time.")
        case .cancelled: ErrorText("The call was cancelled.", "Nothing to do: the caller cancelled it.")
        case .other: ErrorText("A middleware or another step of the call failed.", "See context.underlyingError.")
        }
    }

    private static let byReason: [FailureReason: ErrorText] = [
        .defect: ErrorText(
            "Hikyaku has a bug: it reached a state that should be impossible.",
            "Please report it with the description of this error.",
        ),
        .baseURL: ErrorText("The environment's base URL is malformed.", "Write it as https://host/path."),
        .path: ErrorText(
            "The request's path is invalid.",
            "Correct the request's path, or the value that it interpolates.",
        ),
        .query: ErrorText("The query contains a value that can't be sent.", "Correct the value in the reason."),
        .url: ErrorText(
            "The request's URL is invalid.",
            "Check the code that changes it: prepare(_:) or a middleware.",
        ),
        .definition: ErrorText(
            "The request's Definition is invalid.",
            "Correct the Definition: the reason says what is wrong with it.",
        ),
        .decoder: ErrorText(
            "The request's decoder is not a ResponseDecoder.",
            "Use a decoder of a type that conforms to ResponseDecoder.",
        ),
        .encoder: ErrorText(
            "The request's encoder is not a RequestEncoder.",
            "Use an encoder of a type that conforms to RequestEncoder.",
        ),
        .fileNotWritten: ErrorText(
            "The response could not be written to the file.",
            "Check the folder, its permissions and the free space, then try again.",
        ),
        .prepare: ErrorText(
            "The request's prepare(_:) failed.",
            "See context.underlyingError: prepare(_:) threw it.",
        ),
        .header: ErrorText("A header of the request is invalid.", "Correct the header in the reason."),
        .method: ErrorText("The request's method is invalid.", "Use a method that is a single token, such as GET."),
        .bodyConsumed: ErrorText(
            "A one-shot body stream was read a second time.",
            "Create a new stream for each call, or set isReplayable if the stream can start again.",
        ),
        .body: ErrorText(
            "The request's body can't be sent.",
            "Correct the request's body; the reason says what is wrong.",
        ),
        .hostNotFound: ErrorText("The host name could not be resolved.", "Check the host name and the network."),
        .connectionRefused: ErrorText(
            "The host refused the connection.",
            "Check the port, and that the service is running.",
        ),
        .networkUnreachable: ErrorText("The network is unreachable.", "Connect to a network, then try again."),
        .connectionClosed: ErrorText("The service closed the connection without a response.", "Try again."),
        .connectionReset: ErrorText("The connection was reset.", "Try again."),
        .malformedResponse: ErrorText(
            "The response is not valid HTTP.",
            "Check the scheme and the port: another kind of server may be listening there.",
        ),
        .truncatedHeaders: ErrorText("The response was truncated inside its headers.", "Try again."),
        .truncatedResponse: ErrorText("The response was truncated.", "Try again."),
        .unexpectedPart: ErrorText(
            "The service sent partial content that was not requested.",
            "Try again. If it persists, report it to the service or to the operator of a cache in between.",
        ),
        .malformedContentCoding: ErrorText(
            "The response body does not match its content coding.",
            "Try again. If it persists, send Accept-Encoding: identity.",
        ),
        .unknownContentCoding: ErrorText(
            "The response has an unsupported content coding.",
            "Report it to the service, or set Accept-Encoding on the request and decode the body yourself.",
        ),
        .compressionRatio: ErrorText(
            "The response body expands more than the limit when decompressed.",
            "If you trust the service, raise compressionRatioMax in the client's options.",
        ),
        .malformedContentLength: ErrorText(
            "The response has an invalid Content-Length.",
            "Report it to the service or to the operator of a proxy in between.",
        ),
        .conflictingContentLength: ErrorText(
            "The response has conflicting Content-Length values.",
            "Report it to the service or to the operator of a proxy in between.",
        ),
        .ambiguousLength: ErrorText(
            "The response has both Content-Length and Transfer-Encoding.",
            "Report it to the service or to the operator of a proxy in between.",
        ),
        .unknownTransferCoding: ErrorText(
            "The response has an unsupported transfer coding.",
            "Report it to the service or to the operator of a proxy in between.",
        ),
        .malformedChunk: ErrorText(
            "The response has a malformed chunk.",
            "Try again. If it persists, report it to the service.",
        ),
        .missingLastChunk: ErrorText("The response ended before its last chunk.", "Try again."),
        .unexpectedUpgrade: ErrorText(
            "The service switched to a protocol that was not requested.",
            "Check the URL: it may belong to a WebSocket or another protocol.",
        ),
        .connectionFailed: ErrorText(
            "The connection could not be opened.",
            "Check the address, the socket path and the firewall.",
        ),
        .proxyFailed: ErrorText(
            "The proxy did not forward the request.",
            "Check the proxy's address and credentials, or https_proxy and no_proxy in the environment.",
        ),
        .certificateExpired: ErrorText(
            "The service's certificate has expired or is not yet valid.",
            "Check this machine's clock; otherwise the service must renew its certificate.",
        ),
        .certificateHostMismatch: ErrorText(
            "The service's certificate is for another host.",
            "Check the host name in the URL.",
        ),
        .certificateSelfSigned: ErrorText(
            "The service's certificate is self-signed.",
            "If it is the right certificate, add its file to TLSOptions.trustedAuthorities.",
        ),
        .certificateUntrusted: ErrorText(
            "The certificate is not signed by a trusted authority.",
            "If the service has a private authority, add its file to TLSOptions.trustedAuthorities.",
        ),
        .certificatePinMismatch: ErrorText(
            "The service's public key matches none of the pins.",
            "Don't use this network. If the service has changed its key, update TLSOptions.pins.",
        ),
        .tlsFailed: ErrorText(
            "The TLS handshake failed.",
            "Check the certificate, the host name and this machine's clock.",
        ),
        .redirectInvalid: ErrorText(
            "The redirect can't be followed.",
            "Report it to the service, or read the redirect itself as the response: redirectPolicy .never.",
        ),
        .redirectLoop: ErrorText(
            "The redirects form a loop.",
            "Report it to the service. If it sets a cookie on the way, give the client a cookie store.",
        ),
        .redirectInsecure: ErrorText(
            "The service redirects from https to plain http.",
            "Ask the service for https, or allow it: redirectPolicy .follow(allowingDowngrade: true).",
        ),
        .tooManyRedirects: ErrorText(
            "The service redirects more often than the limit allows.",
            "Report it to the service, or raise the limit: redirectPolicy .follow(limit:).",
        ),
        .cookieStore: ErrorText(
            "The cookie store could not be read or written.",
            "See context.underlyingError, and check the cookie store's file.",
        ),
        .shutDown: ErrorText(
            "The client's transport was shut down.",
            "Create a client with a new transport: APIClient(transport:).",
        ),
        .bodyTooLarge: ErrorText(
            "The response body is larger than the limit.",
            "Request less, or raise bodyBytesMax in the client's options.",
        ),
        .outOfMemory: ErrorText(
            "There is not enough memory for the response.",
            "Request less, or give the process more memory.",
        ),
        .headersTooLarge: ErrorText(
            "The response headers are larger than the limit.",
            "Report it to the service: this limit is fixed.",
        ),
        .queueFull: ErrorText(
            "The queue of waiting requests is full.",
            "Send fewer at once, or raise the limits in the transport's options.",
        ),
        .deadline: ErrorText("The call took too long.", "Try again, or raise the request's timeout."),
        .connectTimeout: ErrorText(
            "The connection could not be opened in time.",
            "Check the host, the port and the network, then try again.",
        ),
        .firstByteTimeout: ErrorText(
            "The service did not respond in time.",
            "Try again later, or raise timeouts.firstByte in the client's options.",
        ),
        .idleTimeout: ErrorText(
            "The connection was idle for too long.",
            "Try again, or raise timeouts.idle in the client's options.",
        ),
        .missingKey: ErrorText(
            "The response lacks a value that the model needs.",
            "Compare the model's keys with those in the reason. Make the property optional if it can be missing.",
        ),
        .missingValue: ErrorText(
            "The response has null where the model needs a value.",
            "Make the property in the reason optional if it can be null.",
        ),
        .outOfRange: ErrorText(
            "The response has a number that is out of range for the model.",
            "Give the property in the reason a larger type.",
        ),
        .duplicateKey: ErrorText(
            "The response has a duplicate key.",
            "Report it to the service, or let the last value win: the decoder's duplicateKeys.",
        ),
        .bodyTooDeep: ErrorText(
            "The response is nested more deeply than the limit.",
            "Report it to the service. If the decoder's depthMax was lowered, raise it, to at most 512. If the stack of "
                + "the thread is too small, decode on a thread with a larger stack.",
        ),
        .malformedBody: ErrorText(
            "The response body is malformed.",
            "Report it to the service, with the offset in the reason.",
        ),
        .emptyBody: ErrorText(
            "The response body is empty.",
            "Use EmptyResponse for a call without a response body; otherwise report it to the service.",
        ),
        .truncatedBody: ErrorText(
            "The response body is incomplete.",
            "Try again. If it persists, report it to the service.",
        ),
        .htmlBody: ErrorText(
            "The response is an HTML page.",
            "Check the URL and the credentials: this may be the page of a proxy, a login page or an error page.",
        ),
        .xmlBody: ErrorText(
            "The response is XML.",
            "Check the URL and the Accept header, or give the request an XML decoder.",
        ),
        .plainTextBody: ErrorText(
            "The response is plain text.",
            "Read the response body: it may say what is wrong. If text is expected, use TextResponse.",
        ),
        .wrongCharset: ErrorText(
            "The response is not encoded in UTF-8.",
            "Report it to the service, or read it with RawResponse and convert it.",
        ),
        .byteOrderMark: ErrorText(
            "The response begins with a byte order mark.",
            "Report it to the service, or allow it: the decoder's leniency.",
        ),
        .otherOrigin: ErrorText(
            "The client has no credential for this request's origin.",
            "Authorize it for that environment: client.authorized(by:for:).",
        ),
        .insecureOrigin: ErrorText(
            "The credential would be sent over plain http.",
            "Use https, or allow it: APIEnvironment(baseURL:allowingCredentialsOverPlainHTTP: true).",
        ),
        .missingToken: ErrorText("There is no token for this request.", "Sign in, then try again."),
        .emptyToken: ErrorText("The token is empty.", "Sign in again."),
        .refreshTimeout: ErrorText("Refreshing the token timed out.", "Try again."),
        .expiredToken: ErrorText("The token has expired and can't be refreshed.", "Sign in again."),
        .refreshNeedsItself: ErrorText(
            "The call that refreshes the token needs that token itself.",
            "Send it with a client that is not authorized by the same provider.",
        ),
        .malformedCredential: ErrorText(
            "The user name or the password has a character that can't be sent.",
            "Use a user name without a colon, and no control characters in either.",
        ),
        .missingScopes: ErrorText(
            "The token lacks scopes that the request needs.",
            "Sign in again, and grant the requested scopes.",
        ),
        .tokenStore: ErrorText("The token store failed.", "See context.underlyingError."),
        .insufficientLevel: ErrorText(
            "The client's level is too low for this request.",
            "Sign in with an account that has the permission.",
        ),
    ]
}
