import Hikyaku

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a person needs who signs in on another device than the one that wants the token.
///
/// [RFC 8628, section 3.2](https://www.rfc-editor.org/rfc/rfc8628#section-3.2)
public struct OAuthDeviceCode: Sendable {
    /// The least and the most that is waited between two questions.
    static let intervals = Duration.seconds(1)...Duration.seconds(600)
    /// The most that a code is believed to last.
    private static let lifetimeMax = Duration.seconds(86_400)

    /// What the person types in.
    public let userCode: String
    /// Where they do that.
    public let verificationURL: URL
    /// The same with the code in it, for a QR code; `nil` where the server gives none.
    public let completeVerificationURL: URL?
    /// When the code ends.
    public let expiresAt: ContinuousClock.Instant
    /// What is waited between two questions; the server may ask for more.
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
        // Half an hour where the server forgets to say; five seconds are the standard's.
        let lifetime = Duration.seconds(response.secondsLeft ?? 1800)
        expiresAt = now.advanced(by: min(lifetime, Self.lifetimeMax))
        interval = min(max(.seconds(response.interval ?? 5), Self.intervals.lowerBound), Self.intervals.upperBound)
        deviceCode = response.deviceCode
        self.scopes = scopes
    }
}

extension OAuthDeviceCode: CustomStringConvertible, CustomReflectable {
    /// Where to type the code in, and not the code.
    public var description: String { "OAuthDeviceCode(\(Redaction.text(of: verificationURL)))" }
    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["url": Redaction.text(of: verificationURL)]) }
}

/// What the device authorization endpoint answers.
///
/// [RFC 8628, section 3.2](https://www.rfc-editor.org/rfc/rfc8628#section-3.2)
struct DeviceAuthorizationResponse: Decodable, Sendable {
    /// No text of these is longer, in bytes.
    private static let bytesMax = 8 * 1024

    let deviceCode: Secret<String>
    let userCode: String
    let verificationURI: String
    let completeURI: String?
    let secondsLeft: Double?
    let interval: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        deviceCode = Secret(try Self.text(.deviceCode, in: container))
        userCode = try Self.text(.userCode, in: container)
        // An early draft's name, which some servers still write.
        let isOld = !container.contains(.verificationURI) && container.contains(.oldVerificationURI)
        verificationURI = try Self.text(isOld ? .oldVerificationURI : .verificationURI, in: container)
        completeURI = try? Self.text(.completeURI, in: container)
        secondsLeft = (try? container.decode(LenientSeconds.self, forKey: .secondsLeft))?.value
        interval = (try? container.decode(LenientSeconds.self, forKey: .interval))?.value
    }

    private static func text(
        _ key: CodingKeys,
        in container: KeyedDecodingContainer<CodingKeys>,
    ) throws -> String {
        let text = try container.decode(String.self, forKey: key)
        guard 1...bytesMax ~= text.utf8.count else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "expected a string of 1 to \(bytesMax) bytes",
            )
        }
        return text
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
