public import Hikyaku

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an authorization server answers instead of a token, in the words of the standard.
///
/// ```swift
/// } catch .service(let error, _) where error.code == .invalidGrant {
///     askToSignInAgain()
/// ```
/// Where errors of several kinds come, ``init(in:)`` finds it in any of them. Its description shows the code alone; the
/// server's own words may repeat what was sent, and are there to be asked for.
///
/// [RFC 6749, section 5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)
public struct OAuthError: ServiceFailure, Hashable {
    /// The most of a text of the server that is kept, in Unicode scalars.
    public static let scalarsMax = 500

    /// What went wrong, in a form that code can compare.
    public let code: Code
    /// The server's own words for developers, on one line of bounded length; `nil` where there are none.
    public let details: String?
    /// Where the server has more to read about it, as it says; `nil` where it doesn't.
    public let uri: String?

    /// Makes an error, for tests of what handles one.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - details: The server's own words; made printable and cut.
    ///   - uri: Where there is more to read; made printable and cut.
    public init(_ code: Code, details: String? = nil, uri: String? = nil) {
        self.code = code
        self.details = details.map { Redaction.printable($0, scalarsMax: Self.scalarsMax) }
        self.uri = uri.map { Redaction.printable($0, scalarsMax: Self.scalarsMax) }
    }

    /// Reads the body of a response, whatever its status: some servers answer 200 with an error inside.
    public init?(response: BufferedResponse) {
        guard let answer = try? HikyakuJSONDecoder().decode(Answer.self, from: response.body), !answer.error.isEmpty
        else { return nil }
        self.init(Code(answer.error), details: answer.details, uri: answer.uri)
    }

    /// Finds what the authorization server said in an error of a sign-in, a grant or a call.
    ///
    /// - Parameter error: What was thrown.
    public init?(in error: any Error) {
        switch error {
        case let error as OAuthError:
            self = error
        case let failure as any APIFailure:
            if let error = failure.service(as: OAuthError.self) {
                self = error
            } else if let inner = failure.context.underlyingError {
                self.init(in: inner)
            } else {
                return nil
            }
        case let error as TransportError:
            guard let inner = error.underlyingError else { return nil }
            self.init(in: inner)
        default:
            return nil
        }
    }

    private struct Answer: Decodable {
        let error: String
        let details: String?
        let uri: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            error = try container.decode(String.self, forKey: .error)
            details = try? container.decode(String.self, forKey: .details)
            uri = try? container.decode(String.self, forKey: .uri)
        }

        private enum CodingKeys: String, CodingKey {
            case error
            case details = "error_description"
            case uri = "error_uri"
        }
    }
}

extension OAuthError: CustomStringConvertible, CustomReflectable {
    /// The code alone: the server's own words may repeat a secret.
    public var description: String { "the authorization server responded with \(code)" }
    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["code": code.description]) }
}

extension OAuthError: LocalizedError {
    /// What happened, for people.
    public var errorDescription: String? {
        switch code {
        case .accessDenied: "Access was not granted."
        case .expiredToken: "The time for signing in has expired."
        case .invalidGrant: "The sign-in is no longer valid."
        case .serverError, .temporarilyUnavailable: "Signing in is not possible at the moment."
        default: "Signing in failed (\(code))."
        }
    }

    /// What to do next.
    public var recoverySuggestion: String? {
        switch code {
        case .accessDenied, .expiredToken, .invalidGrant: "Sign in again."
        case .serverError, .temporarilyUnavailable: "Try again later."
        case .invalidClient, .unauthorizedClient:
            "Compare the client ID and secret with the application's registration."
        case .invalidScope: "Request scopes that the application is registered for."
        case .unsupportedGrantType, .unsupportedResponseType: "Use a grant that the server allows for the application."
        default: "See the error's details."
        }
    }
}

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
