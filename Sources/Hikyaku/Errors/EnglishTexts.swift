/// The English texts of all reasons: what happened and what to do, for people, and a hint for developers.
enum EnglishTexts {
    static let byReason: [FailureReason: ErrorText] =
        ofRequests
        .merging(ofConnections) { first, _ in first }
        .merging(ofResponses) { first, _ in first }
        .merging(ofBodies) { first, _ in first }
        .merging(ofCredentials) { first, _ in first }
        .merging(ofLimits) { first, _ in first }

    // What people can do, where many reasons have it in common.
    static let report = "This is an error of the app: report it to its developers."
    static let checkInput =
        "Check what you have entered. If it is correct, report this to the app's developers."
    static let checkNetwork = "Check the internet connection, then try again."
    static let tryAgain = "Try again."
    static let tryLater = "Try again later."
    static let reportIfAgain = "If this happens again, report it to the app's developers."
    static let reportToService = "Try again later. If this happens again, report it to the service."
    static let signIn = "Sign in, then try again."
    static let signInAgain = "Sign in again."
    static let leaveNetwork = "Don't enter any data, and use another network."

    static func text(_ what: String, _ next: String, hint: String) -> ErrorText {
        ErrorText(what, recoverySuggestion: next, hint: hint)
    }

    static func byPhase(_ phase: FailurePhase) -> ErrorText {
        switch phase {
        case .invalidRequest:
            text("The request is invalid.", report, hint: "Correct the part of the request that the reason names.")
        case .unauthorized:
            text("The request needs authorization.", signIn, hint: "Authorize the client: client.authorized(by:for:).")
        case .transport:
            text(
                "The connection to the service failed.",
                "\(tryLater) \(reportIfAgain)",
                hint: "See context.underlyingError for the code of the system or of a library.",
            )
        case .service, .unacceptableStatus:
            text(
                "The service rejected the request.",
                tryLater,
                hint: "Compare the request with what the service expects: try await client.curlCommand(for: request).",
            )
        case .decoding:
            text(
                "The response of the service can't be read.",
                reportToService,
                hint: "Compare the model with the response at the path in the reason.",
            )
        case .limit:
            text("A limit of the app was exceeded.", tryLater, hint: "Request less, or raise the limit.")
        case .timedOut: text("The service took too long.", tryAgain, hint: "Allow more time.")
        case .cancelled: ErrorText("The call was cancelled.")
        case .other:
            text(
                "A step of the app failed.",
                reportIfAgain,
                hint: "See context.underlyingError: the reason names its type.",
            )
        }
    }
}

// MARK: - Requests

extension EnglishTexts {
    private static let ofRequests: [FailureReason: ErrorText] = [
        .defect: text(
            "The app reached a state that should be impossible.",
            report,
            hint: "This is a bug of Hikyaku: please report it with the description of this error.",
        ),
        .baseURL: text(
            "The address of the service is malformed.",
            report,
            hint: "Write the environment's base URL as https://host/path.",
        ),
        .path: text(
            "The request's path is invalid.",
            checkInput,
            hint: "Correct the request's path, or the value that it interpolates.",
        ),
        .query: text("The query contains a value that can't be sent.", checkInput, hint: "Correct the named value."),
        .url: text(
            "The request's URL is invalid.",
            report,
            hint: "Check the code that changes it: prepare(_:) or a middleware.",
        ),
        .definition: text(
            "The request can't be created.",
            report,
            hint: "Correct the request's Definition: the reason says what is wrong with it.",
        ),
        .decoder: text(
            "The request can't be created.",
            report,
            hint: "Use a decoder of a type that conforms to ResponseDecoder.",
        ),
        .encoder: text(
            "The request can't be created.",
            report,
            hint: "Use an encoder of a type that conforms to RequestEncoder.",
        ),
        .substitution: text(
            "The request can't be created.",
            report,
            hint: """
                Write the request's own base URL in substituting(_:for:). If this request is meant for the service \
                itself, substitute its environment by itself.
                """,
        ),
        .prepare: text(
            "The request can't be created.",
            report,
            hint: "See context.underlyingError: the request's prepare(_:) threw it.",
        ),
        .header: text("A header of the request is invalid.", checkInput, hint: "Correct the header in the reason."),
        .method: text("The request's method is invalid.", report, hint: "Use a method that is a token, such as GET."),
        .bodyConsumed: text(
            "The data of the request can't be sent a second time.",
            tryAgain,
            hint: "Create a new stream for each call, or set isReplayable if the stream can start again.",
        ),
        .body: text(
            "The data of the request can't be sent.",
            checkInput,
            hint: "Correct the request's body: the reason says what is wrong.",
        ),
        .pageCursor: text(
            "The position of a page can't be used.",
            "Load the list from its beginning.",
            hint: "Use a cursor of the same request's pages, or start with the first page.",
        ),
        .cookieStore: text(
            "The cookies of the app could not be read or written.",
            tryAgain,
            hint: "See context.underlyingError, and check the cookie store's file.",
        ),
    ]

    // MARK: - Connections

    private static let ofConnections: [FailureReason: ErrorText] = [
        .hostNotFound: text(
            "The host name could not be resolved.",
            checkNetwork,
            hint: "Check the host in the base URL, and the DNS of this machine.",
        ),
        .connectionRefused: text(
            "The host refused the connection.",
            tryLater,
            hint: "Check the port, and that the service is running.",
        ),
        .networkUnreachable: text(
            "The network is unreachable.",
            "Connect to a network, then try again.",
            hint: "There is no route to the host: the machine is offline, or a VPN or a firewall is in between.",
        ),
        .connectionFailed: text(
            "The connection could not be opened.",
            checkNetwork,
            hint: "Check the address, the socket path and the firewall.",
        ),
        .connectionClosed: text(
            "The service closed the connection without a response.",
            tryAgain,
            hint: "Look into the log of the service: it may have crashed, or rejects this kind of request.",
        ),
        .connectionReset: text(
            "The connection was reset.",
            tryAgain,
            hint: "A server or a proxy on the way dropped the connection: see context.attempt for how often.",
        ),
        .proxyFailed: text(
            "The proxy did not forward the request.",
            "Check the proxy in the network settings.",
            hint: "Check the proxy's address and credentials, or https_proxy and no_proxy in the environment.",
        ),
        .certificateExpired: text(
            "The service's certificate has expired or is not yet valid.",
            "Check the date and time of this device. If they are correct, report this to the service.",
            hint: "Check this machine's clock; otherwise the service must renew its certificate.",
        ),
        .certificateHostMismatch: text(
            "The service's certificate is for another host.",
            leaveNetwork,
            hint: "Check the host name in the base URL.",
        ),
        .certificateSelfSigned: text(
            "The service's certificate is self-signed.",
            leaveNetwork,
            hint: "If it is the right certificate, add its file to TLSOptions.trustedAuthorities.",
        ),
        .certificateUntrusted: text(
            "The certificate is not signed by a trusted authority.",
            leaveNetwork,
            hint: "If the service has a private authority, add its file to TLSOptions.trustedAuthorities.",
        ),
        .certificatePinMismatch: text(
            "The service's public key matches none of the pins.",
            leaveNetwork,
            hint: "If the service has changed its key, update TLSOptions.pins.",
        ),
        .tlsFailed: text(
            "A secure connection could not be made.",
            "Use another network. \(reportIfAgain)",
            hint: "Check the certificate, the host name, the port and this machine's clock.",
        ),
        .shutDown: text(
            "The app has closed its connections.",
            "Start the app again.",
            hint: "The client's transport was shut down: create a client with a new one, APIClient(transport:).",
        ),
        .deadline: text("The call took too long.", tryAgain, hint: "Raise the request's timeout."),
        .connectTimeout: text(
            "The connection could not be opened in time.",
            checkNetwork,
            hint: "Check the host, the port and the firewall, or raise timeouts.connect in the client's options.",
        ),
        .firstByteTimeout: text(
            "The service did not respond in time.",
            tryLater,
            hint: "Raise timeouts.firstByte in the client's options if the service needs longer.",
        ),
        .idleTimeout: text(
            "The connection was idle for too long.",
            tryAgain,
            hint: "Raise timeouts.idle in the client's options if the service pauses for longer.",
        ),
    ]

    // MARK: - Responses

    private static let ofResponses: [FailureReason: ErrorText] = [
        .malformedResponse: text(
            "The response is not valid HTTP.",
            reportToService,
            hint: "Check the scheme and the port: another kind of server may be listening there.",
        ),
        .truncatedHeaders: text(
            "The response was truncated inside its headers.",
            tryAgain,
            hint: "The connection broke off, or a server or proxy closed it early.",
        ),
        .truncatedResponse: text(
            "The response was truncated.",
            tryAgain,
            hint: "The connection broke off, or a server or proxy closed it early.",
        ),
        .missingLastChunk: text(
            "The response ended before its last chunk.",
            tryAgain,
            hint: "The connection broke off, or a server or proxy closed it early.",
        ),
        .unexpectedPart: text(
            "The service sent partial content that was not requested.",
            reportToService,
            hint: "A cache in between may be broken: report it to its operator or to the service.",
        ),
        .malformedContentCoding: text(
            "The response can't be decompressed.",
            reportToService,
            hint: "Send Accept-Encoding: identity to get it uncompressed.",
        ),
        .unknownContentCoding: text(
            "The response has an unsupported content coding.",
            reportToService,
            hint: "Set Accept-Encoding on the request and decode the body yourself, or report it to the service.",
        ),
        .malformedContentLength: text(
            "The response has an invalid Content-Length.",
            reportToService,
            hint: "The service, or a proxy in between, breaks HTTP's rules.",
        ),
        .conflictingContentLength: text(
            "The response has conflicting Content-Length values.",
            reportToService,
            hint: "The service, or a proxy in between, breaks HTTP's rules.",
        ),
        .ambiguousLength: text(
            "The response has both Content-Length and Transfer-Encoding.",
            reportToService,
            hint: "The service, or a proxy in between, breaks HTTP's rules.",
        ),
        .unknownTransferCoding: text(
            "The response has an unsupported transfer coding.",
            reportToService,
            hint: "The service, or a proxy in between, breaks HTTP's rules.",
        ),
        .malformedChunk: text(
            "The response has a malformed chunk.",
            reportToService,
            hint: "The service, or a proxy in between, breaks HTTP's rules.",
        ),
        .unexpectedUpgrade: text(
            "The service switched to a protocol that was not requested.",
            reportToService,
            hint: "Check the URL: it may belong to a WebSocket or another protocol.",
        ),
        .redirectInvalid: text(
            "The redirect can't be followed.",
            reportToService,
            hint: "Read the redirect itself as the response with redirectPolicy .never, or report it to the service.",
        ),
        .redirectLoop: text(
            "The redirects form a loop.",
            reportToService,
            hint: "If the service sets a cookie on the way, give the client a cookie store.",
        ),
        .redirectInsecure: text(
            "The service redirects from https to plain http.",
            reportToService,
            hint: "If you trust the network, allow it: redirectPolicy .follow(allowingDowngrade: true).",
        ),
        .tooManyRedirects: text(
            "The service redirects more often than the limit allows.",
            reportToService,
            hint: "Raise the limit if the redirects are right: redirectPolicy .follow(limit:).",
        ),
        .notAnEventStream: text(
            "The response is not an event stream.",
            reportToService,
            hint: "Check the URL, and what the service needs to send a stream: a header, or a member of the body.",
        ),
        .uploadInvalid: text(
            "The upload failed.",
            reportToService,
            hint: "Check that the service supports resumable uploads in this version.",
        ),
        .uploadLost: text(
            "The service no longer has the upload.",
            "Upload it again from the beginning.",
            hint: "Start a new upload: the service forgot this one, or never had it.",
        ),
        .uploadResponseLost: text(
            "The upload is complete, and its response was lost.",
            "Check whether the service has it.",
            hint: "Read the result with another request. If none is needed, let the response be EmptyResponse.",
        ),
        .pageLoop: text(
            "The pages of the list form a loop.",
            reportToService,
            hint: "Check the request's paging: the service may ignore the position, or expect another one.",
        ),
        .digestMismatch: text(
            "The downloaded file does not have the expected digest.",
            "Try again. If this happens again, report it to the service.",
            hint: "Compare the expected digest with the one that the service publishes.",
        ),
    ]

    // MARK: - Models

    private static let ofBodies: [FailureReason: ErrorText] = [
        .missingKey: text(
            "The response lacks a value that is needed.",
            reportToService,
            hint: "Compare the model's keys with those in the reason. Make the property optional if it can be missing.",
        ),
        .missingValue: text(
            "The response lacks a value that is needed: it is null.",
            reportToService,
            hint: "Make the property in the reason optional if it can be null.",
        ),
        .typeMismatch: text(
            "The response has a value of another type than expected.",
            reportToService,
            hint: "Change the type of the property in the reason to that of the response.",
        ),
        .invalidValue: text(
            "The response has a value that can't be used.",
            reportToService,
            hint: "Compare the format of the value in the reason with what its type accepts, such as that of a date.",
        ),
        .outOfRange: text(
            "The response has a number that is out of range.",
            reportToService,
            hint: "Give the property in the reason a larger type.",
        ),
        .duplicateKey: text(
            "The response has a duplicate key.",
            reportToService,
            hint: "Let the last value win with the decoder's duplicateKeys, or report it to the service.",
        ),
        .bodyTooDeep: text(
            "The response is nested more deeply than the limit.",
            reportToService,
            hint: "If the decoder's depthMax was lowered, raise it, to at most 512. If the stack of the thread is too "
                + "small, decode on a thread with a larger stack.",
        ),
        .malformedBody: text(
            "The response can't be read.",
            reportToService,
            hint: "Report it to the service, with the offset in the reason.",
        ),
        .emptyBody: text(
            "The response is empty.",
            reportToService,
            hint: "Use EmptyResponse for a call without a response body.",
        ),
        .truncatedBody: text(
            "The response is incomplete.",
            tryAgain,
            hint: "The document ends too early although the transfer was complete: report it to the service.",
        ),
        .htmlBody: text(
            "The response is a web page.",
            "Open a web page in a browser: the network may need a login. Then try again.",
            hint: "Check the URL and the credentials: this may be the page of a proxy, a login page or an error page.",
        ),
        .xmlBody: text(
            "The response is XML.",
            tryLater,
            hint: "Check the URL and the Accept header, or give the request an XML decoder.",
        ),
        .plainTextBody: text(
            "The response is plain text.",
            tryLater,
            hint: "Read error.response?.text: it may say what is wrong. If text is expected, use TextResponse.",
        ),
        .wrongCharset: text(
            "The response is not encoded in UTF-8.",
            reportToService,
            hint: "Read it with RawResponse and convert it, or report it to the service.",
        ),
        .byteOrderMark: text(
            "The response begins with a byte order mark.",
            reportToService,
            hint: "Allow it with the decoder's leniency, or report it to the service.",
        ),
    ]

    // MARK: - Credentials

    private static let ofCredentials: [FailureReason: ErrorText] = [
        .otherOrigin: text(
            "The sign-in is for another service.",
            signIn,
            hint: "Authorize the client for the environment of the request: client.authorized(by:for:). For a test "
                + "server: client.substituting(_:for:sendingCredentials: true).",
        ),
        .insecureOrigin: text(
            "The credential would be sent unencrypted.",
            report,
            hint: "Use https, or allow it: APIEnvironment(baseURL:allowingCredentialsOverPlainHTTP: true).",
        ),
        .missingToken: text(
            "There is no token for this request.",
            signIn,
            hint: "Give the provider a token before the call, or the client a credential, as the reason says.",
        ),
        .emptyToken: text(
            "The token is empty.",
            signInAgain,
            hint: "Check where the token comes from: it is empty or consists of white space.",
        ),
        .refreshTimeout: text(
            "Refreshing the token timed out.",
            tryAgain,
            hint: "Check the service that refreshes tokens, or raise the timeout in RefreshOptions.",
        ),
        .expiredToken: text(
            "The sign-in has expired.",
            signInAgain,
            hint: "The token has expired, and there is no refresh token, or the service rejects it.",
        ),
        .refreshNeedsItself: text(
            "The sign-in could not be renewed.",
            report,
            hint: "The call that refreshes the token needs that token: send it with a client that is not authorized by "
                + "the same provider.",
        ),
        .malformedCredential: text(
            "The credential is malformed.",
            "Enter it again.",
            hint: "Correct it where it is read: a token has no control characters and does not begin with its scheme "
                + "(Bearer), and a user name has no colon.",
        ),
        .missingScopes: text(
            "The sign-in lacks permissions that this needs.",
            "Sign in again, and grant the permissions.",
            hint: "Request the scopes in the reason when the token is made.",
        ),
        .tokenStore: text(
            "The sign-in could not be read or stored.",
            signInAgain,
            hint: "The token store failed: see context.underlyingError.",
        ),
        .insufficientLevel: text(
            "The sign-in lacks a permission that this needs.",
            "Sign in with an account that has the permission.",
            hint: "Authorize the client with a higher level: client.authorized(by:for:as:).",
        ),
    ]

    // MARK: - Limits and files

    private static let ofLimits: [FailureReason: ErrorText] = [
        .bodyTooLarge: text(
            "The response is larger than the limit.",
            "Request less at once.",
            hint: "Raise bodyBytesMax in the client's options, or download to a file.",
        ),
        .headersTooLarge: text(
            "The response headers are larger than the limit.",
            reportToService,
            hint: "This limit is fixed: report it to the service.",
        ),
        .compressionRatio: text(
            "The response expands more than the limit when it is decompressed.",
            reportToService,
            hint: "If you trust the service, raise compressionRatioMax in the client's options.",
        ),
        .readerTooSlow: text(
            "The response arrived faster than it was read.",
            tryAgain,
            hint: "Read the stream without long pauses, or download to a file.",
        ),
        .outOfMemory: text(
            "There is not enough memory.",
            "Request or send less, or close other programs.",
            hint: "Give the process more memory, or use streams and files in place of bodies in memory.",
        ),
        .eventTooLarge: text(
            "An event of the stream is larger than the limit.",
            reportToService,
            hint: "Check whether the service is the right one, or raise the limit in the request's makeParser.",
        ),
        .uploadTooLarge: text(
            "The service does not accept a body of this size.",
            "Send a smaller file.",
            hint: "The service announced its limit when the upload was created.",
        ),
        .tooManyPages: text(
            "The list has more pages than the limit allows.",
            "Show a smaller part of the list.",
            hint: "Continue from context.pageCursor, or raise the limit: limited(toPages:).",
        ),
        .queueFull: text(
            "Too many requests are waiting.",
            tryLater,
            hint: "Send fewer at once, or raise the limit in the options of the client or of its transport.",
        ),
        .circuitOpen: text(
            "The service failed too often lately, so nothing was sent.",
            tryLater,
            hint: "Try again after retryAfter. Observe the circuit events to see which failures opened the circuit.",
        ),
        .rateLimited: text(
            "Too many requests were sent.",
            tryLater,
            hint: "A limit admits the request only after its deadline: allow more time, or raise the limit in the "
                + "client's options.",
        ),
        .fileNotWritten: text(
            "The response could not be written to the file.",
            "Check the folder and its permissions, then try again.",
            hint: "The reason has the system's error. The folder must exist.",
        ),
        .fileInUse: text(
            "Another download to the same file is still running.",
            "Wait until it has ended, then try again.",
            hint: "Choose another destination, or wait for the other call: it may be that of another process.",
        ),
        .diskFull: text(
            "There is not enough room on the disk for the file.",
            "Free some space, then try again.",
            hint: "Choose a destination on another disk, or a smaller file.",
        ),
    ]
}
