/// An authorization server: where its endpoints are, and what it can do.
///
/// Most servers describe themselves: ``discover(_:by:client:)`` asks them. For those that don't, give what their
/// documentation says:
/// ```swift
/// let server = OAuthServer(
///     authorizationEndpoint: "https://auth.example/authorize",
///     tokenEndpoint: "https://auth.example/token",
/// )
/// ```
/// Endpoints are `https`, or `http` on this machine; they are looked at when they are used.
public struct OAuthServer: Sendable, Hashable {
    /// The URL by which the server calls itself; `nil` where it has none.
    ///
    /// Where it is given, a redirect that names another server is refused
    /// ([RFC 9207](https://www.rfc-editor.org/rfc/rfc9207)).
    public var issuer: String?
    /// Where a person signs in, in a browser.
    public var authorizationEndpoint: String?
    /// Where tokens are issued.
    public var tokenEndpoint: String?
    /// Where device codes are issued ([RFC 8628](https://www.rfc-editor.org/rfc/rfc8628)).
    public var deviceAuthorizationEndpoint: String?
    /// Where tokens are revoked ([RFC 7009](https://www.rfc-editor.org/rfc/rfc7009)).
    public var revocationEndpoint: String?
    /// What PKCE methods the server says that it knows; `nil` where it says nothing.
    public var codeChallengeMethods: [String]?
    /// Whether the server says that its redirects name it; then one that doesn't is refused.
    public var namesItself: Bool

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - issuer: The URL by which it calls itself.
    ///   - authorizationEndpoint: Where a person signs in.
    ///   - tokenEndpoint: Where tokens are issued.
    ///   - deviceAuthorizationEndpoint: Where device codes are issued.
    ///   - revocationEndpoint: Where tokens are revoked.
    ///   - codeChallengeMethods: What PKCE methods it says that it knows.
    ///   - namesItself: Whether its redirects name it.
    public init(
        issuer: String? = nil,
        authorizationEndpoint: String? = nil,
        tokenEndpoint: String? = nil,
        deviceAuthorizationEndpoint: String? = nil,
        revocationEndpoint: String? = nil,
        codeChallengeMethods: [String]? = nil,
        namesItself: Bool = false,
    ) {
        self.issuer = issuer
        self.authorizationEndpoint = authorizationEndpoint
        self.tokenEndpoint = tokenEndpoint
        self.deviceAuthorizationEndpoint = deviceAuthorizationEndpoint
        self.revocationEndpoint = revocationEndpoint
        self.codeChallengeMethods = codeChallengeMethods
        self.namesItself = namesItself
    }
}
