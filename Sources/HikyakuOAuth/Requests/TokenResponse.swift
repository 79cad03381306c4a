import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What the token endpoint answers, as far as it is understood.
///
/// [RFC 6749, section 5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)
struct TokenResponse: Decodable, Sendable {
    /// No token is longer, in bytes: none that is fits into a header block.
    static let tokenBytesMax = 64 * 1024

    let accessToken: Secret<String>
    let type: String?
    let refreshToken: Secret<String>?
    let secondsLeft: Double?
    let scopes: Set<String>?
    let idToken: Secret<String>?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = Secret(try Self.token(.accessToken, in: container))
        type = try? container.decode(String.self, forKey: .type)
        refreshToken = try container.holds(.refreshToken) ? Secret(Self.token(.refreshToken, in: container)) : nil
        idToken = try container.holds(.idToken) ? Secret(Self.token(.idToken, in: container)) : nil
        secondsLeft = (try? container.decode(LenientSeconds.self, forKey: .secondsLeft))?.value
        scopes = (try? container.decode(String.self, forKey: .scopes)).map(Scopes.split)
    }

    /// A token of the characters that RFC 6749, appendix A.12 allows.
    private static func token(
        _ key: CodingKeys,
        in container: KeyedDecodingContainer<CodingKeys>,
    ) throws -> String {
        let text = try container.decode(String.self, forKey: key)
        let count = text.utf8.count
        guard 1...tokenBytesMax ~= count, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "a token of 1 to \(tokenBytesMax) printable ASCII characters was expected",
            )
        }
        return text
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

extension KeyedDecodingContainer<TokenResponse.CodingKeys> {
    /// Whether there is a value: `null` and an empty text, which some servers write, are none.
    fileprivate func holds(_ key: Key) -> Bool {
        guard contains(key), (try? decodeNil(forKey: key)) != true else { return false }
        return (try? decode(String.self, forKey: key)) != ""
    }
}

/// Scopes as a list with spaces between (RFC 6749, section 3.3).
enum Scopes {
    static func split(_ text: String) -> Set<String> {
        Set(text.byteSplit(separator: " ").map(String.init))
    }

    /// The list in an order that is always the same; `nil` for none.
    static func joined(_ scopes: Set<String>) -> String? {
        scopes.isEmpty ? nil : scopes.sorted().joined(separator: " ")
    }
}
