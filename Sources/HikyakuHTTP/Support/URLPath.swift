import HikyakuBase

/// What no path may hold, whoever wrote it.
package enum URLPath {
    /// What makes a percent-encoded path unfit: a broken triplet, a dot segment in any spelling, a NUL.
    ///
    /// Many servers decode `%2F` before they look for dot segments, and some read `\` as `/`. So the path is looked at
    /// decoded, and split at both.
    ///
    /// - Returns: The problem in words without the path's content; `nil` where there is none.
    package static func problem(in path: String) -> String? {
        var path = path
        return path.withUTF8 { bytes in
            // The part between two separators so far: how many dots, unless there is anything else.
            var dotCount: Int? = 0
            var index = 0
            while index < bytes.count {
                var byte = bytes[index]
                index += 1
                if byte == UInt8(ascii: "%") {
                    guard let decoded = PercentCoding.byte(at: index - 1, in: bytes) else {
                        return "the path holds a % without two hexadecimal digits"
                    }
                    byte = decoded
                    index += 2
                }
                switch byte {
                case UInt8(ascii: "/"), UInt8(ascii: "\\"):
                    if let problem = dotProblem(dotCount) { return problem }
                    dotCount = 0
                case UInt8(ascii: "."): dotCount? += 1
                case 0: return "the path holds a NUL"
                default: dotCount = nil
                }
            }
            return dotProblem(dotCount)
        }
    }

    private static func dotProblem(_ dotCount: Int?) -> String? {
        guard let dotCount, 1...2 ~= dotCount else { return nil }
        return "the path holds the segment \(dotCount == 1 ? "." : ".."), which would lead elsewhere"
    }
}
