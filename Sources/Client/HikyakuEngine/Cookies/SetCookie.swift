import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A parsed `Set-Cookie` value; the jar decides whether the cookie is stored.
///
/// [RFC 6265bis, section 5.6](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)
struct SetCookie {
    var name = ""
    var value = ""
    /// In lower case without a leading dot; empty if the last `Domain` had no value.
    var domain = ""
    /// `nil` if the last `Path` is not a path.
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
        // Without `=` the whole text is the value.
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

    /// The last attribute with a name is used.
    ///
    /// An invalid one is ignored, except for `Path`, `Domain` and `SameSite`, where it cancels an earlier one.
    private mutating func take(_ attribute: String, _ value: String) {
        switch attribute {
        case "expires": expires = CookieDate.date(from: value) ?? expires
        case "max-age": maxAgeSeconds = Self.seconds(value) ?? maxAgeSeconds
        case "domain":
            // Only ASCII is converted to lower case: no other letter can become one of a host's.
            domain = Substring(value.utf8.dropFirst(value.hasBytePrefix(".") ? 1 : 0)).asciiLowercased
        case "path": path = value.hasBytePrefix("/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite": sameSite = Cookie.SameSite(rawValue: value.asciiLowercased)
        default: break
        }
    }

    /// Digits with an optional minus before them; a value outside the range of `Int` becomes the largest or the
    /// smallest one.
    private static func seconds(_ text: String) -> Int? {
        let isNegative = text.hasBytePrefix("-")
        let digits = isNegative ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(text) ?? (isNegative ? .min : .max)
    }

    /// The expiry: `Max-Age` overrides `Expires`, and no cookie lives longer than 400 days.
    func expires(from now: Date) -> Date? {
        let latest = now.addingTimeInterval(Double(CookieRules.secondsMax))
        if let maxAgeSeconds {
            return maxAgeSeconds <= 0
                ? .distantPast : now.addingTimeInterval(Double(min(maxAgeSeconds, CookieRules.secondsMax)))
        }
        return expires.map { min($0, latest) }
    }
}

/// Why a cookie was rejected.
public enum CookieRefusal: String, Error, Sendable, Hashable, CaseIterable {
    /// It has a control character.
    case controlCharacter
    /// It has neither a name nor a value.
    case empty
    /// Name and value have more than 4,096 bytes together, or its path more than 1,024.
    case tooLong
    /// The URL has no host that a cookie can have.
    case noHost
    /// Its `Domain` isn't the host or a parent domain, or is not a valid name.
    case otherDomain
    /// Its `Domain` is a public suffix.
    case publicSuffix
    /// It is `Secure`, and was received over `http`.
    case insecure
    /// It was received over `http`, and would hide one that is `Secure`.
    case hidesSecure
    /// Its name begins with `__Secure-` or `__Host-`, but it doesn't meet the conditions.
    case prefix
    /// One of its strings has a character that can't be sent, its path doesn't begin with a slash, or its expiry is not
    /// a valid date.
    case malformed
}

/// Dates in `Expires`, with parts in any order and format.
///
/// [RFC 6265bis, section 5.1.1](https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis)
struct CookieDate {
    private var time: [Int]?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Parses a date; `nil` if a part is missing, or a day or an hour does not exist.
    static func date(from text: String) -> Date? {
        var parts = CookieDate()
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

    /// The number at the start of a token, if it has a digit count in the range and then another character.
    private static func number(_ token: Substring.UTF8View, _ digitCount: ClosedRange<Int>) -> Int? {
        let digits = token.prefix(while: ASCII.isDigit)
        guard digitCount ~= digits.count else { return nil }
        return ASCII.decimal(digits)
    }

    /// `1:02:03`, followed by anything but a digit.
    private static func time(_ token: Substring.UTF8View) -> [Int]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[..<2].allSatisfy({ $0.allSatisfy(ASCII.isDigit) }) else { return nil }
        let numbers = fields.compactMap { number($0, 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    private static func month(_ token: Substring.UTF8View) -> Int? {
        let name = token.prefix(3).map(ASCII.lowercased)
        return HTTPDate.months.firstIndex { $0.utf8.lazy.map(ASCII.lowercased).elementsEqual(name) }.map { $0 + 1 }
    }

    /// Uses a token for the first missing part that it is valid for.
    private mutating func take(_ token: Substring.UTF8View) {
        if time == nil, let found = Self.time(token) {
            time = found
        } else if day == nil, let found = Self.number(token, 1...2) {
            day = found
        } else if month == nil, let found = Self.month(token) {
            month = found
        } else if year == nil, let found = Self.number(token, 2...4) {
            year = found
        }
    }
}
