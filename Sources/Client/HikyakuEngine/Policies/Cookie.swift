public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A cookie: a name, a value, and the requests that it is sent with.
///
/// ```swift
/// let cookies = MemoryCookieStore()
/// try cookies.insert(Cookie(name: "locale", value: "ja", domain: "shop.example"))
/// let client = APIClient(options: ClientOptions(cookies: cookies))
/// ```
/// Its description hides the value, which is usually a credential.
///
/// [RFC 6265bis, section 5.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)
public struct Cookie: Sendable, Hashable {
    /// The name; empty for a cookie that has only a value.
    public let name: String
    /// The value as received, including quotes.
    public let value: String
    /// The host that it is sent to, and, unless ``isHostOnly``, its subdomains; in lower case, without a leading dot.
    public let domain: String
    /// Whether it is sent only to ``domain``.
    public let isHostOnly: Bool
    /// The path that it is sent to, including paths below it.
    public let path: String
    /// Whether it is sent only over `https`.
    public let isSecure: Bool
    /// Whether it is hidden from scripts; a client has none, and keeps the attribute.
    public let isHTTPOnly: Bool
    /// Whether it is sent after a redirect from another site; `nil` without the attribute, which means
    /// ``SameSite/lax``.
    public let sameSite: SameSite?
    /// The expiry; `nil` for a session cookie, which no file keeps.
    public internal(set) var expires: Date?
    /// When it was first set.
    public internal(set) var created: Date

    /// Whether a cookie is sent with requests from another site.
    ///
    /// ```swift
    /// let cookie = Cookie(name: "theme", value: "dark", domain: "shop.example", sameSite: .lax)
    /// ```
    /// A call of a client starts its own chain and comes from no site, so all cookies are sent. After a redirect from
    /// another site (another scheme or registrable domain) it is a request from that site.
    public enum SameSite: String, Sendable, Hashable, CaseIterable, Codable {
        /// It isn't sent.
        case strict
        /// It is sent only with GET and other safe methods.
        case lax
        /// It is sent.
        case none
    }

    /// Creates a cookie for a store; the store rejects one that can't be sent.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: The host, without a leading dot.
    ///   - isHostOnly: Whether it is sent only to that host.
    ///   - path: The path that it is sent to, including paths below it.
    ///   - isSecure: Whether it is sent only over `https`.
    ///   - isHTTPOnly: Whether it is hidden from scripts.
    ///   - sameSite: Whether it is sent after a redirect from another site.
    ///   - expires: The expiry; `nil` for the end of the session. Stores keep no cookie longer than 400 days.
    ///   - created: When it was first set; stores clamp it to the time from 1970 until now.
    public init(
        name: String,
        value: String,
        domain: String,
        isHostOnly: Bool = true,
        path: String = "/",
        isSecure: Bool = true,
        isHTTPOnly: Bool = true,
        sameSite: SameSite? = nil,
        expires: Date? = nil,
        created: Date = Date(),
    ) {
        self.name = name
        self.value = value
        self.domain = domain.asciiLowercased
        self.isHostOnly = isHostOnly
        self.path = path
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.expires = expires
        self.created = created
    }

    func isExpired(at now: Date) -> Bool {
        expires.map { $0 <= now } ?? false
    }

    /// The name that a server parses: a cookie without a name is sent as its value only, which may look like a pair.
    var nameAsSent: String { name.isEmpty ? value.nameOfPair : name }

    /// The pair in a `Cookie` field.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

extension Cookie {
    /// Compares all parts, strings by their bytes, as servers do.
    public static func == (left: Self, right: Self) -> Bool {
        left.isSame(as: right) && left.value.hasSameBytes(as: right.value) && left.isSecure == right.isSecure
            && left.isHTTPOnly == right.isHTTPOnly && left.sameSite == right.sameSite && left.expires == right.expires
            && left.created == right.created
    }

    /// Hashes the strings: those of two cookies are rarely the same.
    public func hash(into hasher: inout Hasher) {
        for text in [name, value, domain, path] { hasher.combine(ByteText(text)) }
    }

    /// Whether one replaces the other in a store.
    func isSame(as other: Cookie) -> Bool {
        name.hasSameBytes(as: other.name) && domain.hasSameBytes(as: other.domain)
            && path.hasSameBytes(as: other.path) && isHostOnly == other.isHostOnly
    }
}

extension StringProtocol {
    /// The part of `name=value` that a server parses as the name; without `=`, the whole text.
    var nameOfPair: String {
        String(self[..<(firstByteIndex(of: "=") ?? endIndex)].trimmingSpaces)
    }
}

extension Cookie: Redacted {
    /// `sid=‹redacted› for a.example/`.
    public var description: String {
        let place = Redaction.printable(domain + path)
        return "\(Redaction.printable(name, scalarsMax: 100))=\(Redaction.placeholder) for \(place)"
    }
}
