/// Percent-encoding by RFC 3986, section 2.
enum PercentEncoding {
    /// What goes through as it stands; every other byte becomes a triplet.
    enum Allowed {
        /// Letters, digits and `-._~` (section 2.3): a value can't leave its segment or item.
        case unreserved
        /// What a path may hold (section 3.3): literal parts of a path keep their `/`, `:`, `@` and the like.
        case path
        /// What a form keeps as it stands; a space becomes `+` there (WHATWG URL, application/x-www-form-urlencoded).
        case form
    }

    /// Appends a text as it stands, if no byte of it has to be encoded.
    ///
    /// - Returns: Whether it did.
    static func appendPlain(_ text: String, to output: inout String, allowing allowed: Allowed) -> Bool {
        var text = text
        guard text.withUTF8({ bytes in bytes.allSatisfy { isPlain($0, allowed) } }) else { return false }
        output += text
        return true
    }

    static func append(_ text: String, to output: inout String, allowing allowed: Allowed) {
        guard !appendPlain(text, to: &output, allowing: allowed) else { return }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        for byte in text.utf8 {
            if isPlain(byte, allowed) {
                bytes.append(byte)
            } else if byte == UInt8(ascii: " "), allowed == .form {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 15))
            }
        }
        output += String(decoding: bytes, as: UTF8.self)
    }

    static func encoded(_ text: String, allowing allowed: Allowed) -> String {
        var output = ""
        append(text, to: &output, allowing: allowed)
        return output
    }

    private static func isPlain(_ byte: UInt8, _ allowed: Allowed) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        case UInt8(ascii: "~"): allowed != .form
        case UInt8(ascii: "*"): allowed != .unreserved
        case UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "%"):
            allowed == .path
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }
}
