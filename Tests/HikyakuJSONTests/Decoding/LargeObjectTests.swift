import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct LargeObjectTests {
    /// Reads keys in a given order; some of them are missing.
    private struct Lookup: Decodable {
        static let key = CodingUserInfoKey(rawValue: "names")
        let values: [Int?]
        let missing: [String]
        let keys: [String]

        init(from decoder: any Decoder) throws {
            let names = Self.key.flatMap { decoder.userInfo[$0] as? [String] } ?? []
            let container = try decoder.container(keyedBy: TextKey.self)
            values = try names.map { try container.decodeIfPresent(Int.self, forKey: TextKey($0)) }
            missing = names.filter { !container.contains(TextKey($0)) }
            keys = container.allKeys.map(\.stringValue)
        }
    }

    private func lookup(
        _ names: [String],
        in document: String,
        _ strategy: HikyakuJSONDecoder.KeyDecodingStrategy,
    )
        throws -> Lookup
    {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = strategy
        if let key = Lookup.key { decoder.userInfo[key] = names }
        return try decoder.undiagnosed(Lookup.self, Data(document.utf8))
    }

    private static func document(_ names: [String]) -> String {
        "{" + names.enumerated().map { "\"\($1)\":\($0)" }.joined(separator: ",") + "}"
    }

    @Test(arguments: [1, 2, 24, 25, 26, 31, 32, 33, 100, 1000, 5000])
    func membersAreFoundInAnyOrder(_ count: Int) throws {
        let names = (0..<count).map { "key\($0)" }
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for order in [names, names.reversed(), names.shuffled(using: &random)] {
            let found = try lookup(order, in: Self.document(names), .useDefaultKeys)
            #expect(found.values == order.map { Int($0.dropFirst(3)) }, "seed \(seed)")
            #expect(found.missing == [] && found.keys == names)
        }
    }

    @Test(arguments: [1, 24, 25, 1000])
    func whatIsMissingIsNotFound(_ count: Int) throws {
        let names = (0..<count).map { "key\($0)" }
        let wanted = ["key", "", "key\(count)", "kez0", "key0", "KEY0", "key00", "key-1", "key\(count - 1)"]
        let found = try lookup(wanted, in: Self.document(names), .useDefaultKeys)
        let expected = wanted.map { names.firstIndex(of: $0) }
        #expect(found.values == expected)
        #expect(found.missing == zip(wanted, expected).filter { $1 == nil }.map { $0.0 })
    }

    @Test(arguments: [3, 24, 25, 400])
    func keysMayBeWrittenWithEscapesAndComeAgain(_ count: Int) throws {
        let names = (0..<count).map { "key\($0)" }
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let written = (names + names.shuffled(using: &random)).map { name in
            random.isOne(of: 2) ? name.replacing("e", with: #"\u0065"#) : name
        }
        let found = try lookup(names, in: Self.document(written), .useDefaultKeys)
        let plain = written.map { $0.replacing(#"\u0065"#, with: "e") }
        #expect(found.values == names.map { plain.lastIndex(of: $0) }, "seed \(seed)")
        #expect(found.keys == Array(plain.suffix(count)), "seed \(seed)")
    }

    @Test(arguments: [3, 24, 25, 400])
    func convertedKeysAreFoundInAnyOrder(_ count: Int) throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let names = (0..<count).map { "some_key_\($0)_" }
        let wanted = (0..<count).map { "someKey\($0)_" }
        let found = try lookup(wanted.shuffled(using: &random), in: Self.document(names), .convertFromSnakeCase)
        #expect(found.missing == [] && found.keys == wanted, "seed \(seed)")
        #expect(try lookup(wanted, in: Self.document(names), .convertFromSnakeCase).values == Array(0..<count))
        #expect(try lookup(names, in: Self.document(names), .convertFromSnakeCase).missing == names)
        // All of the keys once more, written in another way, come to the same.
        let twice = names + wanted
        #expect(
            try lookup(wanted, in: Self.document(twice), .convertFromSnakeCase).values == Array(count..<(2 * count))
        )
    }

    @Test func manyObjectsOfOneTypeHaveTablesOfTheirOwn() throws {
        let names = (0..<30).map { "k\($0)" }
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let objects = (0..<20).map { shift in
            "{" + names.map { "\"\($0)\":\(shift)" }.shuffled(using: &random).joined(separator: ",") + "}"
        }
        var decoder = HikyakuJSONDecoder()
        if let key = Lookup.key { decoder.userInfo[key] = names }
        let document = "[" + objects.joined(separator: ",") + "]"
        let found = try decoder.undiagnosed([Lookup].self, Data(document.utf8))
        #expect(found.map(\.values) == (0..<20).map { Array(repeating: $0, count: 30) }, "seed \(seed)")
    }

    @Test func aLargeObjectIsADictionaryAsFoundationMakesIt() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let names = (0..<3000).map { "key \($0)" }.shuffled(using: &random)
        let document = Self.document(names)
        let ours = HikyakuJSONDecoder().outcome([String: Int].self, document)
        #expect(ours.value?.count == 3000)
        #expect(ours == JSONDecoder().outcome([String: Int].self, document), "seed \(seed)")
        #expect(HikyakuJSONDecoder().outcome(JSONAny.self, document) == JSONDecoder().outcome(JSONAny.self, document))
    }

    /// Fails at each key, in an order of its own, and in another object on the way.
    private struct Failing: Decodable {
        let errors: [String]
        let levelCount: Int?

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: TextKey.self)
            let even = container.allKeys.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            let odd = container.allKeys.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            errors = (even.reversed() + odd.reversed()).map { key in
                DecodingOutcome<Inner> { try container.decode(Inner.self, forKey: key) }.error ?? ""
            }
            levelCount = (decoder as? ValueDecoder)?.session.trailLevelCount
        }

        struct Inner: Decodable { let b: Int, a: Int }
    }

    @Test func thePathsToManyMembersAreFoundInAnyOrder() throws {
        let count = 2000
        let members = (0..<count).map { #""\#($0)":{"a":\#($0),"b":"no"}"# }.joined(separator: ",")
        let found = try HikyakuJSONDecoder().undiagnosed(Failing.self, Data("{\(members)}".utf8))
        let order =
            stride(from: count - 2, through: 0, by: -2).map { $0 } + stride(from: count - 1, through: 1, by: -2)
        #expect(found.errors == order.map { "typeMismatch(Int) at /\($0)/b" })
        // The member and what is in it, whatever comes before.
        #expect(found.levelCount == 2 * count)
    }
}
