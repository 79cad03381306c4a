import Foundation
import TestSupport

/// A document that most shapes can read, with a fault here and there.
struct GeneratedEnvelope {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Members in any order, some of them missing, twice, `null` or of another type.
    mutating func document() -> String {
        if chance(30) { return oddValue() }
        var members = [
            member("info", info()), member("dishes", array { $0.dish() }), member("menu_item", item()),
            member("meta", object([member("total", number())])),
            member("data", object([member("items", array { $0.dish() }), member("page", number())])),
            member("page", number()), member("next", chance(2) ? text() : "null"),
        ]
        if chance(2) { members.append(member("extra_\(int(50))", array { $0.number() })) }
        if chance(10) { members.append(member("info", info())) }
        if chance(8) { members.remove(at: int(members.count)) }
        members.shuffle(using: &random)
        return cut("{\(members.joined(separator: ","))}")
    }

    /// A document without an envelope: dishes mostly, or an info.
    mutating func whole() -> String { cut(chance(3) ? info() : faulty(array { $0.dish() })) }

    /// Now and then a document that ends too early.
    private mutating func cut(_ document: String) -> String {
        chance(40) ? String(document.prefix(int(document.count))) : document
    }

    mutating func array(_ element: (inout Self) -> String) -> String {
        let count = chance(2) ? 1 : int(5)
        return "[\((0..<count).map { _ in element(&self) }.joined(separator: ","))]"
    }

    mutating func dish() -> String { faulty(object([member("id", number()), member("name", text())])) }
    mutating func info() -> String { faulty(object([member("title", text()), member("count", number())])) }
    mutating func item() -> String { faulty(object([member("item_name", text())])) }
    mutating func number() -> String { faulty("\(Int.random(in: -1000...1000, using: &random))") }
    mutating func text() -> String { faulty(["\"ramen\"", "\"う\\u3069ん\"", "\"\"", "\"a \\\"b\\\"\""][int(4)]) }

    private mutating func member(_ key: String, _ value: String) -> String {
        "\(chance(20) ? "\"\(escaped(key))\"" : "\"\(key)\""):\(chance(5) ? " " : "")\(value)"
    }

    private func escaped(_ key: String) -> String {
        "\\u00" + String(key.utf8.first ?? 0, radix: 16) + key.dropFirst()
    }

    private mutating func object(_ members: [String]) -> String {
        faulty("{\((chance(60) ? Array(members.dropFirst()) : members).joined(separator: ","))}")
    }

    private mutating func faulty(_ value: String) -> String { chance(80) ? oddValue() : value }

    private mutating func oddValue() -> String { ["null", "[]", "{}", "1.5", "\"9\"", "true", ""][int(7)] }

    private mutating func int(_ count: Int) -> Int { count > 0 ? Int.random(in: 0..<count, using: &random) : 0 }
    private mutating func chance(_ count: Int) -> Bool { int(count) == 0 }
}
