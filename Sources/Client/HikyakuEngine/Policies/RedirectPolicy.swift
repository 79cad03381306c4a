/// How a client handles a redirect: 301, 302, 303, 307 or 308 with a `Location`.
///
/// ```swift
/// struct LogIn: Shop.Request {
///     typealias Response = User
///     var method: HTTPMethod { .post }
///     var path: RequestPath { "/sessions" }
///     var redirectPolicy: RedirectPolicy? { .never }
/// }
/// ```
/// ## How a redirect is followed
/// 303 is followed with GET, and so are 301 and 302 after a POST; HEAD stays HEAD. All others repeat method and body,
/// and 307 and 308 always do. This includes another origin, so a body with a secret in it is sent there, unless the
/// policy forbids it. If the body is dropped, the fields that describe it are dropped too.
///
/// If scheme, host or port change, only these fields are kept: `Accept`, `Accept-Charset`, `Accept-Encoding`,
/// `Accept-Language`, `Content-Type`, `Content-Encoding`, `Content-Language`, `Content-Length`, `Expect`,
/// `User-Agent`, `Range`, `If-Range`, `If-None-Match`, `If-Modified-Since`, `traceparent`, `tracestate`, and those in
/// the policy. All others are removed for the rest of the chain, even if it returns to the first origin.
/// `Authorization`, `Cookie`, `Proxy-Authorization`, and every field that is marked by
/// ``HTTPHeaders/setSecret(_:_:)`` are never kept, whatever the policy says.
///
/// Without a `Location`, or with an empty one, the redirect itself is the response, as are 300, 304 and all other
/// statuses. With every policy, these end the call: ``FailureReason/redirectInvalid`` for a malformed `Location`,
/// several different ones, credentials in it, another scheme than `http` and `https`, or a body that can't be sent
/// again; ``FailureReason/redirectLoop`` if the same request would be sent again; ``FailureReason/redirectInsecure``
/// and ``FailureReason/tooManyRedirects``.
///
/// [RFC 9110, section 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4)
public struct RedirectPolicy: Sendable {
    /// The maximum number of redirects of any policy: 100.
    private static let limitMax = 100

    /// Everything except the closure: two policies without a closure behave the same if their rules are equal.
    package struct Rules: Hashable, Sendable {
        package var follows = true
        package var limit = 0
        package var allowsDowngrade = false
        /// Fields that are sent to another origin in addition to those that always are.
        var fieldsKept: Set<HTTPHeaderName> = []
        var sendsBodyToOtherOrigins = true
    }

    package let rules: Rules
    /// The app's decision about each redirect, which may wait for anything.
    package private(set) var decide: (@Sendable (RedirectHop) async throws -> RedirectDecision)?

    /// Follows up to 10 redirects, and none from `https` to `http`.
    public static let follow = follow(limit: 10)

    /// Returns the redirect as the response; it is a failure unless the request accepts its status.
    public static let never = RedirectPolicy(rules: Rules(follows: false))

    /// Follows redirects within limits.
    ///
    /// - Parameters:
    ///   - limit: The maximum number, up to 100; one more ends the call as ``FailureReason/tooManyRedirects``.
    ///   - allowingDowngrade: Whether a redirect may lead from `https` to unencrypted `http`.
    ///   - fields: Fields that are sent to another origin in addition to those that always are. One that is marked as a
    ///     secret, or is a credential by its name, never is.
    ///   - sendingBodyToOtherOrigins: Whether a body that has to be sent again, usually with 307 and 308, may be sent
    ///     to another origin. If not, such a redirect ends the call as ``FailureReason/redirectInvalid``.
    /// - Returns: The policy.
    public static func follow(
        limit: Int = 10,
        allowingDowngrade: Bool = false,
        keeping fields: [HTTPHeaderName] = [],
        sendingBodyToOtherOrigins: Bool = true,
    ) -> RedirectPolicy {
        let rules = Rules(
            limit: min(max(limit, 0), limitMax),
            allowsDowngrade: allowingDowngrade,
            fieldsKept: Set(fields),
            sendsBodyToOtherOrigins: sendingBodyToOtherOrigins,
        )
        return RedirectPolicy(rules: rules)
    }

    /// Calls a closure before each redirect, also before one that can't be followed:
    /// `.ask { $0.changesOrigin ? .stop : .follow }`.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of followed redirects, up to 100.
    ///   - allowingDowngrade: Whether a followed redirect may lead from `https` to `http`.
    ///   - fields: Fields that are sent to another origin in addition to those that always are; see
    ///     ``follow(limit:allowingDowngrade:keeping:sendingBodyToOtherOrigins:)``.
    ///   - sendingBodyToOtherOrigins: Whether a body that has to be sent again may be sent to another origin.
    ///   - decide: Called on no particular thread, within the call's deadline. An error that it throws ends the call.
    /// - Returns: The policy.
    public static func ask(
        limit: Int = 10,
        allowingDowngrade: Bool = false,
        keeping fields: [HTTPHeaderName] = [],
        sendingBodyToOtherOrigins: Bool = true,
        _ decide: @escaping @Sendable (RedirectHop) async throws -> RedirectDecision,
    ) -> RedirectPolicy {
        var policy = follow(
            limit: limit,
            allowingDowngrade: allowingDowngrade,
            keeping: fields,
            sendingBodyToOtherOrigins: sendingBodyToOtherOrigins,
        )
        policy.decide = decide
        return policy
    }
}

/// The decision about one redirect; see
/// ``RedirectPolicy/ask(limit:allowingDowngrade:keeping:sendingBodyToOtherOrigins:_:)``.
///
/// ```swift
/// let policy = RedirectPolicy.ask { hop in
///     hop.to.host() == "shop.example" ? .follow : .stop
/// }
/// let client = APIClient(options: ClientOptions(redirectPolicy: policy))
/// ```
public enum RedirectDecision: Sendable, Hashable {
    /// Follow the redirect, if it is allowed.
    case follow
    /// Return the redirect as the response.
    case stop
}
