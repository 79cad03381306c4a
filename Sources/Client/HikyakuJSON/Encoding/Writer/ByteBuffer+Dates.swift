import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension ByteBuffer {
    /// Writes a date in UTC in quotation marks, with milliseconds if it has a fraction and `hasFraction` is set:
    /// `"2026-11-21T09:30:00.250Z"`.
    ///
    /// [RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6)
    ///
    /// The milliseconds are since 1970, for the years 0 to 9999, which are the range of the format.
    mutating func appendQuotedDate(milliseconds: Int64, hasFraction: Bool) {
        // Relative to the year 0, so that all quotients are of positive numbers.
        let sinceYearZero = milliseconds + 62_167_219_200_000
        let day = CivilDay(daysSince1970: Int(sinceYearZero / 86_400_000) - 719_528)
        let time = UInt64(sinceYearZero % 86_400_000)
        let out = reserve(26)
        out[0] = UInt8(ascii: "\"")
        Self.store(UInt64(truncatingIfNeeded: day.year), length: 4, to: out + 1)
        out[5] = UInt8(ascii: "-")
        Self.store(UInt64(truncatingIfNeeded: day.month), length: 2, to: out + 6)
        out[8] = UInt8(ascii: "-")
        Self.store(UInt64(truncatingIfNeeded: day.day), length: 2, to: out + 9)
        out[11] = UInt8(ascii: "T")
        Self.store(time / 3_600_000, length: 2, to: out + 12)
        out[14] = UInt8(ascii: ":")
        Self.store(time / 60_000 % 60, length: 2, to: out + 15)
        out[17] = UInt8(ascii: ":")
        Self.store(time / 1000 % 60, length: 2, to: out + 18)
        var length = 20
        if hasFraction, time % 1000 != 0 {
            out[20] = UInt8(ascii: ".")
            Self.store(time % 1000, length: 3, to: out + 21)
            length = 24
        }
        out[length] = UInt8(ascii: "Z")
        out[length + 1] = UInt8(ascii: "\"")
        advance(by: length + 2)
    }

    /// Milliseconds since 1970, rounded down.
    ///
    /// A date within its own precision below the next millisecond is rounded up, or `.123` would be written as `.122`.
    ///
    /// - Returns: `nil` outside of the years 0 to 9999.
    static func milliseconds(of date: Date) -> Int64? {
        let time = date.timeIntervalSince1970
        guard time >= -62_167_219_200, time < 253_402_300_800 else { return nil }
        let precision = max(time.magnitude, date.timeIntervalSinceReferenceDate.magnitude).ulp
        let milliseconds = ((time + precision) * 1000).rounded(.down)
        return Int64(min(milliseconds, 253_402_300_799_999))
    }
}

extension InternetDate {
    /// Writes a date in UTC, with milliseconds if `fraction` is set and the date has a fraction.
    ///
    /// - Returns: The text; `nil` for a date outside of the years 1 to 9999, which the format can't represent.
    package static func text(of date: Date, fraction: Bool) -> String? {
        // The format has a year 0 too, but most parsers don't accept it.
        guard date.timeIntervalSince1970 >= -62_135_596_800, let milliseconds = ByteBuffer.milliseconds(of: date) else {
            return nil
        }
        var bytes = ByteBuffer(capacity: 26)
        bytes.appendQuotedDate(milliseconds: milliseconds, hasFraction: fraction)
        return String(decoding: bytes.bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}
