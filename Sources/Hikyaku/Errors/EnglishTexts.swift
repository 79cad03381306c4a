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
    static let checkFirst = "This may have been done already: check it before you try again."
    static let reportIfAgain = "If this happens again, report it to the app's developers."
    static let reportToService = "Try again later. If this happens again, report it to the service."
    static let signIn = "Sign in, then try again."
    static let signInAgain = "Sign in again."
    static let leaveNetwork = "Don't enter any data, and use another network."

    /// A suggestion for what may have been done already: without "Try again.", which is done after a check.
    static func afterCheck(_ suggestion: String) -> String {
        let sentences = suggestion.split(separator: ". ").map { $0.hasSuffix(".") ? String($0) : "\($0)." }
        let others = sentences.filter { !$0.hasPrefix("Try again") && !$0.hasPrefix("Then try again") }
        return ([checkFirst] + others).joined(separator: " ")
    }

    static func text(_ what: String, _ next: String, hint: String) -> ErrorText {
        ErrorText(what, recoverySuggestion: next, hint: hint)
    }

    static func byPhase(_ phase: FailurePhase) -> ErrorText {
        switch phase {
        case .invalidRequest:
            text(
                "The app made an invalid request.",
                report,
                hint: "Correct the part of the request that the reason names.",
            )
        case .unauthorized:
            text("You need to sign in for this.", signIn, hint: "Authorize the client: client.authorized(by:for:).")
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
                "The service's response can't be read.",
                reportToService,
                hint: "Compare the model with the response at the path in the reason.",
            )
        case .limit:
            text("This is more than the app allows.", tryLater, hint: "Request less, or raise the limit.")
        case .timedOut: text("The service took too long.", tryAgain, hint: "Allow more time.")
        case .cancelled: ErrorText("This was cancelled.")
        case .other:
            text(
                "Something in the app failed.",
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
            "Something unexpected happened in the app.",
            report,
            hint: "This is a bug of Hikyaku: please report it with the description of this error.",
        ),
        .baseURL: text(
            "The service's address is invalid.",
            report,
            hint: "Write the environment's base URL as https://host/path.",
        ),
        .path: text(
            "The app could not make the address of the request.",
            checkInput,
            hint: "Correct the request's path, or the value that it interpolates.",
        ),
        .query: text("The request contains a value that can't be sent.", checkInput, hint: "Correct the named value."),
        .url: text(
            "The address of the request can't be used.",
            report,
            hint: "Check the code that makes it: a path with a URL of the service, prepare(_:), or a middleware.",
        ),
        .definition: text(
            "The app could not make the request.",
            report,
            hint: "Correct the request's Definition: the reason says what is wrong with it.",
        ),
        .decoder: text(
            "The app could not make the request.",
            report,
            hint: "Use a decoder of a type that conforms to ResponseDecoder.",
        ),
        .encoder: text(
            "The app could not make the request.",
            report,
            hint: "Use an encoder of a type that conforms to RequestEncoder.",
        ),
        .substitution: text(
            "The app could not make the request.",
            report,
            hint: """
                Write the request's own base URL in substituting(_:for:). If this request is meant for the service \
                itself, substitute its environment by itself.
                """,
        ),
        .prepare: text(
            "The app could not make the request.",
            report,
            hint: "See context.underlyingError: the request's prepare(_:) threw it.",
        ),
        .header: text(
            "The request contains a value that can't be sent.",
            checkInput,
            hint: "Correct the header in the reason.",
        ),
        .method: text(
            "The app could not make the request.",
            report,
            hint: "Use a method that is a token, such as GET.",
        ),
        .bodyConsumed: text(
            "The data can't be sent a second time.",
            tryAgain,
            hint: "Create a new stream for each call, or set isReplayable if the stream can start again.",
        ),
        .body: text(
            "The data can't be sent.",
            "Check what you have entered or chosen, such as a file. If it is correct, report this to the app's developers.",
            hint: "Correct the request's body: the reason says what is wrong.",
        ),
        .pageCursor: text(
            "The list can't be continued from here.",
            "Load the list from its beginning.",
            hint: "Use a cursor of the same request's pages, or start with the first page.",
        ),
        .cookieStore: text(
            "The app's cookies could not be read or stored.",
            tryAgain,
            hint: "See context.underlyingError, and check the cookie store's file.",
        ),
    ]

    // MARK: - Connections

    private static let ofConnections: [FailureReason: ErrorText] = [
        .hostNotFound: text(
            "The service could not be found.",
            checkNetwork,
            hint: "Check the host in the base URL, and the DNS of this machine.",
        ),
        .connectionRefused: text(
            "The service refused the connection.",
            tryLater,
            hint: "Check the port, and that the service is running.",
        ),
        .networkUnreachable: text(
            "There is no network connection to the service.",
            "Check the internet connection, and whether the app may use it, then try again.",
            hint:
                "There is no route to the network or to the host: the machine is offline or may not use this network, or a "
                + "VPN or a firewall is in between.",
        ),
        .connectionFailed: text(
            "The service could not be reached.",
            checkNetwork,
            hint: "Check the address, the socket path and the firewall.",
        ),
        .connectionClosed: text(
            "The service closed the connection without a response.",
            tryAgain,
            hint: "Look into the log of the service: it may have crashed, or rejects this kind of request.",
        ),
        .notProcessed: text(
            "The service did not accept the request.",
            tryAgain,
            hint: "The server refused the request (REFUSED_STREAM or GOAWAY): it is overloaded, or is being shut down.",
        ),
        .connectionReset: text(
            "The connection was interrupted.",
            tryAgain,
            hint: "A server or a proxy on the way dropped the connection: see context.attempt for how often.",
        ),
        .proxyFailed: text(
            "The connection through the network's proxy failed.",
            "Check the proxy in the network settings.",
            hint: "Check the proxy's address and credentials, or https_proxy and no_proxy in the environment.",
        ),
        .certificateExpired: text(
            "The service's identity can't be verified: its certificate has expired or is not valid yet.",
            "Check the date and time of this device. If they are correct, report this to the service.",
            hint: "Check this machine's clock; otherwise the service must renew its certificate.",
        ),
        .certificateHostMismatch: text(
            "The service's identity can't be verified: its certificate is for another address.",
            leaveNetwork,
            hint: "Check the host name in the base URL.",
        ),
        .certificateSelfSigned: text(
            "The service's identity can't be verified: it issued its certificate itself.",
            leaveNetwork,
            hint: "If it is the right certificate, add its file to TLSOptions.trustedAuthorities.",
        ),
        .certificateUntrusted: text(
            "The service's identity can't be verified: the issuer of its certificate isn't trusted.",
            leaveNetwork,
            hint: "If the service has a private authority, add its file to TLSOptions.trustedAuthorities.",
        ),
        .certificatePinMismatch: text(
            "The service's identity can't be verified: it isn't the one that the app expects.",
            leaveNetwork,
            hint: "If the service has changed its key, update TLSOptions.pins.",
        ),
        .tlsFailed: text(
            "A secure connection could not be made.",
            "Try another network. \(reportIfAgain)",
            hint: "Check the certificate, the host name, the port and this machine's clock.",
        ),
        .shutDown: text(
            "The app has closed its connections.",
            "Start the app again.",
            hint: "The client's transport was shut down: create a client with a new one, APIClient(transport:).",
        ),
        .deadline: text("This took too long.", tryAgain, hint: "Raise the request's timeout."),
        .connectTimeout: text(
            "The service could not be reached in time.",
            checkNetwork,
            hint: "Check the host, the port and the firewall, or raise timeouts.connect in the client's options.",
        ),
        .firstByteTimeout: text(
            "The service did not respond in time.",
            tryLater,
            hint: "Raise timeouts.firstByte in the client's options if the service needs longer.",
        ),
        .idleTimeout: text(
            "The service stopped responding.",
            tryAgain,
            hint: "Raise timeouts.idle in the client's options if the service pauses for longer.",
        ),
    ]

    // MARK: - Responses

    private static let brokenRules = text(
        "The service's response can't be understood.",
        reportToService,
        hint: "The service, or a proxy in between, breaks HTTP's rules.",
    )
    private static let brokenOff = text(
        "The service's response broke off.",
        tryAgain,
        hint: "The connection broke off, or a server or proxy closed it early.",
    )

    private static let ofResponses: [FailureReason: ErrorText] = [
        .malformedResponse: text(
            "The service's response can't be understood.",
            reportToService,
            hint: "Check the scheme and the port: another kind of server may be listening there.",
        ),
        .truncatedHeaders: brokenOff,
        .truncatedResponse: brokenOff,
        .missingLastChunk: brokenOff,
        .unexpectedPart: text(
            "The service sent only a part of the response.",
            reportToService,
            hint:
                "The response is a part that was not requested. A cache in between may be broken: report it to its "
                + "operator or to the service.",
        ),
        .malformedContentCoding: text(
            "The service's response is damaged.",
            reportToService,
            hint: "Send Accept-Encoding: identity to get it uncompressed.",
        ),
        .unknownContentCoding: text(
            "The service's response is compressed in a way that the app can't read.",
            reportToService,
            hint:
                "Name the coding in an Accept-Encoding of the request's own, and decode the body yourself, or report it to "
                + "the service.",
        ),
        .malformedContentLength: brokenRules,
        .conflictingContentLength: brokenRules,
        .ambiguousLength: brokenRules,
        .unknownTransferCoding: brokenRules,
        .malformedChunk: brokenRules,
        .unexpectedUpgrade: text(
            "The service's response can't be understood.",
            reportToService,
            hint: "Check the URL: it may belong to a WebSocket or another protocol.",
        ),
        .redirectInvalid: text(
            "The service points to another place in a way that can't be followed.",
            reportToService,
            hint: "Read the redirect itself as the response with redirectPolicy .never, or report it to the service.",
        ),
        .redirectLoop: text(
            "The service points back to the same address again and again.",
            reportToService,
            hint: "If the service sets a cookie on the way, give the client a cookie store.",
        ),
        .redirectInsecure: text(
            "The service points to an address without encryption.",
            reportToService,
            hint: "If you trust the network, allow it: redirectPolicy .follow(allowingDowngrade: true).",
        ),
        .tooManyRedirects: text(
            "The service points to too many other addresses.",
            reportToService,
            hint: "Raise the limit if the redirects are right: redirectPolicy .follow(limit:).",
        ),
        .notAnEventStream: text(
            "The service sends no updates here.",
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
            "The upload is complete, but the service's response was lost.",
            "Check whether the service has it.",
            hint: "Read the result with another request. If none is needed, let the response be EmptyResponse.",
        ),
        .pageLoop: text(
            "The list repeats itself endlessly.",
            reportToService,
            hint: "Check the request's paging: the service may ignore the position, or expect another one.",
        ),
        .digestMismatch: text(
            "The downloaded file could not be verified.",
            "Try again. If this happens again, report it to the service.",
            hint: "Compare the expected digest with the one that the service publishes.",
        ),
    ]

    // MARK: - Models

    private static let ofBodies: [FailureReason: ErrorText] = [
        .missingKey: text(
            "The service's response lacks a value that is needed.",
            reportToService,
            hint: "Compare the model's keys with those in the reason. Make the property optional if it can be missing.",
        ),
        .missingValue: text(
            "The service's response lacks a value that is needed.",
            reportToService,
            hint: "Make the property in the reason optional if it can be null.",
        ),
        .typeMismatch: text(
            "The service's response has an unexpected value.",
            reportToService,
            hint: "Change the type of the property in the reason to that of the response.",
        ),
        .invalidValue: text(
            "The service's response has an unexpected value.",
            reportToService,
            hint: "Compare the format of the value in the reason with what its type accepts, such as that of a date.",
        ),
        .outOfRange: text(
            "The service's response has a number that is too large or too small.",
            reportToService,
            hint: "Give the property in the reason a larger type.",
        ),
        .duplicateKey: text(
            "The service's response contains a value twice.",
            reportToService,
            hint: "Let the last value win with the decoder's duplicateKeys, or report it to the service.",
        ),
        .bodyTooDeep: text(
            "The service's response is too deeply nested.",
            reportToService,
            hint: "If the decoder's depthMax was lowered, raise it, to at most 512. If the stack of the thread is too "
                + "small, decode on a thread with a larger stack.",
        ),
        .malformedBody: text(
            "The service's response is damaged.",
            reportToService,
            hint: "Report it to the service, with the reason and the body in error.response.",
        ),
        .emptyBody: text(
            "The service's response is empty.",
            reportToService,
            hint: "Make the Response optional if the body may be empty, or use EmptyResponse if it always is.",
        ),
        .truncatedBody: text(
            "The service's response is incomplete.",
            tryAgain,
            hint: "The document ends too early although the transfer was complete: report it to the service.",
        ),
        .htmlBody: text(
            "The service responded with a web page in place of data.",
            "Open a web page in a browser: the network may need a login. Then try again.",
            hint: "Check the URL and the credentials: this may be the page of a proxy, a login page or an error page.",
        ),
        .xmlBody: text(
            "The service's response has an unexpected format.",
            tryLater,
            hint: "Check the URL and the Accept header, or give the request an XML decoder.",
        ),
        .plainTextBody: text(
            "The service's response has an unexpected format.",
            tryLater,
            hint: "Read error.response?.text: it may say what is wrong. If text is expected, use TextResponse.",
        ),
        .wrongCharset: text(
            "The service's response contains text that can't be read.",
            reportToService,
            hint: "Read it with RawResponse and convert it, or report it to the service.",
        ),
        .byteOrderMark: text(
            "The service's response has an unexpected format.",
            reportToService,
            hint: "Allow it with the decoder's leniency, or report it to the service.",
        ),
    ]

    // MARK: - Credentials

    private static let ofCredentials: [FailureReason: ErrorText] = [
        .otherOrigin: text(
            "Your sign-in is not for this address.",
            report,
            hint: "Authorize the client for the environment of the request: client.authorized(by:for:). For a test "
                + "server: client.substituting(_:for:sendingCredentials: true).",
        ),
        .insecureOrigin: text(
            "Your sign-in would be sent without encryption, so nothing was sent.",
            report,
            hint: "Use https, or allow it: APIEnvironment(baseURL:allowingCredentialsOverPlainHTTP: true).",
        ),
        .missingToken: text(
            "You are not signed in.",
            signIn,
            hint: "Give the provider a token before the call, or the client a credential, as the reason says.",
        ),
        .emptyToken: text(
            "Your sign-in is incomplete.",
            signInAgain,
            hint: "Check where the token comes from: it is empty or consists of white space.",
        ),
        .refreshTimeout: text(
            "Renewing your sign-in took too long.",
            tryAgain,
            hint: "Check the service that refreshes tokens, or raise the timeout in RefreshOptions.",
        ),
        .expiredToken: text(
            "Your sign-in has expired.",
            signInAgain,
            hint: "The token has expired, and there is no refresh token, or the service rejects it.",
        ),
        .rejectedClient: text(
            "The app could not sign in to the service.",
            report,
            hint:
                "The service that gives tokens rejects the app's own credential: check it where the provider gets it.",
        ),
        .refreshNeedsItself: text(
            "Your sign-in could not be renewed.",
            report,
            hint: "The call that refreshes the token needs that token: send it with a client that is not authorized by "
                + "the same provider.",
        ),
        .malformedCredential: text(
            "Your sign-in data can't be sent in this form.",
            "Enter it again.",
            hint: "Correct it where it is read: a token has no control characters and does not begin with its scheme "
                + "(Bearer), and a user name has no colon.",
        ),
        .missingScopes: text(
            "Your sign-in lacks permissions that this needs.",
            "Sign in again, and grant the permissions.",
            hint: "Request the scopes in the reason when the token is made.",
        ),
        .tokenStore: text(
            "Your sign-in could not be read or stored.",
            signInAgain,
            hint: "The token store failed, as the reason says.",
        ),
        .insufficientLevel: text(
            "Your sign-in lacks a permission that this needs.",
            "Sign in with an account that has the permission.",
            hint: "Authorize the client with a higher level: client.authorized(by:for:as:).",
        ),
    ]

    // MARK: - Limits and files

    private static let ofLimits: [FailureReason: ErrorText] = [
        .bodyTooLarge: text(
            "The service's response is larger than the app allows.",
            "Request less at once.",
            hint: "Raise bodyBytesMax in the client's options, or download to a file.",
        ),
        .headersTooLarge: text(
            "The service's response is larger than the app allows.",
            reportToService,
            hint: "This limit is fixed: report it to the service.",
        ),
        .compressionRatio: text(
            "The service's response is more strongly compressed than the app allows.",
            reportToService,
            hint: "If you trust the service, raise compressionRatioMax in the client's options.",
        ),
        .readerTooSlow: text(
            "The data arrived faster than the app could use it.",
            tryAgain,
            hint: "Read the stream without long pauses, or download to a file.",
        ),
        .outOfMemory: text(
            "There is not enough memory.",
            "Request or send less, or close other programs.",
            hint: "Give the process more memory, or use streams and files in place of bodies in memory.",
        ),
        .eventTooLarge: text(
            "The service's update is larger than the app allows.",
            reportToService,
            hint: "Check whether the service is the right one, or raise the limit in the request's makeParser.",
        ),
        .uploadTooLarge: text(
            "The service does not accept so much data.",
            "Send a smaller file.",
            hint: "The service announced its limit when the upload was created.",
        ),
        .tooManyPages: text(
            "The list is longer than the app allows.",
            "Show a smaller part of the list.",
            hint: "Continue from context.pageCursor, or raise the limit: limited(toPages:).",
        ),
        .queueFull: text(
            "Too many requests are waiting.",
            tryLater,
            hint: "Send fewer at once, or raise the limit in the options of the client or of its transport.",
        ),
        .circuitOpen: text(
            "The service failed several times lately, so the app waits before it tries again.",
            tryLater,
            hint:
                "The circuit breaker is open: try again after retryAfter. Observe the circuit events to see which "
                + "failures opened it.",
        ),
        .rateLimited: text(
            "Too many requests were sent.",
            tryLater,
            hint: "A limit admits the request only after its deadline: allow more time, or raise the limit in the "
                + "client's options. If the service's own fields have set it, learnsQuota: false ignores them.",
        ),
        .fileNotWritten: text(
            "The file could not be written.",
            "Check the folder and its permissions, then try again.",
            hint: "The reason has the system's error. The folder must exist.",
        ),
        .fileInUse: text(
            "Another download to this file is still running.",
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
