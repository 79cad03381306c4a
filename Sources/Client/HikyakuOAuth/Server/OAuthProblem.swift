public import Hikyaku

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a sign-in failed locally: a server or redirect that can't be verified is never trusted.
///
/// ```swift
/// do {
///     let token = try await oauth.token(for: authorization, redirectedTo: receivedURL)
///     try await tokenStore.save(token)
/// } catch let problem as OAuthProblem where problem.reason == .stateMismatch {
///     show("This sign-in was begun somewhere else: sign in again.")
/// } catch {
///     show(error.localizedDescription)
/// }
/// ```
/// An error of the authorization server is an ``OAuthError``, a failure of the transport an `APIError`.
public struct OAuthProblem: Error, Sendable, Hashable {
    /// Why, in a form that code can switch over.
    public let reason: Reason
    /// The details in one line, without secrets.
    public let message: String
    /// Whether it is about the server's metadata, before there is a redirect.
    private let isOfMetadata: Bool

    init(_ reason: Reason, _ message: String, isOfMetadata: Bool = false) {
        self.reason = reason
        self.message = Redaction.printable(message)
        self.isOfMetadata = isOfMetadata
    }

    /// The reason; new members may be added in any version.
    public struct Reason: Sendable, Hashable, CustomStringConvertible {
        /// A stable identifier for logs: `stateMismatch`.
        public let description: String

        private init(_ description: String) {
            self.description = description
        }

        /// A needed endpoint isn't known: the server has none, or it must be set.
        public static let missingEndpoint = Reason("missingEndpoint")
        /// An endpoint or issuer is not a URL, or has a forbidden part.
        public static let malformedEndpoint = Reason("malformedEndpoint")
        /// An endpoint has no TLS, and isn't on this machine.
        public static let insecureEndpoint = Reason("insecureEndpoint")
        /// The server's metadata describes another issuer, or a redirect comes from another server.
        public static let issuerMismatch = Reason("issuerMismatch")
        /// A redirect belongs to another sign-in, or to an attacker's.
        public static let stateMismatch = Reason("stateMismatch")
        /// A redirect has neither a code nor an error, or has a parameter twice.
        public static let malformedRedirect = Reason("malformedRedirect")
        /// The server's metadata says that it doesn't support PKCE with SHA-256.
        public static let missingPKCE = Reason("missingPKCE")
        /// The token has a type that can't be sent.
        public static let unsupportedTokenType = Reason("unsupportedTokenType")
        /// There is no refresh token.
        public static let missingRefreshToken = Reason("missingRefreshToken")
        /// An additional parameter has the name of one that the grant sets.
        public static let reservedParameter = Reason("reservedParameter")
        /// The system's cryptographic library doesn't work.
        public static let cryptography = Reason("cryptography")
    }
}

extension OAuthProblem: CustomStringConvertible {
    /// The reason and the details.
    public var description: String { "\(reason): \(message)" }
}

extension OAuthProblem: LocalizedError {
    /// What happened, for people.
    public var errorDescription: String? { "Signing in failed: \(message)." }

    /// What people can do next.
    public var recoverySuggestion: String? {
        switch reason {
        case .issuerMismatch where isOfMetadata: "Report it to the app's developers."
        case .issuerMismatch, .stateMismatch: "Sign in again, and don't trust the sender of the link."
        case .malformedRedirect, .missingRefreshToken: "Sign in again."
        default: "This is an error of the app or of the service: report it to the app's developers."
        }
    }
}

extension OAuthProblem: HintedError {
    /// What a developer can do.
    public var hint: String? {
        switch reason {
        case .missingEndpoint: "Give the endpoint to the OAuthServer, or use a grant that the server supports."
        case .malformedEndpoint: "Correct the URL."
        case .insecureEndpoint: "Use an https URL; plain http is allowed for this machine only."
        case .issuerMismatch where isOfMetadata:
            "Give the issuer exactly as its document names it, if it is the one that you trust, or make the OAuthServer "
                + "from its endpoints."
        case .issuerMismatch, .stateMismatch: "The redirect belongs to another sign-in: an attacker may have sent it."
        case .malformedRedirect: "Give the whole URL of the redirect, as the browser opened it."
        case .missingRefreshToken: "Request a refresh token: many servers need the scope offline_access for it."
        case .missingPKCE: "Use another grant: without PKCE, codes can be stolen."
        case .unsupportedTokenType:
            "If it is a bearer token by another name, give the name to the OAuthApplication's tokenTypes. Otherwise the "
                + "server must issue bearer tokens to the application."
        case .reservedParameter: "Leave the parameter out."
        default: "Check the configuration of this machine."
        }
    }
}
