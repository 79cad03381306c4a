#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token as an authorization server issued it: with its refresh token and its expiry.
///
/// ```swift
/// let grant = try await client.send(Auth.SignIn(user: "hana", password: password))
/// let token = IssuedToken(
///     token: Secret(grant.token),
///     refreshToken: Secret(grant.refreshToken),
///     expiresAt: Date().addingTimeInterval(grant.secondsToExpiry),
/// )
/// try await tokenStore.save(token)
/// ```
/// [RFC 6749, section 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)
public struct IssuedToken: Sendable, Hashable {
    /// The access token.
    public var token: Secret<String>
    /// The scheme before the token in the field.
    public var scheme: String
    /// The refresh token; `nil` if none was issued.
    public var refreshToken: Secret<String>?
    /// The expiry; `nil` if the server didn't send it.
    public var expiresAt: Date?
    /// The scopes; `nil` if they are unknown.
    public var scopes: Set<String>?
    /// The signed-in user, as a JSON Web Token, from a server that supports OpenID Connect.
    ///
    /// Hikyaku does not validate it: neither its signature nor its `iss`, `aud`, `exp` and `nonce`. Validate it before
    /// you rely on it, or let the service do that ([OpenID Connect Core 1.0, section
    /// 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)).
    public var idToken: Secret<String>?

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - token: The access token.
    ///   - scheme: The scheme before the token in the field.
    ///   - refreshToken: The refresh token.
    ///   - expiresAt: The expiry.
    ///   - scopes: The scopes.
    ///   - idToken: The signed-in user, not validated.
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

    /// The token for a request.
    public var accessToken: AccessToken<NotReady> {
        AccessToken(token, in: .authorization(scheme: scheme), scopes: scopes)
    }
}

/// The file format that ``FileTokenStore`` describes.
struct TokenDocument: Codable {
    /// Why bytes are not a token, without a secret.
    struct Malformed: Error {
        let message: String
    }

    static let bytesMax = 4 * 1024 * 1024
    private static let format = "hikyaku-token"
    private static let version = 1

    private var format: String
    private var version: Int
    private var token: String
    private var scheme: String
    private var refreshToken: String?
    private var expiresAt: Date?
    private var scopes: [String]?
    private var idToken: String?

    private struct Head: Codable {
        var format: String
        var version: Int
    }

    private init(_ token: IssuedToken) {
        format = Self.format
        version = Self.version
        self.token = token.token.reveal()
        scheme = token.scheme
        refreshToken = token.refreshToken?.reveal()
        expiresAt = token.expiresAt.flatMap(\.writable)
        scopes = token.scopes?.sorted()
        idToken = token.idToken?.reveal()
    }

    static func bytes(of token: IssuedToken) throws -> Data {
        try WebJSON.encoder.encode(TokenDocument(token))
    }

    package static func token(in bytes: Data) throws(Malformed) -> IssuedToken {
        let head: Head = try decoded(bytes)
        guard head.format == format, head.version == version else {
            throw Malformed(message: "its format or version is not \(format) \(version)")
        }
        let document: TokenDocument = try decoded(bytes)
        return IssuedToken(
            token: Secret(document.token),
            scheme: document.scheme,
            refreshToken: document.refreshToken.map(Secret.init),
            expiresAt: document.expiresAt,
            scopes: document.scopes.map(Set.init),
            idToken: document.idToken.map(Secret.init),
        )
    }

    private static func decoded<Part: Decodable>(_ bytes: Data) throws(Malformed) -> Part {
        do {
            return try WebJSON.decoder.decode(Part.self, from: bytes)
        } catch {
            let place = (error as? DecodingDiagnosis).map { $0.pointer.isEmpty ? "" : ", \($0.pointer)" } ?? ""
            throw Malformed(message: "not a JSON document of a token\(place)")
        }
    }
}

extension Date {
    /// The date within the range of RFC 3339; `nil` for a date that is never reached.
    fileprivate var writable: Date? {
        let seconds = timeIntervalSince1970
        // The last second of the year 9999.
        guard seconds <= 253_402_300_799 else { return nil }
        return Date(timeIntervalSince1970: max(0, seconds))
    }
}
