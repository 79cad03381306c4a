/// A source expression that is simple enough to be understood without a compiler.
enum SourceExpression: Equatable, Sendable {
    /// A string on one line.
    case string([Segment])
    case boolean(Bool)
    /// A static member, with the type if it is written: `.qiita`, `APIEnvironment.qiita`.
    case member(type: String?, name: String)
    /// An initializer whose first argument is a literal string without interpolation.
    case call(type: String?, label: String, literal: String)
    /// The keys of a dictionary; `nil` for a key that isn't a literal string without interpolation.
    case dictionary(keys: [String?])

    enum Segment: Equatable, Sendable {
        case text(String)
        /// The source of an interpolated value.
        case value(String)
    }

    /// Parses an expression; `nil` for one that only a compiler understands.
    init?(_ code: String) {
        if code.hasPrefix("\"") {
            guard let (segments, rest) = Self.string(code[...]), rest.isEmpty else { return nil }
            self = .string(segments)
            return
        }
        if code.hasPrefix("[") {
            guard let keys = Self.keys(code) else { return nil }
            self = .dictionary(keys: keys)
            return
        }
        if let value = Bool(code) {
            self = .boolean(value)
            return
        }
        let name = code.prefix { $0.isPartOfName || $0 == "." }
        let rest = code[name.endIndex...]
        if rest.isEmpty, let dot = name.lastIndex(of: ".") {
            let type = name[..<dot]
            self = .member(type: type.isEmpty ? nil : String(type), name: String(name[dot...].dropFirst()))
        } else if rest.first == "(" {
            guard let call = Self.call(name, rest.dropFirst()) else { return nil }
            self = call
        } else {
            return nil
        }
    }

    /// The value of the expression, for a property of a type.
    func value(ofType type: String) -> ConstValue {
        switch self {
        case .string(let segments):
            if let text = Self.plain(segments) { return .literal(text) }
            return .interpolation(
                segments.map { segment in
                    if case .text(let text) = segment { .literal(text) } else { .runtime }
                }
            )
        case .boolean(let value): return .literal(String(value))
        case .member(let written, let name):
            return written == nil || written == type ? .member(type: type, name: name) : .runtime
        case .call(let written, let label, let literal):
            guard written == nil || written == type else { return .runtime }
            return .call(type: type, name: nil, arguments: [.init(label: label, value: .literal(literal))])
        case .dictionary(let keys):
            return .dictionary(keys.map { .init(key: $0.map(ConstValue.literal) ?? .runtime, value: .runtime) })
        }
    }

    /// The keys of a dictionary literal; `nil` for an array, and for an expression that continues after the literal.
    private static func keys(_ code: String) -> [String?]? {
        var scanner = SourceScanner(code.dropFirst())
        var keys: [String?] = []
        while true {
            scanner.skipSpace()
            guard let key = scanner.take(until: [":", ",", "]"]), let end = scanner.advance() else { return nil }
            if end == ":" {
                // A key with a colon of its own, as in `isShort ? "q" : "query"`, isn't a plain one.
                guard !key.contains("?") else { return nil }
                let isEmpty = key.allSatisfy(\.isWhitespace)
                if !isEmpty { keys.append(literal(key)) }
                guard scanner.take(until: [",", "]"]) != nil, let end = scanner.advance() else { return nil }
                if end == "]" { return scanner.isAtEnd ? keys : nil }
            } else {
                // After the last pair, only a trailing comma is allowed.
                return end == "]" && key.isEmpty && !keys.isEmpty && scanner.isAtEnd ? keys : nil
            }
        }
    }

    private static func literal(_ code: String) -> String? {
        guard let (segments, rest) = string(code[...]), rest.allSatisfy(\.isWhitespace) else { return nil }
        return plain(segments)
    }

    /// The text of a string without interpolation.
    private static func plain(_ segments: [Segment]) -> String? {
        if segments.isEmpty { return "" }
        if case .text(let text)? = segments.first, segments.count == 1 { return text }
        return nil
    }

    private static func call(_ name: Substring, _ arguments: Substring) -> Self? {
        var type = name
        if type.hasSuffix(".init") { type = type.dropLast(5) }
        guard !type.contains(".") else { return nil }
        let word = arguments.prefix(while: \.isPartOfName)
        var rest = arguments[word.endIndex...]
        if rest.first == ":" {
            rest = rest.dropFirst().drop(while: \.isWhitespace)
        } else if !word.isEmpty {
            return nil
        }
        guard let (segments, end) = string(rest), let literal = plain(segments),
            end == ")" || end.first == "," && end.last == ")"
        else { return nil }
        return .call(type: type.isEmpty ? nil : String(type), label: String(word), literal: literal)
    }

    /// The string at the start of a text, and the rest of the text.
    private static func string(_ code: Substring) -> ([Segment], Substring)? {
        guard code.first == "\"", !code.hasPrefix("\"\"\"") else { return nil }
        var rest = code.dropFirst()
        var segments: [Segment] = []
        var text = ""
        func closed() -> [Segment] { text.isEmpty ? segments : segments + [.text(text)] }
        while let character = rest.popFirst() {
            if character == "\"" { return (closed(), rest) }
            guard character == "\\" else {
                text.append(character)
                continue
            }
            guard let escaped = rest.popFirst() else { return nil }
            if escaped == "(" {
                var scanner = SourceScanner(rest)
                guard let inside = scanner.take(until: [")"]) else { return nil }
                segments = closed() + [.value(inside)]
                text = ""
                rest = scanner.remainder.dropFirst()
            } else if let plain = escapes[escaped] {
                text.append(plain)
            } else {
                return nil
            }
        }
        return nil
    }

    private static let escapes: [Character: Character] = [
        "\"": "\"", "\\": "\\", "'": "'", "n": "\n", "r": "\r", "t": "\t", "0": "\0",
    ]
}
