#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token as an authorization server issued it: with what refreshes it, and when it ends.
///
/// [RFC 6749, section 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)
public struct IssuedToken: Sendable, Hashable {
    /// What is sent.
    public var token: Secret<String>
    /// The word in front of it.
    public var scheme: String
    /// What another token is asked for with; `nil` where none was issued.
    public var refreshToken: Secret<String>?
    /// When it ends; `nil` where the server didn't say.
    public var expiresAt: Date?
    /// What it is good for; `nil` where nobody knows.
    public var scopes: Set<String>?
    /// Who signed in, as a JSON Web Token, where the server speaks OpenID Connect.
    ///
    /// Nothing here checks it: neither its signature nor its `iss`, `aud`, `exp` and `nonce`. Check it before anything
    /// is decided by it, or have the service do so ([OpenID Connect Core 1.0, section
    /// 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)).
    public var idToken: Secret<String>?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - token: What is sent.
    ///   - scheme: The word in front of it.
    ///   - refreshToken: What another is asked for with.
    ///   - expiresAt: When it ends.
    ///   - scopes: What it is good for.
    ///   - idToken: Who signed in, unchecked.
    public init(
        token: Secret<String>,
        scheme: String = "Bearer",
        refreshToken: Secret<String>? = nil,
        expiresAt: Date? = nil,
        scopes: Set<String>? = nil,
        idToken: Secret<String>? = nil,
    ) {
        self.token = token
        self.scheme = scheme
        self.refreshToken = refreshToken
        self.expiresAt = expiresAt
        self.scopes = scopes
        self.idToken = idToken
    }

    /// What a request is sent with.
    public var accessToken: AccessToken<NotReady> {
        AccessToken(token, in: .authorization(scheme: scheme), scopes: scopes)
    }
}
