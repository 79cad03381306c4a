/// What is done when a service answers "go elsewhere": 301, 302, 303, 307 or 308 with a `Location`.
///
/// ```swift
/// struct Login: APIRequest { var redirectPolicy: RedirectPolicy? { .never } … }
/// ```
/// ## How a redirect is followed
/// 303 asks by GET, as 301 and 302 do where the request was a POST; HEAD stays HEAD. All others repeat method and body,
/// and 307 and 308 always do: to another origin too, so that a body with a secret in it goes there. A body that is
/// dropped takes the fields that describe it along.
///
/// When scheme, host or port change, `Authorization`, `Cookie`, `Proxy-Authorization`, `Host`, and every field that is
/// marked by ``HTTPHeaders/setSecret(_:_:)`` are left out, for the rest of the chain: also when it comes back to where
/// it began. A key in a field that isn't marked goes along.
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

    enum Choice: Sendable {
        case never
        case follow
        case ask(@Sendable (RedirectHop) async throws -> RedirectDecision)
    }

    /// All but what is asked for: two policies of a kind that ask nothing do the same.
    struct Kind: Hashable, Sendable {
        let follows: Bool
        let limit: Int
        let allowsDowngrade: Bool
    }

    let choice: Choice
    let limit: Int
    let allowsDowngrade: Bool

    var kind: Kind {
        if case .never = choice { return Kind(follows: false, limit: limit, allowsDowngrade: allowsDowngrade) }
        return Kind(follows: true, limit: limit, allowsDowngrade: allowsDowngrade)
    }

    /// Follows up to ``limitDefault`` redirects, and none from `https` to `http`.
    public static let follow = follow(limit: limitDefault)

    /// Returns the redirect as the response; it is a failure unless the request accepts its status.
    public static let never = RedirectPolicy(choice: .never, limit: 0, allowsDowngrade: false)

    /// Follows redirects within bounds.
    ///
    /// - Parameters:
    ///   - limit: How many at most; one more ends the call as ``FailureReason/tooManyRedirects``.
    ///   - allowingDowngrade: Whether a redirect may lead from `https` to `http`, where all can read along.
    /// - Returns: The policy.
    public static func follow(limit: Int, allowingDowngrade: Bool = false) -> RedirectPolicy {
        RedirectPolicy(choice: .follow, limit: limit, allowsDowngrade: allowingDowngrade)
    }

    /// Asks before each redirect, also before one that can't be followed: `.ask { $0.changesOrigin ? .stop : .follow }`.
    ///
    /// - Parameters:
    ///   - limit: How many are followed at most.
    ///   - allowingDowngrade: Whether one that is followed may lead from `https` to `http`.
    ///   - decide: Asked on no particular thread, within the call's deadline. What it throws ends the call.
    /// - Returns: The policy.
    public static func ask(
        limit: Int = limitDefault,
        allowingDowngrade: Bool = false,
        _ decide: @escaping @Sendable (RedirectHop) async throws -> RedirectDecision,
    ) -> RedirectPolicy {
        RedirectPolicy(choice: .ask(decide), limit: limit, allowsDowngrade: allowingDowngrade)
    }
}

/// What becomes of one redirect; see ``RedirectPolicy/ask(limit:allowingDowngrade:_:)``.
public enum RedirectDecision: Sendable, Hashable {
    /// The request goes there, if it may.
    case follow
    /// The redirect is the response.
    case stop
}

/// What the request itself says about redirects; `nil` for the client's policy.
enum RedirectPolicyNote: RequestContextKey {
    static let defaultValue: RedirectPolicy? = nil
}
