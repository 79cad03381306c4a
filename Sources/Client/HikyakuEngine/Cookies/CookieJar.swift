import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The rules for receiving, storing and sending cookies, as a value without a clock: the basis of stores.
///
/// ```swift
/// var jar = CookieJar()
/// let signIn = CookieScope(url: signInURL, method: .post)
/// if let refusal = jar.store("sid=42; Secure; HttpOnly", from: signIn, at: Date()) { log(refusal) }
/// let sent = jar.cookies(for: CookieScope(url: menuURL), at: Date())
/// ```
/// It holds at most 180 cookies per domain and 3,000 in total. It evicts expired cookies first, then, for a domain with
/// too many, those that aren't `Secure`, then its others, then any; among equals the least recently used.
///
/// [RFC 6265bis, section 5](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)
public struct CookieJar: Sendable {
    /// The maximum number of cookies of one domain.
    package static let domainCountMax = 180
    /// The maximum number of cookies in total.
    package static let countMax = 3000

    struct Entry: Sendable {
        var cookie: Cookie
        /// Its position in the order of creation, for which a clock is not reliable.
        let made: UInt64
        /// When it was last sent or set, by the same counter.
        var used: UInt64
    }

    private let suffixes: any PublicSuffixes
    private(set) var entries: [String: [Entry]] = [:]
    private var last: UInt64 = 0
    private var count = 0

    /// Creates an empty jar.
    ///
    /// - Parameter publicSuffixes: The domains that no cookie may have; `nil` for those that are evident without a
    ///   list: `com` and `co.uk`, but not `github.io`.
    public init(publicSuffixes: (any PublicSuffixes)? = nil) {
        suffixes = publicSuffixes ?? EvidentSuffixes()
    }

    /// All cookies, including expired ones, in the order of creation.
    public var cookies: [Cookie] {
        entries.values.joined().sorted { $0.made < $1.made }.map(\.cookie)
    }

    /// Removes the cookies that match a condition.
    public mutating func removeAll(where shouldBeRemoved: (Cookie) throws -> Bool) rethrows {
        try removeEntries { try shouldBeRemoved($0.cookie) }
    }

    /// Removes all cookies that could be sent to the host of a URL, whatever their paths.
    public mutating func removeAll(for url: URL) {
        guard let host = CookieScope(url: url).host else { return }
        // Host names, which are in lower-case ASCII here and as the keys of `entries`.
        let domains = Set(CookieRules.domains(of: host))
        removeAll { domains.contains($0.domain) && ($0.domain == host || !$0.isHostOnly) }
    }
}

// MARK: - Sending

extension CookieJar {
    /// The cookies for a request: longer paths first, and for the same length the older ones first (section 5.8.3).
    ///
    /// - Parameters:
    ///   - scope: The request.
    ///   - now: The time for expiry.
    /// - Returns: The cookies in the order in which they are sent.
    public mutating func cookies(for scope: CookieScope, at now: Date) -> [Cookie] {
        guard let host = scope.host, count > 0 else { return [] }
        let isCrossSite = scope.isCrossSite(suffixes)
        var found: [Entry] = []
        for domain in CookieRules.domains(of: host) {
            guard let candidates = entries[domain] else { continue }
            for index in candidates.indices {
                let cookie = candidates[index].cookie
                guard domain == host || !cookie.isHostOnly, !cookie.isExpired(at: now),
                    CookieRules.pathMatches(scope.path, cookie.path), scope.isSecure || !cookie.isSecure,
                    !isCrossSite || cookie.goesAcrossSites(by: scope.method)
                else { continue }
                last += 1
                entries[domain]?[index].used = last
                found.append(candidates[index])
            }
        }
        return found.sorted { left, right in
            let lengths = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return lengths.0 == lengths.1 ? left.made < right.made : lengths.0 > lengths.1
        }.map(\.cookie)
    }
}

extension Cookie {
    fileprivate func goesAcrossSites(by method: HTTPMethod) -> Bool {
        switch sameSite ?? .lax {
        case .strict: false
        case .lax: method.isSafe
        case .none: true
        }
    }
}

// MARK: - Receiving

extension CookieJar {
    /// Stores a cookie from a response (section 5.7); an expired one removes the cookie with its name.
    ///
    /// - Parameters:
    ///   - setCookie: The value of one `Set-Cookie` field.
    ///   - scope: The request of the response.
    ///   - now: The time for expiry.
    /// - Returns: Why it was ignored; `nil` if it was stored.
    @discardableResult
    public mutating func store(_ setCookie: String, from scope: CookieScope, at now: Date) -> CookieRefusal? {
        do throws(CookieRefusal) {
            let cookie = try cookie(SetCookie(setCookie), from: scope, at: now)
            if !cookie.isSecure, !scope.isSecure, hidesSecure(cookie, at: now) { throw .hidesSecure }
            keep(cookie, at: now)
            return nil
        } catch {
            return error
        }
    }

    /// Inserts a cookie that isn't from a response, and replaces one with the same name, domain and path.
    ///
    /// - Parameters:
    ///   - cookie: The cookie.
    ///   - now: The time for expiry.
    /// - Throws: ``CookieRefusal`` if it could never be sent.
    public mutating func insert(_ cookie: Cookie, at now: Date) throws(CookieRefusal) {
        guard !cookie.name.isEmpty || !cookie.value.isEmpty else { throw .empty }
        guard cookie.name.utf8.count + cookie.value.utf8.count <= CookieRules.pairBytesMax else { throw .tooLong }
        // The path isn't sent: that of a URL may have a semicolon.
        guard ![cookie.name, cookie.value, cookie.path].contains(where: CookieRules.hasControl),
            ![cookie.name, cookie.value].contains(where: { $0.utf8.contains(UInt8(ascii: ";")) }),
            !cookie.name.utf8.contains(UInt8(ascii: "=")), cookie.path.hasBytePrefix("/"),
            cookie.path.utf8.count <= CookieRules.attributeBytesMax
        else { throw .malformed }
        guard !cookie.domain.isEmpty, cookie.domain.utf8.count <= CookieRules.domainBytesMax,
            cookie.domain.isURLHost
        else { throw .otherDomain }
        guard cookie.expires?.timeIntervalSince1970.isNaN != true else { throw .malformed }
        let latest = now.addingTimeInterval(Double(CookieRules.secondsMax))
        var cookie = cookie
        cookie.expires = cookie.expires.map { min($0, latest) }
        cookie.created = min(cookie.created, now)
        keep(cookie, at: now)
    }

    private func cookie(_ set: SetCookie, from scope: CookieScope, at now: Date) throws(CookieRefusal) -> Cookie {
        guard let host = scope.host else { throw .noHost }
        let domain = try domain(of: set, host)
        guard !set.isSecure || scope.isSecure else { throw .insecure }
        let path = set.path ?? CookieRules.defaultPath(of: scope.path)
        // The request's path may be as long as a header block, and a jar can hold thousands of cookies.
        guard path.utf8.count <= CookieRules.attributeBytesMax else { throw .tooLong }
        let isHostOnly = domain.isEmpty
        // A cookie without a name is sent as its value only, which is then parsed as a name.
        let prefixed = (set.name.isEmpty ? set.value : set.name).asciiLowercased
        let isHostPrefixed = prefixed.hasBytePrefix("__host-")
        if isHostPrefixed || prefixed.hasBytePrefix("__secure-") {
            guard !set.name.isEmpty, set.isSecure else { throw .prefix }
            guard !isHostPrefixed || (isHostOnly && set.path == "/") else { throw .prefix }
        }
        return Cookie(
            name: set.name,
            value: set.value,
            domain: isHostOnly ? host : domain,
            isHostOnly: isHostOnly,
            path: path,
            isSecure: set.isSecure,
            isHTTPOnly: set.isHTTPOnly,
            sameSite: set.sameSite,
            expires: set.expires(from: now),
            created: now,
        )
    }

    /// The domain of a cookie; empty for the host only.
    private func domain(of set: SetCookie, _ host: String) throws(CookieRefusal) -> String {
        guard !set.domain.isEmpty else { return "" }
        // With a trailing dot it would be another spelling of a suffix.
        guard CookieRules.domainMatches(host, set.domain), !set.domain.hasByteSuffix(".") else { throw .otherDomain }
        guard suffixes.isPublicSuffix(set.domain), !CookieRules.isAddress(set.domain) else { return set.domain }
        guard set.domain == host else { throw .publicSuffix }
        return ""
    }

    /// Whether a cookie would be sent together with or instead of one that `http` must not change.
    private func hidesSecure(_ cookie: Cookie, at now: Date) -> Bool {
        let name = cookie.nameAsSent
        return entries.contains { domain, others in
            (CookieRules.domainMatches(domain, cookie.domain) || CookieRules.domainMatches(cookie.domain, domain))
                && others.contains {
                    $0.cookie.isSecure && $0.cookie.nameAsSent.hasSameBytes(as: name) && !$0.cookie.isExpired(at: now)
                        && CookieRules.pathMatches(cookie.path, $0.cookie.path)
                }
        }
    }
}

// MARK: - Storing

extension CookieJar {
    private mutating func keep(_ cookie: Cookie, at now: Date) {
        // The clock may also be a custom one.
        var cookie = cookie
        cookie.expires = cookie.expires.map(CookieRules.writable)
        cookie.created = CookieRules.writable(cookie.created)
        var others = entries[cookie.domain] ?? []
        let countBefore = others.count
        last += 1
        var made = last
        if let index = others.firstIndex(where: { $0.cookie.isSame(as: cookie) }) {
            let old = others.remove(at: index)
            (cookie.created, made) = (old.cookie.created, old.made)
        }
        if !cookie.isExpired(at: now) { others.append(Entry(cookie: cookie, made: made, used: last)) }
        if others.count > Self.domainCountMax { others.removeAll { $0.cookie.isExpired(at: now) } }
        while others.count > Self.domainCountMax {
            let open = others.indices.filter { !others[$0].cookie.isSecure }
            let victims = open.isEmpty ? Array(others.indices) : open
            guard let victim = victims.min(by: { others[$0].used < others[$1].used }) else { break }
            others.remove(at: victim)
        }
        entries[cookie.domain] = others.isEmpty ? nil : others
        count += others.count - countBefore
        if count > Self.countMax { shrink(at: now) }
    }

    private mutating func shrink(at now: Date) {
        removeAll { $0.isExpired(at: now) }
        guard count > Self.countMax else { return }
        let uses = entries.values.joined().map(\.used).sorted()
        let oldest = Set(uses.prefix(count - Self.countMax))
        removeEntries { oldest.contains($0.used) }
    }

    private mutating func removeEntries(where shouldBeRemoved: (Entry) throws -> Bool) rethrows {
        for (domain, old) in entries {
            let kept = try old.filter { try !shouldBeRemoved($0) }
            count -= old.count - kept.count
            entries[domain] = kept.isEmpty ? nil : kept
        }
    }
}
