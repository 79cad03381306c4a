/// What a route's path has to look like: `/items/:id/comments`, `/files/*`.
struct RoutePattern: Sendable, Hashable, CustomStringConvertible {
    /// In the order in which they win over one another.
    private enum Part: Hashable {
        case literal(ByteText)
        case parameter(String)
        case rest

        var rank: Int {
            switch self {
            case .literal: 0
            case .parameter: 1
            case .rest: 2
            }
        }
    }

    let description: String
    private let parts: [Part]

    init(_ text: String) {
        description = text.hasBytePrefix("/") ? text : "/" + text
        let words = description.byteSplit(separator: "/", omittingEmptySubsequences: false).dropFirst()
        parts =
            description == "/"
            ? []
            : words.enumerated().map { index, word in
                if word == "*", index == words.count - 1 { return .rest }
                guard word.hasBytePrefix(":") else { return .literal(ByteText(String(word))) }
                return .parameter(String(Substring(word.utf8.dropFirst())))
            }
    }

    /// The values of the named parts when the path fits, else `nil`.
    func match(_ segments: [String]) -> [String: String]? {
        var parameters: [String: String] = [:]
        for (index, part) in parts.enumerated() {
            if part == .rest {
                guard index < segments.count else { return nil }
                parameters["*"] = segments[index...].joined(separator: "/")
                return parameters
            }
            guard index < segments.count else { return nil }
            switch part {
            case .literal(let word):
                guard segments[index].hasSameBytes(as: word.text) else { return nil }
            case .parameter(let name):
                guard !segments[index].isEmpty else { return nil }
                parameters[name] = segments[index]
            case .rest:
                break
            }
        }
        return parts.count == segments.count ? parameters : nil
    }

    /// Whether this pattern is asked first where both would fit: at the first difference a word goes before a named
    /// part, and that before the rest.
    func precedes(_ other: RoutePattern) -> Bool {
        parts.map(\.rank).lexicographicallyPrecedes(other.parts.map(\.rank))
    }
}
