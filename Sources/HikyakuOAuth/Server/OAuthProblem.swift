import Hikyaku

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a sign-in can't go on, found on this side: nobody is trusted who doesn't prove to be the one who was asked.
///
/// What the authorization server says is an ``OAuthError``, what the wire does an `APIError`.
public struct OAuthProblem: Error, Sendable, Hashable {
    /// Why, in a form that code can switch over.
    public let reason: Reason
    /// The particulars in one line, without secrets.
    public let message: String

    init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = Redaction.printable(message)
    }

    /// Why; new members may come with any version.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A stable word for logs: `stateMismatch`.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// An endpoint that is needed isn't known: the server has none, or it has to be given.
        public static let missingEndpoint = Reason("missingEndpoint")
        /// An endpoint or issuer is no URL, or has a part that none may have.
        public static let malformedEndpoint = Reason("malformedEndpoint")
        /// An endpoint is reached without TLS, and isn't on this machine.
        public static let insecureEndpoint = Reason("insecureEndpoint")
        /// The server's description of itself is another one's, or a redirect comes from another server.
        public static let issuerMismatch = Reason("issuerMismatch")
        /// A redirect belongs to another sign-in, or to an attacker's.
        public static let stateMismatch = Reason("stateMismatch")
        /// A redirect holds neither a code nor an error, or a parameter twice.
        public static let malformedRedirect = Reason("malformedRedirect")
        /// The server says that it doesn't do PKCE by SHA-256.
        public static let missingPKCE = Reason("missingPKCE")
        /// The token is of a type that can't be sent.
        public static let unsupportedTokenType = Reason("unsupportedTokenType")
        /// There is nothing to refresh a token with.
        public static let missingRefreshToken = Reason("missingRefreshToken")
        /// A parameter of one's own has the name of one that the grant sets.
        public static let reservedParameter = Reason("reservedParameter")
        /// The system's cryptographic library doesn't work.
        public static let cryptography = Reason("cryptography")
    }
}

extension OAuthProblem: CustomStringConvertible {
    /// The reason and the particulars.
    public var description: String { "\(reason): \(message)" }
}

extension OAuthProblem: LocalizedError {
    /// What happened, for people.
    public var errorDescription: String? { "Signing in failed: \(message)." }

    /// What to do next.
    public var recoverySuggestion: String? {
        switch reason {
        case .missingEndpoint: "Give the endpoint to the OAuthServer, or use a grant that the server supports."
        case .malformedEndpoint: "Correct the URL."
        case .insecureEndpoint: "Use an https URL; plain http is allowed for this machine only."
        case .issuerMismatch, .stateMismatch: "Sign in again, and don't trust the sender of the link."
        case .malformedRedirect, .missingRefreshToken: "Sign in again."
        case .missingPKCE: "Use another grant: without PKCE, codes can be stolen."
        case .unsupportedTokenType: "Configure the server to issue bearer tokens to the application."
        case .reservedParameter: "Leave the parameter out."
        default: "Check the configuration of this machine."
        }
    }
}

extension OAuthProblem {
    init(_ error: CryptoError) {
        self.init(.cryptography, error.description)
    }
}
