import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token that never changes, until it is forgotten.
private final class KeptToken: Sendable {
    private let token: Lock<AccessToken<NotReady>>

    init(_ token: AccessToken<NotReady>) {
        self.token = Lock(token)
    }

    var value: AccessToken<NotReady> { token.withLock(\.self) }

    func forget() {
        token.withLock { $0 = AccessToken(nil, in: $0.placement) }
    }
}

/// One token that never changes: `.bearer("…")`.
public struct BearerToken: TokenProvider {
    private let token: KeptToken

    /// Hides a token, without the word `Bearer`; `nil` stands for none yet.
    public init(_ token: String?) {
        self.token = KeptToken(AccessToken(token))
    }

    /// Nothing is waited for.
    public var endsOnCancellation: Bool { true }

    /// The token.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { token.value }

    /// Forgets the token, for all copies of this provider.
    public func signOut() async throws { token.forget() }
}

extension TokenProvider where Self == BearerToken {
    /// One token that never changes.
    public static func bearer(_ token: String?) -> BearerToken { BearerToken(token) }
}

extension FailureReason {
    /// The credential can't be written as its scheme needs it.
    public static let malformedCredential = FailureReason(.unauthorized, "malformedCredential")
}

/// A user and a password: `Authorization: Basic …` in UTF-8 ([RFC 7617](https://www.rfc-editor.org/rfc/rfc7617)).
///
/// What is sent can be read by whoever sees it: use it with `https` alone.
public struct BasicCredential: TokenProvider {
    private let token: Result<KeptToken, TokenError>

    /// Hides a user and a password.
    ///
    /// - Parameters:
    ///   - user: The user's name. One with a colon, or a control character in either, ends the calls that need it with
    ///     ``FailureReason/malformedCredential``: a service would take what follows the colon for the password.
    ///   - password: The password.
    public init(user: String, password: String) {
        if user.utf8.contains(UInt8(ascii: ":")) {
            token = .failure(.malformed("the Basic scheme can't send a user name with a colon"))
        } else if (user.unicodeScalars.lazy + password.unicodeScalars).contains(where: \.isControl) {
            token = .failure(.malformed("a user name or password with a control character can't be sent"))
        } else {
            let text = Data("\(user):\(password)".utf8).base64EncodedString()
            token = .success(KeptToken(AccessToken(text, in: .authorization(scheme: "Basic"))))
        }
    }

    /// Nothing is waited for.
    public var endsOnCancellation: Bool { true }

    /// The user and the password, encoded.
    ///
    /// - Throws: ``TokenError`` of the reason ``FailureReason/malformedCredential``.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { try token.get().value }

    /// Forgets the user and the password, for all copies of this provider.
    public func signOut() async throws { try? token.get().forget() }
}

extension TokenProvider where Self == BasicCredential {
    /// A user and a password.
    public static func basic(user: String, password: String) -> BasicCredential {
        BasicCredential(user: user, password: password)
    }
}

extension TokenError {
    fileprivate static func malformed(_ message: String) -> TokenError {
        TokenError(reason: .malformedCredential, message: message)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }
}

/// A key that never changes, in a field of its own, the query or a cookie: `.apiKey("…", in: .header("X-Api-Key"))`.
///
/// Prefer a field to the query: servers and proxies write URLs into their logs.
public struct APIKey: TokenProvider {
    private let token: KeptToken

    /// Hides a key.
    ///
    /// - Parameters:
    ///   - key: The key; `nil` stands for none yet.
    ///   - placement: Where the service looks for it.
    public init(_ key: String?, in placement: CredentialPlacement) {
        token = KeptToken(AccessToken(key, in: placement))
    }

    /// Nothing is waited for.
    public var endsOnCancellation: Bool { true }

    /// The key.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { token.value }

    /// Forgets the key, for all copies of this provider.
    public func signOut() async throws { token.forget() }
}

extension TokenProvider where Self == APIKey {
    /// A key that never changes.
    public static func apiKey(_ key: String?, in placement: CredentialPlacement) -> APIKey {
        APIKey(key, in: placement)
    }
}
