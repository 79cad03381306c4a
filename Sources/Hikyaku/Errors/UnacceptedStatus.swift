/// What a developer can do about a status that a request doesn't accept.
enum UnacceptedStatus {
    /// The most ranges of accepted statuses that are listed.
    private static let rangesMax = 6

    /// A hint for a response, whether or not the service's failure could be read; `nil` for another one.
    static func hint(for response: BufferedResponse, to sent: HTTPRequest, _ context: RequestContext) -> String? {
        if let quota = usedQuota(response, context) { return quota }
        return switch response.status.code {
        case 401 where sent.hasLostCredential, 403 where sent.hasLostCredential:
            "A redirect led to another origin, to which the client's credential isn't sent. If that origin may have it, "
                + "make the final address the base URL."
        case 400...403 where context.wasRejected && sent.body?.isReplayable == false:
            "The token was renewed, but the body is a one-shot stream, so the request was not sent again: make the call "
                + "again with a new body, or give the request one that can be read again, such as a file."
        case 400 where isToTLSPort(response, sent):
            "The port speaks TLS: write https in the environment's base URL."
        case 401 where !sent.credentials.isEmpty || sent.headers.contains(.authorization):
            Challenge.advice(in: response.headers, to: sent)
                ?? "The service rejects the credential that was sent: check the token, and that it is one for this service."
        case 401, 403: Challenge.advice(in: response.headers, to: sent) ?? missingCredential(sent, context.call)
        case 400, 404: slash(in: sent.urlText)
        case 405:
            response.headers["Allow"].flatMap {
                $0.isEmpty
                    ? nil : "The service allows other methods here: \(Redaction.printable($0, scalarsMax: 100))."
            }
        case 409 where sent.headers.contains("Idempotency-Key"):
            "The service may be working on an earlier attempt with this key. If it means that, wait and send the request "
                + "again with the same key: a RetryPolicy does so with 409 in transientStatuses."
        case 429, 503: response.retryAfter.flatMap { pause($0, after: response.status, context.retries.end) }
        default: nil
        }
    }

    /// What a 403 says that is meant as a limit, as GitHub sends it.
    private static func usedQuota(_ response: BufferedResponse, _ context: RequestContext) -> String? {
        guard response.isOfQuota else { return nil }
        let wait = response.retryAfter.flatMap { pause($0, after: .tooManyRequests, context.retries.end) }
        return "The service refuses this because of a limit, and not of a permission. "
            + (wait ?? "Limits in the client's options keep calls below a quota.")
    }

    /// Whether a server says that plain HTTP was sent to a port for TLS, as nginx, Apache and Go do.
    private static func isToTLSPort(_ response: BufferedResponse, _ sent: HTTPRequest) -> Bool {
        guard sent.urlText.asciiLowercased.hasBytePrefix("http:"), response.isFailureSized else { return false }
        let text = String(decoding: response.body.prefix(2_000), as: UTF8.self).asciiLowercased
        let (plain, secure) = (["plain http", "http request to an https"], ["https", "ssl"])
        return plain.contains(where: text.contains) && secure.contains(where: text.contains)
    }

    /// A slash inside of a value of the path, which some servers read as one that divides it, and others refuse.
    private static func slash(in urlText: String) -> String? {
        let path = urlText.prefix { $0 != "?" && $0 != "#" }
        guard path.contains("%2F") || path.contains("%2f") else { return nil }
        return
            "A value in the path has a slash, which was sent as %2F, and some servers don't accept that. If the value "
            + "is several segments of the path, write \"\\(segments: value)\"."
    }

    /// The pause that the service asks for, and why the client didn't wait for it, if that is known.
    private static func pause(_ pause: Duration, after status: HTTPStatus, _ end: RetryEnd?) -> String? {
        guard pause > .zero else { return nil }
        let quota = status == 429 ? " Limits in the client's options keep calls below a quota." : ""
        return "The service asks for a pause of \(pause.shortText)\(end.map { "; \($0)" } ?? "").\(quota)"
    }

    /// What to write if the client added no credential; `nil` if it did, or if the request has one of its own.
    private static func missingCredential(_ sent: HTTPRequest, _ call: CallInformation) -> String? {
        guard sent.credentials.isEmpty, !sent.headers.contains(.authorization), !sent.headers.contains(.cookie) else {
            return nil
        }
        let authorize = "authorize the client: client.authorized(by:for:)."
        switch call.choices.authorizationNeed {
        case .none where sent.body != nil && !sent.method.isSafe:
            return
                "The service may reject what the body says, such as a password. The client added no credential, since "
                + "the request's Access is Public: if the service needs one here, write typealias Access = Authorized."
        case .none where call.clientHasCredentials:
            return
                "The client added no credential, since the request's Access is Public. If the service needs one here, "
                + "write typealias Access = Authorized."
        case .none:
            return
                "The client added no credential, since the request's Access is Public, and the client has none. If the "
                + "service needs one here, write typealias Access = Authorized, and \(authorize)"
        case .optional where !call.clientHasCredentials:
            return "The client added no credential, since it has none: \(authorize)"
        case .optional, .required: return nil
        }
    }

    /// A hint that depends on the request or the response; `nil` for the general one of the status.
    static func hint<R: APIRequest>(
        for response: BufferedResponse,
        to sent: HTTPRequest,
        of request: R,
    ) -> String? {
        switch response.status.code {
        case 100..<300:
            let accepted = accepted(by: request)
            return
                "\(response.status.code) isn't among the accepted statuses: \(accepted). Accept it in accepts(_:), or "
                + "check the method and the path."
        case 304 where !sent.headers.contains(where: { $0.name.rawName.asciiLowercased.hasBytePrefix("if-") }):
            return
                "The request has no condition that 304 could answer: the service, or a cache in between, is broken."
        case 304:
            return
                "The request has a condition, such as If-None-Match: accept 304 in accepts(_:), and use what you have."
        case 301, 302, 303, 307, 308:
            if let own = (request as? any RedirectAdvising)?.redirectAdvice { return own }
            if response.status.code == 308, !response.headers.contains(.location) {
                return
                    "There is no Location field. If the service means an upload that isn't complete, accept 308 in "
                    + "accepts(_:), or write an UploadProtocol; otherwise report it to the service."
            }
            if response.headers[.location]?.isEmpty ?? true {
                let field =
                    response.headers.contains(.location) ? "The Location field is empty" : "There is no Location field"
                return "\(field), so there is no address to follow: report it to the service."
            }
            return "The redirect was not followed, as its redirectPolicy says: allow it, or accept the status in "
                + "accepts(_:) and read the Location field."
        default: return unreadable(response, as: R.Failure.self) ?? plainText(response)
        }
    }

    /// What a service says in a text for people or developers, which no log shows.
    private static func plainText(_ response: BufferedResponse) -> String? {
        let isText = response.headers.mediaType?.essence.hasBytePrefix("text/plain") ?? true
        guard isText, response.isFailureSized, !response.body.isEmpty, !BodyShape.isJSON(response.body),
            response.body.first != UInt8(ascii: "<"), response.text != nil
        else { return nil }
        return "Read error.response?.text: it may say what is wrong."
    }

    /// Why the service's failure could not be read, if its type and the body are meant to fit.
    private static func unreadable<Failure: ServiceFailure>(
        _ response: BufferedResponse,
        as type: Failure.Type,
    ) -> String? {
        let isProblem = response.headers.mediaType?.essence == "application/problem+json"
        guard type != ProblemDetails.self else { return nil }
        guard !isProblem else {
            let problem = response.isFailureSized ? ProblemDetails(response: response) : nil
            let title = problem?.shownTitle.map { " with the title \"\($0)\"" } ?? ""
            return "The body is a problem by RFC 9457\(title). To read all of it, let Failure be ProblemDetails."
        }
        guard let decodable = type as? any Decodable.Type, response.isFailureSized, response.decoder.readsJSON,
            BodyShape.isJSON(response.body)
        else { return nil }
        do {
            _ = try response.silentDecoder.decode(decodable, from: response.body)
            return nil
        } catch {
            let made = (error as? DecodingError).map {
                DecodingDiagnosis($0, body: response.body, convertingKeys: response.decoder.convertingKeys)
            }
            guard var diagnosis = error as? DecodingDiagnosis ?? made else { return nil }
            // The error shows the beginning of the body already.
            diagnosis.snippet = nil
            return "The body could not be read as \(type): \(diagnosis)."
        }
    }

    /// The statuses that a request accepts, as ranges: `200–299, 304`.
    private static func accepted<R: APIRequest>(by request: R) -> String {
        var ranges: [ClosedRange<Int>] = []
        for code in 100...999 where request.accepts(HTTPStatus(code)) {
            if let last = ranges.last, last.upperBound == code - 1 {
                ranges[ranges.count - 1] = last.lowerBound...code
            } else {
                ranges.append(code...code)
            }
        }
        guard !ranges.isEmpty else { return "none" }
        let shown = ranges.prefix(rangesMax).map { range in
            range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
        }
        return shown.joined(separator: ", ") + (ranges.count > rangesMax ? ", …" : "")
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
                hint: "The response's body and its link with the relation blocked-by may say who asked for that.",
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

extension HTTPRequest {
    /// Whether a redirect to another origin has cost the request its credential.
    fileprivate var hasLostCredential: Bool {
        !headers.contains(.authorization) && credentials.contains(where: \.isLeftBehind)
    }
}

/// A request of the package's own, whose redirect policy an app can't choose.
package protocol RedirectAdvising {
    /// What a developer can do about a redirect.
    var redirectAdvice: String { get }
}
