import Hikyaku
public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The code for a user who signs in on another device than the one that needs the token.
///
/// ```swift
/// let code = try await oauth.deviceCode(scopes: ["read"])
/// print("Open \(code.verificationURL) and enter \(code.userCode)")
/// let token = try await oauth.token(for: code)    // waits until the user has done so
/// ```
/// [RFC 8628, section 3.2](https://www.rfc-editor.org/rfc/rfc8628#section-3.2)
public struct OAuthDeviceCode: Sendable {
    /// The minimum and maximum polling interval.
    static let intervals = Duration.seconds(1)...Duration.seconds(600)
    /// The maximum lifetime that is accepted for a code.
    private static let lifetimeMax = Duration.seconds(86_400)

    /// The code that the user enters.
    public let userCode: String
    /// The URL where the user enters it.
    public let verificationURL: URL
    /// The same URL with the code in it, for a QR code; `nil` if the server sends none.
    public let completeVerificationURL: URL?
    /// The expiry of the code.
    public let expiresAt: ContinuousClock.Instant
    /// The polling interval; the server may increase it.
    public let interval: Duration

    let deviceCode: Secret<String>
    let scopes: Set<String>

    init(
        _ response: DeviceAuthorizationResponse,
        scopes: Set<String>,
        now: ContinuousClock.Instant,
    ) throws(OAuthProblem) {
        userCode = Redaction.printable(response.userCode, scalarsMax: 100)
        verificationURL = try OAuthEndpoint(response.verificationURI, "verification URL").url
        completeVerificationURL = try? OAuthEndpoint(response.completeURI, "verification URL").url
        // Half an hour if the server sends no lifetime; five seconds are the standard's default.
        let lifetime = Duration.seconds(response.secondsLeft ?? 1800)
        expiresAt = now.advanced(by: min(lifetime, Self.lifetimeMax))
        interval = min(max(.seconds(response.interval ?? 5), Self.intervals.lowerBound), Self.intervals.upperBound)
        deviceCode = response.deviceCode
        self.scopes = scopes
    }
}

extension OAuthDeviceCode: Redacted {
    /// The URL where the code is entered, without the code.
    public var description: String { "OAuthDeviceCode(\(Redaction.text(of: verificationURL)))" }
}

/// The response of the device authorization endpoint.
///
/// [RFC 8628, section 3.2](https://www.rfc-editor.org/rfc/rfc8628#section-3.2)
struct DeviceAuthorizationResponse: Decodable, Sendable {
    /// The maximum size of each string, in bytes.
    private static let bytesMax = 8 * 1024

    let deviceCode: Secret<String>
    let userCode: String
    let verificationURI: String
    let completeURI: String?
    let secondsLeft: Double?
    let interval: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) throws -> String {
            try container.text(key, bytesMax: Self.bytesMax, "string of 1 to \(Self.bytesMax) bytes")
        }
        deviceCode = Secret(try text(.deviceCode))
        userCode = try text(.userCode)
        // The name in an early draft, which some servers still use.
        let isOld = !container.contains(.verificationURI) && container.contains(.oldVerificationURI)
        verificationURI = try text(isOld ? .oldVerificationURI : .verificationURI)
        completeURI = try? text(.completeURI)
        secondsLeft = (try? container.decode(LenientSeconds.self, forKey: .secondsLeft))?.value
        interval = (try? container.decode(LenientSeconds.self, forKey: .interval))?.value
    }

    private enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case oldVerificationURI = "verification_url"
        case completeURI = "verification_uri_complete"
        case secondsLeft = "expires_in"
        case interval
    }
}
