import TestSupport

/// Writes documents of JSON5, and such as nearly are; no key comes twice.
struct JSON5Text {
    private static let spaces = ["", "", "", " ", "\n", "/* * */", "//'\n", "/*\"*/", "\r\n"]
    private static let scalars = [
        "1", "0", "-1", "+1", ".5", "5.", "-.5e1", "0x1F", "-0xa", "+0X0", "1e2", "Infinity", "-Infinity", "NaN",
        "+NaN",
        "true", "false", "null", "'a'", "\"b\"", "'\"'", "\"'\"", #"'\''"#, #""\"""#, #"'\x41'"#, #""\n""#, "''",
        "'飛é'",
        #"'\u00e9'"#, "18446744073709551615", "'//'", "\"/*\"",
    ]
    private static let keys = ["k", "'k", "\"k", "'\"k", "\"'k"]
    private static let bits = [
        "", ",", ":", "[", "]", "{", "}", "'", "\"", "/", "/*", "*/", "//", "+", "-", ".", "0x", "e", "1", "a", "\n",
        " ",
        "true", "NaN", "Infinity", "$", "é", "0", ",,",
    ]

    private var generator: SeededGenerator
    private var keyCount = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// A document, mostly with a few changes.
    mutating func mutated() -> String {
        keyCount = 0
        var text = document()
        for _ in 0..<Int.random(in: 0..<4, using: &generator) where Bool.random(using: &generator) {
            var scalars = Array(text.unicodeScalars)
            let start = Int.random(in: 0...scalars.count, using: &generator)
            let end = min(scalars.count, start + Int.random(in: 0..<3, using: &generator))
            scalars.replaceSubrange(start..<end, with: Array(pick(Self.bits).unicodeScalars))
            text = String(String.UnicodeScalarView(scalars))
        }
        return text
    }

    mutating func document(depth: Int = 0) -> String {
        let before = pick(Self.spaces)
        let value =
            switch depth < 3 ? Int.random(in: 0..<4, using: &generator) : 3 {
            case 0: "[\(list { $0.document(depth: depth + 1) })]"
            case 1: "{\(list { $0.member(depth: depth) })}"
            default: pick(Self.scalars)
            }
        return before + value + pick(Self.spaces)
    }

    private mutating func member(depth: Int) -> String {
        keyCount += 1
        let key = pick(Self.keys)
        let quote = key.first == "k" ? "" : String(key.prefix(1))
        return pick(Self.spaces) + "\(key)\(keyCount)\(quote)" + pick(Self.spaces) + ":" + document(depth: depth + 1)
    }

    private mutating func list(_ element: (inout JSON5Text) -> String) -> String {
        let count = Int.random(in: 0..<4, using: &generator)
        let elements = (0..<count).map { _ in element(&self) }.joined(separator: ",")
        return count > 0 && Int.random(in: 0..<4, using: &generator) == 0
            ? elements + "," + pick(Self.spaces) : elements
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &generator) ?? ""
    }
}

extension JSON5Text {
    /// Whether all that looks like a number, word or key is one of those that are written here, each key once.
    static func hasKnownWords(_ document: String) -> Bool {
        let words = words(of: document)
        let keys = words.filter { $0.wholeMatch(of: /k\d+/) != nil }
        return Set(keys).count == keys.count && words.allSatisfy { known.contains($0) || keys.contains($0) }
    }

    private static let known = Set((scalars + bits).flatMap(words))

    private static func words(of text: String) -> [Substring] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || "+-.$_".contains($0))) }
    }
}
