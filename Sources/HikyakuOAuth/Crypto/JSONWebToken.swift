import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What can be read of a JSON Web Token by someone who can't check it.
///
/// Nothing here is trusted: no signature is looked at, and whoever decides something by a claim has to ask who issued
/// it first. When a token ends is worth knowing nevertheless, since the one who would lie about that harms himself.
///
/// [RFC 7519, section 4.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1)
public enum JSONWebToken {
    /// The latest end that is believed, in seconds since 1970: the year 10000.
    private static let secondsMax = 253_402_300_800.0

    /// When a token ends, by its claim `exp`.
    ///
    /// - Parameter token: The token, three parts with dots between, of at most 64 KiB.
    /// - Returns: The end by the issuer's clock; `nil` for a text that is no such token, as most access tokens aren't,
    ///   and where the claim is missing or no time.
    public static func expiration(of token: String) -> Date? {
        guard token.utf8.count <= TokenResponse.tokenBytesMax else { return nil }
        let parts = token.byteSplit(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, let payload = Base64URL.bytes(of: parts[1]) else { return nil }
        var decoder = HikyakuJSONDecoder()
        decoder.depthMax = 32
        guard let seconds = try? decoder.decode(Claims.self, from: payload).exp, seconds.isFinite,
            seconds > 0, seconds < secondsMax
        else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }

    private struct Claims: Decodable {
        let exp: Double
    }
}

/// Dates as header fields have them: `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// [RFC 9110, section 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7)
enum WebDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Reads a date in the one form that servers may write today.
    static func date(from text: String) -> Date? {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, text.hasSuffix(" GMT"), bytes[19] == UInt8(ascii: ":"),
            bytes[22] == UInt8(ascii: ":"), let day = number(bytes[5..<7]), let year = number(bytes[12..<16]),
            let month = months.firstIndex(of: String(decoding: bytes[8..<11], as: UTF8.self)),
            let hour = number(bytes[17..<19]), let minute = number(bytes[20..<22]),
            let second = number(bytes[23..<25]), year >= 1601,
            1...InternetDate.length(ofMonth: month + 1, year) ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = Double(InternetDate.days(year, month + 1, day)) * 86_400
        return Date(timeIntervalSince1970: seconds + Double(hour * 3600 + minute * 60 + second))
    }

    /// Writes a date; one outside of the years 1 to 9999 has none.
    static func text(of date: Date) -> String? {
        // `2026-11-21T09:30:00Z`
        guard let text = InternetDate.text(of: date, fraction: false).map({ Array($0.utf8) }),
            let year = number(text[0..<4]), let month = number(text[5..<7]), let day = number(text[8..<10]),
            1...12 ~= month
        else { return nil }
        let weekday = days[((InternetDate.days(year, month, day) % 7) + 7) % 7]
        let written = [text[8..<10], ArraySlice(months[month - 1].utf8), text[0..<4], text[11..<19]]
        return "\(weekday), \(written.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")) GMT"
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
