import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The algorithms of RFC 6265bis, section 5.1, on strings.
enum CookieRules {
    /// The maximum length of a DNS name.
    static let domainBytesMax = 253
    /// The maximum size of a name and a value together.
    static let pairBytesMax = 4096
    /// The maximum size of an attribute's value.
    static let attributeBytesMax = 1024
    /// The maximum lifetime of a cookie: 400 days.
    static let secondsMax = 400 * 86_400

    /// The maximum size of a request's `Cookie` field.
    ///
    /// The RFC has no limit, and a domain may have 180 cookies of 4 KiB; most servers accept much less.
    static let fieldBytesMax = 64 * 1024

    /// A date that a file can represent: in the years 1970 to 9999.
    static func writable(_ date: Date) -> Date {
        let seconds = date.timeIntervalSince1970
        return Date(timeIntervalSince1970: seconds.isNaN ? 0 : min(max(seconds, 0), 253_402_300_799))
    }

    /// Section 5.1.3.
    static func domainMatches(_ host: String, _ domain: String) -> Bool {
        host.hasSameBytes(as: domain) || (host.hasByteSuffix("." + domain) && !isAddress(host))
    }

    /// The domains whose cookies may be sent to a host: itself, and its parent domains unless it is an address.
    static func domains(of host: String) -> [String] {
        guard !isAddress(host) else { return [host] }
        let labels = host.byteSplit(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    /// Whether a host is an address instead of a name: in brackets, or with a number as the last label.
    static func isAddress(_ host: String) -> Bool {
        if host.hasBytePrefix("[") { return true }
        let last = host.byteSplit(separator: ".").last ?? ""
        let isHexadecimal = last.hasBytePrefix("0x")
        return !last.isEmpty
            && last.utf8.dropFirst(isHexadecimal ? 2 : 0).allSatisfy {
                isHexadecimal ? ASCII.hexadecimalValue($0) != nil : ASCII.isDigit($0)
            }
    }

    /// Section 5.1.4.
    static func pathMatches(_ path: String, _ cookiePath: String) -> Bool {
        guard path.utf8.starts(with: cookiePath.utf8) else { return false }
        return path.utf8.count == cookiePath.utf8.count || cookiePath.utf8.last == UInt8(ascii: "/")
            || path.utf8.dropFirst(cookiePath.utf8.count).first == UInt8(ascii: "/")
    }

    /// The path of a cookie without one: that of the request without its last segment.
    static func defaultPath(of path: String) -> String {
        guard path.hasBytePrefix("/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
        else {
            return "/"
        }
        return String(path[..<slash])
    }

    /// Whether a text has a character that is invalid in a cookie: a control character except the tab.
    static func hasControl(_ text: String) -> Bool {
        text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }
}

/// Knows the domains under which anyone can register names: `com`, `co.uk`, `github.io`.
///
/// ```swift
/// struct CompanySuffixes: PublicSuffixes {
///     func isPublicSuffix(_ domain: String) -> Bool {
///         !domain.contains(".") || domain == "apps.internal"  // any team may have a name below it
///     }
/// }
/// let cookies = MemoryCookieStore(publicSuffixes: CompanySuffixes())
/// ```
/// A cookie for such a domain would be sent to other owners' hosts. The module HikyakuPublicSuffixes has the whole
/// list, from libpsl.
public protocol PublicSuffixes: Sendable {
    /// Whether names below a domain belong to different owners.
    ///
    /// - Parameter domain: In lower case, as in URLs (`xn--…`), without a trailing dot.
    /// - Returns: `true` for a suffix itself, `false` for a name that is registered below it.
    func isPublicSuffix(_ domain: String) -> Bool
}

/// The suffixes that can be recognized without a list: a domain with one label, such as `com`, and a usual category
/// below a country, such as `co.uk` or `com.au`.
///
/// Others are missing, such as `github.io` and `tokyo.jp`.
package struct EvidentSuffixes: PublicSuffixes {
    /// The categories that the list of public suffixes has below many countries, or that a large one has.
    ///
    /// A label that is also the name of a well-known host below a country is left out, such as `web.de` and `id.me`.
    private static let categories: Set<String> = [
        "ac", "co", "com", "edu", "go", "gob", "gouv", "gov", "govt", "ltd", "mil", "ne", "net", "nom", "or", "org",
        "plc",
        "sch",
    ]

    package init() {}

    package func isPublicSuffix(_ domain: String) -> Bool {
        let labels = domain.byteSplit(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard labels.count == 2 else { return labels.count < 2 }
        return labels[1].utf8.count == 2 && Self.categories.contains(String(labels[0]))
    }
}

extension PublicSuffixes {
    /// The registrable domain of a host: the public suffix and one more label; the host itself if it is a suffix or an
    /// address.
    func registrableDomain(of host: String) -> String {
        let name = host.hasByteSuffix(".") ? String(host.dropLast()) : host
        guard !CookieRules.isAddress(name) else { return name }
        let domains = CookieRules.domains(of: name)
        guard let suffix = domains.firstIndex(where: isPublicSuffix), suffix > 0 else { return name }
        return domains[suffix - 1]
    }
}
