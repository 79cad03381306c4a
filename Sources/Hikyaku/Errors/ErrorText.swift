/// The texts for people: what happened, and what to do next.
struct ErrorText {
    let what: String
    let next: String
}

extension String {
    /// This text of what happened, together with what to do next.
    fileprivate func hint(_ next: String) -> ErrorText { ErrorText(what: self, next: next) }
}

extension ErrorText {
    init(_ reason: FailureReason) {
        self = Self.byReason[reason] ?? Self.byPhase(reason.phase)
    }

    init(status: HTTPStatus) {
        let what = "The service responded with \(status)."
        switch status.code {
        case 401: self = what.hint("Sign in again, or check the token.")
        case 403: self = what.hint("Request the permission that this call needs.")
        case 404, 410: self = what.hint("Check that the resource still exists.")
        case 408, 429: self = what.hint("Wait a while, then try again.")
        case 300..<400: self = what.hint("Send the request to the address in the Location header.")
        case 500..<600: self = what.hint("Try again later: the fault is on the service's side.")
        default: self = what.hint("Compare the request with what the service expects.")
        }
    }

    private static func byPhase(_ phase: FailurePhase) -> ErrorText {
        switch phase {
        case .invalidRequest:
            "The request is invalid.".hint("Correct the part of the request that the reason names.")
        case .unauthorized: "The request needs authorization.".hint("Sign in, then try again.")
        case .transport: "The connection to the service failed.".hint("Check the network, then try again.")
        case .service, .unacceptableStatus:
            "The service rejected the request.".hint("Compare the request with what the service expects.")
        case .decoding:
            "The response does not match the model."
                .hint("Compare the model with the response at the path in the reason.")
        case .limit: "A limit of the client was exceeded.".hint("Request less, or raise the limit.")
        case .timedOut: "The service took too long.".hint("Try again, or allow more time.")
        case .cancelled: "The call was cancelled.".hint("Nothing to do: the caller cancelled it.")
        case .other: "A middleware or another step of the call failed.".hint("See context.underlyingError.")
        }
    }

    private static let byReason: [FailureReason: ErrorText] = [
        .defect: "Hikyaku has a bug: it reached a state that should be impossible."
            .hint("Please report it with the description of this error."),
        .baseURL: "The environment's base URL is malformed.".hint("Write it as https://host/path."),
        .path: "The request's path is invalid.".hint("Correct the request's path, or the value that it interpolates."),
        .query: "The query contains a value that can't be sent.".hint("Correct the value in the reason."),
        .url: "The request's URL is invalid.".hint("Check the code that changes it: prepare(_:) or a middleware."),
        .definition: "The request's Definition is invalid."
            .hint("Correct the Definition: the reason says what is wrong with it."),
        .decoder: "The request's decoder is not a ResponseDecoder."
            .hint("Use a decoder of a type that conforms to ResponseDecoder."),
        .encoder: "The request's encoder is not a RequestEncoder."
            .hint("Use an encoder of a type that conforms to RequestEncoder."),
        .fileNotWritten: "The response could not be written to the file."
            .hint("Check the folder, its permissions and the free space, then try again."),
        .fileInUse: "Another call is already downloading to the same file."
            .hint("Wait until it has ended, or choose another destination."),
        .diskFull: "There is not enough room on the disk for the file."
            .hint("Free some space, or choose a destination on another disk, then try again."),
        .digestMismatch: "The downloaded file does not have the expected digest."
            .hint("Try again. If it persists, compare the expected digest with the one that the service publishes."),
        .pageCursor: "The position of a page can't be used."
            .hint("Use a cursor of the same request's pages, or start with the first page."),
        .prepare: "The request's prepare(_:) failed.".hint("See context.underlyingError: prepare(_:) threw it."),
        .header: "A header of the request is invalid.".hint("Correct the header in the reason."),
        .method: "The request's method is invalid.".hint("Use a method that is a single token, such as GET."),
        .bodyConsumed: "A one-shot body stream was read a second time."
            .hint("Create a new stream for each call, or set isReplayable if the stream can start again."),
        .body: "The request's body can't be sent.".hint("Correct the request's body; the reason says what is wrong."),
        .hostNotFound: "The host name could not be resolved.".hint("Check the host name and the network."),
        .connectionRefused: "The host refused the connection.".hint("Check the port, and that the service is running."),
        .networkUnreachable: "The network is unreachable.".hint("Connect to a network, then try again."),
        .connectionClosed: "The service closed the connection without a response.".hint("Try again."),
        .connectionReset: "The connection was reset.".hint("Try again."),
        .malformedResponse: "The response is not valid HTTP."
            .hint("Check the scheme and the port: another kind of server may be listening there."),
        .truncatedHeaders: "The response was truncated inside its headers.".hint("Try again."),
        .truncatedResponse: "The response was truncated.".hint("Try again."),
        .unexpectedPart: "The service sent partial content that was not requested."
            .hint("Try again. If it persists, report it to the service or to the operator of a cache in between."),
        .malformedContentCoding: "The response body does not match its content coding."
            .hint("Try again. If it persists, send Accept-Encoding: identity."),
        .unknownContentCoding: "The response has an unsupported content coding."
            .hint("Report it to the service, or set Accept-Encoding on the request and decode the body yourself."),
        .compressionRatio: "The response body expands more than the limit when decompressed."
            .hint("If you trust the service, raise compressionRatioMax in the client's options."),
        .readerTooSlow: "The response body arrived faster than it was read."
            .hint("Read the stream without long pauses, or download to a file."),
        .malformedContentLength: "The response has an invalid Content-Length."
            .hint("Report it to the service or to the operator of a proxy in between."),
        .conflictingContentLength: "The response has conflicting Content-Length values."
            .hint("Report it to the service or to the operator of a proxy in between."),
        .ambiguousLength: "The response has both Content-Length and Transfer-Encoding."
            .hint("Report it to the service or to the operator of a proxy in between."),
        .unknownTransferCoding: "The response has an unsupported transfer coding."
            .hint("Report it to the service or to the operator of a proxy in between."),
        .malformedChunk: "The response has a malformed chunk."
            .hint("Try again. If it persists, report it to the service."),
        .missingLastChunk: "The response ended before its last chunk.".hint("Try again."),
        .unexpectedUpgrade: "The service switched to a protocol that was not requested."
            .hint("Check the URL: it may belong to a WebSocket or another protocol."),
        .connectionFailed: "The connection could not be opened."
            .hint("Check the address, the socket path and the firewall."),
        .proxyFailed: "The proxy did not forward the request."
            .hint("Check the proxy's address and credentials, or https_proxy and no_proxy in the environment."),
        .certificateExpired: "The service's certificate has expired or is not yet valid."
            .hint("Check this machine's clock; otherwise the service must renew its certificate."),
        .certificateHostMismatch: "The service's certificate is for another host."
            .hint("Check the host name in the URL."),
        .certificateSelfSigned: "The service's certificate is self-signed."
            .hint("If it is the right certificate, add its file to TLSOptions.trustedAuthorities."),
        .certificateUntrusted: "The certificate is not signed by a trusted authority."
            .hint("If the service has a private authority, add its file to TLSOptions.trustedAuthorities."),
        .certificatePinMismatch: "The service's public key matches none of the pins."
            .hint("Don't use this network. If the service has changed its key, update TLSOptions.pins."),
        .tlsFailed: "The TLS handshake failed.".hint("Check the certificate, the host name and this machine's clock."),
        .redirectInvalid: "The redirect can't be followed."
            .hint("Report it to the service, or read the redirect itself as the response: redirectPolicy .never."),
        .redirectLoop: "The redirects form a loop."
            .hint("Report it to the service. If it sets a cookie on the way, give the client a cookie store."),
        .redirectInsecure: "The service redirects from https to plain http."
            .hint("Report it to the service, or allow it: redirectPolicy .follow(allowingDowngrade: true)."),
        .tooManyRedirects: "The service redirects more often than the limit allows."
            .hint("Report it to the service, or raise the limit: redirectPolicy .follow(limit:)."),
        .cookieStore: "The cookie store could not be read or written."
            .hint("See context.underlyingError, and check the cookie store's file."),
        .shutDown: "The client's transport was shut down."
            .hint("Create a client with a new transport: APIClient(transport:)."),
        .bodyTooLarge: "The response body is larger than the limit."
            .hint("Request less, or raise bodyBytesMax in the client's options."),
        .outOfMemory: "There is not enough memory for the body."
            .hint("Request or send less, or give the process more memory."),
        .eventTooLarge: "An event of the stream is larger than the limit."
            .hint("Check whether the service is the right one, or raise the limit in the request's makeParser."),
        .notAnEventStream: "The response is not an event stream."
            .hint("Check the URL, and what the service needs to send a stream: a header, or a member of the body."),
        .uploadTooLarge: "The service does not accept a body of this size."
            .hint("Send a smaller one: the service announced its limit when the upload was created."),
        .uploadInvalid: "The service broke a rule of resumable uploads."
            .hint("Check that the service supports the protocol in this version, and report it to the service."),
        .uploadLost: "The service no longer has the upload.".hint("Upload it again from the beginning."),
        .uploadResponseLost: "The upload is complete, and its response was lost."
            .hint("Read the result with another request. If none is needed, let the response be EmptyResponse."),
        .headersTooLarge: "The response headers are larger than the limit."
            .hint("Report it to the service: this limit is fixed."),
        .tooManyPages: "The list has more pages than the limit allows."
            .hint("Continue from context.pageCursor, or raise the limit: limited(toPages:)."),
        .pageLoop: "The pages of the list form a loop."
            .hint("Check the request's paging: the service may ignore the position, or expect another one."),
        .queueFull: "The queue of waiting requests is full."
            .hint("Send fewer at once, or raise the limit in the options of the client or of its transport."),
        .circuitOpen: "The service failed too often lately, so nothing was sent."
            .hint("Try again after retryAfter. Observe the circuit events to see which failures opened the circuit."),
        .rateLimited: "A limit does not admit the request before its deadline."
            .hint("Try again later, allow more time, or raise the limit in the client's options."),
        .deadline: "The call took too long.".hint("Try again, or raise the request's timeout."),
        .connectTimeout: "The connection could not be opened in time."
            .hint("Check the host, the port and the network, then try again."),
        .firstByteTimeout: "The service did not respond in time."
            .hint("Try again later, or raise timeouts.firstByte in the client's options."),
        .idleTimeout: "The connection was idle for too long."
            .hint("Try again, or raise timeouts.idle in the client's options."),
        .missingKey: "The response lacks a value that the model needs."
            .hint(
                "Compare the model's keys with those in the reason. Make the property optional if it can be missing."
            ),
        .missingValue: "The response has null where the model needs a value."
            .hint("Make the property in the reason optional if it can be null."),
        .outOfRange: "The response has a number that is out of range for the model."
            .hint("Give the property in the reason a larger type."),
        .duplicateKey: "The response has a duplicate key."
            .hint("Report it to the service, or let the last value win: the decoder's duplicateKeys."),
        .bodyTooDeep: "The response is nested more deeply than the limit."
            .hint(
                "Report it to the service. If the decoder's depthMax was lowered, raise it, to at most 512. If the stack "
                    + "of the thread is too small, decode on a thread with a larger stack."
            ),
        .malformedBody: "The response body is malformed."
            .hint("Report it to the service, with the offset in the reason."),
        .emptyBody: "The response body is empty."
            .hint("Use EmptyResponse for a call without a response body; otherwise report it to the service."),
        .truncatedBody: "The response body is incomplete.".hint("Try again. If it persists, report it to the service."),
        .htmlBody: "The response is an HTML page."
            .hint("Check the URL and the credentials: this may be the page of a proxy, a login page or an error page."),
        .xmlBody: "The response is XML."
            .hint("Check the URL and the Accept header, or give the request an XML decoder."),
        .plainTextBody: "The response is plain text."
            .hint("Read the response body: it may say what is wrong. If text is expected, use TextResponse."),
        .wrongCharset: "The response is not encoded in UTF-8."
            .hint("Report it to the service, or read it with RawResponse and convert it."),
        .byteOrderMark: "The response begins with a byte order mark."
            .hint("Report it to the service, or allow it: the decoder's leniency."),
        .otherOrigin: "The client has no credential for this request's origin."
            .hint("Authorize it for that environment: client.authorized(by:for:)."),
        .insecureOrigin: "The credential would be sent over plain http."
            .hint("Use https, or allow it: APIEnvironment(baseURL:allowingCredentialsOverPlainHTTP: true)."),
        .missingToken: "There is no token for this request.".hint("Sign in, then try again."),
        .emptyToken: "The token is empty.".hint("Sign in again."),
        .refreshTimeout: "Refreshing the token timed out.".hint("Try again."),
        .expiredToken: "The token has expired and can't be refreshed.".hint("Sign in again."),
        .refreshNeedsItself: "The call that refreshes the token needs that token itself."
            .hint("Send it with a client that is not authorized by the same provider."),
        .malformedCredential: "The user name or the password has a character that can't be sent."
            .hint("Use a user name without a colon, and no control characters in either."),
        .missingScopes: "The token lacks scopes that the request needs."
            .hint("Sign in again, and grant the requested scopes."),
        .tokenStore: "The token store failed.".hint("See context.underlyingError."),
        .insufficientLevel: "The client's level is too low for this request."
            .hint("Sign in with an account that has the permission."),
    ]
}
