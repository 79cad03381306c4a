#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Dates as web APIs write them: `2026-11-21T09:30:00.5+09:00`.
///
/// Foundation's parser passes over what stands behind a date, and takes the 30th of February for the 2nd of March; its
/// writer counts days before 1582 by the Julian calendar, which the format doesn't.
///
/// [RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6)
enum InternetDate {
    /// Reads a date and time with its offset; a space may stand for the `T`, and a leap second is that before it.
    ///
    /// - Returns: The date; `nil` for any other text, and for a day or an hour that isn't there.
    static func date(from text: String) -> Date? {
        var reader = Reader(rest: text.utf8[...])
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("Tt "), let hour = reader.number(2), reader.skip(":"),
            let minute = reader.number(2), reader.skip(":"), let second = reader.number(2),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty
        else { return nil }
        guard 1...12 ~= month, day >= 1, day <= length(ofMonth: month, year), hour < 24, minute < 60, second <= 60
        else {
            return nil
        }
        let days = days(year, month, day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + min(second, 59) - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    /// Writes a date in UTC, with milliseconds where `fraction` asks for them and the date has a fraction.
    ///
    /// - Returns: The text; `nil` for a date outside of the years 1 to 9999, which the format can't hold.
    static func text(of date: Date, fraction: Bool) -> String? {
        let time = date.timeIntervalSince1970
        guard time >= -62_135_596_800, time < 253_402_300_800 else { return nil }
        let milliseconds = Int64((time * 1000).rounded(.down))
        let day = civil(days: Int(milliseconds.flooredQuotient(by: 86_400_000)))
        let rest = Int(milliseconds.flooredRemainder(by: 86_400_000))
        let calendar = [padded(day.year, 4), padded(day.month, 2), padded(day.day, 2)].joined(separator: "-")
        let clock = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { padded($0, 2) }
        let tail = fraction && rest % 1000 != 0 ? "." + padded(rest % 1000, 3) : ""
        return calendar + "T" + clock.joined(separator: ":") + tail + "Z"
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970 by the Gregorian calendar, counted from a March so that the leap day is a year's last.
    static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The day that stands so many days after the first of 1970; the inverse of ``days(_:_:_:)``.
    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let days = days + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
        return (year, month + (month < 10 ? 3 : -9), dayOfYear - (153 * month + 2) / 5 + 1)
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func number(_ count: Int) -> Int? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        mutating func skip(_ characters: String) -> Bool {
            guard let byte = rest.first, characters.utf8.contains(byte) else { return false }
            rest = rest.dropFirst()
            return true
        }

        /// The digits behind a point, as many as there are; 0 where there is no point.
        mutating func fraction() -> Double? {
            guard skip(".,") else { return 0 }
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            return Double("0." + String(decoding: digits.prefix(18), as: UTF8.self))
        }

        /// Seconds east of UTC.
        mutating func offset() -> Int? {
            if skip("Zz") { return 0 }
            let sign = rest.first == UInt8(ascii: "-") ? -1 : 1
            guard skip("+-"), let hour = number(2) else { return nil }
            // ISO 8601 also has offsets without a colon, and of whole hours.
            let hasColon = skip(":")
            guard let minute = rest.isEmpty && !hasColon ? 0 : number(2), hour < 24, minute < 60 else { return nil }
            return sign * (hour * 3600 + minute * 60)
        }
    }
}

extension Int64 {
    fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : (self + 1) / divisor - 1
    }

    fileprivate func flooredRemainder(by divisor: Int64) -> Int64 {
        self - flooredQuotient(by: divisor) * divisor
    }
}
