import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// Members that are not next are found without reading anything twice that needn't be, and guesses are corrected.
@Suite struct MemberOrderTests {
    private let decoder = HikyakuJSONDecoder()

    // MARK: Any order

    private struct Place: JSONReadable, Equatable {
        let id: Int
        let name: String
        let note: String?
        let size: Size
        let tags: [String]

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            name = try reader.member("name")
            note = try reader.member("note")
            size = try reader.member("size")
            tags = try reader.member("tags")
            try reader.endObject()
        }

        struct Size: JSONReadable, Equatable {
            let width: Double
            let height: Double?

            init(from reader: inout JSONReader) throws {
                try reader.beginObject()
                width = try reader.member("width")
                height = try reader.member("height")
                try reader.endObject()
            }
        }
    }

    private static func permutations(_ items: [String]) -> [[String]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }

    private static let members = [
        #""id":7"#, #""name":"a \u00e4 \" long enough""#, #""note":"{]""#, #""size":{"height":2.5,"width":1}"#,
        #""tags":["x",""]"#,
    ]

    @Test func everyOrderOfMembersIsRead() throws {
        let expected = try #require(decoder.reading(Place.self, "{\(Self.members.joined(separator: ","))}").value)
        #expect(expected.name == "a ä \" long enough" && expected.size.height == 2.5 && expected.tags == ["x", ""])
        for order in Self.permutations(Self.members) {
            let document = "{\(order.joined(separator: ","))}"
            #expect(decoder.reading(Place.self, document).value == expected, "\(document)")
            for index in 0...order.count {
                var longer = order
                longer.insert(#""ids":{"id":[{"name":1}],"tags":null}"#, at: index)
                let document = "{\n \(longer.joined(separator: index.isMultiple(of: 2) ? "\n, " : ","))\n}"
                #expect(decoder.reading([Place].self, "[\(document), \(document)]").value == [expected, expected])
            }
        }
    }

    @Test func theLastOfRepeatedMembersIsReadInEveryOrder() {
        let repeated = [#""id":1"#, #""id":2"#, #""size":{"width":0}"#, #""size":{"width":1,"width":2}"#]
        let rest = [#""name":"a""#, #""tags":[]"#]
        for order in Self.permutations(repeated + rest) {
            let document = "{\(order.joined(separator: ","))}"
            let place = decoder.reading(Place.self, document).value
            #expect(place?.id == (order.last { $0.hasPrefix(#""id"#) } == repeated[0] ? 1 : 2), "\(document)")
            let size = order.last { $0.hasPrefix(#""size"#) } == repeated[2] ? 0.0 : 2
            #expect(place?.size.width == size, "\(document)")
        }
    }

    @Test func aMemberThatWasReadOnceIsNotAnotherMember() {
        struct Rest: JSONReadable {
            let name: String
            let id: Int
            let others: [String: JSONValue]

            init(from reader: inout JSONReader) throws {
                try reader.beginObject()
                name = try reader.member("name")
                id = try reader.member("id")
                others = try reader.otherMembers()
                try reader.endObject()
            }
        }
        for order in Self.permutations([#""id":1"#, #""id":2"#, #""name":"a""#, #""x":3"#, #""\u0079":4"#]) {
            let document = "{\(order.joined(separator: ","))}"
            let value = decoder.reading(Rest.self, document).value
            #expect(value?.others == ["x": 3, "y": 4], "\(document)")
            #expect(value?.id == (order.last { $0.hasPrefix(#""id"#) } == #""id":1"# ? 1 : 2), "\(document)")
        }
        #expect(decoder.reading(Rest.self, #"{"id":1,"name":"a"}"#).value?.others == [:])
    }

    /// Names are requested in any order, too; what they are is known from the document's value.
    @Test func anyRequestsFindWhatTheDocumentHolds() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let names: [StaticString] = ["a", "ab", "abcd", "abcdefgh", "abcdefghijklmnopqrs", "ä", ""]
        let keys = names.map(\.description) + [#"\u0061"#, #"\u00e4"#, "b", "abce", "abcdefghi"]
        let values = ["1", "null", #""a\n""#, "[]", #"{"a":{"ab":[1,"]"]}}"#, "-1.5e3", #"{"a":1,"a":2}"#]
        for _ in 0..<Effort.rounds(6000) {
            let members = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                "\"\(random.pick(keys))\":" + random.pick(values) + random.pick(["", "", "", " ", "\n"])
            }
            let document = Data("[{\(members.joined(separator: random.pick([",", ", "])))}]".utf8)
            let requests = names.shuffled(using: &random).prefix(Int.random(in: 0...names.count, using: &random))
            let expected = try decoder.read([[String: JSONValue]].self, from: document)[0]
            let (found, others) = try read(Array(requests), document)
            let text = "seed \(seed): \(requests) of \(String(decoding: document, as: UTF8.self))"
            #expect(found.map { $0 ?? .null } == requests.map { expected[$0.description] ?? .null }, "\(text)")
            #expect(others == expected.filter { key, _ in !requests.map(\.description).contains(key) }, "\(text)")
        }
    }

    private func read(_ requests: [StaticString], _ document: Data) throws -> ([JSONValue?], [String: JSONValue]) {
        try decoder.undiagnosed(document) { reader in
            // What is read last counts: the document is read again if a guess was wrong.
            var (found, others): ([JSONValue?], [String: JSONValue]) = ([], [:])
            try reader.readArray { reader in
                try reader.beginObject()
                found = try requests.map { try reader.member($0) }
                others = try reader.otherMembers()
                try reader.endObject()
            }
            return (found, others)
        }
    }

    // MARK: Wrong guesses

    /// Counts how often it is read.
    private struct Counted: JSONReadable {
        let name: String?
        let id: Int
        let next: [Counted]?

        @TaskLocal static var count: Counter?

        init(from reader: inout JSONReader) throws {
            Self.count?.value += 1
            try reader.beginObject()
            name = try reader.member("name")
            id = try reader.member("id")
            next = try reader.member("next")
            try reader.endObject()
        }
    }

    private final class Counter: @unchecked Sendable {
        // Only one task uses it.
        var value = 0
    }

    private func readings(_ document: String) throws -> (values: [Counted], count: Int) {
        let counter = Counter()
        let values = Counted.$count.withValue(counter) { decoder.reading([Counted].self, document).value }
        return (try #require(values), counter.value)
    }

    @Test func oneValueIsReadAgainAfterAWrongGuess() throws {
        let usual = Array(repeating: #"{"name":"a","id":1}"#, count: 100).joined(separator: ",")
        let (values, count) = try readings(#"[\#(usual),{"id":1,"name":"b"},\#(usual),{"id":1,"name":"c"}]"#)
        #expect(count == 203)
        #expect(values.compactMap(\.name).count == 202 && values[100].name == "b" && values.last?.name == "c")
        let nested = try readings(#"[{"name":"x","id":0,"next":[\#(usual),{"id":1,"name":"b"},\#(usual)]}]"#)
        #expect(nested.count == 203)
        #expect(nested.values[0].next?.compactMap(\.name).count == 201)
    }

    @Test func missingMembersCauseNoSecondReading() throws {
        let (values, count) = try readings(#"[{"id":1},{"x":[1],"id":2,"y":0},{"id":3,"next":[{"id":4}]},{"id":5}]"#)
        #expect(count == 5)
        #expect(values.map(\.id) == [1, 2, 3, 5] && values.allSatisfy { $0.name == nil })
    }

    /// If each level were read again for its own guess, the innermost would be read hundreds of times.
    @Test func wrongGuessesAtAllLevelsCostAFewReadings() throws {
        let start = String(repeating: #"[{"id":1,"next":"#, count: 200)
        let end = String(repeating: #","name":"a"}]"#, count: 200)
        let (values, count) = try readings(start + "null" + end)
        #expect(count <= 3 * 200)
        var (level, next) = (0, values.first)
        while let value = next {
            #expect(value.name == "a")
            (level, next) = (level + 1, value.next?.first)
        }
        #expect(level == 200)
    }

    // MARK: Objects that are left

    /// A type that gives up an object whose members it has begun to read.
    private struct Careless: JSONReadable {
        struct Stop: Error {}

        init(from reader: inout JSONReader) throws {
            do {
                try reader.beginObject()
                let id: Int = try reader.member("id")
                guard id != 1 else { throw Stop() }
                try reader.endObject()
            } catch is Stop {}
        }
    }

    private struct Holder: JSONReadable, Equatable {
        let name: String
        let note: String?

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            let _: Careless = try reader.member("careless")
            name = try reader.member("name")
            note = try reader.member("note")
            try reader.endObject()
        }
    }

    @Test(arguments: [
        #"{"name":"outer","careless":{"name":"inner","note":"x","id":1}}"#,
        #"{"careless":{"name":"inner","note":"x","id":1},"name":"outer"}"#,
        #"{"x":1,"careless":{"name":"inner","note":"x","id":1,"y":[]},"z":2,"name":"outer"}"#,
    ])
    func membersOfAnObjectThatIsLeftAreNotThoseOfTheOuterOne(_ document: String) {
        let value = decoder.reading(Holder.self, document).value
        #expect(value?.name == "outer")
        #expect(value?.note == nil)
    }

    @Test(arguments: [
        #"{"size":{"width":1},"tags":[],"name":"a","id":"x","id":1}"#,
        #"{"id":"x","size":{"width":"y"},"tags":[],"name":"a","id":1,"size":{"width":1}}"#,
        #"{"tags":[1],"size":{"width":1},"tags":[],"name":"a","id":1}"#,
    ])
    func aWrongValueBeforeTheLastOneDoesNotMatter(_ document: String) {
        let place = decoder.reading(Place.self, document).value
        #expect(place?.id == 1 && place?.tags == [] && place?.size.width == 1)
    }

    @Test(arguments: [
        (#"{"tags":[],"size":{"width":1},"name":"a","id":"x"}"#, "typeMismatch(Int) at /id"),
        (#"{"tags":[],"size":{"height":1},"name":"a","id":1}"#, "keyNotFound(width) at /size"),
        (#"{"tags":[],"size":{"height":1,"width":true},"name":"a","id":1}"#, "typeMismatch(Double) at /size/width"),
        (#"{"tags":[1],"size":{"width":1},"name":"a","id":1}"#, "typeMismatch(String) at /tags/Index 0"),
    ])
    func theErrorOfAPassedMemberIsAtItsPlace(_ document: String, _ error: String) {
        #expect(decoder.reading(Place.self, document) == .error(error))
    }
}
