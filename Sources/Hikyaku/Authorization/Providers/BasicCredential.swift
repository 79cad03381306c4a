#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
            token = .failure(.malformed("a user's name with a colon can't be sent by the scheme Basic"))
        } else if (user.unicodeScalars.lazy + password.unicodeScalars).contains(where: \.isControl) {
            token = .failure(.malformed("a user's name or a password with a control character can't be sent"))
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
