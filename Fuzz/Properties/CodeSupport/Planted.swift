/// A line that must never become one of generated code, whatever is in front of it.
enum Planted {
    private static let line = "let planted7341 = 1"
    /// What ends a line for Swift, for terminals or for people.
    private static let breaks = ["\\n", "\\r", "\\r\\n", "\\u2028", "\\u0085", "\\u000b", "\\u000c", "\\n*/"]
    /// A text with the line between two line breaks.
    static let text = "\n\(line)\n"

    /// A document in JSON, or in YAML with double quotes, with the line in one of its texts, which may be a key.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - number: Which of the texts it is, and by how they are divided, what ends the lines.
    /// - Returns: The document; the same one if it has no such text.
    static func document(_ bytes: [UInt8], at number: Int) -> [UInt8] {
        let quotes = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\"") && ($0 == 0 || bytes[$0 - 1] != 0x5C) }
        guard quotes.count >= 2 else { return bytes }
        let texts = quotes.count / 2
        let end = breaks[(number / texts) % breaks.count]
        let place = quotes[2 * (number % texts) + 1]
        return Array(bytes[..<place]) + Array("\(end)\(line)\(end)".utf8) + Array(bytes[place...])
    }

    /// Whether the line is one of the code.
    static func isLine(of code: String) -> Bool {
        code.utf8.split { $0 == 0x0A || $0 == 0x0D }.contains {
            $0.drop { $0 == 0x20 || $0 == 0x09 }.starts(with: line.utf8)
        }
    }
}
