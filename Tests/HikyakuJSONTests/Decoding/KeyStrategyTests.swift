import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct KeyStrategyTests {
    /// The keys of an object as a type meets them, byte by byte.
    private struct Names: Decodable, Equatable {
        let names: [[UInt8]]

        init(from decoder: any Decoder) throws {
            let keys = try decoder.container(keyedBy: TextKey.self).allKeys
            names = keys.map { Array($0.stringValue.utf8) }
        }

        var texts: [String] { names.map { String(decoding: $0, as: UTF8.self) } }
    }

    private func decoder(_ strategy: HikyakuJSONDecoder.KeyDecodingStrategy) -> HikyakuJSONDecoder {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = strategy
        return decoder
    }

    private func snakeNames(_ name: String) -> (ours: Names?, foundation: Names?) {
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let document = #"{"\#(name)":1}"#
        return (
            decoder(.convertFromSnakeCase).outcome(Names.self, document).value,
            foundation.outcome(Names.self, document).value,
        )
    }

    @Test(arguments: [
        ("created_at", "createdAt"), ("id", "id"), ("URL", "URL"), ("userID", "userID"), ("user_ID", "userId"),
        ("_private_key", "_privateKey"), ("__a_b__", "__aB__"), ("trailing_", "trailing_"), ("_", "_"), ("___", "___"),
        ("", ""), ("a__b", "aB"), ("line_2_text", "line2Text"), ("street_1st", "street1St"), ("X_Y", "xY"),
        ("größe_in_ångström", "größeInÅngström"), ("ﬁrst_ﬁnd", "ﬁrstFind"), ("a_飛脚_b", "a飛脚B"), ("_1_", "_1_"),
    ])
    func snakeCaseBecomesCamelCase(_ name: String, _ converted: String) {
        let names = snakeNames(name)
        #expect(names.ours?.texts == [converted])
        #expect(names.foundation == names.ours)
    }

    /// A copy of all words for each would take minutes.
    @Test func aKeyOfManyWordsIsConvertedInOnePass() {
        let converted = SnakeCase.camelCase(String(repeating: "a_", count: 500_000) + "b_")
        #expect(converted.utf8.count == 500_002)
        #expect(converted == "a" + String(repeating: "A", count: 499_999) + "B_")
    }

    @Test(arguments: [
        ["_", "_", "a", "b", "c", "X", "Y", "1", "2"],
        [
            "_", "_", "a", "Z", "7", "é", "e\u{301}", "ß", "ﬁ", "İ", "ı", "ǆ", "Σ", "飛", "😀", "-", ".", " ", "'",
            "\u{200D}",
        ],
    ])
    func generatedNamesAreConvertedAsByFoundation(_ letters: [String]) {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(3000) {
            let count = Int.random(in: 0...12, using: &random)
            let name = (0..<count).map { _ in letters.randomElement(using: &random) ?? "_" }.joined()
            let names = snakeNames(name)
            #expect(names.ours != nil && names.ours == names.foundation, "seed \(seed): \(name)")
        }
    }

    private struct Article: Decodable, Equatable {
        let createdAt: Int
        let authorName: String
        let viewCount: Int?
        let relatedItems: [Article]
    }

    private static let article = """
        {"created_at":1,"author_name":"a","view_count":null,"related_items":[
            {"author_name":"b","created_at":2,"related_items":[],"view_count":3},
            {"created_\\u0061t":4,"author_name":"c","related_items":[]}]}
        """

    @Test func aTypeIsDecodedFromSnakeCase() {
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let value = decoder(.convertFromSnakeCase).outcome(Article.self, Self.article).value
        #expect(value?.relatedItems.map(\.createdAt) == [2, 4])
        #expect(value == foundation.outcome(Article.self, Self.article).value)
    }

    @Test func aFunctionConvertsEachKey() throws {
        let strategy = HikyakuJSONDecoder.KeyDecodingStrategy.custom { String($0.dropFirst(2)) }
        let document = #"{"x-createdAt":1,"y-authorName":"a","\u007a-relatedItems":[]}"#
        let value = try decoder(strategy).undiagnosed(Article.self, Data(document.utf8))
        #expect(value == Article(createdAt: 1, authorName: "a", viewCount: nil, relatedItems: []))
    }

    private final class Calls: @unchecked Sendable {
        // Touched by the thread of the test alone.
        var keys: [String] = []
    }

    @Test func aFunctionIsCalledOnceForAllPartsOfADirectType() throws {
        struct Direct: JSONReadable {
            let names: [Names]

            init(from reader: inout JSONReader) throws {
                var names: [Names] = []
                try reader.readArray { names.append(try $0.decode(Names.self)) }
                self.names = names
            }
        }
        let calls = Calls()
        let strategy = HikyakuJSONDecoder.KeyDecodingStrategy.custom { key in
            calls.keys.append(key)
            return key.uppercased()
        }
        let document = Data(#"[[{"a":1,"b":2},{"b":3,"a":4}],[{"c":5},{"a":6}]]"#.utf8)
        let values = try decoder(strategy).undiagnosed(document) { try $0.read([Direct].self) }
        #expect(values.map { $0.names.map(\.texts) } == [[["A", "B"], ["B", "A"]], [["C"], ["A"]]])
        #expect(calls.keys == ["a", "b", "c"])
    }

    @Test func aFunctionIsCalledOnceForEachKey() throws {
        let calls = Calls()
        let strategy = HikyakuJSONDecoder.KeyDecodingStrategy.custom { key in
            calls.keys.append(key)
            return key
        }
        let document = #"[{"a":1,"b":2},{"b":3,"a":4},{"\u0061":5,"c":6},{"a":7}]"#
        let values = try decoder(strategy).undiagnosed([Names].self, Data(document.utf8))
        #expect(values.map { $0.texts } == [["a", "b"], ["b", "a"], ["a", "c"], ["a"]])
        // One key that is written in two ways is read by each of them.
        #expect(calls.keys == ["a", "b", "a", "c"])
    }

    @Test func keysThatWereSeenAreNotCopiedForEachThatComes() throws {
        let count = 4000
        let document = "{" + (0..<count).map { "\"some_key_\($0)\":0" }.joined(separator: ",") + "}"
        let copies = try Array(document.utf8).withUnsafeBufferPointer { bytes in
            let settings = decoder(.convertFromSnakeCase)
            let session = try DecodingSession(bytes, settings: settings, tools: .take())
            let texts = try #require(session.keyTexts)
            var copies = 0
            for ordinal in 0..<count {
                let before = texts.knownAddress
                #expect(texts[texts.number(of: session.index[2 + 2 * ordinal], in: session)] == "someKey\(ordinal)")
                copies += before == texts.knownAddress ? 0 : 1
            }
            return copies
        }
        // As often as its size doubles.
        #expect(copies <= 16)
    }

    @Test func keysThatBecomeEqualAreOne() throws {
        struct Value: Decodable { let ab: Int }
        let strategy = HikyakuJSONDecoder.KeyDecodingStrategy.custom { $0.lowercased() }
        let bytes = Data(#"{"AB":1,"Ab":2,"aB":3}"#.utf8)
        #expect(try decoder(strategy).undiagnosed(Value.self, bytes).ab == 3)
        #expect(try decoder(strategy).undiagnosed(Names.self, bytes).texts == ["ab"])
    }

    @Test func theKeysOfDictionariesAreLeftAlone() {
        struct Value: Decodable, Equatable {
            let scoreByName: [String: Int]
            let nestedMaps: [String: [String: [Article]]]
        }
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let document = #"{"score_by_name":{"some_one":1},"nested_maps":{"a_b":{"c_d":[\#(Self.article)]}}}"#
        let value = decoder(.convertFromSnakeCase).outcome(Value.self, document).value
        #expect(value?.scoreByName == ["some_one": 1])
        #expect(value?.nestedMaps["a_b"]?["c_d"]?.first?.authorName == "a")
        #expect(value == foundation.outcome(Value.self, document).value)
    }

    @Test func theKeysOfDictionariesByAnotherTypeAreConverted() {
        enum Section: String, Decodable, CodingKeyRepresentable { case homePage, home_page }
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        let document = #"{"home_page":1}"#
        let value = decoder(.convertFromSnakeCase).outcome([Section: Int].self, document)
        #expect(value == .value([.homePage: 1]))
        #expect(value == foundation.outcome([Section: Int].self, document))
    }

    @Test func canonicallyEquivalentKeysAreConvertedEachForItself() throws {
        let bytes = Data("[{\"e\u{301}_a\":1},{\"\u{E9}_a\":2},{\"e\u{301}_a\":1}]".utf8)
        let names = try decoder(.convertFromSnakeCase).undiagnosed([Names].self, bytes)
        #expect(names.map(\.names) == ["e\u{301}A", "\u{E9}A", "e\u{301}A"].map { [Array($0.utf8)] })
    }

    @Test func anObjectMayBeReadByTypeAndAsADictionary() throws {
        /// Converts and shadows keys, and then reads them as they are.
        struct Both: Decodable {
            let byType: Int
            let asDictionary: [String: Article]

            private enum Key: String, CodingKey { case longKeyName }

            init(from decoder: any Decoder) throws {
                byType = try decoder.container(keyedBy: Key.self).decode(Article.self, forKey: .longKeyName).createdAt
                asDictionary = try decoder.singleValueContainer().decode([String: Article].self)
            }
        }
        let articles = (1...3).map { #"{"created_at":\#($0),"author_name":"","related_items":[]}"# }
        let document =
            #"{"long_key_name":\#(articles[0]),"longKeyName":\#(articles[1]),"long__key__name":\#(articles[2])}"#
        let value = try decoder(.convertFromSnakeCase).undiagnosed(Both.self, Data(document.utf8))
        #expect(value.byType == 3)
        #expect(
            value.asDictionary.mapValues(\.createdAt) == ["long_key_name": 1, "longKeyName": 2, "long__key__name": 3]
        )
    }
}
