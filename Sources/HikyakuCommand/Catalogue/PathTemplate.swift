/// A path with gaps for the values that are interpolated.
struct PathTemplate: Equatable, Sendable {
    private enum Part: Equatable {
        case text(String)
        case gap
    }

    private let parts: [Part]

    /// - Parameter segments: What the compiler tells of an interpolated string.
    init(_ segments: [ConstValue]) {
        parts = Self.joined(segments.map { $0.literal.map(Part.text) ?? .gap })
    }

    private init(_ segments: [SourceExpression.Segment]) {
        parts = Self.joined(segments.map { if case .text(let text) = $0 { .text(text) } else { .gap } })
    }

    /// The path, with `{…}` in its gaps.
    ///
    /// - Parameter source: The string as its source has it, which knows what is interpolated. It is believed only where
    ///   all the rest of it is what the compiler says.
    /// - Returns: A path to read, and not to send.
    func text(naming source: [SourceExpression.Segment]?) -> String {
        var names: [String] = []
        if let source, PathTemplate(source) == self {
            names = source.compactMap { if case .value(let code) = $0 { Self.name(code) } else { nil } }
        }
        var rest = names[...]
        return parts.map { part in
            switch part {
            case .text(let text): text
            case .gap: "{\(rest.popFirst() ?? "…")}"
            }
        }.joined()
    }

    /// A plain name, or `…` for what is more.
    private static func name(_ code: String) -> String {
        var code = code[...]
        // A secret's name is none.
        if code.hasPrefix("secret:") { code = code.dropFirst(7).drop { $0 == " " } }
        if code.hasPrefix("self.") { code = code.dropFirst(5) }
        let isPlain = !code.isEmpty && code.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return isPlain ? String(code) : "…"
    }

    /// Without empty texts, and with those side by side made one.
    private static func joined(_ parts: [Part]) -> [Part] {
        parts.reduce(into: []) { joined, part in
            switch (joined.last, part) {
            case (_, .text("")): break
            case (.text(let before)?, .text(let text)): joined[joined.count - 1] = .text(before + text)
            default: joined.append(part)
            }
        }
    }
}
