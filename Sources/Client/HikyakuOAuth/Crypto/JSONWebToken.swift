import Hikyaku
import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads a JSON Web Token without validating it.
///
/// ```swift
/// let token = IssuedToken(token: Secret(userToken), expiresAt: JSONWebToken.expiration(of: userToken))
/// try await tokenStore.save(token)
/// ```
/// Nothing in it is trusted: the signature isn't checked, and code that relies on a claim must validate the issuer
/// first. The expiry is useful nevertheless, since an issuer gains nothing from a wrong one.
///
/// [RFC 7519, section 4.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1)
public enum JSONWebToken {
    /// The maximum size of any token, in bytes: a longer one fits into no header block.
    static let bytesMax = 64 * 1024
    /// The latest accepted expiry, in seconds since 1970: the year 10000.
    private static let secondsMax = 253_402_300_800.0

    /// The expiry of a token, from its claim `exp`.
    ///
    /// - Parameter token: The token: three parts separated by dots, of at most 64 KiB.
    /// - Returns: The expiry by the issuer's clock; `nil` for a string that is not such a token, like most access
    ///   tokens, and if the claim is missing or not a time.
    public static func expiration(of token: String) -> Date? {
        guard token.utf8.count <= bytesMax else { return nil }
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

/// Dates of header fields as Foundation has dates.
enum WebDate {
    /// Reads a date in any of the three forms that a recipient has to know.
    static func date(from text: String, at now: Date) -> Date? {
        let now = Int64(exactly: now.timeIntervalSince1970.rounded(.down)) ?? 0
        return HTTPDate.seconds(in: text, now: now).map { Date(timeIntervalSince1970: Double($0)) }
    }

    /// Formats a date; `nil` outside the years 1 to 9999.
    static func text(of date: Date) -> String? {
        let time = date.timeIntervalSince1970
        // What is less than a date's own precision before the next second is that one.
        let precision = max(time.magnitude, date.timeIntervalSinceReferenceDate.magnitude).ulp
        return Int64(exactly: (time + precision).rounded(.down)).flatMap(HTTPDate.text)
    }
}
