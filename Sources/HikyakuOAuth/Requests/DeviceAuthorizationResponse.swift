import Hikyaku

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
                debugDescription: "a text of 1 to \(bytesMax) bytes was expected",
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
