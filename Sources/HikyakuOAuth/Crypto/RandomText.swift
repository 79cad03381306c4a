#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What gives bytes that nobody can guess; a test gives its own.
struct RandomSource: Sendable {
    let bytes: @Sendable (Int) -> Data

    /// The system's generator: `getrandom` on Linux, `arc4random_buf` on Apple's platforms.
    static let system = RandomSource { count in
        var generator = SystemRandomNumberGenerator()
        return Data((0..<max(0, count)).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    /// 32 bytes, as a text of 43 characters: what RFC 7636, section 4.1 recommends of a verifier, and enough for a
    /// state.
    func text() -> String { Base64URL.text(of: bytes(32)) }
}
