extension OAuthError {
    /// The word by which a standard names an error; servers have words of their own beside them.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The most of a server's word that is kept, in Unicode scalars.
        static let scalarsMax = 64

        /// The word as the server writes it, cut where it is longer than any of the standards'.
        public let rawValue: String

        /// Makes a code of a server's word.
        public init(rawValue: String) {
            self.rawValue =
                rawValue.unicodeScalars.count <= Self.scalarsMax
                ? rawValue : String(String.UnicodeScalarView(rawValue.unicodeScalars.prefix(Self.scalarsMax)))
        }

        /// Makes a code of a server's word.
        public init(_ rawValue: String) {
            self.init(rawValue: rawValue)
        }
    }
}

extension OAuthError.Code: CustomStringConvertible {
    /// The word, if it is one of lower-case letters and `_`, as all of the standards' are.
    public var description: String {
        let isWord = !rawValue.isEmpty && rawValue.utf8.allSatisfy { 0x61...0x7A ~= $0 || $0 == UInt8(ascii: "_") }
        return isWord ? rawValue : "an unknown error"
    }
}

// MARK: - The token endpoint (RFC 6749, section 5.2)

extension OAuthError.Code {
    /// A parameter is missing, malformed or repeated.
    public static let invalidRequest = Self("invalid_request")
    /// The application isn't known, or didn't prove who it is.
    public static let invalidClient = Self("invalid_client")
    /// The code or refresh token is no longer valid, was revoked, or belongs to another application or redirect.
    public static let invalidGrant = Self("invalid_grant")
    /// The application may not use this grant.
    public static let unauthorizedClient = Self("unauthorized_client")
    /// The server doesn't offer this grant.
    public static let unsupportedGrantType = Self("unsupported_grant_type")
    /// A scope is unknown, malformed, or more than was granted.
    public static let invalidScope = Self("invalid_scope")
}

// MARK: - The authorization endpoint (RFC 6749, section 4.1.2.1)

extension OAuthError.Code {
    /// The person, or the server in their place, said no; also of device codes.
    public static let accessDenied = Self("access_denied")
    /// The server doesn't give codes.
    public static let unsupportedResponseType = Self("unsupported_response_type")
    /// The server failed; it can't say so by a status in a redirect.
    public static let serverError = Self("server_error")
    /// The server is overloaded or in maintenance.
    public static let temporarilyUnavailable = Self("temporarily_unavailable")
}

// MARK: - Device codes (RFC 8628, section 3.5) and revocation (RFC 7009, section 2.2.1)

extension OAuthError.Code {
    /// The person hasn't answered yet.
    public static let authorizationPending = Self("authorization_pending")
    /// The same, and the server was asked too often.
    public static let slowDown = Self("slow_down")
    /// The device code's time is over.
    public static let expiredToken = Self("expired_token")
    /// The server doesn't revoke tokens of this kind.
    public static let unsupportedTokenType = Self("unsupported_token_type")
}
