/// What a client does with a request, and why: what is sent, who set it, and which policies apply, in which state.
///
/// ```swift
/// print(try await client.explain(Shop.Dishes()))
/// ```
/// ``APIClient/explain(_:)`` makes it without sending anything. After a call, ``APIResponse/explanation`` and
/// ``CallContext/explanation`` have the same parts, as they were at the end of the call, and when its attempts and
/// waits began and ended.
///
/// It prints as a tree, one line for each part. It contains no secrets: of a field's value, of the URL and of the body
/// it has only what a log shows, too.
public struct CallExplanation: Sendable {
    /// The request's type: `Shop.Dishes`.
    public let requestType: String
    /// The method.
    public let method: HTTPMethod
    /// Scheme, host and path with the names of the query items; after redirects, of the last request.
    public let url: String
    /// The fields, and who set them; the transport adds `Host` and the framing of the body.
    package let fields: [Field]
    /// The content; `nil` if none is sent.
    package let body: Body?
    /// The level that the request needs, and the credential.
    package let access: Access
    /// The limits that the attempts obey, in their order.
    package let limits: [Limit]
    /// The circuit of the request; `nil` for a client without a ``CircuitBreaker``.
    package let circuit: CircuitChange?
    /// Whether the call is sent again after a transient failure.
    package let retries: Retries
    /// When the call must end; `nil` for never.
    package let deadline: Deadline?
    /// What happens to redirects.
    package let redirects: Redirects
    /// Whether the call shares its exchange with equal ones (``APIRequest/sharesExchange``).
    package let sharesExchange: Bool
    /// The types of the client's own middleware, outermost first.
    ///
    /// Before a call it is not known what they change.
    package let middleware: [String]
    /// Further lines of steps, in the order of the chain.
    package let notes: [String]
    /// The type of the transport; `nil` if a stub of the client answers.
    package let transport: String?
    /// When the attempts began and ended; `nil` before a call.
    package let times: Times?
}

extension CallExplanation {
    /// A field of the request.
    package struct Field: Sendable, Hashable {
        /// The name.
        package let name: HTTPHeaderName
        /// The value; `‹redacted›` unless it is known to be harmless.
        package let value: String
        /// Who set it.
        package let source: Source
    }

    /// Who set a field; any version may add cases, so a switch needs a `default`.
    package enum Source: String, Sendable, Hashable, CaseIterable {
        /// The request's ``APIRequest/headers`` or its decoder.
        case request
        /// The headers of the environment.
        case environment
        /// The client, for all requests.
        case client
        /// The media type of the body.
        case body
        /// The request's ``APIRequest/idempotencyKey``.
        case idempotencyKey
        /// The client's cookie store.
        case cookies
        /// The client's credential, or the request's own token.
        case credential
        /// A step: ``APIRequest/prepare(_:)``, a middleware or a signer.
        case step
    }

    /// The content of the request.
    package struct Body: Sendable, Hashable {
        /// The media type; `nil` without a valid `Content-Type`.
        package let mediaType: String?
        /// The size in bytes; `nil` if it is not known before it is sent.
        package let count: Int?
        /// Whether it can be read again, for another attempt or a redirect.
        package let isReplayable: Bool
    }

    /// The level that a request needs, and the credential for it.
    package struct Access: Sendable, Hashable {
        /// The level: `Public`.
        package let level: String
        /// Whether the request is not sent without a credential.
        package let isRequired: Bool
        /// The type of the provider or signer, or `AccessToken` for the request's own token; `nil` if the request is
        /// sent without a credential.
        package let credential: String?
        /// The only origin that the credential is sent to.
        package let origin: String?
        /// Where in the request it is; `nil` if only the provider knows.
        package let placement: String?
        /// The scopes that the token needs, in alphabetical order.
        package let scopes: [String]
        /// Why the request can't be sent; `nil` if nothing is missing.
        ///
        /// The provider is not called, so this says nothing about its token.
        package let problem: String?
    }

    /// A limit that the attempts of the request obey, and its state.
    package struct Limit: Sendable, Hashable {
        /// The group's name, or the origin.
        package let name: String
        /// The limit.
        package let limit: CallLimit
        /// The number of attempts in flight.
        package let inFlightCount: Int
        /// The present maximum of attempts in flight: that of the limit, or less after the service has rejected some;
        /// `nil` for none.
        package let inFlightMax: Int?
        /// The number of requests that wait.
        package let waitingCount: Int
        /// How long the rate and the learned quotas would delay an attempt now, without those that wait.
        package let delay: Duration
        /// What the service has said about the requests that it allows.
        package let quotas: [Quota]

        /// What a service allows until a reset.
        package struct Quota: Sendable, Hashable {
            /// The name that the service gave to it; often empty.
            package let name: String
            /// The number of requests that are left.
            package let remaining: Int
            /// The number of requests in a window.
            package let limit: Int
            /// The time until the window ends.
            package let resetsIn: Duration
        }
    }

    /// Whether and why a call is sent again after a transient failure.
    package struct Retries: Sendable, Hashable {
        /// The maximum number of attempts, as the policy says.
        package let attemptsMax: Int
        /// Whether sending the request twice does no harm, and is possible.
        package let mayRepeat: Bool
        /// Why it does no harm, or may do some: `GET is idempotent`.
        package let why: String
        /// The number of retries that the budget of the origin allows now; `nil` without a budget.
        package let budgetLeft: Int?
        /// Why no attempt followed the last one, if it failed for a transient reason.
        package let end: RetryEnd?
    }

    /// When a call must end.
    package struct Deadline: Sendable, Hashable {
        /// The time from the start of the call.
        package let duration: Duration
        /// Who set it.
        package let source: DeadlineOrigin
    }

    /// Who set a deadline; any version may add cases, so a switch needs a `default`.
    package enum DeadlineOrigin: String, Sendable, Hashable, CaseIterable {
        /// ``APIRequest/timeout``.
        case request
        /// ``ClientOptions/timeout``.
        case client
        /// ``CallDeadline/within(_:clock:isolation:operation:)``.
        case scope
        /// The call inside of which this one is made.
        case outerCall
    }

    /// What happens to redirects, and which were followed.
    package struct Redirects: Sendable, Hashable {
        /// The maximum number that is followed; 0 for none.
        package let limit: Int
        /// Whether a redirect may lead from `https` to `http`.
        package let allowsDowngrade: Bool
        /// Whether a closure of the app decides about each.
        package let areDecidedByApp: Bool
        /// The redirects that led to the last request, as ``RedirectHop`` shows them.
        package let followed: [String]
    }

    /// When the attempts of a call, and its waits, began and ended, counted from the start of the call.
    ///
    /// What took less than a millisecond is left out. So is all that took no wait at all: then the only attempt takes
    /// all the time.
    package struct Times: Sendable, Hashable {
        /// How long the call took.
        package let elapsed: Duration
        /// The attempts, in the order in which they began; at most 100.
        package let attempts: [Attempt]
        /// The waits of a millisecond or more, in order; at most 100.
        package let waits: [Wait]
        /// The parts of the last exchange, if the call was observed.
        package let lastExchange: CallTimings?
    }

    /// An attempt of a call.
    package struct Attempt: Sendable, Hashable {
        /// Its number, counted from 1.
        package let number: Int
        /// When it began.
        package let start: Duration
        /// When it ended.
        package let end: Duration
        /// The status of its response, if there was one.
        package let status: HTTPStatus?
        /// Why there was no response.
        package let reason: FailureReason?
    }

    /// A wait of a call: between its attempts, or as a part of one.
    package struct Wait: Sendable, Hashable {
        /// What it waited for.
        package let phase: DeadlineSpending.Phase
        /// When it began.
        package let start: Duration
        /// When it ended.
        package let end: Duration
    }
}

// MARK: - Text

extension CallExplanation: CustomStringConvertible {
    /// The tree, with a line for each part.
    public var description: String {
        var parts: [Tree?] = [
            Tree("fields", fields.map { Tree($0.text) }),
            body.map { Tree("body: \($0.text)") },
            Tree("access: \(access.text)"),
            limits.isEmpty ? nil : Tree("limits", limits.map(\.tree)),
            circuit.map { Tree("circuit: \($0.text)") },
            Tree("retries: \(retries.text)"),
            Tree("deadline: \(deadline?.text ?? "none")"),
            Tree("redirects: \(redirects.text)", redirects.followed.map { Tree($0) }),
        ]
        if sharesExchange { parts.append(Tree("sharing: one exchange for all equal requests in flight")) }
        if !middleware.isEmpty { parts.append(Tree("middleware: \(middleware.joined(separator: ", "))")) }
        parts += notes.map { Tree($0) }
        parts.append(Tree("transport: \(transport ?? "none, since a stub of the client answers")"))
        parts.append(times.map { Tree("times: \($0.elapsed.shortText) in all", $0.trees) })
        return Tree("\(method) \(url) (\(requestType))", parts.compactMap(\.self)).lines.joined(separator: "\n")
    }
}

/// A line, and the lines below it.
private struct Tree {
    let text: String
    let children: [Tree]

    init(_ text: String, _ children: [Tree] = []) {
        // A part may contain what the app or a service wrote.
        (self.text, self.children) = (Redaction.printable(text, scalarsMax: .max), children)
    }

    var lines: [String] {
        var lines = [text]
        for (index, child) in children.enumerated() {
            let isLast = index == children.count - 1
            for (number, line) in child.lines.enumerated() {
                lines.append((number == 0 ? (isLast ? "└─ " : "├─ ") : (isLast ? "   " : "│  ")) + line)
            }
        }
        return lines
    }
}

extension CallExplanation.Field {
    fileprivate var text: String {
        let setter =
            switch source {
            case .request: "the request"
            case .environment: "the environment"
            case .client: "the client"
            case .body: "the body"
            case .idempotencyKey: "the idempotency key"
            case .cookies: "the cookie store"
            case .credential: "the credential"
            case .step: "a step"
            }
        return "\(name): \(value) (\(setter))"
    }
}

extension CallExplanation.Body {
    fileprivate var text: String {
        let size = count.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "unknown length"
        return "\(mediaType ?? "unknown type"), \(size)\(isReplayable ? "" : ", can be read only once")"
    }
}

extension CallExplanation.Access {
    fileprivate var text: String {
        var text = level
        if let credential {
            text += ", with \(credential)"
            if let placement { text += " (\(placement))" }
            if let origin { text += " for \(origin)" }
        } else if problem == nil {
            text += ", without a credential"
        }
        if !scopes.isEmpty { text += ", scopes \(scopes.joined(separator: " "))" }
        return problem.map { "\(text); can't be sent: \($0)" } ?? text
    }
}

extension CallExplanation.Limit {
    fileprivate var tree: Tree {
        var text = "\(name): \(inFlightCount)\(inFlightMax.map { " of \($0)" } ?? "") in flight"
        text += ", \(waitingCount) waiting"
        if let rate = limit.rate { text += ", at most \(rate.count) in \(rate.period.shortText)" }
        if delay > .zero { text += ", the next attempt in \(delay.shortText)" }
        return Tree(
            text,
            quotas.map { quota in
                let name = quota.name.isEmpty ? "learned quota" : "learned quota \(quota.name)"
                return Tree("\(name): \(quota.remaining) of \(quota.limit) left, for \(quota.resetsIn.shortText)")
            },
        )
    }
}

extension CircuitChange {
    fileprivate var text: String {
        let rates = "\(callsCount) attempts, \(failureRate.percent) failed, \(slowRate.percent) slow"
        switch state {
        case .closed: return "closed; \(rates)"
        case .open: return "open, with a probe in \((probesAfter ?? .zero).shortText); \(rates)"
        case .halfOpen: return "half-open; \(rates)"
        }
    }
}

extension Double {
    fileprivate var percent: String { "\(Int((self * 100).rounded())) %" }
}

extension CallExplanation.Retries {
    fileprivate var text: String {
        guard attemptsMax > 1 else { return "off" }
        var text = mayRepeat ? "up to \(attemptsMax) attempts, since \(why)" : "none, since \(why)"
        if mayRepeat, let budgetLeft { text += "; the budget has \(budgetLeft) left" }
        if let end { text += "; ended, since \(end)" }
        return text
    }
}

extension CallExplanation.Deadline {
    fileprivate var text: String {
        let setter =
            switch source {
            case .request: "the request"
            case .client: "the client"
            case .scope: "CallDeadline"
            case .outerCall: "the call around it"
            }
        return "\(duration.shortText), set by \(setter)"
    }
}

extension CallExplanation.Redirects {
    fileprivate var text: String {
        guard limit > 0 else { return "not followed" }
        let downgrade = allowsDowngrade ? "also from https to http" : "none from https to http"
        return "at most \(limit), \(downgrade)\(areDecidedByApp ? ", if the app agrees" : "")"
    }
}

extension CallExplanation.Times {
    /// The attempts with the waits in them, and the waits between them.
    fileprivate var trees: [Tree] {
        var rows: [(start: Duration, end: Duration, tree: Tree)] = []
        var outside = waits
        for attempt in attempts {
            let isInside = { (wait: CallExplanation.Wait) in wait.start >= attempt.start && wait.end <= attempt.end }
            let inside = outside.filter(isInside)
            rows.append((attempt.start, attempt.end, Tree(attempt.text, inside.map { Tree($0.text) })))
            outside.removeAll(where: isInside)
        }
        rows += outside.map { ($0.start, $0.end, Tree($0.text)) }
        rows.sort { ($0.start, $0.end) < ($1.start, $1.end) }
        let exchange = lastExchange?.partsText ?? ""
        return rows.map(\.tree) + (exchange.isEmpty ? [] : [Tree("last exchange: \(exchange)")])
    }
}

extension CallExplanation.Attempt {
    fileprivate var text: String {
        let outcome = status.map { "\($0)" } ?? reason.map { "\($0)" } ?? "no response"
        return "attempt \(number), \(start.shortText) to \(end.shortText): \(outcome)"
    }
}

extension CallExplanation.Wait {
    fileprivate var text: String {
        let name =
            switch phase {
            case .queueing: "waited for a limit"
            case .authorization: "waited for the credential"
            case .pause: "paused"
            case .redirects: "followed a redirect"
            case .body: "received the body"
            case .connecting: "connected"
            case .attempt, .other: "\(phase.rawValue)"
            }
        return "\(name), \(start.shortText) to \(end.shortText)"
    }
}
