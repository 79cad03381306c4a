import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The known members of the token endpoint's response.
///
/// [RFC 6749, section 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)
struct TokenResponse: Decodable, Sendable {
    let accessToken: Secret<String>
    let type: String?
    let refreshToken: Secret<String>?
    let secondsLeft: Double?
    let scopes: Set<String>?
    let idToken: Secret<String>?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try container.token(.accessToken)
        type = try? container.decode(String.self, forKey: .type)
        refreshToken = try container.holds(.refreshToken) ? container.token(.refreshToken) : nil
        idToken = try container.holds(.idToken) ? container.token(.idToken) : nil
        secondsLeft = (try? container.decode(LenientSeconds.self, forKey: .secondsLeft))?.value
        let list = try? container.decode([String].self, forKey: .scopes)
        let named = (try? container.decode(String.self, forKey: .scopes)).map(Scopes.split) ?? list.map(Set.init)
        // An empty text says no more than no text.
        scopes = named?.isEmpty == true ? nil : named
    }

    fileprivate enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case type = "token_type"
        case refreshToken = "refresh_token"
        case secondsLeft = "expires_in"
        case scopes = "scope"
        case idToken = "id_token"
    }
}

extension KeyedDecodingContainer {
    /// A string of 1 to `bytesMax` bytes, all of them allowed; an error says what was expected.
    func text(
        _ key: Key,
        bytesMax: Int,
        _ expectation: String,
        allowing isAllowed: (UInt8) -> Bool = { _ in true },
    ) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard 1...bytesMax ~= text.utf8.count, text.utf8.allSatisfy(isAllowed) else {
            let message = "expected a \(expectation)"
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: message)
        }
        return text
    }
}

extension KeyedDecodingContainer<TokenResponse.CodingKeys> {
    /// A token with the characters that RFC 6749, appendix A.12 allows.
    fileprivate func token(_ key: Key) throws -> Secret<String> {
        let bytesMax = JSONWebToken.bytesMax
        let expectation = "token of 1 to \(bytesMax) printable ASCII characters"
        return Secret(try text(key, bytesMax: bytesMax, expectation) { 0x21...0x7E ~= $0 })
    }

    /// Whether there is a value: `null` and an empty string, which some servers send, are none.
    fileprivate func holds(_ key: Key) -> Bool {
        guard contains(key), (try? decodeNil(forKey: key)) != true else { return false }
        return (try? decode(String.self, forKey: key)) != ""
    }
}

/// Scopes as a list separated by spaces (RFC 6749, section 3.3).
enum Scopes {
    /// Reads a list.
    static func split(_ text: String) -> Set<String> {
        let separators = " ,\t\r\n".utf8
        let words = text.utf8.split { separators.contains($0) }
        return Set(words.map { String(Substring($0)) })
    }

    /// The scopes of a token, as far as a call can rely on them; `nil` if they are unknown.
    ///
    /// What the server names in another form than it was requested may be any of the requested ones. If it names only
    /// requested ones, it has refused the others.
    ///
    /// - Parameters:
    ///   - granted: Those that the server names; `nil` for none.
    ///   - requested: Those that were requested.
    /// - Returns: The scopes.
    static func known(_ granted: Set<String>?, requested: Set<String>) -> Set<String>? {
        guard let granted else { return requested.isEmpty ? nil : requested }
        return granted.isSubset(of: requested) ? granted : granted.union(requested)
    }

    /// The list in a stable order; `nil` for none.
    static func joined(_ scopes: Set<String>) -> String? {
        scopes.isEmpty ? nil : scopes.sorted().joined(separator: " ")
    }
}

/// A number of seconds as servers send it: a number, or a string with one.
struct LenientSeconds: Decodable, Sendable {
    /// A hundred years: longer durations are cut.
    fileprivate static let secondsMax = 100.0 * 365 * 86_400

    /// The seconds; `nil` for a value that is not a positive number, which is treated as missing.
    let value: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try? container.decode(String.self)
        let seconds = text.map(Self.number) ?? (try? container.decode(Double.self))
        value = seconds.flatMap { $0.isFinite && $0 > 0 ? min($0, Self.secondsMax) : nil }
    }

    private static func number(_ text: String) -> Double? {
        let isPlain = text.utf8.count <= 32 && text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        return isPlain ? Double(text) : nil
    }
}

extension IssuedToken {
    /// Creates a token from the response of a token endpoint.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - requested: The requested scopes, which the token has unless the server returns others.
    ///   - schemes: The scheme of each type of token that is accepted.
    ///   - sent: When the request was sent: the token's lifetime starts then.
    ///   - received: When the response was received.
    /// - Throws: ``OAuthProblem`` for a token that can't be sent.
    init(
        _ response: APIResponse<TokenResponse>,
        requested: Set<String>,
        as schemes: [String: String],
        sent: Date,
        received: Date,
    ) throws(OAuthProblem) {
        let value = response.value
        // A few servers leave the type out, and all of those mean this one.
        let type = value.type ?? "Bearer"
        guard let scheme = schemes[type.asciiLowercased] else {
            throw OAuthProblem(.unsupportedTokenType, "the server issued a token of the unsupported type \(type)")
        }
        let requested = Set(requested.flatMap(Scopes.split))
        self.init(
            token: value.accessToken,
            scheme: scheme,
            refreshToken: value.refreshToken,
            // Services use the expiry in the token, and some authorization servers send a different one.
            expiresAt: [
                value.secondsLeft.map(sent.addingTimeInterval),
                Self.expiration(of: value.accessToken, response.headers, received),
            ].compactMap(\.self).min(),
            scopes: Scopes.known(value.scopes, requested: requested),
            idToken: value.idToken,
        )
    }

    /// The expiry of a token that contains one, by this machine's clock.
    ///
    /// The `Date` of the response gives the issuer's clock. An expiry in the past only means that the clocks differ:
    /// the token was just issued.
    private static func expiration(of token: Secret<String>, _ headers: HTTPHeaders, _ received: Date) -> Date? {
        guard let end = JSONWebToken.expiration(of: token.reveal()) else { return nil }
        let issuersNow = headers[.date].flatMap { WebDate.date(from: $0, at: received) } ?? received
        let left = end.timeIntervalSince(issuersNow)
        return left > 0 ? received.addingTimeInterval(min(left, LenientSeconds.secondsMax)) : nil
    }

    /// The token with the members that a refresh left out: the refresh token, if it can be used again, and the ID
    /// token.
    func keeping(_ old: IssuedToken) -> IssuedToken {
        var token = self
        token.refreshToken = refreshToken ?? old.refreshToken
        token.idToken = idToken ?? old.idToken
        token.scopes = scopes ?? old.scopes
        return token
    }
}
