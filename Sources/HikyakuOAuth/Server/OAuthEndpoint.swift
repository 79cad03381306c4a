import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A URL of an authorization server, looked at before anything goes there.
struct OAuthEndpoint: Sendable {
    /// No URL of a server is longer, in bytes.
    private static let bytesMax = 8 * 1024

    let url: URL
    /// Scheme, host and port, which a client may put another in the place of.
    let environment: APIEnvironment
    let path: RequestPath
    /// The items that the URL has by itself; they are kept (RFC 6749, sections 3.1 and 3.2).
    let query: String?

    /// Takes a URL apart.
    ///
    /// - Parameters:
    ///   - text: The URL; `nil` where the server has none.
    ///   - name: What it is called in an error.
    ///   - allowsLoopback: Whether it may be reached without TLS on this machine.
    /// - Throws: ``OAuthProblem`` for a missing, a malformed and an insecure one.
    init(_ text: String?, _ name: String, allowsLoopback: Bool = true) throws(OAuthProblem) {
        guard let text else { throw OAuthProblem(.missingEndpoint, "the server has no \(name)") }
        guard text.utf8.count <= Self.bytesMax, let url = URL(string: text, encodingInvalidCharacters: false),
            let origin = HTTPOrigin(url), url.user == nil, url.password == nil, !text.hasByte("#"),
            origin.scheme == "https" || origin.scheme == "http"
        else { throw OAuthProblem(.malformedEndpoint, "the \(name) is no https URL without credentials and fragment") }
        guard origin.scheme == "https" || allowsLoopback && origin.isLoopback else {
            throw OAuthProblem(.insecureEndpoint, "the \(name) is reached by http at \(origin.host)")
        }
        self.url = url
        environment = APIEnvironment(baseURL: origin.description)
        path = RequestPath(url.path(percentEncoded: true))
        query = url.query(percentEncoded: true)
    }

    /// The URL with more items in its query.
    func url(adding items: [(String, String)]) throws(OAuthProblem) -> URL {
        let separator = query == nil ? "?" : query == "" ? "" : "&"
        let text = url.absoluteString + separator + FormText.encoded(items)
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw OAuthProblem(.malformedEndpoint, "the endpoint has no room for parameters")
        }
        return url
    }
}
