import Foundation
import Randomness

/// Writes items one after the other, each different from those before.
///
/// The text is put together here rather than by an encoder, so that the order of members, the `null`s and the escapes
/// are what services send, whatever an encoder prefers.
struct ItemGenerator {
    let keys: Document.Keys
    private var random = SeededGenerator(seed: 0x6869_6B79_616B_7521)
    private var id = 1_204_000

    init(keys: Document.Keys) {
        self.keys = keys
    }

    /// The next item as an object.
    mutating func nextItem() -> String {
        let parts = nextParts()
        return object(parts, padding: 0)
    }

    /// The next item that is short enough, its body filled up to a length of the whole in bytes.
    mutating func nextItem(bytes: Int) -> String {
        while true {
            let parts = nextParts()
            let missing = bytes - object(parts, padding: 0).utf8.count
            if missing >= 0 { return object(parts, padding: missing) }
        }
    }

    private typealias Parts = (title: String, body: String, rest: [String])

    private mutating func nextParts() -> Parts {
        id += 1 + random.below(9)
        return (phrase(words: 2 + random.below(3)), body(), rest())
    }

    private func object(_ parts: Parts, padding: Int) -> String {
        let body = parts.body + String(repeating: ".", count: padding)
        return object(
            [
                #""id":\#(id)"#, #""title":"\#(parts.title)""#, #""body":"\#(body)""#,
                #""url":"https://example.com/\#(id)""#,
            ]
                + parts.rest
        )
    }

    /// An object; in shuffled documents, the order of the members depends on the item and is not the same in a row.
    private func object(_ members: [String]) -> String {
        guard keys == .shuffled else { return "{\(members.joined(separator: ","))}" }
        var members = members
        var order = SeededGenerator(seed: UInt64(id))
        for index in members.indices.dropFirst().reversed() { members.swapAt(index, order.below(index + 1)) }
        return "{\(members.joined(separator: ","))}"
    }

    private mutating func rest() -> [String] {
        let isPrivate = random.below(5) == 0
        let likes = random.below(random.below(4) == 0 ? 5000 : 90)
        let created = 1_420_070_400 + random.below(300_000_000)
        let updated = created + random.below(30_000_000)
        let tags = (0..<random.below(4)).map { _ in "\"\(pick(Words.tags))\"" }.joined(separator: ",")
        let user = user()
        return [
            #""user":\#(user)"#, #""tags":[\#(tags)]"#, #""\#(key("isPrivate", "is_private"))":\#(isPrivate)"#,
            #""\#(key("likesCount", "likes_count"))":\#(likes)"#, #""score":\#(score())"#,
            #""\#(key("createdAt", "created_at"))":"\#(Self.date(created))""#,
            #""\#(key("updatedAt", "updated_at"))":"\#(Self.date(updated))""#,
        ]
    }

    private mutating func user() -> String {
        let (id, name) = (1000 + random.below(9000), pick(Words.names))
        let location = random.below(2) == 0 ? "null" : "\"\(pick(Words.places))\""
        let website = random.below(4) == 0 ? "\"https://\(pick(Words.tags)).example\"" : "null"
        return object(
            [#""id":\#(id)"#, #""name":"\#(name)""#, #""location":\#(location)"#, #""website":\#(website)"#]
        )
    }

    /// Text as services send it: three of four have nothing to undo, the others a line end, a quotation or a code.
    private mutating func body() -> String {
        let text = phrase(words: 3 + random.below(4))
        switch random.below(8) {
        case 0: return text + #".\n"# + phrase(words: 2)
        case 1: return #"\""# + text + #"\" "# + pick(Words.plain)
        default: return random.below(24) == 0 ? text + #" caf\u00e9 \ud83d\ude80"# : text
        }
    }

    private mutating func phrase(words: Int) -> String {
        (0..<words).map { _ in random.below(14) == 0 ? pick(Words.foreign) : pick(Words.plain) }.joined(separator: " ")
    }

    /// Up to 100, with one to six digits behind the point and the last of them no zero.
    private mutating func score() -> String {
        let digits = (0..<random.below(6)).map { _ in String(random.below(10)) }.joined()
        return "\(random.below(100)).\(digits)\(1 + random.below(9))"
    }

    private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }

    private func key(_ camel: String, _ snake: String) -> String { keys == .snake ? snake : camel }

    /// Seconds since 1970 as ISO 8601.
    private static func date(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }

    private enum Words {
        static let plain = [
            "parcel", "courier", "relay", "station", "the", "and", "with", "night", "letter", "road", "arrives",
            "between", "mountain", "quick", "bridge", "carries", "before", "dawn", "runner", "every",
        ]
        static let foreign = ["飛脚", "東海道", "Straße", "naïve", "été", "год", "🚚"]
        static let names = ["Aiko", "Ben", "Chiara", "Dmitri", "Émile", "Fatima", "George", "Hana", "美咲", "Jürgen"]
        static let places = ["Kyoto", "Edo", "Osaka", "Zürich", "Reykjavík", "São Paulo", "Nairobi", "東京"]
        static let tags = ["swift", "json", "http", "linux", "ios", "server", "release", "concurrency", "parsing"]
    }
}
