package import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Where a request has its credential.
///
/// ```swift
/// let byField = APIClient().authorized(by: .apiKey(shopKey, in: .header("X-Api-Key")), for: .shop)
/// let byScheme = APIClient().authorized(by: .apiKey(shopKey, in: .authorization(scheme: "Token")), for: .shop)
/// ```
/// A field is marked as a secret, so it is never shown, and never sent to another origin. Prefer a field to the query:
/// servers and proxies write URLs to their logs.
public struct CredentialPlacement: Sendable, Hashable {
    package let place: PlacedCredential.Place

    /// `Authorization: Bearer …` ([RFC 6750](https://www.rfc-editor.org/rfc/rfc6750#section-2.1)).
    public static let bearer = authorization(scheme: "Bearer")
    /// `Authorization: …`, with the credential as the field's whole value.
    public static let authorizationValue = CredentialPlacement(place: .field(.authorization, scheme: nil))

    /// `Authorization: <scheme> …`: `Basic`, `Token`.
    public static func authorization(scheme: String) -> CredentialPlacement {
        CredentialPlacement(place: .field(.authorization, scheme: scheme))
    }

    /// A custom field: `X-Api-Key: …`.
    public static func header(_ name: HTTPHeaderName) -> CredentialPlacement {
        CredentialPlacement(place: .field(name, scheme: nil))
    }

    /// A query item: `?api_key=…`.
    public static func query(_ name: String) -> CredentialPlacement {
        CredentialPlacement(place: .query(name))
    }

    /// A cookie: `Cookie: session=…`.
    public static func cookie(_ name: String) -> CredentialPlacement {
        CredentialPlacement(place: .cookie(name))
    }
}

extension CredentialPlacement {
    /// Whether the credential is sent in a header field, which can't have control characters.
    var isField: Bool { if case .query = place { false } else { true } }

    /// The word that is put before the credential; `nil` for none.
    var scheme: String? { if case .field(_, let scheme) = place { scheme } else { nil } }
}

extension CredentialPlacement: CustomStringConvertible {
    /// The placement by its name, without a credential.
    public var description: String { place.kind.description }
}

extension HTTPRequest {
    /// Adds a credential for one origin only, in addition to other credentials of the request.
    ///
    /// - Returns: Whether it was added: a field that the request already has is kept.
    @discardableResult
    package mutating func carry(_ token: AccessToken<Ready>, to origin: HTTPOrigin) throws(TransportError) -> Bool {
        guard let value = token.reveal() else { return false }
        let place = token.placement.place
        var isAdded = try place.kind.put(value, into: &self)
        if isAdded { credentials.append(PlacedCredential(value: Secret(value), place: place, origin: origin)) }
        for other in token.others where try carry(other, to: origin) { isAdded = true }
        return isAdded
    }

    /// Removes all credentials for a request to another origin; they must not be added again.
    ///
    /// - Throws: ``FailureReason/otherOrigin`` if the new URL contains one outside a query item.
    mutating func removeCredentials() throws(TransportError) {
        for index in credentials.indices { credentials[index].isLeftBehind = true }
        try removeReturnedCredentials()
    }

    /// Removes the credentials that were already removed once, which a redirect may have added again.
    mutating func removeReturnedCredentials() throws(TransportError) {
        for credential in credentials where credential.isLeftBehind {
            credential.place.kind.remove(from: &headers)
            url = try credential.removed(from: url)
        }
    }

    /// The text of the URL without the credentials that were put into its query; `nil` if one can't be removed.
    package var urlTextWithoutCredentials: Secret<String>? {
        guard credentials.contains(where: \.isInQuery) else { return Secret(urlText) }
        return withoutQueryCredentials(url).map { Secret($0.absoluteString) }
    }

    /// A URL without the credentials that were put into the query; `nil` if one of them is outside the query.
    package func withoutQueryCredentials(_ url: URL) -> URL? {
        try? credentials.reduce(url) { url, credential in
            credential.isInQuery ? try credential.removed(from: url) : url
        }
    }

    /// Rejects credentials for another origin: the last check before the wire.
    package func checkCredentials() throws(TransportError) {
        for credential in credentials where !credential.isLeftBehind { try checkOrigin(credential.origin) }
    }

    /// Rejects a credential for another origin.
    package func checkOrigin(_ origin: HTTPOrigin) throws(TransportError) {
        guard HTTPOrigin(url) != origin else { return }
        throw CredentialCause.otherOrigin.error(
            "the request's credential is for \(origin), not for \(shownURL)"
        )
    }
}

/// Everything that differs between the kinds of placement.
///
/// A credential is found in a URL by its value for every placement, since a service may repeat it there.
private protocol CredentialKind: CustomStringConvertible {
    /// Adds a credential to a request.
    ///
    /// - Returns: Whether it was added.
    func put(_ value: String, into request: inout HTTPRequest) throws(TransportError) -> Bool
    /// Removes it from the fields.
    func remove(from headers: inout HTTPHeaders)
    /// The name of the query item that holds it in a URL, whatever the item's value is.
    var queryItem: String? { get }
}

extension PlacedCredential.Place {
    /// The only switch over the kinds: a new kind must implement everything that a credential needs.
    fileprivate var kind: any CredentialKind {
        switch self {
        case .field(let name, let scheme): FieldCredential(name: name, scheme: scheme)
        case .query(let name): QueryCredential(name: name)
        case .cookie(let name): CookieCredential(name: name)
        }
    }
}

private struct FieldCredential: CredentialKind {
    let name: HTTPHeaderName
    let scheme: String?

    func put(_ value: String, into request: inout HTTPRequest) -> Bool {
        guard !request.headers.contains(name) else { return false }
        request.headers.setSecret(name, scheme.map { "\($0) \(value)" } ?? value)
        return true
    }

    func remove(from headers: inout HTTPHeaders) { headers[name] = nil }

    var queryItem: String? { nil }

    var description: String {
        if let scheme, name == .authorization { return scheme }
        return [name.rawName, scheme].compactMap(\.self).joined(separator: " ")
    }
}

private struct QueryCredential: CredentialKind {
    let name: String

    func put(_ value: String, into request: inout HTTPRequest) throws(TransportError) -> Bool {
        let item =
            PercentCoding.encoded(name, allowing: .unreserved) + "="
            + PercentCoding.encoded(value, allowing: .unreserved)
        let text = request.url.absoluteString
        let whole = text.prefix { $0 != "#" }
        // A service may repeat it in a link that is followed.
        if whole.byteSplit(separator: "?", maxSplits: 1).dropFirst().first?.byteSplit(separator: "&")
            .contains(where: { $0.hasSameBytes(as: item) }) == true
        {
            return true
        }
        let separator = !whole.contains("?") ? "?" : whole.hasSuffix("?") || whole.hasSuffix("&") ? "" : "&"
        guard let url = URL(string: whole + separator + item, encodingInvalidCharacters: false) else {
            throw CredentialCause.credentialInURL.error("the URL can't be extended with the query item \(name)")
        }
        request.url = url
        return true
    }

    func remove(from headers: inout HTTPHeaders) {}

    var queryItem: String? { name }

    var description: String { "query item \(name)" }
}

private struct CookieCredential: CredentialKind {
    let name: String

    func put(_ value: String, into request: inout HTTPRequest) throws(TransportError) -> Bool {
        guard value.utf8.allSatisfy(\.isCookieOctet), !name.isEmpty, name.utf8.allSatisfy(\.isCookieOctet) else {
            throw CredentialCause.credentialInCookie.error(
                "the cookie \(name) can't hold the credential, which has a character that is invalid in a cookie"
            )
        }
        // Several fields would be joined with commas, which don't separate cookies.
        let cookies = request.headers.values(for: .cookie) + ["\(name)=\(value)"]
        request.headers.setSecret(.cookie, cookies.joined(separator: "; "))
        return true
    }

    /// All cookies are for one origin only.
    func remove(from headers: inout HTTPHeaders) { headers[.cookie] = nil }

    var queryItem: String? { nil }

    var description: String { "cookie \(name)" }
}

extension UInt8 {
    /// Whether a cookie may have the byte ([RFC 6265, section
    /// 4.1.1](https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1)).
    fileprivate var isCookieOctet: Bool {
        switch self {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}

extension PlacedCredential {
    /// Whether it was put into the query.
    package var isInQuery: Bool { if case .query = place { true } else { false } }

    /// A URL without the credential: a service that keeps the query in a redirect would pass the key on.
    ///
    /// An item is removed completely if it contains the credential anywhere, also in an encoded URL, such as the return
    /// URL of a sign-in page.
    ///
    /// - Throws: ``FailureReason/otherOrigin`` if the credential is outside a query item.
    func removed(from url: URL) throws(TransportError) -> URL {
        let text = url.absoluteString
        guard let mark = text.firstIndex(of: "?") else { return try checked(url) }
        let items = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let kept = items.filter { !isItem($0) }
        guard kept.count < items.count else { return try checked(url) }
        let rest = kept.joined(separator: "&")
        guard let shorter = URL(string: text[..<mark] + (rest.isEmpty ? "" : "?" + rest)) else {
            throw refusal(of: url)
        }
        return try checked(shorter)
    }

    private func isItem(_ item: Substring) -> Bool {
        let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // Separately: the beginning of a value may be the first item of a nested query.
        return isIn(item) || parts.dropFirst().contains(where: isIn)
    }

    private func checked(_ url: URL) throws(TransportError) -> URL {
        guard !isIn(url.absoluteString[...]) else { throw refusal(of: url) }
        return url
    }

    private func refusal(of url: URL) -> TransportError {
        // Not the whole URL, which contains the credential.
        let place = HTTPOrigin(url)?.description ?? "another origin"
        return CredentialCause.redirectedCredential.error(
            "a redirect would send the credential for \(origin) to \(place)"
        )
    }
}

// MARK: - Finding

extension PlacedCredential {
    /// A shorter credential is found only by its item's name: its value may occur by chance.
    private static let bytesMin = 8
    /// How often a value in the URL may have been encoded: twice for a URL in a URL, three times for one inside that.
    private static let roundsMax = 5

    /// Whether the credential is in a text, or in an encoded part of it.
    private func isIn(_ text: Substring) -> Bool {
        let value = Self.withSpaces(Array(self.value.reveal().utf8))
        let name = place.kind.queryItem.map { Self.withSpaces(Array($0.utf8)) }
        var bytes = Array(text.utf8)
        for _ in 0...Self.roundsMax {
            // Encoders write a space as + or as %20, and some keep a +: distinguishing them would be a guess.
            let form = Self.withSpaces(bytes)
            if value.count >= Self.bytesMin, !form.ranges(of: value).isEmpty { return true }
            if let name, Self.hasItem(name, in: form) { return true }
            let decoded = PercentCoding.decoded(bytes)
            guard decoded.count < bytes.count else { return false }
            bytes = decoded
        }
        return false
    }

    /// Whether a query inside a text has an item of that exact name.
    private static func hasItem(_ name: [UInt8], in text: [UInt8]) -> Bool {
        text.ranges(of: name + "=".utf8).contains { range in
            range.lowerBound == 0 || "?&;#".utf8.contains(text[range.lowerBound - 1])
        }
    }

    private static func withSpaces(_ text: [UInt8]) -> [UInt8] {
        text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    }
}
