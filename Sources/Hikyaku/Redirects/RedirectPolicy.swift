/// What is done when a service answers "go elsewhere": 301, 302, 303, 307 or 308 with a `Location`.
///
/// ```swift
/// struct Login: APIRequest { var redirectPolicy: RedirectPolicy? { .never } … }
/// ```
/// ## How a redirect is followed
/// 303 asks by GET, as 301 and 302 do where the request was a POST; HEAD stays HEAD. All others repeat method and body,
/// and 307 and 308 always do: to another origin too, so that a body with a secret in it goes there, unless the policy
/// says otherwise. A body that is dropped takes the fields that describe it along.
///
/// When scheme, host or port change, only these fields go along: `Accept`, `Accept-Charset`, `Accept-Encoding`,
/// `Accept-Language`, `Content-Type`, `Content-Encoding`, `Content-Language`, `Content-Length`, `User-Agent`, `Range`,
/// `If-Range`, `If-None-Match`, `If-Modified-Since`, `traceparent`, `tracestate`, and those that the policy names. All
/// others are left out for the rest of the chain, also when it comes back to where it began. `Authorization`, `Cookie`,
/// `Proxy-Authorization`, and every field that is marked by ``HTTPHeaders/setSecret(_:_:)`` never go along, whatever
/// the policy names.
///
/// Without a `Location`, or with an empty one, the answer is the response, as are 300, 304 and all other statuses.
/// Whatever the policy, these end the call: ``FailureReason/redirectInvalid`` for a malformed `Location`, several that
/// differ, credentials in it, another scheme than `http` and `https`, or a body that can't be sent again;
/// ``FailureReason/redirectLoop`` when the same request would be sent again; ``FailureReason/redirectInsecure`` and
/// ``FailureReason/tooManyRedirects``.
///
/// [RFC 9110, section 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4)
public struct RedirectPolicy: Sendable {
    /// How many redirects are followed where nobody says another number: 10.
    public static let limitDefault = 10

    /// The most redirects that any policy follows: 100.
    private static let limitMax = 100

    enum Choice: Sendable {
        case never
        case follow
        case ask(@Sendable (RedirectHop) async throws -> RedirectDecision)
    }

    /// All but what is asked for: two policies of a kind that ask nothing do the same.
    struct Kind: Hashable, Sendable {
        let follows: Bool
        let limits: Limits
    }

    /// What holds for each redirect that is followed.
    struct Limits: Hashable, Sendable {
        let count: Int
        let allowsDowngrade: Bool
        let fieldsKept: Set<HTTPHeaderName>
        let sendsBodyToOtherOrigins: Bool
    }

    let choice: Choice
    private let limits: Limits

    private init(
        _ choice: Choice,
        limit: Int = 0,
        allowsDowngrade: Bool = false,
        fieldsKept: [HTTPHeaderName] = [],
        sendsBodyToOtherOrigins: Bool = true,
    ) {
        self.choice = choice
        limits = Limits(
            count: min(max(limit, 0), Self.limitMax),
            allowsDowngrade: allowsDowngrade,
            fieldsKept: Set(fieldsKept),
            sendsBodyToOtherOrigins: sendsBodyToOtherOrigins,
        )
    }

    var limit: Int { limits.count }
    var allowsDowngrade: Bool { limits.allowsDowngrade }
    /// Fields that go along to another origin beside those that always do.
    var fieldsKept: Set<HTTPHeaderName> { limits.fieldsKept }
    var sendsBodyToOtherOrigins: Bool { limits.sendsBodyToOtherOrigins }

    /// Whether an app's closure decides, which may wait for anything.
    var asks: Bool {
        if case .ask = choice { true } else { false }
    }

    var kind: Kind {
        if case .never = choice { return Kind(follows: false, limits: limits) }
        return Kind(follows: true, limits: limits)
    }

    /// Follows up to ``limitDefault`` redirects, and none from `https` to `http`.
    public static let follow = follow(limit: limitDefault)

    /// Returns the redirect as the response; it is a failure unless the request accepts its status.
    public static let never = RedirectPolicy(.never)

    /// Follows redirects within bounds.
    ///
    /// - Parameters:
    ///   - limit: How many at most, and never more than 100; one more ends the call as
    ///     ``FailureReason/tooManyRedirects``.
    ///   - allowingDowngrade: Whether a redirect may lead from `https` to `http`, where all can read along.
    ///   - fields: Fields that go along to another origin beside those that always do. One that is marked as a secret,
    ///     or is a credential by its name, never does.
    ///   - sendingBodyToOtherOrigins: Whether a body that has to be sent again, by 307 and 308 mostly, may go to
    ///     another origin. Where it may not, such a redirect ends the call as ``FailureReason/redirectInvalid``.
    /// - Returns: The policy.
    public static func follow(
        limit: Int = limitDefault,
        allowingDowngrade: Bool = false,
        keeping fields: [HTTPHeaderName] = [],
        sendingBodyToOtherOrigins: Bool = true,
    ) -> RedirectPolicy {
        RedirectPolicy(
            .follow,
            limit: limit,
            allowsDowngrade: allowingDowngrade,
            fieldsKept: fields,
            sendsBodyToOtherOrigins: sendingBodyToOtherOrigins,
        )
    }

    /// Asks before each redirect, also before one that can't be followed: `.ask { $0.changesOrigin ? .stop : .follow
    /// }`.
    ///
    /// - Parameters:
    ///   - limit: How many are followed at most, and never more than 100.
    ///   - allowingDowngrade: Whether one that is followed may lead from `https` to `http`.
    ///   - fields: Fields that go along to another origin beside those that always do; see
    ///     ``follow(limit:allowingDowngrade:keeping:sendingBodyToOtherOrigins:)``.
    ///   - sendingBodyToOtherOrigins: Whether a body that has to be sent again may go to another origin.
    ///   - decide: Asked on no particular thread, within the call's deadline. What it throws ends the call.
    /// - Returns: The policy.
    public static func ask(
        limit: Int = limitDefault,
        allowingDowngrade: Bool = false,
        keeping fields: [HTTPHeaderName] = [],
        sendingBodyToOtherOrigins: Bool = true,
        _ decide: @escaping @Sendable (RedirectHop) async throws -> RedirectDecision,
    ) -> RedirectPolicy {
        RedirectPolicy(
            .ask(decide),
            limit: limit,
            allowsDowngrade: allowingDowngrade,
            fieldsKept: fields,
            sendsBodyToOtherOrigins: sendingBodyToOtherOrigins,
        )
    }
}

/// What becomes of one redirect; see
/// ``RedirectPolicy/ask(limit:allowingDowngrade:keeping:sendingBodyToOtherOrigins:_:)``.
public enum RedirectDecision: Sendable, Hashable {
    /// The request goes there, if it may.
    case follow
    /// The redirect is the response.
    case stop
}
