/// Makes random documents of JSON that look like those of web services, with what is hard to name and to type.
package struct RandomDocument {
    private var generator: SeededGenerator

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    private static let keys = [
        "id", "name", "created_at", "children", "child", "user", "users", "items", "value", "values", "type", "kind",
        "self", "class", "init", "default", "Type", "rawValue", "hashValue", "description", "CodingKeys", "stringValue",
        "encode", "reader", "writer", "+1", "-1", "", " ", "a b", "a_b", "aB", "A-B", "é", "日本", "\\u0000", "\\\"",
        "$ref",
        "1", "2", "8f9e1a7b-6e0d-4b1f-9a55-1d2c3b4a5e6f", "2026-11-21", "parent", "next", "Date", "String", "error",
        "key\\n", "hash", "x\\u0301", "_", "__", "a", "b", "c", "JSONValue", "Optional", "in", "switch", "unknown",
    ]
    private static let texts = [
        "", "open", "closed", "2026-11-21T09:30:00Z", "2026-11-21T09:30:00.5+09:00", "2026-11-21", "2026-02-30",
        "8f9e1a7b-6e0d-4b1f-9a55-1d2c3b4a5e6f", "https://example.com/a?b=c", "https://exa mple.com", "http://[::1]/x",
        "a text with spaces", "12", "\\uD83D\\uDE00", "\\\\(id)", "\\\"quoted\\\"", "true",
    ]
    private static let numbers = [
        "0", "-0", "1", "-17", "2147483648", "-9223372036854775808", "9223372036854775808", "18446744073709551615",
        "18446744073709551616", "123456789012345678901234567890", "0.5", "1e3", "1E-7", "-2.25", "1e400", "1.0",
        "99999999999999999999999999999999999999999999999", "9007199254740993",
    ]

    /// What samples have at a place.
    private indirect enum Shape {
        case scalar([String])
        case array(Shape)
        case object([(key: String, value: Shape)])
    }

    /// Several objects of about the same shape: some lack a member, and some have a value of another kind.
    package mutating func samples(_ count: Int) -> [String] {
        let shape = Shape.object(members(depth: 0))
        return (0..<count).map { _ in text(of: shape, isExact: true) }
    }

    private mutating func members(depth: Int) -> [(key: String, value: Shape)] {
        var seen: Set<String> = []
        return (0..<Int.random(in: 1...7, using: &generator)).compactMap { _ in
            let key = Self.keys.randomElement(using: &generator) ?? ""
            return seen.insert(key).inserted ? (key, shape(depth: depth + 1)) : nil
        }
    }

    private mutating func shape(depth: Int) -> Shape {
        switch Int.random(in: 0..<(depth < 4 ? 10 : 6), using: &generator) {
        case 0: return .scalar(["true", "false"])
        case 1: return .scalar(Self.numbers.shuffled(using: &generator).suffix(2))
        case 2...5: return .scalar(Self.texts.shuffled(using: &generator).suffix(2).map { "\"\($0)\"" })
        case 6: return .array(shape(depth: depth + 1))
        case 7: return nested()
        default: return .object(members(depth: depth))
        }
    }

    /// An object in objects of the same key, which ends in a dictionary where the others go on.
    private mutating func nested() -> Shape {
        let key = ["n", "children", "next"].randomElement(using: &generator) ?? "n"
        let numbers = Shape.scalar(["5", "6"])
        var shape = Shape.object([("1", numbers), ("2", Bool.random(using: &generator) ? numbers : .array(numbers))])
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            if Int.random(in: 0..<3, using: &generator) == 0 { shape = .array(shape) }
            if Int.random(in: 0..<4, using: &generator) == 0 { shape = .object([("3", shape), ("4", shape)]) }
            shape = .object([(key, shape)])
        }
        return shape
    }

    private mutating func text(of shape: Shape, isExact: Bool = false) -> String {
        switch isExact ? 9 : Int.random(in: 0..<24, using: &generator) {
        case 0: return "null"
        case 1: return value(depth: 4)
        default: break
        }
        switch shape {
        case .scalar(let texts): return texts.randomElement(using: &generator) ?? "null"
        case .array(let element):
            let count = Int.random(in: 0...3, using: &generator)
            return "[" + (0..<count).map { _ in text(of: element) }.joined(separator: ",") + "]"
        case .object(let members):
            let kept = members.filter { _ in Int.random(in: 0..<8, using: &generator) > 0 }
            return "{" + kept.map { "\"\($0.key)\":\(text(of: $0.value))" }.joined(separator: ",") + "}"
        }
    }

    /// Any document.
    package mutating func value(depth: Int = 0) -> String {
        switch Int.random(in: 0..<(depth < 5 ? 11 : 7), using: &generator) {
        case 0: return "null"
        case 1: return Bool.random(using: &generator) ? "true" : "false"
        case 2, 3: return Self.numbers.randomElement(using: &generator) ?? "0"
        case 4, 5, 6: return "\"\(Self.texts.randomElement(using: &generator) ?? "")\""
        case 7, 8: return array(depth: depth)
        default: return object(depth: depth)
        }
    }

    private mutating func array(depth: Int) -> String {
        let count = Int.random(in: 0...4, using: &generator)
        return "[" + (0..<count).map { _ in value(depth: depth + 1) }.joined(separator: ",") + "]"
    }

    private mutating func object(depth: Int) -> String {
        let count = Int.random(in: 0...6, using: &generator)
        var seen: Set<String> = []
        var members: [String] = []
        for _ in 0..<count {
            let key = Self.keys.randomElement(using: &generator) ?? ""
            if seen.insert(key).inserted { members.append("\"\(key)\":\(value(depth: depth + 1))") }
        }
        return "{" + members.joined(separator: ",") + "}"
    }
}
