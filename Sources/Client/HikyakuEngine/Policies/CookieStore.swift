public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps cookies between requests: the protocol for memory, a file, or a store that several processes share.
///
/// ```swift
/// let client = APIClient(options: ClientOptions(cookies: MemoryCookieStore()))
/// ```
/// ## Writing one
/// The first two functions are called for each hop of each call, concurrently and on no particular thread:
/// `cookies(for:)` just before the request is sent, `store(_:from:)` when a response with `Set-Cookie` was received,
/// whatever its status. ``CookieJar`` implements the rules: protect one with a lock, and only persist its cookies
/// yourself. An error of either function ends the call as ``FailureReason/cookieStore``; a store for which cookies are
/// optional should not throw.
///
/// Clients that share a store also share the users' sessions.
public protocol CookieStore: Sendable, CancellationPromise {
    /// The cookies for a request, in the order in which they are sent.
    func cookies(for scope: CookieScope) async throws -> [Cookie]

    /// Stores the cookies of a response; those that the rules reject are ignored.
    ///
    /// - Parameters:
    ///   - setCookies: The values of its `Set-Cookie` fields, as received.
    ///   - scope: The request of the response.
    /// - Throws: The error that ends the call.
    func store(_ setCookies: [String], from scope: CookieScope) async throws

    /// Removes all cookies that could be sent to a host, whatever their paths: when a client signs out.
    ///
    /// - Parameter url: A URL of the host.
    /// - Throws: An error if they can't be removed.
    func removeCookies(for url: URL) async throws
}

/// The properties of a request that matter for its cookies.
///
/// ```swift
/// let cookies = MemoryCookieStore()
/// cookies.store(["sid=42; Secure; HttpOnly"], from: CookieScope(url: signInURL, method: .post))
/// #expect(cookies.cookies(for: CookieScope(url: menuURL)).map(\.name) == ["sid"])
/// ```
public struct CookieScope: Sendable, Hashable {
    /// The URL of this hop.
    public let url: URL
    /// The method of this hop.
    public let method: HTTPMethod
    /// The URLs that redirected to it, the first one first.
    public let earlierURLs: [URL]
    /// The secrets that are hidden in the URL where it is shown.
    var pathSecrets = PathSecrets()

    /// Creates a scope.
    public init(url: URL, method: HTTPMethod = .get, earlierURLs: [URL] = []) {
        self.url = url
        self.method = method
        self.earlierURLs = earlierURLs
    }

    /// The host in lower case; `nil` if there is none that DNS could resolve.
    var host: String? { Self.host(of: url) }

    var isSecure: Bool { url.scheme?.lowercased() == "https" }

    /// The path; `/` if the URL has none.
    var path: String {
        let path = url.path(percentEncoded: true)
        return path.hasBytePrefix("/") ? path : "/"
    }

    /// Whether it was redirected from another site.
    func isCrossSite(_ suffixes: any PublicSuffixes) -> Bool {
        guard !earlierURLs.isEmpty else { return false }
        let site = Self.site(of: url, suffixes)
        return earlierURLs.contains { Self.site(of: $0, suffixes) != site }
    }

    private static func host(of url: URL) -> String? {
        url.bracketedHost.flatMap { $0.utf8.count <= CookieRules.domainBytesMax ? $0.asciiLowercased : nil }
    }

    private static func site(of url: URL, _ suffixes: any PublicSuffixes) -> [String]? {
        guard let host = host(of: url) else { return nil }
        return [url.scheme?.lowercased() ?? "", suffixes.registrableDomain(of: host)]
    }
}

extension CookieScope: Redacted {
    /// Method and URL, without query values and secrets in the path.
    public var description: String { "\(method) \(Redaction.text(of: url, without: pathSecrets))" }
}

extension FailureReason {
    /// The cookie store threw an error.
    public static let cookieStore = FailureReason(
        .other,
        "cookieStore",
        "The app's cookies could not be read or stored.",
        .tryAgain,
        hint: "See context.underlyingError, and check the cookie store's file.",
    )
}
