/// What no path may hold, whoever wrote it.
package enum URLPath {
    /// What makes a percent-encoded path unfit: a broken triplet, a dot segment in any spelling, a NUL.
    ///
    /// Many servers decode `%2F` before they look for dot segments, and some read `\` as `/`. So each segment is
    /// decoded and split at both.
    ///
    /// - Returns: The problem in words without the path's content; `nil` where there is none.
    package static func problem(in path: String) -> String? {
        guard path.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: ".") }) else { return nil }
        for segment in path.utf8.split(separator: UInt8(ascii: "/")) {
            guard let decoded = decoded(segment) else { return "the path holds a % without two hexadecimal digits" }
            if let dots = dotPart(of: decoded) {
                return "the path holds the segment \(dots), which would lead elsewhere"
            }
            if decoded.contains(0) { return "the path holds a NUL" }
        }
        return nil
    }

    /// `.` or `..` where a part of a decoded segment is one of them.
    private static func dotPart(of segment: [UInt8]) -> String? {
        let parts = segment.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        let isDots = { (part: ArraySlice<UInt8>) in part.count <= 2 && part.allSatisfy { $0 == UInt8(ascii: ".") } }
        return parts.first(where: isDots).map { String(decoding: $0, as: UTF8.self) }
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
