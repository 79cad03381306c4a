/// The English texts for what has no reason with a text: a phase, a status.
enum EnglishTexts {
    /// A suggestion for what may have been done already: without "Try again.", which is done after a check.
    static func afterCheck(_ suggestion: String) -> String {
        let sentences = suggestion.split(separator: ". ").map { $0.hasSuffix(".") ? String($0) : "\($0)." }
        let others = sentences.filter { !$0.hasPrefix("Try again") && !$0.hasPrefix("Then try again") }
        return ([Suggestion.checkFirst.description] + others).joined(separator: " ")
    }

    static func text(_ what: String, _ next: Suggestion, hint: String) -> ErrorText {
        ErrorText(what, recoverySuggestion: next.description, hint: hint)
    }

    static func byPhase(_ phase: FailurePhase) -> ErrorText {
        switch phase {
        case .invalidRequest:
            text(
                "The app made an invalid request.",
                .report,
                hint: "Correct the part of the request that the reason names.",
            )
        case .unauthorized:
            text("You need to sign in for this.", .signIn, hint: "Authorize the client: client.authorized(by:for:).")
        case .transport:
            text(
                "The connection to the service failed.",
                "\(Suggestion.tryLater) \(Suggestion.reportIfAgain)",
                hint: "See context.underlyingError for the code of the system or of a library.",
            )
        case .service, .unacceptableStatus:
            text(
                "The service rejected the request.",
                .tryLater,
                hint: "Compare the request with what the service expects: try await client.curlCommand(for: request).",
            )
        case .decoding:
            text(
                "The service's response can't be read.",
                .reportToService,
                hint: "Compare the model with the response at the path in the reason.",
            )
        case .limit:
            text("This is more than the app allows.", .tryLater, hint: "Request less, or raise the limit.")
        case .timedOut: text("The service took too long.", .tryAgain, hint: "Allow more time.")
        case .cancelled: ErrorText("This was cancelled.")
        case .other:
            text(
                "Something in the app failed.",
                .reportIfAgain,
                hint: "See context.underlyingError: the reason names its type.",
            )
        }
    }
}

extension BufferedResponse {
    /// Whether a 403 is meant as a limit: it names a time to wait, or a quota that is used up.
    var isOfQuota: Bool {
        status == .forbidden && (retryAfter != nil || headers.quotas(now: 0).contains { $0.remaining == 0 })
    }
}

extension EnglishTexts {
    /// The text of a limit, whatever status a service has chosen for it.
    static func ofQuota(_ status: HTTPStatus) -> ErrorText {
        text(
            "Too many requests were sent (\(status.code)).",
            "Wait a while, then try again.",
            hint: "Send less often: limits in the client's options obey a quota.",
        )
    }

    /// The general text of a status, whatever the request accepts.
    static func ofStatus(_ status: HTTPStatus) -> ErrorText {
        let compare = "Compare the request with what the service expects: try await client.curlCommand(for: request)."
        let code = status.code
        switch code {
        case 100..<300:
            return text("The service responded in an unexpected way (\(code)).", .reportIfAgain, hint: compare)
        case 401:
            return text(
                "The service did not accept your sign-in (\(code)).",
                .signInAgain,
                hint: "The service rejects the credential, or none was sent: check the token.",
            )
        case 403:
            return text(
                "You don't have the permission for this (\(code)).",
                "Ask for the permission that this needs.",
                hint: "The credential lacks a permission or a scope, or the service blocks this client.",
            )
        case 404, 410:
            return text(
                "This could not be found (\(code)).",
                "It may have been removed or renamed.",
                hint: "Check the base URL, the path and the ids in it. Some services hide what needs a credential.",
            )
        case 402:
            return text(
                "The service requires a payment (\(code)).",
                "Check your account with the service.",
                hint: compare,
            )
        case 405:
            return text(
                "The service does not allow this (\(code)).",
                .report,
                hint: "Check the request's method: the Allow field of the response lists others.",
            )
        case 408:
            return text(
                "The service stopped waiting for the request (\(code)).",
                .tryAgain,
                hint: "The service got the request too slowly.",
            )
        case 409:
            return text(
                "This conflicts with what the service has (\(code)).",
                "Load the current state, then try again.",
                hint: compare,
            )
        case 406:
            return text(
                "The service has this in no form that the app reads (\(code)).",
                .report,
                hint: "Nothing that the service has fits the Accept fields: give the request a Definition that reads "
                    + "another type, or headers of its own.",
            )
        case 412:
            return text(
                "This was changed in the meantime (\(code)).",
                "Load the current state, then try again.",
                hint: "A condition of the request isn't fulfilled, such as If-Match: send the ETag of the current "
                    + "version, after what was changed is merged.",
            )
        case 414, 431:
            return text(
                "This is too large for the service (\(code)).",
                "Send less at once.",
                hint: "The URL or a field is longer than the service accepts: send long values in the body.",
            )
        case 407:
            return text(
                "A proxy on the way to the service wants a sign-in (\(code)).",
                "Check the proxy in the network settings, if there is one.",
                hint: "The status is a proxy's. If this client uses one, its options need a name and a password. "
                    + "Otherwise the service, or a gateway in front of it, has sent it: read the body and the field "
                    + "Proxy-Authenticate.",
            )
        case 411:
            return text(
                "The service can't take this as it was sent (\(code)).",
                .report,
                hint: "The service wants the length of the body: give the stream its count, or send bytes or a file.",
            )
        case 421:
            return text(
                "The service could not be reached as it should be (\(code)).",
                .reportIfAgain,
                hint: "The server at the other end isn't responsible for this host: check the host in the base URL, "
                    + "addresses in the transport's options, and the names that the gateway in front of it has.",
            )
        case 426:
            return text(
                "The service wants a newer way of talking to it (\(code)).",
                .report,
                hint: "The response's Upgrade field names the protocol that the service wants, such as TLS.",
            )
        case 428:
            return text(
                "The service needs to know what this is based on (\(code)).",
                "Load the current state, then try again.",
                hint: "The service changes nothing without a condition: send If-Match with the ETag that was read.",
            )
        case 451:
            return text(
                "This is not available for legal reasons (\(code)).",
                "Ask the service about it.",
                hint: "The response's body and its link with the relation blocked-by may say who required that.",
            )
        case 413:
            return text(
                "This is too large for the service (\(code)).",
                "Send less at once.",
                hint: "The service does not accept a body of this size.",
            )
        case 415:
            return text(
                "The service can't read what was sent (\(code)).",
                .report,
                hint: "The service does not read this Content-Type: check the request's body.",
            )
        case 429: return ofQuota(status)
        case 423, 425: return text("The service can't do this right now (\(code)).", .tryLater, hint: compare)
        case 304:
            return text(
                "Nothing has changed since this was last loaded (\(code)).",
                .reportIfAgain,
                hint: "A request with a condition, such as If-None-Match, accepts 304 in accepts(_:).",
            )
        case 300..<400: return text("The service points to another place (\(code)).", .reportIfAgain, hint: compare)
        case 501, 505..<509, 510:
            return text(
                "The service can't do this (\(code)).",
                .reportIfAgain,
                hint: "The same request would fail again: check the method, and what the service says in its body.",
            )
        case 511:
            return text(
                "The network wants a sign-in (\(code)).",
                "Open a web page in a browser, and sign in to the network. Then try again.",
                hint: "The network answered, and not the service (RFC 6585, section 6).",
            )
        case 500..<600:
            return text(
                "The service failed (\(code)).",
                "Try again later: the fault is on the service's side.",
                hint: "If it happens again, report it to the service with the time and the request.",
            )
        case 400, 422: return text("The service rejected this (\(code)).", .checkInput, hint: compare)
        case _ where status.isServerError:
            return text(
                "The service refused this in a way of its own (\(code)).",
                .tryLater,
                hint: "HTTP has no status \(code). Services use such numbers to turn away what they take for a robot: "
                    + "read the response's body, and the service's documentation.",
            )
        default: return text("The service rejected this (\(code)).", .reportIfAgain, hint: compare)
        }
    }
}
