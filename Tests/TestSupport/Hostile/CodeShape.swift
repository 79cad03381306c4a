/// The tokens of files apart from comments, names and the content of literals, and commas before a bracket that is
/// closed, which only say that a list has several lines.
package struct CodeShape: Hashable, Sendable {
    package private(set) var tokens: [String]
    /// How often the files have each token: declarations are sorted by names, and another name is elsewhere.
    package private(set) var counts: [String: Int]

    package init(of files: [CodeCheck.File]) {
        tokens = files.flatMap { Self.tokens(of: $0.text) }
        counts = tokens.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func tokens(of source: String) -> [String] {
        let all = SwiftTokens(source)
        let code = all.tokens.filter { ![.lineComment, .blockComment, .text].contains($0.kind) }
        let texts = code.map { token in
            switch token.kind {
            case .identifier: "name"
            case .number: "number"
            default: all.text(token)
            }
        }
        return texts.indices.filter { index in
            guard texts[index] == ",", texts.indices.contains(index + 1) else { return true }
            return texts[index + 1] != ")" && texts[index + 1] != "]"
        }.map { texts[$0] }
    }

    /// How many tokens more or less another shape has.
    package func distance(to other: Self) -> Int { changes(to: other).reduce(0) { $0 + abs($1.value) } }

    /// The tokens that this shape has more often or less often than another, for a message.
    package func difference(to other: Self) -> String {
        let changes = changes(to: other).sorted { $0.key < $1.key }
        return changes.isEmpty
            ? "in another order" : changes.map { "\($1 > 0 ? "+" : "")\($1) \($0)" }.joined(separator: ", ")
    }

    private func changes(to other: Self) -> [String: Int] {
        counts.merging(other.counts.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value != 0 }
    }
}
