#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Cookies in memory: they end with the store.
public final class MemoryCookieStore: CookieStore {
    private let jar: Lock<CookieJar>
    private let now: @Sendable () -> Date

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - cookies: What it holds at first; what could never be sent is left out.
    ///   - publicSuffixes: Which domains no cookie may be for.
    ///   - now: The wall clock, which expiry is measured by.
    public init(
        _ cookies: [Cookie] = [],
        publicSuffixes: any PublicSuffixes = .singleLabel,
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
