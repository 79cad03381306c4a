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
