#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a service asked the client to give back: a name, a value, and where it may go.
///
/// It prints without its value, which as a rule is a credential.
///
/// [RFC 6265bis, section 5.7](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)
public struct Cookie: Sendable, Hashable {
    /// The name; empty for a cookie that is a value alone.
    public let name: String
    /// The value as it came, quotes included.
    public let value: String
    /// The host that it goes to, and unless ``isHostOnly`` those below it; in lower case, without a dot before it.
    public let domain: String
    /// Whether it goes to ``domain`` alone.
    public let isHostOnly: Bool
    /// The path that it goes to, with those below it.
    public let path: String
    /// Whether it goes over `https` alone.
    public let isSecure: Bool
    /// Whether it is hidden from scripts; a client has none, and keeps what was said.
    public let isHTTPOnly: Bool
    /// Whether it goes along after a redirect from another site; `nil` where nothing was said, which means
    /// ``SameSite/lax``.
    public let sameSite: SameSite?
    /// When it ends; `nil` for a cookie of the session, which no file keeps.
    public let expires: Date?
    /// When it was first set.
    public let created: Date

    /// What a cookie says about requests that come from another site.
    ///
    /// A call of a client is the first of its chain and comes from nowhere, so that all cookies go along. After a
    /// redirect from another site (another scheme or registrable domain) it is a request of that site.
    public enum SameSite: String, Sendable, Hashable, CaseIterable, Codable {
        /// It doesn't go along.
        case strict
        /// It goes along by GET and other safe methods alone.
        case lax
        /// It goes along.
        case none
    }

    /// Makes a cookie to put into a store; what can't be sent is refused there.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - value: The value.
    ///   - domain: The host, without a dot before it.
    ///   - isHostOnly: Whether it goes to that host alone.
    ///   - path: The path that it goes to, with those below it.
    ///   - isSecure: Whether it goes over `https` alone.
    ///   - isHTTPOnly: Whether it is hidden from scripts.
    ///   - sameSite: Whether it goes along after a redirect from another site.
    ///   - expires: When it ends; `nil` for the end of the session. Stores keep none longer than 400 days.
    ///   - created: When it was first set; stores move what isn't in the years from 1970 until now there.
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

    /// The name that a server reads: one without a name is sent as its value alone, which may look like a pair.
    var nameAsSent: String { name.isEmpty ? value.nameOfPair : name }

    /// As it stands in a `Cookie` field.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

extension Cookie {
    /// Compares all parts, texts by their bytes, as servers do.
    public static func == (left: Self, right: Self) -> Bool {
        left.isSame(as: right) && left.value.hasSameBytes(as: right.value) && left.isSecure == right.isSecure
            && left.isHTTPOnly == right.isHTTPOnly && left.sameSite == right.sameSite && left.expires == right.expires
            && left.created == right.created
    }

    /// Feeds the texts: those of two cookies rarely are the same.
    public func hash(into hasher: inout Hasher) {
        for text in [name, value, domain, path] { hasher.combine(ByteText(text)) }
    }

    /// Whether one takes the place of the other in a store.
    func isSame(as other: Cookie) -> Bool {
        name.hasSameBytes(as: other.name) && domain.hasSameBytes(as: other.domain)
            && path.hasSameBytes(as: other.path) && isHostOnly == other.isHostOnly
    }
}

extension StringProtocol {
    /// What of `name=value` a server reads as the name; without `=`, the whole.
    var nameOfPair: String {
        String(self[..<(firstByteIndex(of: "=") ?? endIndex)].trimmingSpaces)
    }
}

extension Cookie: CustomStringConvertible, CustomReflectable {
    /// `sid=‹redacted› for a.example/`.
    public var description: String {
        let place = Redaction.printable(domain + path)
        return "\(Redaction.printable(name, scalarsMax: 100))=\(Redaction.placeholder) for \(place)"
    }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["cookie": description]) }
}
