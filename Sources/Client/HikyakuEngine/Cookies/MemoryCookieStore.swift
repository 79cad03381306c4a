public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Cookies in memory: they are lost with the store.
///
/// ```swift
/// let cookies = MemoryCookieStore()
/// let client = APIClient(options: ClientOptions(cookies: cookies))
/// cookies.removeAll()  // signs out of services that know their users by cookies
/// ```
public final class MemoryCookieStore: CookieStore {
    private let jar: Lock<CookieJar>
    private let now: @Sendable () -> Date

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - cookies: The initial cookies; those that could never be sent are left out.
    ///   - publicSuffixes: The domains that no cookie may have; `nil` for those that are evident without a list: `com`
    ///     and `co.uk`, but not `github.io`.
    ///   - now: The wall clock for expiry.
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

    /// All cookies that haven't expired.
    public var cookies: [Cookie] {
        let now = now()
        return jar.withLock { $0.cookies }.filter { !$0.isExpired(at: now) }
    }

    /// `true`: it waits for nothing.
    public var endsOnCancellation: Bool { true }

    /// The cookies for a request.
    public func cookies(for scope: CookieScope) -> [Cookie] {
        let now = now()
        return jar.withLock { $0.cookies(for: scope, at: now) }
    }

    /// Stores the cookies of a response.
    public func store(_ setCookies: [String], from scope: CookieScope) {
        let now = now()
        jar.withLock { jar in
            for setCookie in setCookies { jar.store(setCookie, from: scope, at: now) }
        }
    }

    /// Removes all cookies that could be sent to the host of a URL.
    public func removeCookies(for url: URL) {
        jar.withLock { $0.removeAll(for: url) }
    }

    /// Inserts a cookie that isn't from a response.
    ///
    /// - Throws: ``CookieRefusal`` if it could never be sent.
    public func insert(_ cookie: Cookie) throws(CookieRefusal) {
        let now = now()
        try jar.withLock { jar throws(CookieRefusal) in try jar.insert(cookie, at: now) }
    }

    /// Removes the cookies that match a condition, for example to sign out; it is called for all of them first.
    public func removeAll(where shouldBeRemoved: (Cookie) -> Bool = { _ in true }) {
        let removed = Set(jar.withLock { $0.cookies }.filter(shouldBeRemoved))
        jar.withLock { $0.removeAll { removed.contains($0) } }
    }
}

extension MemoryCookieStore: Redacted {
    /// The number of cookies.
    public var description: String { "MemoryCookieStore with \(cookies.count) cookies" }
}
