import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct KeyTests {
    /// The members of an object, read one by one in the order of the container's keys.
    private struct Members: Decodable {
        let keys: [String]
        let values: [Int]

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: TextKey.self)
            keys = container.allKeys.map(\.stringValue)
            values = try container.allKeys.map { try container.decode(Int.self, forKey: $0) }
        }
    }

    private func value(of key: String, in document: String) -> DecodingOutcome<Int> {
        struct Value: Decodable {
            static let key = CodingUserInfoKey(rawValue: "key")
            let value: Int

            init(from decoder: any Decoder) throws {
                let text = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? ""
                value = try decoder.container(keyedBy: TextKey.self).decode(Int.self, forKey: TextKey(text))
            }
        }
        var decoder = HikyakuJSONDecoder()
        if let name = Value.key { decoder.userInfo[name] = key }
        return DecodingOutcome { try decoder.undiagnosed(Value.self, Data(document.utf8)).value }
    }

    @Test(arguments: [
        (#"{"a":1}"#, "a"), (#"{"\u0061":1}"#, "a"), (#"{"":1}"#, ""), (#"{"a\u0000":1}"#, "a\0"),
        (#"{"\u0000":1}"#, "\0"), (#"{"\"":1}"#, "\""), (#"{"a\\\"b":1}"#, #"a\"b"#), (#"{"a\/b":1}"#, "a/b"),
        (#"{"a/b":1}"#, "a/b"), (#"{"\ud83d\ude00":1}"#, "😀"), (#"{"😀":1}"#, "😀"), (#"{"飛脚":1}"#, "飛脚"),
        (#"{"\u98db脚":1}"#, "飛脚"), (#"{"\n\t\r\b\f":1}"#, "\n\t\r\u{8}\u{C}"), ("{\"\u{7F}\":1}", "\u{7F}"),
        (#"{"Index 0":1}"#, "Index 0"), (#"{"super":1}"#, "super"), ("{\"\u{FEFF}a\":1}", "\u{FEFF}a"),
    ])
    func keysAreFoundWhateverTheyAreWrittenLike(_ document: String, _ key: String) {
        #expect(value(of: key, in: document) == .value(1))
        #expect(HikyakuJSONDecoder().outcome(Members.self, document).value?.keys == [key])
        // And behind others.
        let longer = #"{"x":0,"xx":0,"\u0078xx":0,"# + document.dropFirst()
        #expect(value(of: key, in: longer) == .value(1))
        #expect(HikyakuJSONDecoder().outcome(Members.self, longer).value?.keys == ["x", "xx", "xxx", key])
    }

    @Test(arguments: [
        (#"{"a\u0000":1}"#, "a"), (#"{"a":1}"#, "a\0"), (#"{"a":1}"#, ""), (#"{"":1}"#, "a"), (#"{"a":1}"#, "A"),
        (#"{"ab":1}"#, "a"), (#"{"a":1}"#, "ab"), (#"{"\u0061b":1}"#, #"\u0061b"#), (#"{"a":{"b":1}}"#, "b"),
        (#"{"abcdefgh1":1}"#, "abcdefgh2"), (#"{"abcdefghijklmnop1":1}"#, "abcdefghijklmnop2"),
    ])
    func otherKeysAreNotFound(_ document: String, _ key: String) {
        #expect(value(of: key, in: document) == .error("keyNotFound(\(key)) at /"))
    }

    @Test func keysOfEveryLengthAreComparedToTheirLastByte() {
        for length in 1...40 {
            let name = String(repeating: "k", count: length)
            for place in 0..<length {
                var other = Array(name.utf8)
                other[place] = UInt8(ascii: "j")
                let document = "{\"\(String(decoding: other, as: UTF8.self))\":1,\"\(name)\":2}"
                #expect(value(of: name, in: document) == .value(2), "\(length), \(place)")
            }
        }
    }

    @Test func keysOfUnknownLengthAreComparedWhole() throws {
        try Array(#"{"abc":1,"abcd":2,"abc":3,"abe":4}"#.utf8).withUnsafeBufferPointer { bytes in
            let session = try DecodingSession(bytes, settings: HikyakuJSONDecoder(), tools: .take())
            for place in [2, 4, 6, 8] {
                session.index[place] = JSONEntry(.plainKey, at: session.index[place].offset, length: .max)
            }
            let equal = [2, 4, 6, 8].map { one in
                [2, 4, 6, 8].filter { session.areEqual(session.index[one], session.index[$0]) }
            }
            #expect(equal == [[2, 6], [4], [2, 6], [8]])
            // Nothing of the name is read, since the key is shorter.
            let name = UnsafeBufferPointer(start: bytes.baseAddress, count: JSONEntry.lengthMax)
            #expect(!session.isKey(at: 2, named: name))
        }
    }

    /// `String` takes them for the same, and so do Foundation's decoder and dictionaries.
    @Test func canonicallyEquivalentKeysAreDifferentMembers() {
        let (one, other) = ("\u{E9}", "e\u{301}")
        #expect(one == other)
        let document = "{\"\(one)\":1,\"\(other)\":2}"
        #expect(value(of: one, in: document) == .value(1))
        #expect(value(of: other, in: document) == .value(2))
        #expect(value(of: one, in: "{\"\(other)\":2}").error == "keyNotFound(\(one)) at /")
        let members = HikyakuJSONDecoder().outcome(Members.self, document).value
        #expect(members?.keys.map { Array($0.utf8) } == [Array(one.utf8), Array(other.utf8)])
        #expect(members?.values == [1, 2])
        #expect(HikyakuJSONDecoder().outcome([String: Int].self, document) == .value([one: 2]))
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, 2, ["a"]),
        (#"{"a":1,"b":9,"a":2}"#, 2, ["b", "a"]),
        (#"{"a":1,"\u0061":2}"#, 2, ["a"]),
        (#"{"\u0061":1,"a":2}"#, 2, ["a"]),
        (#"{"\u0061":1,"\u0061":2}"#, 2, ["a"]),
        (#"{"a":1,"a":2,"a":3,"b":4,"a":5}"#, 5, ["b", "a"]),
        (#"{"a":[],"a":{"a":0},"a":2}"#, 2, ["a"]),
        (#"{"a":1,"b":1,"b":2,"a":2,"b":3}"#, 2, ["a", "b"]),
    ])
    func ofEqualKeysTheLastWins(_ document: String, _ expected: Int, _ keys: [String]) {
        #expect(value(of: "a", in: document) == .value(expected))
        #expect(HikyakuJSONDecoder().outcome(Members.self, document).value?.keys == keys)
        #expect(
            HikyakuJSONDecoder().outcome([String: JSONAny].self, document).value?["a"] == .integer(Int64(expected))
        )
        #expect(
            HikyakuJSONDecoder().reading([String: DirectAny].self, document).value?["a"]?.value
                == .integer(Int64(expected))
        )
    }

    private struct Contained: Decodable, Equatable { let a: Int }

    @Test(arguments: [
        (#"{"a":"x","a":1}"#, ["a": 1]),
        (#"{"a":[{"a":[]}],"b":2,"\u0061":1}"#, ["a": 1, "b": 2]),
        (#"{"a":"x","b":null,"a":true,"c":3,"b":2,"a":1}"#, ["a": 1, "b": 2, "c": 3]),
        (#"{"a":0,"a":"x","a":1 }"#, ["a": 1]),
        ("{\"e\u{301}\":\"x\",\"\u{E9}\":1}", ["\u{E9}": 1]),
    ])
    func ofEqualKeysTheLastWinsWhateverTheOthersAre(_ document: String, _ expected: [String: Int]) {
        let decoder = HikyakuJSONDecoder()
        #expect(decoder.outcome([String: Int].self, document) == .value(expected))
        #expect(decoder.reading([String: Int].self, document) == .value(expected))
        // Elements that don't read themselves.
        let contained = document.replacing(/[0-9](?=[,} ])/) { "{\"a\":\($0.output)}" }
        #expect(decoder.outcome([String: Contained].self, contained) == .value(expected.mapValues(Contained.init)))
    }

    @Test(arguments: [
        (#"{"a":1,"a":"x"}"#, "typeMismatch(Int) at /a", 11),
        (#"{"a":"x","b":"y","b":1}"#, "typeMismatch(Int) at /a", 5),
        (#"{"a":"x","b":true,"a":1}"#, "typeMismatch(Int) at /b", 13),
        (#"{"a":"x","b":1,"a":null}"#, "valueNotFound(Int) at /a", 19),
    ])
    func ofEqualKeysTheLastOneFails(_ document: String, _ error: String, _ offset: Int) {
        let decoder = HikyakuJSONDecoder()
        #expect(decoder.outcome([String: Int].self, document).error == error)
        #expect(decoder.reading([String: Int].self, document).error == error)
        let diagnosis = #expect(throws: DecodingDiagnosis.self) {
            try decoder.decode([String: Int].self, from: Data(document.utf8))
        }
        #expect(diagnosis?.byteOffset == offset)
    }

    @Test func whatIsNotJSONFailsThoughItsKeyComesAgain() {
        let decoder = HikyakuJSONDecoder()
        #expect(decoder.reading([String: Int].self, #"{"a":tru,"a":1}"#).error == "dataCorrupted at /")
        #expect(decoder.reading([String: Int].self, #"{"a":"x","a":1"#).error == "typeMismatch(Int) at /a")
    }

    @Test func repeatedKeysOfManyValuesAreReadOnce() {
        // Were each looked for by itself, it would take minutes.
        let names = (0..<20_000).map { "\"k\($0)\"" }
        let document =
            "{" + names.map { $0 + ":null" }.joined(separator: ",") + ","
            + names.map { $0 + ":{\"a\":1}" }.joined(separator: ",") + "}"
        #expect(HikyakuJSONDecoder().outcome([String: Contained].self, document).value?.count == names.count)
        let numbers = document.replacing("{\"a\":1}", with: "1")
        #expect(HikyakuJSONDecoder().reading([String: Int].self, numbers).value?.count == names.count)
    }

    @Test func ofEqualKeysTheLastWinsAmongAll() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let names = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                random.pick(["a", "bb", "cc", "dddddddd", "", "é"])
            }
            let members = names.enumerated().map { number, name in
                let written = name == "a" && Bool.random(using: &random) ? #"\u0061"# : name
                return "\"\(written)\":\(number)"
            }
            let document = "{" + members.joined(separator: ",") + "}"
            let expected = Dictionary(names.enumerated().map { ($1, $0) }) { $1 }
            let found = HikyakuJSONDecoder().outcome(Members.self, document).value
            let pairs = found.map { Array(zip($0.keys, $0.values)) } ?? []
            #expect(Dictionary(pairs) { $1 } == expected && pairs.count == expected.count, "seed \(seed): \(document)")
            // In the order of those that count.
            #expect(pairs.map(\.1) == expected.values.sorted(), "seed \(seed): \(document)")
        }
    }
}
