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
        switch token.placement.place {
        case .field(let name, let scheme):
            guard !headers.contains(name) else { return false }
            headers.setSecret(name, scheme.map { "\($0) \(value)" } ?? value)
        case .query(let name):
            url = try url.adding(name, value)
        case .cookie(let name):
            guard value.utf8.allSatisfy(\.isCookieOctet), !name.isEmpty, name.utf8.allSatisfy(\.isCookieOctet) else {
                throw TransportError(
                    .header,
                    "the cookie \(name) can't hold the credential: it has a character that no cookie has",
                )
            }
            // Several fields would be joined by a comma, which is no end of a cookie.
            let cookies = headers.values(for: .cookie) + ["\(name)=\(value)"]
            headers.setSecret(.cookie, cookies.joined(separator: "; "))
        }
        credentials.append(
            PlacedCredential(value: Secret(value), queryItem: token.placement.queryItem, origin: origin)
        )
        return true
    }
}

extension HTTPRequest {
    /// Refuses to send credentials elsewhere: the last look before the wire.
    func checkCredentials() throws(TransportError) {
        for credential in credentials where !credential.isLeftBehind { try checkOrigin(credential.origin) }
    }

    /// Refuses to take a credential elsewhere than to its origin.
    func checkOrigin(_ origin: HTTPOrigin) throws(TransportError) {
        guard HTTPOrigin(url) != origin else { return }
        throw TransportError(
            .otherOrigin,
            "the request's credential is for \(origin), and not for \(Redaction.text(of: url))",
        )
    }
}

extension URL {
    /// The URL with an item behind its query.
    fileprivate func adding(_ name: String, _ value: String) throws(TransportError) -> URL {
        let item =
            PercentEncoding.encoded(name, allowing: .unreserved) + "="
            + PercentEncoding.encoded(value, allowing: .unreserved)
        let text = absoluteString
        let whole = text.prefix { $0 != "#" }
        let separator = !whole.contains("?") ? "?" : whole.hasSuffix("?") || whole.hasSuffix("&") ? "" : "&"
        guard let url = URL(string: whole + separator + item, encodingInvalidCharacters: false) else {
            throw TransportError(.url, "the URL has no room for the query item \(name)")
        }
        return url
    }
}

extension UInt8 {
    /// Whether a cookie may have the byte ([RFC 6265, section 4.1.1](https://www.rfc-editor.org/rfc/rfc6265#section-4.1.1)).
    fileprivate var isCookieOctet: Bool {
        switch self {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}
