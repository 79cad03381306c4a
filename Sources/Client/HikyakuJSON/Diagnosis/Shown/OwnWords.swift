import HikyakuBase

/// The words of an error that an app's own decoding has thrown, without what may be a value of the document.
enum OwnWords {
    /// A larger document is not searched for each word.
    private static let bytesMax = 1 << 20
    private static let scalarsMax = 200

    /// Masks a text: `…` replaces words that are in the document other than as a key, and what is not a word.
    ///
    /// - Parameters:
    ///   - text: The text, such as a `debugDescription`.
    ///   - document: The document that was decoded.
    /// - Returns: The words; `nil` if none is left.
    static func masked(_ text: String, in document: UnsafeBufferPointer<UInt8>) -> String? {
        guard document.count <= bytesMax else { return nil }
        let lowered = unsafe document.map { ASCII.lowercased($0) }
        var shown: [Substring] = []
        var hasWord = false
        for part in text.prefix(scalarsMax).split(whereSeparator: \.isWhitespace) {
            let isShown = isShown(part, lowered)
            hasWord = hasWord || isShown
            if isShown || shown.last != "…" { shown.append(isShown ? part : "…") }
        }
        return hasWord ? shown.joined(separator: " ") : nil
    }

    private static func isShown(_ part: Substring, _ document: [UInt8]) -> Bool {
        let signs = ".,:;!?()\"'`".utf8
        let word = part.utf8.drop { signs.contains($0) }.reversed().drop { signs.contains($0) }.reversed()
        let bytes = word.map { ASCII.lowercased($0) }
        guard !bytes.isEmpty, bytes.allSatisfy({ ASCII.isLetter($0) || $0 == UInt8(ascii: "-") }) else {
            return bytes.isEmpty
        }
        return !isValue(bytes, in: document)
    }

    /// Whether a word is somewhere in the document where no key ends.
    private static func isValue(_ word: [UInt8], in document: [UInt8]) -> Bool {
        guard document.count >= word.count else { return false }
        for start in 0...(document.count - word.count) where document[start] == word[0] {
            let end = start + word.count
            guard document[start..<end].elementsEqual(word) else { continue }
            let rest = document[end...]
            let isKey =
                start > 0 && document[start - 1] == UInt8(ascii: "\"") && rest.first == UInt8(ascii: "\"")
                && rest.dropFirst().first { $0 > 0x20 } == UInt8(ascii: ":")
            if !isKey { return true }
        }
        return false
    }
}
