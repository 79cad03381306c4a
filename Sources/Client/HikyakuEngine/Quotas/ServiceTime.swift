import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The times until something, as services write them: read leniently, since each of them means something.
///
/// No time is longer than a hundred years, and one in the past is zero.
package enum ServiceTime {
    /// Numbers from here on are Unix times: thirty years are not a pause.
    private static let epochMin = 1e9
    /// Numbers from here on are Unix times in milliseconds: in seconds, they would be thousands of years away.
    private static let epochMillisecondsMin = 1e11
    /// No text but a number is longer.
    private static let bytesMax = 100

    /// Reads a time.
    ///
    /// It is a number of seconds, also with a fraction; a Unix time in seconds or milliseconds; a duration with units,
    /// such as `1m30s` or `30 seconds`; or a date of HTTP or ISO 8601. Of a list, the latest counts.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - start: The service's time in seconds since 1970, from which a date counts.
    /// - Returns: The time; `nil` if the text is none of these.
    package static func pause(_ text: String, from start: Int64) -> Duration? {
        let text = text.trimmingSpaces
        // Some services send a text of JSON.
        let isQuoted = text.utf8.count >= 2 && text.hasBytePrefix("\"") && text.hasByteSuffix("\"")
        let plain = isQuoted ? String(Substring(text.utf8.dropFirst().dropLast())) : String(text)
        if let seconds = number(plain) { return pause(seconds, from: start) }
        guard plain.utf8.count <= bytesMax else { return nil }
        if let end = HTTPDate.seconds(in: plain, now: start) { return pause(Double(end - start)) }
        if let date = InternetDate.date(from: plain) { return pause(date.timeIntervalSince1970 - Double(start)) }
        if let seconds = secondsOfUnits(plain) { return pause(seconds) }
        let parts = plain.byteSplit(separator: ",")
        let pauses = parts.compactMap { number(String($0.trimmingSpaces)) }.map { pause($0, from: start) }
        return parts.count > 1 && pauses.count == parts.count ? pauses.max() : nil
    }

    /// A number of seconds, or a Unix time.
    package static func pause(_ number: Double, from start: Int64) -> Duration {
        switch number {
        case epochMillisecondsMin...: pause(number / 1000 - Double(start))
        case epochMin...: pause(number - Double(start))
        default: pause(number)
        }
    }

    package static func pause(milliseconds text: String) -> Duration? {
        number(text.trimmingSpaces).map { pause($0 / 1000) }
    }

    private static func pause(_ seconds: Double) -> Duration {
        guard seconds > 0 else { return .zero }
        return seconds < 3e9 ? .milliseconds(Int64((seconds * 1000).rounded(.up))) : .farFuture
    }

    /// Digits, also with a fraction: a negative number means nothing that all services agree on.
    private static func number(_ text: some StringProtocol) -> Double? {
        let isPlain = text.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard isPlain, text.utf8.first.map(ASCII.isDigit) == true else { return nil }
        return Double(String(text))
    }

    /// `1h2m3.5s`, `250ms`, `2 minutes`.
    private static func secondsOfUnits(_ text: String) -> Double? {
        var rest = text.asciiLowercased.utf8[...]
        var sum = 0.0
        while !rest.isEmpty {
            let digits = rest.prefix { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
            rest = rest[digits.endIndex...].drop { $0 == 0x20 }
            let unit = rest.prefix(while: ASCII.isLetter)
            rest = rest[unit.endIndex...].drop { $0 == 0x20 }
            guard let count = Double(String(Substring(digits))), let factor = factors[String(Substring(unit))] else {
                return nil
            }
            sum += count * factor
        }
        return text.utf8.isEmpty ? nil : sum
    }

    private static let factors: [String: Double] = [
        "ms": 0.001, "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "m": 60, "min": 60, "mins": 60,
        "minute": 60, "minutes": 60, "h": 3600, "hour": 3600, "hours": 3600, "d": 86_400, "day": 86_400, "days": 86_400,
    ]
}

// MARK: - Where it is said

extension HTTPHeaders {
    /// The longest pause that the fields state, counted from the response's date, or from the client's in seconds
    /// since 1970.
    ///
    /// A proxy may have added one: the longest counts, so that neither is undercut.
    package func retryAfter(at now: Int64) -> Duration? {
        let start = serviceTime(now)
        var pauses = values(for: .retryAfter).compactMap { ServiceTime.pause($0, from: start) }
        for name in Self.millisecondNames {
            pauses += values(for: name).compactMap { ServiceTime.pause(milliseconds: $0) }
        }
        return pauses.max()
    }

    /// The service's time in seconds since 1970: that of `Date`, or the client's.
    func serviceTime(_ now: Int64) -> Int64 {
        self["Date"].flatMap { HTTPDate.seconds(in: String($0.trimmingSpaces), now: now) } ?? now
    }

    /// As services of Azure and OpenAI send it beside `Retry-After`, which has whole seconds only.
    private static let millisecondNames: [HTTPHeaderName] = ["Retry-After-Ms", "X-Ms-Retry-After-Ms"]
}

extension HTTPResponse {
    /// The longest pause that the fields state, or the JSON of a failure that is in memory.
    package func retryAfter(at now: Int64) -> Duration? {
        let stated = body.bytes.flatMap { ServiceTime.pause(inJSON: $0, from: now) }
        return [headers.retryAfter(at: now), stated].compactMap(\.self).max() ?? headers.pauseUntilReset(status, now)
    }
}

extension HTTPHeaders {
    /// The time until a quota is filled again, of which a response with 429 or 403 says that nothing is left.
    package func pauseUntilReset(_ status: HTTPStatus, _ now: Int64) -> Duration? {
        guard status == .tooManyRequests || status == .forbidden else { return nil }
        return quotas(now: now).filter { $0.remaining == 0 }.compactMap(\.resetsIn).max()
    }
}

extension ServiceTime {
    /// No failure that says only this is larger.
    private static let jsonBytesMax = 64 * 1024

    /// The longest pause that the members of a failure state: `retry_after` and its spellings, at the root, or in an
    /// object of the root.
    package static func pause(inJSON body: Data, from start: Int64) -> Duration? {
        // Most failures don't say it, and are not read.
        guard body.count <= jsonBytesMax, body.hasWordOfPause else { return nil }
        guard let root = try? WebJSON.decoder.decode(JSONValue.self, from: body).object else { return nil }
        let inner = root.values.compactMap(\.object)
        return ([root] + inner).flatMap { $0 }.compactMap { member in pause(member.key, member.value, from: start) }
            .max()
    }

    private static func pause(_ key: String, _ value: JSONValue, from start: Int64) -> Duration? {
        let letters = String(decoding: key.asciiLowercased.utf8.filter(ASCII.isLetter), as: UTF8.self)
        let text = value.string ?? value.number.map { "\($0)" }
        switch letters {
        case "retryafter", "retryafterseconds", "retryafters": return text.flatMap { pause($0, from: start) }
        case "retryafterms", "retryaftermilliseconds": return text.flatMap { pause(milliseconds: $0) }
        default: return nil
        }
    }
}

extension Data {
    /// Whether a spelling of `retry_after` stands anywhere in it.
    fileprivate var hasWordOfPause: Bool {
        ["etry_after", "etry-after", "etryAfter", "etryafter", "ETRY_AFTER"].contains { firstRange(of: $0.utf8) != nil }
    }
}
