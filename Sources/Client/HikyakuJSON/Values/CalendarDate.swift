import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A day of the calendar without a time or a time zone: `2026-11-21`.
///
/// ```swift
/// struct Reservation: APIModel, Codable {
///     var day: CalendarDate       // "2026-11-21"
/// }
/// let newYear = CalendarDate(year: 2027, month: 1, day: 1)
/// ```
/// It is in JSON what [RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6) calls a full date: a
/// string of ten characters. A birthday is such a day, and the instant at which it begins depends on where one is. The
/// calendar is the proleptic Gregorian one with the years 0 to 9999.
public struct CalendarDate: JSONCodable, Hashable {
    /// The year, from 0 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1 to at most 31.
    public let day: Int

    /// Creates a day; `nil` for one that doesn't exist, such as the 30th of February, and for other years.
    public init?(year: Int, month: Int, day: Int) {
        guard 0...9999 ~= year, CivilDay(year: year, month: month, day: day) != nil else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Creates the day that a date falls on; `nil` outside of the years 0 to 9999.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - secondsFromGMT: The difference from UTC of the place whose day it is, as `TimeZone.secondsFromGMT(for:)`
    ///     returns it.
    public init?(_ date: Date, secondsFromGMT: Int = 0) {
        let days = ((date.timeIntervalSince1970 + Double(secondsFromGMT)) / 86_400).rounded(.down)
        // The days from the year 0 to the year 9999, so that the conversion below can't overflow.
        guard -719_528.0..<2_932_897 ~= days else { return nil }
        let civil = CivilDay(daysSince1970: Int(days))
        (year, month, day) = (civil.year, civil.month, civil.day)
    }

    /// The instant at which the day begins.
    ///
    /// - Parameter secondsFromGMT: The difference from UTC of the place whose day it is.
    /// - Returns: The instant, which is midnight there.
    public func date(secondsFromGMT: Int = 0) -> Date {
        let days = CivilDay(year: year, month: month, day: day)?.daysSince1970 ?? 0
        return Date(timeIntervalSince1970: Double(days) * 86_400 - Double(secondsFromGMT))
    }
}

extension CalendarDate: LosslessStringConvertible {
    /// Creates a day from its text in ISO 8601, `2026-11-21`; `nil` for any other text.
    public init?(_ description: String) {
        let bytes = Array(description.utf8)
        guard bytes.count == 10, bytes[4] == Byte.minus, bytes[7] == Byte.minus else { return nil }
        guard let year = ASCII.decimal(bytes[0..<4]), let month = ASCII.decimal(bytes[5..<7]),
            let day = ASCII.decimal(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The day in ISO 8601: `2026-11-21`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}

extension CalendarDate: Comparable {
    /// Whether a day is before another one.
    public static func < (one: Self, other: Self) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }
}

extension CalendarDate {
    /// Reads a string in ISO 8601.
    public init(from reader: inout JSONReader) throws {
        self = try reader.readText(as: "a day as 2026-11-21", Self.self) { start, count in
            Self(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        }
    }

    /// Writes a string in ISO 8601.
    public func write(to writer: inout JSONWriter) throws { try writer.write(description) }
}
