import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The algorithms of RFC 6265bis, section 5.1, on text alone.
enum CookieRules {
    /// The longest name that the name system holds.
    static let domainBytesMax = 253
    /// The most of a name and a value together.
    static let pairBytesMax = 4096
    /// The most of an attribute's value.
    static let attributeBytesMax = 1024
    /// The longest that a cookie lives: 400 days.
    static let secondsMax = 400 * 86_400

    /// The most of one request's `Cookie` field.
    ///
    /// The RFC has no bound, and a domain may hold 180 cookies of 4 KiB; most servers take much less.
    static let fieldBytesMax = 64 * 1024

    /// A date that a file can hold: of the years 1970 to 9999.
    static func writable(_ date: Date) -> Date {
        let seconds = date.timeIntervalSince1970
        return Date(timeIntervalSince1970: seconds.isNaN ? 0 : min(max(seconds, 0), 253_402_300_799))
    }

    /// Section 5.1.3.
    static func domainMatches(_ host: String, _ domain: String) -> Bool {
        host.hasSameBytes(as: domain) || (host.hasByteSuffix("." + domain) && !isAddress(host))
    }

    /// The domains whose cookies may go to a host: itself, and those above it unless it is an address.
    static func domains(of host: String) -> [String] {
        guard !isAddress(host) else { return [host] }
        let labels = host.byteSplit(separator: ".", omittingEmptySubsequences: false)
        return labels.indices.map { labels[$0...].joined(separator: ".") }
    }

    /// Whether a host is an address rather than a name: one in brackets, or one whose last label is a number.
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

    /// The path of a cookie that names none: that of the request without its last segment.
    static func defaultPath(of path: String) -> String {
        guard path.hasBytePrefix("/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex
        else {
            return "/"
        }
        return String(path[..<slash])
    }

    /// Whether a text has a character that no cookie may have: a control character but the tab.
    static func hasControl(_ text: String) -> Bool {
        text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }
}

/// What knows the domains below which anybody registers names: `com`, `co.uk`, `github.io`.
///
/// A cookie for such a domain would go to strangers. The module HikyakuPublicSuffixes has the whole list, by libpsl.
public protocol PublicSuffixes: Sendable {
    /// Whether names below a domain belong to different owners.
    ///
    /// - Parameter domain: In lower case, as it stands in URLs (`xn--…`), without a dot at the end.
    /// - Returns: `true` for a suffix itself, `false` for what is registered below it.
    func isPublicSuffix(_ domain: String) -> Bool
}

/// Takes each domain of one label for a public suffix, and no other: `com`, but not `co.uk`.
package struct SingleLabelSuffixes: PublicSuffixes {
    package init() {}

    package func isPublicSuffix(_ domain: String) -> Bool { !domain.utf8.contains(UInt8(ascii: ".")) }
}

extension PublicSuffixes {
    /// The domain that a host's owner has registered: the public suffix and one label more; the host itself where it
    /// is a suffix or an address.
    func registrableDomain(of host: String) -> String {
        let name = host.hasByteSuffix(".") ? String(host.dropLast()) : host
        guard !CookieRules.isAddress(name) else { return name }
        let domains = CookieRules.domains(of: name)
        guard let suffix = domains.firstIndex(where: isPublicSuffix), suffix > 0 else { return name }
        return domains[suffix - 1]
    }
}
