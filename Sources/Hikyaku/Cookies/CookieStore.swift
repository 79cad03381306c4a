import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What keeps cookies between requests: the seam to memory, a file, or a store that several processes share.
///
/// ```swift
/// let client = APIClient(options: ClientOptions(cookies: MemoryCookieStore()))
/// ```
/// ## Writing one
/// The first two functions are called for each hop of each call, concurrently and on no particular thread:
/// `cookies(for:)` just before the request is sent, `store(_:from:)` when a response with `Set-Cookie` came, whatever
/// its status. The rules are those of ``CookieJar``: keep one behind a lock, and what is left to do is to keep it
/// elsewhere too. What either throws ends the call as ``FailureReason/cookieStore``; a store that can do without should
/// not throw.
///
/// Whoever shares a store among clients shares what their users are signed in to.
public protocol CookieStore: Sendable, CancellationPromise {
    /// The cookies that go with a request, in the order in which they are sent.
    func cookies(for scope: CookieScope) async throws -> [Cookie]

    /// Takes over what a response sets; what the rules refuse is passed over.
    ///
    /// - Parameters:
    ///   - setCookies: The values of its `Set-Cookie` fields, as they came.
    ///   - scope: The request that was answered.
    /// - Throws: What ends the call.
    func store(_ setCookies: [String], from scope: CookieScope) async throws

    /// Removes all cookies that could go to a host, whatever their paths: when a client signs out.
    ///
    /// - Parameter url: A URL of the host.
    /// - Throws: What keeps them from being removed.
    func removeCookies(for url: URL) async throws
}

/// The request that cookies are sent with or set by, as far as they care.
public struct CookieScope: Sendable, Hashable {
    /// The URL of this hop.
    public let url: URL
    /// The method of this hop.
    public let method: HTTPMethod
    /// The URLs that redirected to it, from the first on.
    public let earlierURLs: [URL]
    /// What is left out of the URL where it is shown.
    var pathSecrets = PathSecrets()

    /// Makes a scope.
    public init(url: URL, method: HTTPMethod = .get, earlierURLs: [URL] = []) {
        self.url = url
        self.method = method
        self.earlierURLs = earlierURLs
    }

    /// The host in lower case; `nil` where there is none that a name server would know.
    var host: String? { Self.host(of: url) }

    var isSecure: Bool { url.scheme?.lowercased() == "https" }

    /// The path, `/` where the URL has none.
    var path: String {
        let path = url.path(percentEncoded: true)
        return path.hasBytePrefix("/") ? path : "/"
    }

    /// Whether another site has led here.
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

extension CookieScope: CustomStringConvertible, CustomReflectable {
    /// Method and URL, without the query's values and the secrets in the path.
    public var description: String { "\(method) \(Redaction.text(of: url, without: pathSecrets))" }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension FailureReason {
    /// The cookie store threw.
    public static let cookieStore = FailureReason(.other, "cookieStore")
}

/// Cookies in memory: they end with the store.
public final class MemoryCookieStore: CookieStore {
    private let jar: Lock<CookieJar>
    private let now: @Sendable () -> Date

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - cookies: What it holds at first; what could never be sent is left out.
    ///   - publicSuffixes: Which domains no cookie may be for; `nil` for those of one label: `com`, but not `co.uk`.
    ///   - now: The wall clock, which expiry is measured by.
    public init(
        _ cookies: [Cookie] = [],
        publicSuffixes: (any PublicSuffixes)? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
    ) {
        var jar = CookieJar(publicSuffixes: publicSuffixes)
        for cookie in cookies { try? jar.insert(cookie, at: now()) }
        self.jar = Lock(jar)
        self.now = now
    }

    /// All that haven't expired.
    public var cookies: [Cookie] {
        let now = now()
        return jar.withLock { $0.cookies }.filter { !$0.isExpired(at: now) }
    }

    /// Nothing is waited for.
    public var endsOnCancellation: Bool { true }

    /// The cookies that go with a request.
    public func cookies(for scope: CookieScope) -> [Cookie] {
        let now = now()
        return jar.withLock { $0.cookies(for: scope, at: now) }
    }

    /// Takes over what a response sets.
    public func store(_ setCookies: [String], from scope: CookieScope) {
        let now = now()
        jar.withLock { jar in
            for setCookie in setCookies { jar.store(setCookie, from: scope, at: now) }
        }
    }

    /// Removes all cookies that could go to the host of a URL.
    public func removeCookies(for url: URL) {
        jar.withLock { $0.removeAll(for: url) }
    }

    /// Puts a cookie in that no response has set.
    ///
    /// - Throws: ``CookieRefusal`` when it could never be sent as it stands.
    public func insert(_ cookie: Cookie) throws(CookieRefusal) {
        let now = now()
        try jar.withLock { jar throws(CookieRefusal) in try jar.insert(cookie, at: now) }
    }

    /// Removes the cookies for which the condition holds, to sign out say; it is asked about all of them first.
    public func removeAll(where shouldBeRemoved: (Cookie) -> Bool = { _ in true }) {
        let doomed = Set(jar.withLock { $0.cookies }.filter(shouldBeRemoved))
        jar.withLock { $0.removeAll { doomed.contains($0) } }
    }
}

extension MemoryCookieStore: CustomStringConvertible, CustomReflectable {
    /// How many there are.
    public var description: String { "MemoryCookieStore with \(cookies.count) cookies" }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}
