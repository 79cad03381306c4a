/// Percent-encoding (RFC 3986, section 2.1).
///
/// A triplet's digits are read in both cases and written in upper case (section 6.2.2.1).
public enum PercentCoding {
    /// What stays as it is when a text is encoded; every other byte becomes a triplet.
    public enum Allowed: Sendable {
        /// Letters, digits and `-._~` (section 2.3): a value can't leave its segment or item.
        case unreserved
        /// What a path may hold (section 3.3), a `%` included: literal parts of a path keep their `/`, `:`, `@` and the
        /// like.
        case path
        /// What a form keeps; a space becomes `+` there (WHATWG URL, application/x-www-form-urlencoded).
        case form

        @inlinable
        func contains(_ byte: UInt8) -> Bool {
            if ASCII.isUnreserved(byte) { return byte != UInt8(ascii: "~") || self != .form }
            switch byte {
            case UInt8(ascii: "*"): return self != .unreserved
            case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"),
                UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"),
                UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "%"):
                return self == .path
            default: return false
            }
        }
    }

    /// The byte that a triplet encodes.
    ///
    /// - Returns: `nil` where no triplet begins at the index.
    @inlinable
    public static func byte<Bytes: RandomAccessCollection<UInt8>>(at index: Int, in bytes: Bytes) -> UInt8?
    where Bytes.Index == Int {
        guard bytes.endIndex - index > 2, bytes[index] == UInt8(ascii: "%"),
            let high = ASCII.hexadecimalValue(bytes[index + 1]), let low = ASCII.hexadecimalValue(bytes[index + 2])
        else { return nil }
        return high << 4 | low
    }

    /// The bytes without one round of percent-encoding; a `%` that begins no triplet stays as it is.
    ///
    /// - Parameters:
    ///   - bytes: The encoded text.
    ///   - plusIsSpace: Whether a `+` encodes a space, as in forms.
    /// - Returns: The bytes, which need not be UTF-8.
    public static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        decoded(Array(bytes), plusIsSpace: plusIsSpace, rejectsBroken: false) ?? []
    }

    /// The text without one round of percent-encoding.
    ///
    /// - Parameters:
    ///   - bytes: The encoded text.
    ///   - plusIsSpace: Whether a `+` encodes a space, as in forms.
    /// - Returns: `nil` where a `%` begins no triplet, or the bytes are no UTF-8.
    public static func text(of bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        decoded(Array(bytes), plusIsSpace: plusIsSpace, rejectsBroken: true).flatMap(validated)
    }

    /// The text without one round of percent-encoding, whatever it is.
    ///
    /// - Parameters:
    ///   - bytes: The encoded text.
    ///   - plusIsSpace: Whether a `+` encodes a space, as in forms.
    /// - Returns: The text, in which a `%` that begins no triplet stays as it is, and bytes that are no UTF-8 become
    ///   U+FFFD.
    public static func repairedText(of bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
        String(decoding: decoded(bytes, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// Bytes as a text; `nil` for what is no UTF-8.
    public static func validated(_ bytes: [UInt8]) -> String? {
        // Bytes that are no UTF-8 come back as others. `String(validating:as:)` says it, but needs macOS 15.
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

    /// A text with all as triplets that isn't allowed.
    public static func encoded(_ text: String, allowing allowed: Allowed) -> String {
        var output = ""
        append(text, to: &output, allowing: allowed)
        return output
    }

    /// Appends a text with all as triplets that isn't allowed.
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

    /// Appends a text as it is, if no byte of it has to be encoded.
    ///
    /// - Returns: Whether it did.
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
        output.append(digit(byte >> 4))
        output.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}
