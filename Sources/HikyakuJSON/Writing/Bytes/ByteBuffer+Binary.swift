#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ByteBuffer {
    /// The alphabets of RFC 4648, sections 4 and 5.
    enum Base64Alphabet {
        /// With `+` and `/`, and `=` up to a multiple of four characters.
        case standard
        /// With `-` and `_`, and no padding.
        case url

        fileprivate var characters: StaticString {
            switch self {
            case .standard: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
            case .url: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
            }
        }
    }

    mutating func appendQuoted(_ data: Data, _ alphabet: Base64Alphabet) {
        append(UInt8(ascii: "\""))
        data.withUnsafeBytes { appendBase64($0, alphabet) }
        append(UInt8(ascii: "\""))
    }

    private mutating func appendBase64(_ bytes: UnsafeRawBufferPointer, _ alphabet: Base64Alphabet) {
        let characters = alphabet.characters.utf8Start
        var out = reserve((bytes.count + 2) / 3 * 4)
        let start = out
        var index = 0
        while index + 3 <= bytes.count {
            let bits = Int(bytes[index]) << 16 | Int(bytes[index + 1]) << 8 | Int(bytes[index + 2])
            out[0] = characters[bits >> 18]
            out[1] = characters[bits >> 12 & 63]
            out[2] = characters[bits >> 6 & 63]
            out[3] = characters[bits & 63]
            out += 4
            index += 3
        }
        advance(by: out - start)
        let rest = bytes.count - index
        guard rest > 0 else { return }
        let bits = Int(bytes[index]) << 16 | (rest == 2 ? Int(bytes[index + 1]) << 8 : 0)
        append(characters[bits >> 18])
        append(characters[bits >> 12 & 63])
        if rest == 2 { append(characters[bits >> 6 & 63]) }
        if case .standard = alphabet { append(repeating: UInt8(ascii: "="), count: 3 - rest) }
    }

    /// Writes the 36 characters that Foundation's `uuidString` has, in capitals.
    mutating func appendQuoted(_ uuid: UUID) {
        let out = reserve(38)
        out[0] = UInt8(ascii: "\"")
        var place = 1
        withUnsafeBytes(of: uuid.uuid) { bytes in
            for (index, byte) in bytes.enumerated() {
                if index == 4 || index == 6 || index == 8 || index == 10 {
                    out[place] = UInt8(ascii: "-")
                    place += 1
                }
                out[place] = Self.capitalHexDigit(byte >> 4)
                out[place + 1] = Self.capitalHexDigit(byte & 15)
                place += 2
            }
        }
        out[place] = UInt8(ascii: "\"")
        advance(by: 38)
    }

    @inline(__always) private static func capitalHexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? value &+ 0x30 : value &+ 0x37
    }
}
