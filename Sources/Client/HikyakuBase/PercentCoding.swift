/// Percent-encoding (RFC 3986, section 2.1).
///
/// A triplet's digits are read in both cases and written in upper case (section 6.2.2.1).
public enum PercentCoding {
    /// The bytes that encoding leaves unchanged; every other byte becomes a triplet.
    public enum Allowed: Sendable {
        /// Letters, digits and `-._~` (section 2.3): a value can't leave its segment or item.
        case unreserved
        /// The bytes that a path may contain (section 3.3), and `%`: literal parts of a path keep their `/`, `:`, `@`
        /// and similar bytes.
        case path
        /// The bytes that a form keeps; a space becomes `+` (WHATWG URL, application/x-www-form-urlencoded).
        case form
        /// The bytes that a query item keeps if it may contain reserved characters: not those that would end it, `&`
        /// and `#`, nor `+`, `[` and `]` (section 3.4).
        case queryItem

        @inlinable
        func contains(_ byte: UInt8) -> Bool {
            if ASCII.isUnreserved(byte) { return byte != UInt8(ascii: "~") || self != .form }
            switch byte {
            case UInt8(ascii: "?"): return self == .queryItem
            case UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "%"): return self == .path
            case UInt8(ascii: "*"): return self != .unreserved
            case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"),
                UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: ";"),
                UInt8(ascii: "="):
                return self == .path || self == .queryItem
            default: return false
            }
        }
    }

    /// The byte that a triplet encodes.
    ///
    /// - Returns: `nil` if no triplet begins at the index.
    @inlinable
    public static func byte<Bytes: RandomAccessCollection<UInt8>>(at index: Int, in bytes: Bytes) -> UInt8?
    where Bytes.Index == Int {
        guard bytes.endIndex - index > 2, bytes[index] == UInt8(ascii: "%"),
            let high = ASCII.hexadecimalValue(bytes[index + 1]), let low = ASCII.hexadecimalValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Decodes one round of percent-encoding; a `%` that begins no triplet is kept.
    ///
    /// - Parameters:
    ///   - bytes: The encoded text.
    ///   - plusIsSpace: Whether a `+` encodes a space, as in forms.
    /// - Returns: The bytes, which need not be UTF-8.
    public static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        decoded(Array(bytes), plusIsSpace: plusIsSpace, rejectsBroken: false) ?? []
    }

    /// Decodes one round of percent-encoding to a text.
    ///
    /// - Parameters:
    ///   - bytes: The encoded text.
    ///   - plusIsSpace: Whether a `+` encodes a space, as in forms.
    /// - Returns: `nil` if a `%` begins no triplet, or the bytes are not UTF-8.
    public static func text(of bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        decoded(Array(bytes), plusIsSpace: plusIsSpace, rejectsBroken: true).flatMap(validated)
    }

    /// Decodes one round of percent-encoding to a text, and never fails.
    ///
    /// - Parameters:
    ///   - bytes: The encoded text.
    ///   - plusIsSpace: Whether a `+` encodes a space, as in forms.
    /// - Returns: The text; a `%` that begins no triplet is kept, and bytes that are not UTF-8 become U+FFFD.
    public static func repairedText(of bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
        String(decoding: decoded(bytes, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// The bytes as a text; `nil` if they are not UTF-8.
    public static func validated(_ bytes: [UInt8]) -> String? {
        // Invalid bytes are replaced, so the text has other bytes. `String(validating:as:)` needs macOS 15.
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }

    private static func decoded(_ bytes: [UInt8], plusIsSpace: Bool, rejectsBroken: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let byte = byte(at: index, in: bytes) {
                decoded.append(byte)
                index += 3
                continue
            }
            if rejectsBroken, bytes[index] == UInt8(ascii: "%") { return nil }
            decoded.append(plusIsSpace && bytes[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : bytes[index])
            index += 1
        }
        return decoded
    }

    /// The encoded text: every byte that isn't allowed is a triplet.
    public static func encoded(_ text: String, allowing allowed: Allowed) -> String {
        var output = ""
        append(text, to: &output, allowing: allowed)
        return output
    }

    /// Appends the encoded text: every byte that isn't allowed becomes a triplet.
    public static func append(_ text: String, to output: inout String, allowing allowed: Allowed) {
        guard !appendPlain(text, to: &output, allowing: allowed) else { return }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if allowed.contains(byte) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " "), allowed == .form {
                bytes.append(UInt8(ascii: "+"))
            } else {
                appendTriplet(of: byte, to: &bytes)
            }
        }
        output += String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a text unchanged if none of its bytes has to be encoded.
    ///
    /// - Returns: Whether the text was appended.
    @inlinable
    public static func appendPlain(_ text: String, to output: inout String, allowing allowed: Allowed) -> Bool {
        var text = text
        guard text.withUTF8({ bytes in bytes.allSatisfy { allowed.contains($0) } }) else { return false }
        output += text
        return true
    }

    /// Appends the triplet that encodes a byte.
    public static func appendTriplet(of byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(ASCII.hexadecimalDigit(byte >> 4))
        output.append(ASCII.hexadecimalDigit(byte & 15))
    }
}
