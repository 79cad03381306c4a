#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HTTPRequest {
    /// Puts a credential in its place, for one origin alone, beside those that are there for others to see to.
    ///
    /// - Returns: Whether it is there: a field that the request has by itself is kept.
    @discardableResult
    mutating func carry(_ token: AccessToken<Ready>, to origin: HTTPOrigin) throws(TransportError) -> Bool {
        guard let value = token.reveal() else { return false }
        let place = token.placement.place
        guard try place.kind.put(value, into: &self) else { return false }
        credentials.append(PlacedCredential(value: Secret(value), place: place, origin: origin))
        return true
    }

    /// Takes all credentials out, since the request goes to another origin; it must not get them back.
    ///
    /// - Throws: ``FailureReason/otherOrigin`` where the URL to go to holds one, and not in an item of the query.
    mutating func leaveCredentialsBehind() throws(TransportError) {
        for index in credentials.indices { credentials[index].isLeftBehind = true }
        try removeCredentialsLeftBehind()
    }

    /// Takes those out again that were left behind, which a redirect may bring back.
    mutating func removeCredentialsLeftBehind() throws(TransportError) {
        for credential in credentials where credential.isLeftBehind {
            credential.place.kind.remove(from: &headers)
            url = try credential.removed(from: url)
        }
    }

    /// Refuses to send credentials elsewhere: the last look before the wire.
    func checkCredentials() throws(TransportError) {
        for credential in credentials where !credential.isLeftBehind { try checkOrigin(credential.origin) }
    }

    /// Refuses to take a credential elsewhere than to its origin.
    func checkOrigin(_ origin: HTTPOrigin) throws(TransportError) {
        guard HTTPOrigin(url) != origin else { return }
        throw TransportError(
            .otherOrigin,
            "the request's credential is for \(origin), and not for \(shownURL)",
        )
    }
}

/// All that differs between the kinds of places.
///
/// In the URL, a credential is looked for by its value wherever it was placed, since a service may repeat it there.
protocol CredentialKind: CustomStringConvertible {
    /// Puts a credential into a request.
    ///
    /// - Returns: Whether it is there.
    func put(_ value: String, into request: inout HTTPRequest) throws(TransportError) -> Bool
    /// Takes it out of the fields.
    func remove(from headers: inout HTTPHeaders)
    /// The query's item by whose name it is found in a URL, whatever its value is.
    var queryItem: String? { get }
}

extension PlacedCredential.Place {
    /// The one place where kinds are told apart: a new one has to say all that a credential of it needs.
    var kind: any CredentialKind {
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
            PercentEncoding.encoded(name, allowing: .unreserved) + "="
            + PercentEncoding.encoded(value, allowing: .unreserved)
        let text = request.url.absoluteString
        let whole = text.prefix { $0 != "#" }
        let separator = !whole.contains("?") ? "?" : whole.hasSuffix("?") || whole.hasSuffix("&") ? "" : "&"
        guard let url = URL(string: whole + separator + item, encodingInvalidCharacters: false) else {
            throw TransportError(.url, "the URL has no room for the query item \(name)")
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
            throw TransportError(
                .header,
                "the cookie \(name) can't hold the credential: it has a character that no cookie has",
            )
        }
        // Several fields would be joined by a comma, which is no end of a cookie.
        let cookies = request.headers.values(for: .cookie) + ["\(name)=\(value)"]
        request.headers.setSecret(.cookie, cookies.joined(separator: "; "))
        return true
    }

    /// All cookies are for one origin alone.
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
