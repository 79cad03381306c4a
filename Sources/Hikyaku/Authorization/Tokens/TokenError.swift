#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why a token can't be sent with a request that needs one.
public struct TokenError: Error, Sendable, Hashable {
    /// Why, as a client's error says it.
    public let reason: FailureReason
    /// The particulars in one line, without a secret.
    public let message: String

    /// There is no token.
    public static let missing = TokenError(reason: .missingToken, message: "there is no token")
    /// The token is empty, or white space.
    public static let empty = TokenError(reason: .emptyToken, message: "the token is empty")

    /// The token isn't good for all that the request needs.
    ///
    /// - Parameter scopes: What is missing.
    /// - Returns: The error.
    public static func missingScopes(_ scopes: Set<String>) -> TokenError {
        TokenError(
            reason: .missingScopes,
            message: "the token lacks \(scopes.sorted().joined(separator: ", "))",
        )
    }
}

extension TokenError: CustomStringConvertible, LocalizedError {
    /// The particulars.
    public var errorDescription: String? { Redaction.printable(message, scalarsMax: 500) }

    /// The reason and the particulars.
    public var description: String { Redaction.printable("\(reason): \(message)", scalarsMax: 500) }
}

extension FailureReason {
    /// The request needs authorization, and there is no token.
    public static let missingToken = FailureReason(.unauthorized, "missingToken")
    /// The request needs authorization, and the token is empty.
    public static let emptyToken = FailureReason(.unauthorized, "emptyToken")
    /// The token isn't good for all that the request needs: see `requiredScopes`.
    public static let missingScopes = FailureReason(.unauthorized, "missingScopes")
    /// The credential for the request's environment is of a level that doesn't include the request's.
    public static let insufficientLevel = FailureReason(.unauthorized, "insufficientLevel")
    /// What keeps the token can't be read or written: see the particulars.
    public static let tokenStore = FailureReason(.other, "tokenStore")
    /// The request goes to an origin that there is no credential for.
    public static let otherOrigin = FailureReason(.unauthorized, "otherOrigin")
    /// The credential would go over plain `http` to another machine, where all on the way can read it.
    public static let insecureOrigin = FailureReason(.unauthorized, "insecureOrigin")
}
