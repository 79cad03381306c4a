import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A URL of an authorization server, validated before it is used.
struct OAuthEndpoint: Sendable {
    /// The maximum size of a server's URL, in bytes.
    private static let bytesMax = 8 * 1024

    let url: URL
    /// Scheme, host and port, which a client can substitute.
    let environment: APIEnvironment
    let path: RequestPath
    /// The query items of the URL itself; they are kept (RFC 6749, sections 3.1 and 3.2).
    let query: String?

    /// Parses and validates a URL.
    ///
    /// - Parameters:
    ///   - text: The URL; `nil` if the server has none.
    ///   - name: Its name in an error.
    ///   - allowsLoopback: Whether it may be used without TLS on this machine.
    /// - Throws: ``OAuthProblem`` for a missing, a malformed and an insecure URL.
    init(_ text: String?, _ name: String, allowsLoopback: Bool = true) throws(OAuthProblem) {
        guard let text else { throw OAuthProblem(.missingEndpoint, "the server has no \(name)") }
        guard text.utf8.count <= Self.bytesMax, let url = URL(string: text, encodingInvalidCharacters: false),
            let origin = HTTPOrigin(url), url.user == nil, url.password == nil, !text.hasByte("#"),
            origin.scheme == "https" || origin.scheme == "http", origin.host.isURLHost
        else {
            throw OAuthProblem(.malformedEndpoint, "the \(name) must be an https URL without credentials and fragment")
        }
        guard origin.scheme == "https" || allowsLoopback && origin.isLoopback else {
            throw OAuthProblem(.insecureEndpoint, "the \(name) uses plain http at \(origin.host)")
        }
        self.url = url
        environment = APIEnvironment(baseURL: origin.description)
        path = RequestPath(url.path(percentEncoded: true))
        query = url.query(percentEncoded: true)
    }

    /// The URL with additional query items.
    func url(adding items: [(String, String)]) throws(OAuthProblem) -> URL {
        let separator = query == nil ? "?" : query == "" ? "" : "&"
        let text = url.absoluteString + separator + FormText.encoded(items)
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw OAuthProblem(.malformedEndpoint, "the endpoint's URL can't be extended with parameters")
        }
        return url
    }
}

/// Strings in `application/x-www-form-urlencoded`, in a form that is also valid in URLs.
///
/// [RFC 6749, appendix B](https://www.rfc-editor.org/rfc/rfc6749#appendix-B)
enum FormText {
    /// The maximum number of query items.
    private static let itemsMax = 100

    /// The text with everything except letters, digits and `-._~` as triplets.
    static func encoded(_ text: String) -> String {
        PercentCoding.encoded(text, allowing: .unreserved)
    }

    /// `name=value&…`, in the given order.
    static func encoded(_ items: [(String, String)]) -> String {
        items.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    /// The items of a query; `nil` if a triplet is broken, a text is not UTF-8, or there are too many.
    static func items(of query: String) -> [(name: String, value: String)]? {
        let parts = query.utf8.split(separator: UInt8(ascii: "&"))
        guard parts.count <= itemsMax else { return nil }
        var items: [(name: String, value: String)] = []
        for part in parts {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(sides[0]), let value = sides.count == 2 ? decoded(sides[1]) : "" else {
                return nil
            }
            items.append((name, value))
        }
        return items
    }

    private static func decoded(_ encoded: Substring.UTF8View) -> String? {
        PercentCoding.text(of: encoded, plusIsSpace: true)
    }
}
