import TestSupport
import Testing

/// That the search at every place finds code, however little of it there is.
@Suite(.timeLimit(.minutes(Effort.isFull ? 300 : 5)))
struct PlaceSearchTests {
    private static let tree = JSONTree.object([
        .init(key: "schemas", value: .object([.init(key: "Dish", value: .string("a/b"))])),
        .init(key: "description", value: .string("A dish")),
    ])

    private static func text(_ keys: [Int], of tree: JSONTree) -> (key: String, value: JSONTree) {
        keys.reduce(("", tree)) { found, index in
            guard case .object(let members) = found.1 else { return found }
            return (members[index].key, members[index].value)
        }
    }

    /// Signs of all texts become others, so that none of them is code.
    private static func escaped(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.isASCII && $0.properties.isAlphabetic }.map(Character.init))
    }

    /// What a small generator makes of the tree, with an end of its own.
    private static func code(_ tree: JSONTree, end: String = "") -> [CodeCheck.File] {
        let (name, value) = text([0, 0], of: tree)
        guard case .string(let value) = value, case .string(let words) = text([1], of: tree).value else { return [] }
        let comment = "// \(escaped(words).prefix(80))\n"
        return [("A.swift", comment + "struct A\(escaped(name)) {\n    let a = \"\(escaped(value))\"\n}\n" + end)]
    }

    /// The payloads without a statement, of which only the tokens can show that they have become code.
    private static let unmarked = Payload.all.filter {
        ["a backtick", "ends of comments", "conflict", "keyword", "two backslashes", "begin of comment"].contains(
            $0.name
        )
    }

    private static func search(_ payloads: [Payload]) -> PlaceSearch {
        PlaceSearch("a small tree", in: tree, sample: .max, payloads: payloads)
    }

    @Test func whatIsEscapedIsNotFound() async {
        let found = await Self.search(Payload.all).findingsInCode { changed, _ in Self.code(changed) }
        #expect(found.isEmpty, "\(found)")
        #expect(found.tryCount > 500)
    }

    @Test(arguments: [
        "`a`", ";", "{}", "a", "a()", "let a = 1", "1", "\"\"", "@a", "#if a\n#endif", "\\.a", "import A", "_ = a",
    ])
    func oneMoreTokenIsFound(end: String) async {
        for payload in Self.unmarked {
            let found = await Self.search([payload]).findingsInCode { changed, attempt in
                Self.code(changed, end: attempt.text.contains(payload.text) ? end + "\n" : "")
            }
            // The description, a key and a value; the keys of the root say nothing here.
            #expect(found.faults.count == Self.tree.places().count, "\(payload.name): \(found)")
            #expect(found.faults.values.joined().allSatisfy { $0.contains("other tokens") }, "\(found)")
        }
    }

    @Test func aMissingTokenIsFound() async {
        let found = await Self.search(Self.unmarked).findingsInCode { changed, attempt in
            let isHostile = Self.unmarked.contains { attempt.text.contains($0.text) }
            return isHostile ? [("A.swift", "struct A {\n}\n")] : Self.code(changed)
        }
        #expect(found.faults.count == Self.tree.places().count, "\(found)")
    }

    @Test func anotherOrderForADescriptionIsFound() async {
        let found = await Self.search(Self.unmarked).findingsInCode { changed, attempt in
            let isHostile = Self.unmarked.contains { attempt.text.contains($0.text) }
            return [("A.swift", isHostile ? "let a = 1; var b = 2\n" : "var b = 2; let a = 1\n")]
        }
        #expect(Array(found.faults.keys) == ["text /description"], "\(found)")
    }

    /// How a text may be written without any escaping.
    @Test(arguments: [
        ("let a = \"", "\"\n"), ("/* ", " */\n"), ("// ", "\n"), ("let `", "` = 1\n"), ("let a", " = 1\n"),
    ])
    func whatIsNotEscapedIsFound(before: String, after: String) async {
        let found = await Self.search(Payload.all).findingsInCode { _, attempt in
            [("A.swift", before + attempt.text + after)]
        }
        #expect(found.faults.count == Self.tree.places().count, "\(found)")
    }
}
