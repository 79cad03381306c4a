#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
        guard year >= 1601, day >= 1, day <= InternetDate.length(ofMonth: month, year), time[0] <= 23, time[1] <= 59,
            time[2] <= 59
        else { return nil }
        let seconds = time[0] * 3600 + time[1] * 60 + time[2]
        return Date(timeIntervalSince1970: Double(InternetDate.days(year, month, day)) * 86_400 + Double(seconds))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The number that a token begins with, if it has so many digits and then something else.
    fileprivate static func number(_ token: Substring.UTF8View, _ digitCount: ClosedRange<Int>) -> Int? {
        let digits = token.prefix { 0x30...0x39 ~= $0 }
        guard digitCount ~= digits.count else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// `1:02:03`, behind which anything but a digit may stand.
    fileprivate static func time(_ token: Substring.UTF8View) -> [Int]? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[..<2].allSatisfy({ $0.allSatisfy { 0x30...0x39 ~= $0 } }) else { return nil }
        let numbers = fields.compactMap { number($0, 1...2) }
        return numbers.count == 3 ? numbers : nil
    }

    fileprivate static func month(_ token: Substring.UTF8View) -> Int? {
        let name = String(decoding: token.prefix(3).map(\.asciiLowercased), as: UTF8.self)
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
