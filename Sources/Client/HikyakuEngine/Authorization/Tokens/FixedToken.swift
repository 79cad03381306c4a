import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token that never changes until it is deleted.
private final class FixedToken: Sendable {
    private let token: Lock<AccessToken<NotReady>>

    init(_ token: AccessToken<NotReady>) {
        self.token = Lock(token)
    }

    var value: AccessToken<NotReady> { token.withLock(\.self) }

    func forget() {
        token.withLock { $0 = AccessToken(nil, in: $0.placement) }
    }
}

/// A provider whose token is there without a wait.
protocol FixedTokenProvider: TokenProvider {}

/// A provider that always puts its token into the same place of a request.
package protocol PlacedTokenProvider: TokenProvider {
    var placement: CredentialPlacement { get }
}

/// One token that never changes: `.bearer("…")`.
///
/// ```swift
/// let client = APIClient().authorized(by: .bearer(userToken), for: .shop)
/// let orders = try await client.send(Shop.MyOrders())
/// ```
public struct BearerToken: TokenProvider, FixedTokenProvider, PlacedTokenProvider {
    private let token: FixedToken

    /// Creates a provider from a token, without the word `Bearer`; `nil` if there is none yet.
    package init(_ token: String?) {
        self.token = FixedToken(AccessToken(token))
    }

    /// `true`: it waits for nothing.
    public var endsOnCancellation: Bool { true }

    /// The token.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { token.value }

    package var placement: CredentialPlacement { .bearer }

    /// Deletes the token, for all copies of this provider.
    public func signOut() async throws { token.forget() }
}

extension TokenProvider where Self == BearerToken {
    /// One token that never changes.
    public static func bearer(_ token: String?) -> BearerToken { BearerToken(token) }
}

/// A user name and a password: `Authorization: Basic …` in UTF-8 ([RFC
/// 7617](https://www.rfc-editor.org/rfc/rfc7617)).
///
/// ```swift
/// let client = APIClient().authorized(by: .basic(user: "kitchen", password: password), for: .shop)
/// ```
/// It is sent unencrypted: use it only with `https`.
public struct BasicCredential: TokenProvider, FixedTokenProvider, PlacedTokenProvider {
    private let token: Result<FixedToken, TokenError>

    /// Creates a provider from a user name and a password.
    ///
    /// - Parameters:
    ///   - user: The user name. With a colon in it, or a control character in either, calls that need it fail with
    ///     ``FailureReason/malformedCredential``: a service would read the part after the colon as the password.
    ///   - password: The password.
    package init(user: String, password: String) {
        if user.utf8.contains(UInt8(ascii: ":")) {
            token = .failure(.malformed("the Basic scheme can't send a user name with a colon"))
        } else if (user.unicodeScalars.lazy + password.unicodeScalars).contains(where: \.isControl) {
            token = .failure(.malformed("a user name or password with a control character can't be sent"))
        } else {
            let text = Data("\(user):\(password)".utf8).base64EncodedString()
            token = .success(FixedToken(AccessToken(text, in: .authorization(scheme: "Basic"))))
        }
    }

    /// `true`: it waits for nothing.
    public var endsOnCancellation: Bool { true }

    /// The user name and the password, encoded.
    ///
    /// - Throws: ``TokenError`` with ``FailureReason/malformedCredential``.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { try token.get().value }

    package var placement: CredentialPlacement { .authorization(scheme: "Basic") }

    /// Deletes the user name and the password, for all copies of this provider.
    public func signOut() async throws { try? token.get().forget() }
}

extension TokenProvider where Self == BasicCredential {
    /// A user name and a password.
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

/// A key that never changes, in a custom field, the query or a cookie: `.apiKey("…", in: .header("X-Api-Key"))`.
///
/// ```swift
/// let client = APIClient().authorized(by: .apiKey(shopKey, in: .header("X-Api-Key")), for: .shop)
/// ```
/// Prefer a field to the query: servers and proxies write URLs to their logs.
public struct APIKey: TokenProvider, FixedTokenProvider, PlacedTokenProvider {
    private let token: FixedToken

    /// Creates a provider from a key.
    ///
    /// - Parameters:
    ///   - key: The key; `nil` if there is none yet.
    ///   - placement: The placement in a request.
    public init(_ key: String?, in placement: CredentialPlacement) {
        token = FixedToken(AccessToken(key, in: placement))
    }

    /// `true`: it waits for nothing.
    public var endsOnCancellation: Bool { true }

    /// The key.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> { token.value }

    package var placement: CredentialPlacement { token.value.placement }

    /// Deletes the key, for all copies of this provider.
    public func signOut() async throws { token.forget() }
}

extension TokenProvider where Self == APIKey {
    /// A key that never changes.
    public static func apiKey(_ key: String?, in placement: CredentialPlacement) -> APIKey {
        APIKey(key, in: placement)
    }
}
