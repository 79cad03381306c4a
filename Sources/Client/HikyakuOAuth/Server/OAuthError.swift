public import Hikyaku
public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The error in an authorization server's response, with the codes of the standard.
///
/// ```swift
/// do {
///     try await tokenStore.save(oauth.clientCredentials(scopes: ["orders"]))
/// } catch {
///     guard let error = OAuthError(in: error), error.code == .invalidClient else { throw error }
///     show("The secret of this application was replaced: set the new one.")
/// }
/// ```
/// ``init(in:)`` finds it in any error of a sign-in, a grant or a call. Its description shows only the code: the
/// server's own text may repeat parts of the request, and is in ``details``.
///
/// [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)
public struct OAuthError: ServiceFailure, Hashable {
    /// The maximum length of a server's text that is kept, in Unicode scalars.
    static let scalarsMax = 500

    /// The error code, in a form that code can compare.
    public let code: Code
    /// The server's own text for developers, on one line of at most 500 Unicode scalars; `nil` if there is none.
    public let details: String?
    /// The URI of a page about the error, as the server sent it; `nil` if there is none.
    public let uri: String?

    /// Creates an error, for tests of error handling.
    ///
    /// - Parameters:
    ///   - code: The error code.
    ///   - details: The server's own text; made printable and cut.
    ///   - uri: The URI of a page about the error; made printable and cut.
    public init(_ code: Code, details: String? = nil, uri: String? = nil) {
        self.code = code
        self.details = details.map { Redaction.printable($0, scalarsMax: Self.scalarsMax) }
        self.uri = uri.map { Redaction.printable($0, scalarsMax: Self.scalarsMax) }
    }

    /// Reads the body of a response, whatever its status: some servers respond with 200 and an error inside.
    public init?(response: BufferedResponse) {
        guard let payload = try? HikyakuJSONDecoder().decode(Payload.self, from: response.body), !payload.error.isEmpty
        else { return nil }
        self.init(Code(payload.error), details: payload.details, uri: payload.uri)
    }

    /// Finds the authorization server's error in an error of a sign-in, a grant or a call.
    ///
    /// - Parameter error: The thrown error.
    public init?(in error: any Error) {
        let failure = error as? any APIFailure
        if let found = error as? OAuthError ?? failure?.service(as: OAuthError.self) {
            self = found
            return
        }
        let inner = failure?.context.underlyingError ?? (error as? TransportError)?.underlyingError
        guard let inner else { return nil }
        self.init(in: inner)
    }

    private struct Payload: Decodable {
        let error: String
        let details: String?
        let uri: String?

        /// Some services send an object in place of the code.
        private struct Inner: Decodable {
            let type: String?
            let message: String?
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let inner = try? container.decode(Inner.self, forKey: .error)
            error = try inner.map { $0.type ?? "error" } ?? container.decode(String.self, forKey: .error)
            details = inner?.message ?? (try? container.decode(String.self, forKey: .details))
            uri = try? container.decode(String.self, forKey: .uri)
        }

        private enum CodingKeys: String, CodingKey {
            case error
            case details = "error_description"
            case uri = "error_uri"
        }
    }
}

extension OAuthError {
    /// The code, if it is a standard's.
    public var logCode: String? { Code.registered.contains(code) ? code.rawValue : nil }
}

extension OAuthError: Redacted {
    /// The code only: the server's own text may repeat a secret.
    public var description: String { "the authorization server responded with \(code)" }
}

extension OAuthError: PassingFailure {
    /// The code decides: servers send those that pass with 400, since RFC 6749, section 5.2 knows no other status, and
    /// some send those of a rejected token or client with 500.
    package var isPassing: Bool? {
        if [.temporarilyUnavailable, .serverError, .slowDown].contains(code) { return true }
        return Code.ofRejectedTokens.contains(code) || Code.ofRejectedClients.contains(code) ? false : nil
    }
}

extension OAuthError: LocalizedError {
    /// What happened, for people.
    public var errorDescription: String? {
        switch code {
        case .accessDenied: "Access was not granted."
        case .expiredToken: "The time for signing in has expired."
        case .invalidGrant: "The sign-in is no longer valid."
        case .serverError, .temporarilyUnavailable: "Signing in is not possible at the moment."
        case .unsupportedTokenType: "The service could not end the sign-in (\(code))."
        default: "Signing in or out failed (\(code))."
        }
    }

    /// What people can do next.
    public var recoverySuggestion: String? {
        switch code {
        case .accessDenied, .expiredToken, .invalidGrant: "Sign in again."
        case .serverError, .temporarilyUnavailable: "Try again later."
        default: "This is an error of the app or of the service: report it to the app's developers."
        }
    }
}

extension OAuthError: HintedError {
    /// What a developer can do.
    public var hint: String? {
        switch code {
        case .accessDenied: "The user or the server's policy denied the request: see the details."
        case let code where Code.ofRejectedTokens.contains(code):
            "The code or the token is used up, expired or revoked: start a new sign-in."
        case .serverError, .temporarilyUnavailable: "The server reports a fault of its own: see the details."
        case let code where Code.ofRejectedClients.contains(code):
            "Compare the client ID and secret with the application's registration."
        case .invalidScope: "Request scopes that the application is registered for."
        case .unsupportedGrantType, .unsupportedResponseType: "Use a grant that the server allows for the application."
        case .unsupportedTokenType:
            "The server revokes no tokens of this kind (RFC 7009, section 2.2.1): it accepts the token until it expires."
        default:
            details == nil ? "The server gave no details: see its documentation or log." : "See the error's details."
        }
    }
}

extension OAuthError {
    /// The identifier of an error in a standard; servers also have their own.
    ///
    /// ```swift
    /// nonisolated extension OAuthError.Code {
    ///     static let accountLocked = OAuthError.Code("account_locked")    // one of this server's own
    /// }
    /// do {
    ///     try await tokenStore.save(oauth.clientCredentials())
    /// } catch {
    ///     let isLocked = OAuthError(in: error)?.code == .accountLocked
    ///     show(isLocked ? "Ask your administrator to unlock the account." : "Sign-in failed.")
    /// }
    /// ```
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The maximum length of a server's identifier that is kept, in Unicode scalars.
        static let scalarsMax = 64

        /// The identifier as the server sent it, cut if it is longer than any in the standards.
        public let rawValue: String

        /// Creates a code from a server's identifier.
        public init(rawValue: String) {
            self.rawValue =
                rawValue.unicodeScalars.count <= Self.scalarsMax
                ? rawValue : String(String.UnicodeScalarView(rawValue.unicodeScalars.prefix(Self.scalarsMax)))
        }

        /// Creates a code from a server's identifier.
        public init(_ rawValue: String) {
            self.init(rawValue: rawValue)
        }
    }
}

extension OAuthError.Code: CustomStringConvertible {
    /// The identifier, if it consists of lower-case letters and `_`, as in the standards.
    public var description: String {
        let isWord = !rawValue.isEmpty && rawValue.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "_") }
        return isWord ? rawValue : "an unknown error"
    }
}

extension OAuthError.Code {
    /// The user has to sign in again: the refresh token is rejected, in the words of the standards and of services.
    static let ofRejectedTokens: Set<Self> = [
        .invalidGrant, .expiredToken, Self("bad_refresh_token"), Self("invalid_refresh_token"), Self("invalid_token"),
        Self("token_expired"), Self("token_revoked"), Self("interaction_required"), Self("login_required"),
        Self("consent_required"), Self("account_selection_required"),
    ]
    /// The application is rejected.
    static let ofRejectedClients: Set<Self> = [
        .invalidClient, .unauthorizedClient, Self("incorrect_client_credentials"), Self("bad_client_id"),
        Self("bad_client_secret"), Self("invalid_client_id"),
    ]

    /// The codes of the standards: those below, and those of RFC 6750, 7591, 8707, 9449, 9470 and OpenID Connect.
    fileprivate static let registered: Set<Self> = [
        .invalidRequest, .invalidClient, .invalidGrant, .unauthorizedClient, .unsupportedGrantType, .invalidScope,
        .accessDenied, .unsupportedResponseType, .serverError, .temporarilyUnavailable, .authorizationPending,
        .slowDown, .expiredToken, .unsupportedTokenType, Self("invalid_token"), Self("insufficient_scope"),
        Self("invalid_target"),
        Self("invalid_dpop_proof"), Self("use_dpop_nonce"), Self("invalid_client_metadata"),
        Self("invalid_redirect_uri"),
        Self("interaction_required"), Self("login_required"), Self("account_selection_required"),
        Self("consent_required"),
        Self("insufficient_user_authentication"),
    ]
}

// MARK: - The token endpoint (RFC 6749, section 5.2)

extension OAuthError.Code {
    /// A parameter is missing, malformed or repeated.
    public static let invalidRequest = Self("invalid_request")
    /// The application isn't known, or didn't authenticate.
    public static let invalidClient = Self("invalid_client")
    /// The code or refresh token is no longer valid, was revoked, or belongs to another application or redirect.
    public static let invalidGrant = Self("invalid_grant")
    /// The application may not use this grant.
    public static let unauthorizedClient = Self("unauthorized_client")
    /// The server doesn't support this grant.
    public static let unsupportedGrantType = Self("unsupported_grant_type")
    /// A scope is unknown, malformed, or more than was granted.
    public static let invalidScope = Self("invalid_scope")
}

// MARK: - The authorization endpoint (RFC 6749, section 4.1.2.1)

extension OAuthError.Code {
    /// The user, or the server on their behalf, denied access; also for device codes.
    public static let accessDenied = Self("access_denied")
    /// The server doesn't issue codes.
    public static let unsupportedResponseType = Self("unsupported_response_type")
    /// The server failed; in a redirect it can't use a status for that.
    public static let serverError = Self("server_error")
    /// The server is overloaded or in maintenance.
    public static let temporarilyUnavailable = Self("temporarily_unavailable")
}

// MARK: - Device codes (RFC 8628, section 3.5) and revocation (RFC 7009, section 2.2.1)

extension OAuthError.Code {
    /// The user hasn't decided yet.
    public static let authorizationPending = Self("authorization_pending")
    /// The same, and the server was polled too often.
    public static let slowDown = Self("slow_down")
    /// The device code has expired.
    public static let expiredToken = Self("expired_token")
    /// The server doesn't revoke tokens of this kind.
    public static let unsupportedTokenType = Self("unsupported_token_type")
}
