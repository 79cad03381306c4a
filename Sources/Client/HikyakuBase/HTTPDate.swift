/// Dates in header fields: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// [RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)
public enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    /// The abbreviated names of the months, in order.
    public static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a date in the current format, or in one of the two obsolete formats that a recipient must accept: `Sunday,
    /// 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    ///
    /// The day of the week follows from the date, so it is not checked, and may be any word.
    ///
    /// - Parameters:
    ///   - text: The field's value without spaces around it.
    ///   - now: The current time in seconds since 1970, which decides the century of a two-digit year: the year is at
    ///     most 50 years in the future.
    /// - Returns: Seconds since 1970, where a leap second counts as the second after it; `nil` for any other text, for
    ///   a day or an hour that does not exist, and for a year before 1601.
    public static func seconds(in text: String, now: Int64) -> Int64? {
        let words = text.utf8.split(separator: UInt8(ascii: " ")).map { Array($0) }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
        switch words.count {
        case 6 where text.utf8.count == 29:
            guard words[0].last == UInt8(ascii: ","), words[1].count == 2, isGMT(words[5]) else { return nil }
            return seconds(day: words[1], month: words[2], year: fullYear(words[3]), time: words[4])
        case 5 where text.utf8.count == 24:
            return seconds(day: words[2], month: words[1], year: fullYear(words[4]), time: words[3])
        case 4:
            let date = words[1].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map { Array($0) }
            guard words[0].last == UInt8(ascii: ","), date.count == 3, date[0].count == 2, isGMT(words[3]),
                let ofCentury = twoDigits(date[2])
            else { return nil }
            return seconds(day: date[0], month: date[1], year: year(ofCentury, now), time: words[2])
        default: return nil
        }
    }

    /// Writes a date in the current format.
    ///
    /// - Returns: `nil` outside of the years 1 to 9999, which the format can't represent.
    public static func text(of seconds: Int64) -> String? {
        // Seconds need 64 bits, also where an Int has 32.
        let years1To9999: Range<Int64> = -62_135_596_800..<253_402_300_800
        guard years1To9999.contains(seconds) else { return nil }
        let days = Int((seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
        let (date, time) = (CivilDay(daysSince1970: days), Int(seconds - Int64(days) * 86_400))
        let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }.joined(separator: ":")
        let calendar = "\(padded(date.day, 2)) \(months[date.month - 1]) \(padded(date.year, 4))"
        return "\(weekdays[((days % 7) + 7) % 7]), \(calendar) \(clock) GMT"
    }

    private static func seconds(day: [UInt8], month: [UInt8], year: Int?, time: [UInt8]) -> Int64? {
        guard let year, year >= 1601, 1...2 ~= day.count, let day = ASCII.decimal(day),
            let month = months.firstIndex(where: { $0.utf8.elementsEqual(month) }),
            let date = CivilDay(year: year, month: month + 1, day: day), time.count == 8,
            time[2] == UInt8(ascii: ":"), time[5] == UInt8(ascii: ":"), let hour = twoDigits(time[0..<2]),
            let minute = twoDigits(time[3..<5]), let second = twoDigits(time[6..<8]), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        return Int64(date.daysSince1970) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    /// The year in the current century, or in the previous one if that is more than 50 years in the future.
    private static func year(_ ofCentury: Int, _ now: Int64) -> Int {
        let present = CivilDay(daysSince1970: Int(now / 86_400)).year
        let year = present - present % 100 + ofCentury
        return year > present + 50 ? year - 100 : year
    }

    private static func isGMT(_ word: [UInt8]) -> Bool { word.elementsEqual("GMT".utf8) }

    private static func fullYear(_ digits: [UInt8]) -> Int? { digits.count == 4 ? ASCII.decimal(digits) : nil }

    private static func twoDigits(_ digits: some Collection<UInt8>) -> Int? {
        digits.count == 2 ? ASCII.decimal(digits) : nil
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A day of the Gregorian calendar, which is also applied to the time before its introduction.
public struct CivilDay: Hashable, Sendable {
    /// The year; 0 is the year before the year 1.
    public let year: Int
    /// 1 is January.
    public let month: Int
    /// 1 is the first of the month.
    public let day: Int

    /// Makes a day.
    ///
    /// - Returns: `nil` for a month or a day that does not exist, such as the 30th of February.
    @inlinable
    public init?(year: Int, month: Int, day: Int) {
        guard 1...12 ~= month, day >= 1, day <= Self.length(ofMonth: month, in: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Makes the day that is the given number of days after the 1st of January 1970.
    ///
    /// The calculation begins each year in March, so that the leap day is its last day.
    @inlinable
    public init(daysSince1970 days: Int) {
        let days = days &+ 719_468
        let era = (days >= 0 ? days : days &- 146_096) / 146_097
        // Unsigned, since an unsigned division takes fewer instructions.
        let dayOfEra = UInt(bitPattern: days &- era &* 146_097)
        let yearOfEra = (dayOfEra &- dayOfEra / 1460 &+ dayOfEra / 36_524 &- dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra &- (365 &* yearOfEra &+ yearOfEra / 4 &- yearOfEra / 100)
        let monthFromMarch = (5 &* dayOfYear &+ 2) / 153
        month = Int(bitPattern: monthFromMarch < 10 ? monthFromMarch &+ 3 : monthFromMarch &- 9)
        year = Int(bitPattern: yearOfEra) &+ era &* 400 &+ (monthFromMarch < 10 ? 0 : 1)
        day = Int(bitPattern: dayOfYear &- (153 &* monthFromMarch &+ 2) / 5 &+ 1)
    }

    /// The number of days since the 1st of January 1970.
    @inlinable public var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The number of days in a month of a year.
    @inlinable
    public static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
