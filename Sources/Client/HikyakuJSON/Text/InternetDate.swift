import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Dates in the format of web APIs: `2026-11-21T09:30:00.5+09:00`.
///
/// Foundation's parser ignores what follows a date and reads the 30th of February as the 2nd of March. Its formatter
/// uses the Julian calendar before 1582, which the format does not.
///
/// [RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6)
package enum InternetDate {
    /// What is expected of a text.
    static let words = "a date in ISO 8601 with an offset"

    /// Parses a date and time with its offset.
    ///
    /// A space is accepted instead of the `T`, and a time without seconds. A leap second is read as the second before
    /// it.
    ///
    /// - Parameter text: The text, which must contain nothing but the date.
    /// - Returns: The date; `nil` for any other text, and for a day or an hour that doesn't exist.
    package static func date(from text: String) -> Date? {
        var text = text
        return text.withUTF8 { bytes in bytes.baseAddress.flatMap { date($0, bytes.count) } }
    }

    /// Like ``date(from:)``, for bytes.
    package static func date(_ start: UnsafePointer<UInt8>, _ count: Int) -> Date? {
        date(start, count, isUTC: false)
    }

    /// Like ``date(from:)``, for bytes.
    ///
    /// - Parameters:
    ///   - start: The bytes.
    ///   - count: Their number.
    ///   - isUTC: Whether a date and time without an offset is in UTC.
    /// - Returns: The date.
    package static func date(_ start: UnsafePointer<UInt8>, _ count: Int, isUTC: Bool) -> Date? {
        var reader = Reader(position: start, end: start + count)
        guard let day = reader.day(), reader.skip(UInt8(ascii: "T"), UInt8(ascii: "t"), Byte.space),
            let time = reader.time(), let fraction = reader.fraction(), let offset = reader.offset(isUTC: isUTC),
            reader.position == reader.end
        else { return nil }
        // Relative to a date's reference date, so that rounding happens once.
        let sinceReference = Int64(day) * 86_400 - Int64(Date.timeIntervalBetween1970AndReferenceDate)
        let seconds = sinceReference + Int64(time - offset)
        return Date(timeIntervalSinceReferenceDate: fraction.added(to: seconds))
    }

    /// The fractional digits of a second.
    private struct Fraction {
        var digits: Int64 = 0
        var count = 0
        /// The power of ten that divides the digits.
        var scale: Int64 = 1

        func added(to seconds: Int64) -> Double {
            guard count > 0 else { return Double(seconds) }
            // As one exact number if it is small enough: a sum with a rounded fraction may be off.
            let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: scale)
            let (total, isTooLargeAfterAll) = whole.addingReportingOverflow(digits)
            if !isTooLarge, !isTooLargeAfterAll, let sum = DoubleText.exact(total.magnitude, Int64(-count)) {
                return total < 0 ? -sum : sum
            }
            return Double(seconds) + Double(digits) / Double(scale)
        }
    }

    private struct Reader {
        var position: UnsafePointer<UInt8>
        let end: UnsafePointer<UInt8>

        mutating func twoDigits() -> Int? {
            guard end - position >= 2 else { return nil }
            let (tens, ones) = (position[0] &- Byte.zero, position[1] &- Byte.zero)
            guard tens < 10, ones < 10 else { return nil }
            position += 2
            return Int(tens) * 10 + Int(ones)
        }

        /// Skips one byte if it is one of these.
        mutating func skip(_ first: UInt8, _ second: UInt8? = nil, _ third: UInt8? = nil) -> Bool {
            guard position < end else { return false }
            let byte = position.pointee
            guard byte == first || byte == second || byte == third else { return false }
            position += 1
            return true
        }

        /// Days since 1970.
        mutating func day() -> Int? {
            guard let century = twoDigits(), let ofCentury = twoDigits(), skip(Byte.minus), let month = twoDigits(),
                skip(Byte.minus), let day = twoDigits()
            else { return nil }
            return CivilDay(year: century * 100 + ofCentury, month: month, day: day)?.daysSince1970
        }

        /// Seconds since midnight.
        mutating func time() -> Int? {
            guard let hour = twoDigits(), skip(Byte.colon), let minute = twoDigits(), hour < 24, minute < 60 else {
                return nil
            }
            // ISO 8601 has times without seconds; Java writes them if the seconds are zero.
            guard skip(Byte.colon) else { return isAtFraction ? nil : hour * 3600 + minute * 60 }
            guard let second = twoDigits(), second <= 60 else { return nil }
            return hour * 3600 + minute * 60 + min(second, 59)
        }

        private var isAtFraction: Bool {
            position < end && (position.pointee == Byte.point || position.pointee == Byte.comma)
        }

        /// All fractional digits; 0 if there is no decimal point.
        mutating func fraction() -> Fraction? {
            var fraction = Fraction()
            guard skip(Byte.point, Byte.comma) else { return fraction }
            let start = position
            while position < end, ASCII.isDigit(position.pointee) {
                // A date is not as precise as femtoseconds.
                if fraction.count < 15 {
                    fraction.digits = fraction.digits * 10 + Int64(position.pointee - Byte.zero)
                    fraction.scale *= 10
                    fraction.count += 1
                }
                position += 1
            }
            return position == start ? nil : fraction
        }

        /// Seconds east of UTC.
        mutating func offset(isUTC: Bool) -> Int? {
            if isUTC, position == end { return 0 }
            if skip(UInt8(ascii: "Z"), UInt8(ascii: "z")) { return 0 }
            let sign = position < end && position.pointee == Byte.minus ? -1 : 1
            guard skip(Byte.plus, Byte.minus), let hour = twoDigits() else { return nil }
            // ISO 8601 also has offsets without a colon, and of whole hours.
            let hasColon = skip(Byte.colon)
            guard let minute = position == end && !hasColon ? 0 : twoDigits(), hour < 24, minute < 60 else {
                return nil
            }
            return sign * (hour * 3600 + minute * 60)
        }
    }
}
