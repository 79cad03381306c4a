import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes as text that needs no escaping in a URL, without padding.
///
/// [RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)
enum Base64URL {
    static func text(of bytes: Data) -> String {
        let text = bytes.base64EncodedString().utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; `nil` if it has any other character, including padding.
    static func bytes(of text: some StringProtocol) -> Data? {
        var standard: [UInt8] = []
        standard.reserveCapacity(text.utf8.count + 3)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case _ where ASCII.isLetter(byte) || ASCII.isDigit(byte): standard.append(byte)
            default: return nil
            }
        }
        while standard.count % 4 != 0 { standard.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(standard))
    }
}

/// A source of unpredictable bytes; a test replaces it.
struct RandomSource: Sendable {
    let bytes: @Sendable (Int) -> Data

    /// The system's generator: `getrandom` on Linux, `arc4random_buf` on Apple's platforms.
    static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        return Data((0..<max(0, count)).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// 32 bytes, as a text of 43 characters: as RFC 7636, section 4.1 recommends for a verifier, and enough for a
    /// state.
    func text() -> String { Base64URL.text(of: bytes(32)) }
}
