/// What no path may hold, whoever wrote it.
package enum URLPath {
    /// What makes a percent-encoded path unfit: a broken triplet, a dot segment in any spelling, a NUL.
    ///
    /// - Returns: The problem in words without the path's content; `nil` where there is none.
    package static func problem(in path: String) -> String? {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") }) else { return nil }
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            guard let decoded = decoded(segment) else { return "the path holds a % without two hexadecimal digits" }
            if decoded == [0x2E] || decoded == [0x2E, 0x2E] {
                return "the path holds the segment \(decoded.count == 1 ? "." : ".."), which would lead elsewhere"
            }
            if decoded.contains(0) { return "the path holds a NUL" }
        }
        return nil
    }

    /// The bytes that a segment stands for; `nil` where a triplet is broken.
    private static func decoded(_ segment: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = segment[...]
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                bytes.append(byte)
            } else if let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue {
                bytes.append(high << 4 | low)
            } else {
                return nil
            }
        }
        return bytes
    }
}
