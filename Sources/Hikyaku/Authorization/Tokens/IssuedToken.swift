#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A token as an authorization server issued it: with what refreshes it, and when it ends.
///
/// [RFC 6749, section 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)
public struct IssuedToken: Sendable, Hashable {
    /// What is sent.
    public var token: Secret<String>
    /// The word in front of it.
    public var scheme: String
    /// What another token is asked for with; `nil` where none was issued.
    public var refreshToken: Secret<String>?
    /// When it ends; `nil` where the server didn't say.
    public var expiresAt: Date?
    /// What it is good for; `nil` where nobody knows.
    public var scopes: Set<String>?
    /// Who signed in, as a JSON Web Token, where the server speaks OpenID Connect.
    ///
    /// Nothing here checks it: neither its signature nor its `iss`, `aud`, `exp` and `nonce`. Check it before anything
    /// is decided by it, or have the service do so ([OpenID Connect Core 1.0, section
    /// 3.1.3.7](https://openid.net/specs/openid-connect-core-1_0.html#IDTokenValidation)).
    public var idToken: Secret<String>?

    /// Makes a token.
    ///
    /// - Parameters:
    ///   - token: What is sent.
    ///   - scheme: The word in front of it.
    ///   - refreshToken: What another is asked for with.
    ///   - expiresAt: When it ends.
    ///   - scopes: What it is good for.
    ///   - idToken: Who signed in, unchecked.
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

    /// What a request is sent with.
    public var accessToken: AccessToken<NotReady> {
        AccessToken(token, in: .authorization(scheme: scheme), scopes: scopes)
    }
}

/// A token as ``FileTokenStore`` describes it.
struct TokenDocument: Codable {
    /// Why bytes are no token, in words without a secret.
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

    static func token(in bytes: Data) throws(Malformed) -> IssuedToken {
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
    /// The date within what RFC 3339 can write; `nil` for one that never comes.
    fileprivate var writable: Date? {
        let seconds = timeIntervalSince1970
        // The last second of the year 9999.
        guard seconds <= 253_402_300_799 else { return nil }
        return Date(timeIntervalSince1970: max(0, seconds))
    }
}
