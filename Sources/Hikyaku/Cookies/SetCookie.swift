import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A `Set-Cookie` value taken apart; whether the cookie is taken is for the jar to say.
///
/// [RFC 6265bis, section 5.6](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)
struct SetCookie {
    var name = ""
    var value = ""
    /// In lower case without one dot before it; empty where the last `Domain` said nothing.
    var domain = ""
    /// `nil` where the last `Path` is none.
    var path: String?
    var isSecure = false
    var isHTTPOnly = false
    var sameSite: Cookie.SameSite?
    private var maxAgeSeconds: Int?
    private var expires: Date?

    init(_ text: String) throws(CookieRefusal) {
        guard !CookieRules.hasControl(text) else { throw .controlCharacter }
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let pair = Self.pair(parts.first ?? text.utf8[...])
        // Without `=` the whole is the value.
        (name, value) = pair.value.map { (pair.name, $0) } ?? ("", pair.name)
        guard !name.isEmpty || !value.isEmpty else { throw .empty }
        guard name.utf8.count + value.utf8.count <= CookieRules.pairBytesMax else { throw .tooLong }
        for part in parts.dropFirst() {
            let attribute = Self.pair(part)
            let value = attribute.value ?? ""
            guard value.utf8.count <= CookieRules.attributeBytesMax else { continue }
            take(attribute.name.asciiLowercased, value)
        }
    }

    private static func pair(_ part: Substring.UTF8View) -> (name: String, value: String?) {
        let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let texts = halves.map { String(Substring($0).trimmingSpaces) }
        return (texts.first ?? "", texts.count > 1 ? texts[1] : nil)
    }

    /// The last attribute of a name holds; one that can't be read counts as not said, but for `Path`, `Domain` and
    /// `SameSite`, where it takes back what was said before.
    private mutating func take(_ attribute: String, _ value: String) {
        switch attribute {
        case "expires": expires = CookieDate.date(from: value) ?? expires
        case "max-age": maxAgeSeconds = Self.seconds(value) ?? maxAgeSeconds
        case "domain":
            // ASCII alone changes its case: no other letter can become one of a host's.
            domain = Substring(value.utf8.dropFirst(value.hasBytePrefix(".") ? 1 : 0)).asciiLowercased
        case "path": path = value.hasBytePrefix("/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite(rawValue: value.asciiLowercased)
        default: break
        }
    }

    /// Digits with or without a minus before them; what no `Int` holds is the largest or the smallest.
    private static func seconds(_ text: String) -> Int? {
        let isNegative = text.hasBytePrefix("-")
        let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(text) ?? (isNegative ? .min : .max)
    }

    /// When the cookie ends: `Max-Age` stands above `Expires`, and no cookie lives longer than 400 days.
    func expires(from now: Date) -> Date? {
        let latest = now.addingTimeInterval(Double(CookieRules.secondsMax))
        if let maxAgeSeconds {
            return maxAgeSeconds <= 0
                ? .distantPast : now.addingTimeInterval(Double(min(maxAgeSeconds, CookieRules.secondsMax)))
        }
        return expires.map { min($0, latest) }
    }
}

/// Why a cookie wasn't taken.
public enum CookieRefusal: String, Error, Sendable, Hashable, CaseIterable {
    /// It has a control character.
    case controlCharacter
    /// It has neither a name nor a value.
    case empty
    /// Name and value have more than 4,096 bytes together, or the path that it would have more than 1,024.
    case tooLong
    /// The URL has no host that a cookie can belong to.
    case noHost
    /// Its `Domain` isn't the host or one above it, or can't be a name.
    case otherDomain
    /// Its `Domain` is one below which anybody registers names.
    case publicSuffix
    /// It is `Secure`, and came over `http`.
    case insecure
    /// It came over `http`, and would stand in the way of one that is `Secure`.
    case hidesSecure
    /// Its name begins with `__Secure-` or `__Host-`, and it isn't what that promises.
    case prefix
    /// A text of it has a character that can't be sent, its path doesn't begin with a slash, or its end is no date.
    case malformed
}

/// Dates as `Expires` has them, in whatever order and form.
///
/// [RFC 6265bis, section 5.1.1](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)
enum CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    fileprivate struct Parts {
        var time: [Int]?
        var day: Int?
        var month: Int?
        var year: Int?
    }

    /// Reads a date; `nil` where a part is missing, and for a day or an hour that isn't there.
    static func date(from text: String) -> Date? {
        var parts = Parts()
        for token in text.utf8.split(whereSeparator: isDelimiter) { parts.take(token) }
        guard let time = parts.time, let day = parts.day, let month = parts.month, var year = parts.year else {
            return nil
        }
        if 70...99 ~= year { year += 1900 }
        if 0...69 ~= year { year += 2000 }
        guard year >= 1601, let civilDay = CivilDay(year: year, month: month, day: day), time[0] <= 23, time[1] <= 59,
            time[2] <= 59
        else { return nil }
        let seconds = time[0] * 3600 + time[1] * 60 + time[2]
        return Date(timeIntervalSince1970: Double(civilDay.daysSince1970) * 86_400 + Double(seconds))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The number that a token begins with, if it has so many digits and then something else.
    fileprivate static func number(_ token: Substring.UTF8View, _ digitCount: ClosedRange<Int>) -> Int? {
        let digits = token.prefix(while: ASCII.isDigit)
        guard digitCount ~= digits.count else { return nil }
        return ASCII.decimal(digits)
    }

    /// `1:02:03`, behind which anything but a digit may stand.
    fileprivate static func time(_ token: Substring.UTF8View) -> [Int]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[..<2].allSatisfy({ $0.allSatisfy(ASCII.isDigit) }) else { return nil }
        let numbers = fields.compactMap { number($0, 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    fileprivate static func month(_ token: Substring.UTF8View) -> Int? {
        let name = String(decoding: token.prefix(3).map(ASCII.lowercased), as: UTF8.self)
        return months.firstIndex(of: name).map { $0 + 1 }
    }
}

extension CookieDate.Parts {
    /// Takes a token for the first part that is still missing and that it can be.
    fileprivate mutating func take(_ token: Substring.UTF8View) {
        if time == nil, let found = CookieDate.time(token) {
            time = found
        } else if day == nil, let found = CookieDate.number(token, 1...2) {
            day = found
        } else if month == nil, let found = CookieDate.month(token) {
            month = found
        } else if year == nil, let found = CookieDate.number(token, 2...4) {
            year = found
        }
    }
}
