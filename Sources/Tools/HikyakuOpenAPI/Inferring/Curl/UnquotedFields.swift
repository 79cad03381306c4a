/// Header fields that lack their quotes, so that a shell made several words of each.
///
/// The line's URL may be one of these words if it has no scheme: `-H Authorization: Bearer planted a.example`. Which
/// one is clear only when the rest of the line is read. Any other word may be a credential, so none is taken for a host
/// unless it is written like one.
struct UnquotedFields {
    private struct Run {
        let name: String
        var words: [String]
        /// The count of the line's fields before this one.
        let index: Int
    }

    private var runs: [Run] = []

    var isEmpty: Bool { runs.isEmpty }

    mutating func add(_ name: String, _ words: [String], at index: Int) {
        runs.append(Run(name: name, words: words, index: index))
    }

    /// Takes the last word that is probably a URL, and drops the words after it in its field.
    ///
    /// - Returns: The URL, and how many words follow it.
    mutating func takeURL() -> (url: String, wordsAfter: Int)? {
        for number in runs.indices.reversed() {
            let words = runs[number].words
            guard let last = words.lastIndex(where: Self.isLikelyURL) else { continue }
            runs[number].words = Array(words[..<last])
            return (words[last], words.count - last - 1)
        }
        return nil
    }

    /// The fields that have a value: `Name:value`, and the count of the line's other fields before each.
    var fields: [(index: Int, text: String)] {
        runs.filter { !$0.words.isEmpty }.map { ($0.index, $0.name + ":" + $0.words.joined(separator: " ")) }
    }

    /// Whether a text with or without a scheme is probably a URL, rather than a value or a credential.
    static func isLikelyURL(_ text: String) -> Bool {
        if text.has(part: "://") { return true }
        let authority = String(Substring(text.utf8.prefix { !"/?#".utf8.contains($0) }))
        let hasPath = authority.utf8.count < text.utf8.count
        if hasPath, mediaKinds.contains(authority.lowercased()) { return false }
        // `me@a.example` is an address of mail; a URL has a password as well.
        let user = authority.parts(by: "@")
        guard user.count == 1 || user.count == 2 && user[0].has(":") else { return false }
        let host = user.last ?? ""
        if host.begins(with: "[") { return host.has("]") }
        let pair = host.parts(by: ":")
        let hasPort = pair.count == 2 && UInt16(pair[1]) != nil
        guard pair.count == 1 || hasPort, let name = pair.first, isHostName(name) else { return false }
        let labels = name.parts(by: ".")
        guard labels.count == 1 else { return isDomain(labels) }
        // The letters before a slash may begin a code in base64.
        return name == "localhost" || hasPort || hasPath && !name.utf8.contains { 0x30...0x39 ~= $0 }
    }

    /// Whether a text has only what a host's name has; capitals are rare there, and usual in credentials.
    private static func isHostName(_ text: String) -> Bool {
        text.utf8.first.map { $0 > 0x2E } ?? false
            && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D || $0 == 0x2E }
    }

    private static func isDomain(_ labels: [String]) -> Bool {
        guard let last = labels.last, labels.allSatisfy({ !$0.isEmpty }) else { return false }
        if labels.count == 4, labels.allSatisfy({ UInt8($0) != nil }) { return true }
        return last.utf8.count >= 2 && last.utf8.allSatisfy { 0x61...0x7A ~= $0 }
    }

    private static let mediaKinds: Set<String> = [
        "application", "text", "image", "audio", "video", "multipart", "font", "model", "message", "*",
    ]
}
