import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HikyakuJSONDecoder.DateDecodingStrategy {
    /// Like ``iso8601``, and a date and time without an offset is in UTC: `2026-11-21T09:30:00`.
    ///
    /// Many servers leave the offset out, such as those in .NET, Java and Python. Where their time is another one's,
    /// use ``format(_:secondsFromUTC:)``.
    public static var iso8601OrUTC: Self { .texts(DateFormats([.internet(isUTC: true)])) }

    /// Dates in a format: `.format("yyyy-MM-dd HH:mm:ss")`.
    ///
    /// The letters are those of Unicode: `yyyy`, `yy` for the years 1950 to 2049, `MM`, `MMM` (English), `dd`, `HH`,
    /// `mm`, `ss`, `S` for a fraction with any number of digits, and `Z` for an offset in any form. One letter reads
    /// one or two digits, `EEE` skips the name of a day, and text between apostrophes is compared. A format with
    /// another letter reads nothing.
    ///
    /// - Parameters:
    ///   - pattern: The format.
    ///   - seconds: What a date without an offset is ahead of UTC, in seconds: 32,400 for Tokyo.
    /// - Returns: The strategy.
    public static func format(_ pattern: String, secondsFromUTC seconds: Int = 0) -> Self {
        .texts(DateFormats([.pattern(DatePattern(pattern, secondsFromUTC: seconds))]))
    }

    /// This strategy, and another one for texts that it can't read: `.iso8601.or(.format("yyyy-MM-dd"))`.
    ///
    /// - Parameter other: A strategy for texts; one for numbers, or a closure, changes nothing.
    /// - Returns: The strategy.
    public func or(_ other: Self) -> Self {
        guard let formats, let more = other.formats else { return self }
        return .texts(DateFormats(formats.all + more.all))
    }

    private var formats: DateFormats? {
        switch self {
        case .iso8601: DateFormats([.internet(isUTC: false)])
        case .texts(let formats): formats
        case .secondsSince1970, .millisecondsSince1970, .deferredToDate, .custom: nil
        }
    }
}

/// Formats of dates as texts, which are tried in order.
///
/// ```swift
/// var decoder = HikyakuJSONDecoder()
/// decoder.dateDecodingStrategy = .iso8601OrUTC.or(.format("yyyy-MM-dd"))
/// ```
public struct DateFormats: Sendable, Hashable {
    enum Format: Hashable {
        /// RFC 3339; whether a date and time without an offset is in UTC.
        case internet(isUTC: Bool)
        case pattern(DatePattern)
    }

    let all: [Format]

    init(_ all: [Format]) { self.all = all }

    /// The date that bytes say in the first format that fits.
    func date(_ start: UnsafePointer<UInt8>, _ count: Int) -> Date? {
        for format in all {
            let date: Date? =
                switch format {
                case .internet(let isUTC): unsafe InternetDate.date(start, count, isUTC: isUTC)
                case .pattern(let pattern): unsafe pattern.date(in: UnsafeBufferPointer(start: start, count: count))
                }
            if let date { return date }
        }
        return nil
    }
}

extension DateFormats: CustomStringConvertible {
    /// What is expected: `a date in ISO 8601 with an offset, or as yyyy-MM-dd`.
    public var description: String {
        let texts = all.map { format in
            switch format {
            case .internet(let isUTC): isUTC ? "in ISO 8601" : "in ISO 8601 with an offset"
            case .pattern(let pattern): "as \(pattern.text)"
            }
        }
        return "a date " + texts.joined(separator: ", or ")
    }
}

/// A format of dates in the letters of Unicode.
///
/// [UTS 35, date field symbols](https://www.unicode.org/reports/tr35/tr35-dates.html#Date_Field_Symbol_Table)
struct DatePattern: Hashable, Sendable {
    private enum Part: Hashable {
        case sign(UInt8)
        case field(UInt8, count: Int)
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    let text: String
    private let secondsFromUTC: Int
    private let parts: [Part]

    init(_ text: String, secondsFromUTC: Int) {
        // No zone is farther away.
        (self.text, self.secondsFromUTC) = (text, min(max(secondsFromUTC, -86_400), 86_400))
        var parts: [Part] = []
        var isQuoted = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") {
                isQuoted.toggle()
            } else if isQuoted || !ASCII.isLetter(byte) {
                parts.append(.sign(byte))
            } else if case .field(byte, let count)? = parts.last {
                parts[parts.count - 1] = .field(byte, count: count + 1)
            } else {
                parts.append(.field(byte, count: 1))
            }
        }
        self.parts = parts
    }

    /// The fields of a date that was read.
    private struct Fields {
        var year = 1970
        var month = 1
        var day = 1
        var hour = 0
        var minute = 0
        var second = 0
        var fraction = 0.0
        var offset: Int

        var date: Date? {
            guard let days = CivilDay(year: year, month: month, day: day)?.daysSince1970, hour < 24, minute < 60,
                second <= 60
            else { return nil }
            let seconds = Int64(days) * 86_400 + Int64(hour * 3600 + minute * 60 + min(second, 59) - offset)
            return Date(timeIntervalSince1970: Double(seconds) + fraction)
        }
    }

    func date(in bytes: UnsafeBufferPointer<UInt8>) -> Date? {
        var rest = unsafe Array(bytes.prefix(100))[...]
        guard bytes.count <= 100 else { return nil }
        var fields = Fields(offset: secondsFromUTC)
        for part in parts {
            switch part {
            case .sign(let sign):
                guard rest.popFirst() == sign else { return nil }
            case .field(let letter, let count):
                guard Self.read(letter, count, &rest, &fields) else { return nil }
            }
        }
        return rest.isEmpty ? fields.date : nil
    }

    private static func read(
        _ letter: UInt8,
        _ count: Int,
        _ rest: inout ArraySlice<UInt8>,
        _ fields: inout Fields,
    ) -> Bool {
        switch letter {
        // As Foundation's formatter reads it: in the years 1950 to 2049.
        case UInt8(ascii: "y") where count == 2:
            set(\.year, &fields, number(&rest, 2...2).map { $0 + ($0 < 50 ? 2000 : 1900) })
        case UInt8(ascii: "y"), UInt8(ascii: "u"):
            set(\.year, &fields, number(&rest, count == 1 ? 1...4 : count...count))
        case UInt8(ascii: "M") where count == 3: set(\.month, &fields, month(&rest))
        case UInt8(ascii: "M") where count < 3: set(\.month, &fields, number(&rest, count...2))
        case UInt8(ascii: "d") where count < 3: set(\.day, &fields, number(&rest, count...2))
        case UInt8(ascii: "H") where count < 3: set(\.hour, &fields, number(&rest, count...2))
        case UInt8(ascii: "m") where count < 3: set(\.minute, &fields, number(&rest, count...2))
        case UInt8(ascii: "s") where count < 3: set(\.second, &fields, number(&rest, count...2))
        case UInt8(ascii: "S"): readFraction(&rest, &fields)
        case UInt8(ascii: "E"): skipLetters(&rest)
        case UInt8(ascii: "Z"), UInt8(ascii: "X"), UInt8(ascii: "x"): readOffset(&rest, &fields)
        default: false
        }
    }

    private static func set(_ field: WritableKeyPath<Fields, Int>, _ fields: inout Fields, _ value: Int?) -> Bool {
        if let value { fields[keyPath: field] = value }
        return value != nil
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ counts: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix(min(counts.upperBound, 9)).prefix(while: ASCII.isDigit)
        guard counts.contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func month(_ rest: inout ArraySlice<UInt8>) -> Int? {
        let name = String(decoding: rest.prefix(3).map(ASCII.lowercased), as: UTF8.self)
        rest = rest.dropFirst(3)
        return months.firstIndex(of: name).map { $0 + 1 }
    }

    private static func readFraction(_ rest: inout ArraySlice<UInt8>, _ fields: inout Fields) -> Bool {
        let digits = rest.prefix(while: ASCII.isDigit)
        guard !digits.isEmpty else { return false }
        rest = rest.dropFirst(digits.count)
        var scale = 1.0
        for digit in digits.prefix(15) {
            scale /= 10
            fields.fraction += Double(digit - 0x30) * scale
        }
        return true
    }

    private static func skipLetters(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let name = rest.prefix(while: ASCII.isLetter)
        rest = rest.dropFirst(name.count)
        return !name.isEmpty
    }

    private static func readOffset(_ rest: inout ArraySlice<UInt8>, _ fields: inout Fields) -> Bool {
        if let first = rest.first, ASCII.lowercased(first) == UInt8(ascii: "z") {
            rest = rest.dropFirst()
            fields.offset = 0
            return true
        }
        guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = number(&rest, 2...2), hours < 24
        else { return false }
        if rest.first == UInt8(ascii: ":") { rest = rest.dropFirst() }
        let minutes = number(&rest, 2...2) ?? 0
        guard minutes < 60 else { return false }
        fields.offset = (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
        return true
    }
}
