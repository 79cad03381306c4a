extension PathTemplate {
    /// Reads a path or URL; a brace without its counterpart is literal.
    init(_ text: String) {
        var parts: [Part] = []
        var literal = "".unicodeScalars
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "{", let end = rest.firstIndex(of: "}") {
                let name = rest[rest.index(after: rest.startIndex)..<end]
                if !name.isEmpty, !name.contains("{"), !name.contains("/") {
                    if !literal.isEmpty { parts.append(.literal(String(literal))) }
                    literal = "".unicodeScalars
                    parts.append(.variable(String(name)))
                    rest = rest[rest.index(after: end)...]
                    continue
                }
            }
            literal.append(scalar)
            rest = rest.dropFirst()
        }
        if !literal.isEmpty { parts.append(.literal(String(literal))) }
        self.init(text: text, parts: parts)
    }

    /// The parts before a query and a fragment.
    var pathParts: [Part] { divided.path }

    /// The items of the query in the path, with their texts: `acl` has none.
    var queryItems: [(key: String, value: [Part])] {
        var items: [(key: String, value: [Part])] = []
        var isValue = false
        for part in divided.query {
            guard case .literal(let text) = part else {
                if isValue { items[items.count - 1].value.append(part) }
                continue
            }
            for (index, piece) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
                if index > 0 || items.isEmpty {
                    isValue = piece.contains("=")
                    let pair = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    let key = pair.first.map(String.init) ?? ""
                    items.append((key, pair.count == 2 && !pair[1].isEmpty ? [.literal(String(pair[1]))] : []))
                } else if isValue {
                    items[items.count - 1].value.append(.literal(String(piece)))
                }
            }
        }
        return items.filter { !$0.key.isEmpty }
    }

    private var divided: (path: [Part], query: [Part]) {
        var (path, query): ([Part], [Part]) = ([], [])
        var isQuery = false
        for part in parts {
            guard case .literal(let text) = part else {
                if isQuery { query.append(part) } else { path.append(part) }
                continue
            }
            let whole = text.prefix { $0 != "#" }
            let pieces =
                isQuery ? [whole] : whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            if isQuery { query.append(.literal(String(whole))) }
            if !isQuery, let first = pieces.first, !first.isEmpty { path.append(.literal(String(first))) }
            if !isQuery, pieces.count == 2 {
                isQuery = true
                query.append(.literal(String(pieces[1])))
            }
            if whole.endIndex != text.endIndex { break }
        }
        return (path, query)
    }

    /// Whether a literal part has a brace, which is hardly meant.
    var hasLooseBraces: Bool {
        parts.contains { part in
            if case .literal(let text) = part { text.has("{") || text.has("}") } else { false }
        }
    }
}
