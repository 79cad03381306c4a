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

    /// Whether a literal part has a brace, which is hardly meant.
    var hasLooseBraces: Bool {
        parts.contains { part in
            if case .literal(let text) = part { text.has("{") || text.has("}") } else { false }
        }
    }
}
