/// What to tell people: what happened, and what to do next.
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
        let what = "The service answered \(status)."
        switch status.code {
        case 401: self.init(what, "Sign in again, or check the token.")
        case 403: self.init(what, "Ask for the rights that this needs.")
        case 404, 410: self.init(what, "Check that what is asked for still exists.")
        case 408, 429: self.init(what, "Wait a while, then try again.")
        case 300..<400: self.init(what, "Ask at the address that its Location header gives.")
        case 500..<600: self.init(what, "Try again later: the fault is the service's.")
        default: self.init(what, "Check what was sent against what the service expects.")
        }
    }

    private static func byPhase(_ phase: FailurePhase) -> ErrorText {
        switch phase {
        case .invalidRequest:
            ErrorText(
                "The request can't be sent as it stands.",
                "Correct the part of the request that the reason names.",
            )
        case .unauthorized: ErrorText("The request needs authorization.", "Sign in, then try again.")
        case .transport: ErrorText("The connection to the service failed.", "Check the network, then try again.")
        case .service, .unacceptableStatus:
            ErrorText("The service refused the request.", "Check what was sent against what the service expects.")
        case .decoding:
            ErrorText(
                "The service's answer isn't what was expected.",
                "Compare the model with the answer at the place that the reason names.",
            )
        case .limit: ErrorText("A limit of the client was reached.", "Ask for less, or raise the limit.")
        case .timedOut: ErrorText("The service took too long.", "Try again, or allow more time.")
        case .cancelled: ErrorText("The call was cancelled.", "Nothing: it was wanted.")
        case .other: ErrorText("A step of the call failed.", "Look at context.underlyingError.")
        }
    }

    private static let byReason: [FailureReason: ErrorText] = [
        .defect: ErrorText(
            "Hikyaku found itself in a state that can't be.",
            "Please report it with the error's description.",
        ),
        .baseURL: ErrorText("The environment's base URL is malformed.", "Write it as https://host/path."),
        .path: ErrorText("The path can't be sent.", "Correct the request's path, or the value in it."),
        .query: ErrorText("A value of the query can't be sent.", "Correct the value that the reason names."),
        .url: ErrorText("The request's URL can't be sent.", "Correct what changes it: prepare(_:) or a middleware."),
        .definition: ErrorText(
            "The response couldn't be read as the request says.",
            "Correct the request's Definition as the reason says.",
        ),
        .decoder: ErrorText(
            "The request's decoder can't decode.",
            "Give the request's decoder a type that conforms to ResponseDecoder.",
        ),
        .encoder: ErrorText(
            "The request's encoder can't encode.",
            "Give the request's encoder a type that conforms to RequestEncoder.",
        ),
        .fileNotWritten: ErrorText(
            "The response couldn't be written to its file.",
            "Look at the folder, its permissions and the free space, then try again.",
        ),
        .prepare: ErrorText(
            "The request's own preparation failed.",
            "Look at context.underlyingError, which prepare(_:) threw.",
        ),
        .header: ErrorText("A header can't be sent.", "Correct the header that the reason names."),
        .method: ErrorText("The method can't be sent.", "Use a method that is one word."),
        .bodyConsumed: ErrorText(
            "A body that can be read once was read again.",
            "Make the stream anew for each call, or say isReplayable where it can be.",
        ),
        .body: ErrorText("The body can't be sent.", "Correct the request's body; the reason says what is wrong."),
        .hostNotFound: ErrorText("The service's host can't be found.", "Check the host's name and the network."),
        .connectionRefused: ErrorText(
            "The service's host doesn't accept connections.",
            "Check the port, and that the service runs.",
        ),
        .networkUnreachable: ErrorText("There is no way to the network.", "Connect to a network, then try again."),
        .connectionClosed: ErrorText("The service closed the connection without an answer.", "Try again."),
        .connectionReset: ErrorText("The connection to the service broke off.", "Try again."),
        .malformedResponse: ErrorText(
            "What came back is no HTTP response.",
            "Check the scheme and the port: something else may be listening there.",
        ),
        .truncatedHeaders: ErrorText("The service's answer was cut off before its body.", "Try again."),
        .truncatedResponse: ErrorText("The service's answer was cut off.", "Try again."),
        .unexpectedPart: ErrorText(
            "The service answered with a part where the whole was asked for.",
            "Try again; if it stays so, report it to the service, or to whoever runs a cache in between.",
        ),
        .malformedContentCoding: ErrorText(
            "The service's answer can't be unpacked: it is damaged, or not packed as it says.",
            "Try again; if it stays so, ask without packing: Accept-Encoding: identity.",
        ),
        .unknownContentCoding: ErrorText(
            "The service's answer is packed in a way that can't be undone here.",
            "Report it to the service, or name the coding in the request's Accept-Encoding and undo it yourself.",
        ),
        .compressionRatio: ErrorText(
            "The service's answer grows too much when it is unpacked.",
            "If the service can be trusted, raise compressionRatioMax of the client's options.",
        ),
        .malformedContentLength: ErrorText(
            "The service's answer says no length that can be read.",
            "Report it to the service, or to whoever runs a proxy in between.",
        ),
        .conflictingContentLength: ErrorText(
            "The service's answer says two different lengths.",
            "Report it to the service, or to whoever runs a proxy in between.",
        ),
        .ambiguousLength: ErrorText(
            "The service's answer says in two ways where it ends.",
            "Report it to the service, or to whoever runs a proxy in between.",
        ),
        .unknownTransferCoding: ErrorText(
            "The service's answer travels in a form that nobody asked for.",
            "Report it to the service, or to whoever runs a proxy in between.",
        ),
        .malformedChunk: ErrorText(
            "The service's answer is damaged between its parts.",
            "Try again; where it happens each time, report it to the service.",
        ),
        .missingLastChunk: ErrorText("The service's answer was cut off before its last part.", "Try again."),
        .unexpectedUpgrade: ErrorText(
            "The service switched to another protocol unasked.",
            "Check the URL: what answers there may not speak HTTP alone.",
        ),
        .connectionFailed: ErrorText(
            "The connection to the service couldn't be opened.",
            "Check the way to it: the address, the socket's path and the firewall.",
        ),
        .proxyFailed: ErrorText(
            "The proxy didn't pass the request on.",
            "Check the proxy's address and its credentials, or the environment's https_proxy and no_proxy.",
        ),
        .certificateExpired: ErrorText(
            "The service's certificate is out of date, or not yet valid.",
            "Check the machine's clock; else the service has to renew its certificate.",
        ),
        .certificateHostMismatch: ErrorText(
            "The service's certificate is for another host.",
            "Check the host's name in the URL.",
        ),
        .certificateSelfSigned: ErrorText(
            "The service's certificate is signed by itself.",
            "If it is the right one, trust its file: TLSOptions.trustedAuthorities.",
        ),
        .certificateUntrusted: ErrorText(
            "Nobody who is trusted vouches for the service's certificate.",
            "If the service has an authority of its own, trust its file: TLSOptions.trustedAuthorities.",
        ),
        .certificatePinMismatch: ErrorText(
            "The service's key is none of those that are expected.",
            "Don't go on over this network; if the service has changed its key, update TLSOptions.pins.",
        ),
        .tlsFailed: ErrorText(
            "No secure connection to the service could be made.",
            "Check the certificate, the host's name and the machine's clock.",
        ),
        .redirectInvalid: ErrorText(
            "The service redirects to where the request can't go.",
            "Report it to the service, or take the redirect as the response: redirectPolicy .never.",
        ),
        .redirectLoop: ErrorText(
            "The service redirects in a circle.",
            "Report it to the service; if it sets a cookie on the way, give the client a cookie store.",
        ),
        .redirectInsecure: ErrorText(
            "The service redirects from https to http, where all can read along.",
            "Ask the service for https; or allow it: redirectPolicy .follow(allowingDowngrade: true).",
        ),
        .tooManyRedirects: ErrorText(
            "The service redirects more often than the limit.",
            "Report it to the service, or raise the limit: redirectPolicy .follow(limit:).",
        ),
        .cookieStore: ErrorText(
            "The cookies can't be kept or read.",
            "Look at context.underlyingError, and at the cookie store's file.",
        ),
        .shutDown: ErrorText(
            "The client's transport was shut down.",
            "Make a client with a transport of its own: APIClient(transport:).",
        ),
        .bodyTooLarge: ErrorText(
            "The service's answer is larger than the limit.",
            "Ask for less, or raise bodyBytesMax of the client's options.",
        ),
        .outOfMemory: ErrorText(
            "There is no memory for the service's answer.",
            "Ask for less, or give the process more memory.",
        ),
        .headersTooLarge: ErrorText(
            "The header block of the service's answer is larger than the limit.",
            "Report it to the service: the limit is fixed.",
        ),
        .queueFull: ErrorText(
            "Too many requests are waiting already.",
            "Send fewer at once, or raise the limits of the transport's options.",
        ),
        .deadline: ErrorText("The call took too long.", "Try again, or raise the timeout of the request."),
        .connectTimeout: ErrorText(
            "No connection to the service could be made in time.",
            "Check the host, the port and the network, then try again.",
        ),
        .firstByteTimeout: ErrorText(
            "The service didn't answer in time.",
            "Try again later, or raise timeouts.firstByte of the client's options.",
        ),
        .idleTimeout: ErrorText(
            "The connection to the service fell silent.",
            "Try again, or raise timeouts.idle of the client's options.",
        ),
        .missingKey: ErrorText(
            "The service's answer lacks a value that was expected.",
            "Compare the model's keys with those that the reason names; make the property optional if it may be missing.",
        ),
        .missingValue: ErrorText(
            "The service's answer has no value where one was expected.",
            "Make the property that the reason names optional, if it may be null.",
        ),
        .outOfRange: ErrorText(
            "The service's answer has a number that the model can't hold.",
            "Give the property that the reason names a larger type.",
        ),
        .duplicateKey: ErrorText(
            "The service's answer has a key twice.",
            "Report it to the service, or have the last one win: the decoder's duplicateKeys.",
        ),
        .bodyTooDeep: ErrorText(
            "The service's answer has more levels than the limit.",
            "Report it to the service. If the decoder's depthMax was lowered, raise it, to 512 at most; if the stack of the "
                + "thread is what has no room, decode on a thread with a larger one.",
        ),
        .malformedBody: ErrorText(
            "The service's answer can't be read.",
            "Report it to the service, with the place that the reason names.",
        ),
        .emptyBody: ErrorText(
            "The service's answer is empty.",
            "Use EmptyResponse for a call that is answered by nothing; else report it to the service.",
        ),
        .truncatedBody: ErrorText(
            "The service's answer ends in its midst.",
            "Try again; where it happens each time, report it to the service.",
        ),
        .htmlBody: ErrorText(
            "A web page came instead of the service's answer.",
            "Check the URL and the credentials: a proxy's page, a login's or an error's looks like this.",
        ),
        .xmlBody: ErrorText(
            "The service's answer is XML.",
            "Check the URL and the Accept field, or give the request a decoder of XML.",
        ),
        .plainTextBody: ErrorText(
            "The service's answer is a plain text.",
            "Look at the response's body: it may say what is wrong. For a text that is wanted, use TextResponse.",
        ),
        .wrongCharset: ErrorText(
            "The service's answer isn't in UTF-8.",
            "Report it to the service, or read it by RawResponse and change its charset.",
        ),
        .byteOrderMark: ErrorText(
            "The service's answer begins with a byte order mark.",
            "Report it to the service, or allow the mark: the decoder's leniency.",
        ),
        .otherOrigin: ErrorText(
            "The client has no credential for where this request goes.",
            "Authorize it for that environment: client.authorized(by:for:).",
        ),
        .insecureOrigin: ErrorText(
            "The credential would go over plain http, where all on the way can read it.",
            "Use https; or allow it: APIEnvironment(baseURL:allowingCredentialsOverPlainHTTP: true).",
        ),
        .missingToken: ErrorText("There is no token for the request.", "Sign in, then try again."),
        .emptyToken: ErrorText("The token is empty.", "Sign in again."),
        .refreshTimeout: ErrorText("The token wasn't refreshed in time.", "Try again."),
        .expiredToken: ErrorText("The token has ended, and nothing refreshes it.", "Sign in again."),
        .refreshNeedsItself: ErrorText(
            "The call that refreshes the token waits for that very token.",
            "Send it by a client that isn't authorized by the provider that it is for.",
        ),
        .malformedCredential: ErrorText(
            "The user's name or the password can't be sent.",
            "Use a name without a colon, and neither with a control character.",
        ),
        .missingScopes: ErrorText(
            "The token isn't good for all that the request needs.",
            "Sign in again, and allow what is asked for.",
        ),
        .tokenStore: ErrorText("What keeps the token can't be used.", "See what it says, and mend that."),
        .insufficientLevel: ErrorText(
            "The client's credential for this service isn't good for the request.",
            "Sign in with an account that may do this.",
        ),
    ]
}
