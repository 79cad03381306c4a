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
