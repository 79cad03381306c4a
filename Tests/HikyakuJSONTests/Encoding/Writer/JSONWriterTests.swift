import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct JSONWriterTests {
    private struct Article: JSONWritable {
        var id = 1
        var title = "A \"title\""
        var note: String?
        var tags = ["a", "b"]
        var owner = Owner()

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("id", id)
            try writer.member("title", title)
            try writer.member("note", note)
            try writer.member("tags", tags)
            try writer.member("owner", owner)
            try writer.endObject()
        }
    }

    private struct Owner: JSONWritable {
        var name = "z"

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("name", name)
            try writer.endObject()
        }
    }

    private func text(_ write: @escaping @Sendable (inout JSONWriter) throws -> Void) throws -> String {
        try written(Written(write: write))
    }

    private func failure(
        _ write: @escaping @Sendable (inout JSONWriter) throws -> Void
    ) throws -> (path: String, text: String) {
        let error = try #require(throws: EncodingError.self) { try text(write) }
        guard case .invalidValue(_, let context) = error else { return ("", "") }
        return (path(of: error) ?? "", context.debugDescription)
    }

    // MARK: What is written

    @Test func aTypeWritesItself() throws {
        #expect(
            try written(Article())
                == #"{"id":1,"title":"A \"title\"","tags":["a","b"],"owner":{"name":"z"}}"#
        )
        #expect(
            try written([Article(note: "n", tags: [])])
                == #"[{"id":1,"title":"A \"title\"","note":"n","tags":[],"owner":{"name":"z"}}]"#
        )
    }

    @Test func anOptionalMemberIsLeftOutOrNullByChoice() throws {
        let document = try text { writer in
            try writer.beginObject()
            try writer.member("a", Int?.none)
            try writer.member("b", Int?.some(1))
            try writer.nullableMember("c", Int?.none)
            try writer.member("d", JSONValue.null)
            try writer.endObject()
        }
        #expect(document == #"{"b":1,"c":null,"d":null}"#)
    }

    @Test func keysAreEscapedAndMayBeMadeWhenTheProgramRuns() throws {
        let document = try text { writer in
            try writer.writeObject { writer in
                for key in ["", "a\"b", "long key of more than sixteen bytes\n", "é"] {
                    try writer.writeMember(key, 1)
                }
            }
        }
        #expect(document == #"{"":1,"a\"b":1,"long key of more than sixteen bytes\n":1,"é":1}"#)
    }

    @Test func membersMayBeArraysAndObjectsWithoutATypeOfTheirOwn() throws {
        let document = try text { writer in
            try writer.writeObject { writer in
                try writer.writeMember("list") { writer in
                    try writer.writeArray { writer in
                        try writer.write(1)
                        writer.writeNull()
                        try writer.writeObject { _ in }
                        try writer.writeArray { _ in }
                    }
                }
                try writer.writeMember("object") { try $0.writeObject { try $0.writeMember("a", true) } }
            }
        }
        #expect(document == #"{"list":[1,null,{},[]],"object":{"a":true}}"#)
    }

    @Test func aCodableValueIsAMemberOfADirectOne() throws {
        struct Plain: Encodable {
            var someKey = 1
            var dates = ["camelCase": Date(timeIntervalSince1970: 0)]
        }
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) throws {}
        }
        let value = Written { writer in
            try writer.writeArray { writer in
                try writer.encode(Plain())
                try writer.encode(5)
                try writer.encode(Nothing())
                try writer.encode([Plain(dates: [:])])
            }
        }
        let document = try written(value) { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(
            document
                == #"[{"some_key":1,"dates":{"camelCase":"1970-01-01T00:00:00Z"}},5,{},[{"some_key":1,"dates":{}}]]"#
        )
    }

    @Test func customStrategiesApplyToDirectValues() throws {
        let document = try written(["a": [Date(timeIntervalSince1970: 5)]]) { encoder in
            encoder.dateEncodingStrategy = .custom { date, encoder in
                let path = encoder.codingPath.map(\.stringValue).joined(separator: "/")
                try [path, "\(Int(date.timeIntervalSince1970))"].encode(to: encoder)
            }
        }
        #expect(document == #"{"a":[["a/Index 0","5"]]}"#)
        let bytes = try written([Data([1]), Data()]) { encoder in
            encoder.dataEncodingStrategy = .custom { data, encoder in
                if !data.isEmpty { try data.count.encode(to: encoder) }
            }
        }
        #expect(bytes == "[1,{}]")
    }

    @Test func keysAreSortedByTheirBytesWithEscapesUndone() throws {
        let keys = [
            "b", "a", "A", "\"", "!", "\\", "]", "aa", "", "\u{1}", "\n", "é", "😀", "\u{FFFD}", "abcdefghi", "abcdefgh",
        ]
        let value = Written { writer in
            try writer.writeObject { writer in
                for (index, key) in keys.enumerated() {
                    try writer.writeMember(key) { try $0.writeObject { try $0.writeMember("i", index) } }
                }
            }
        }
        for isPretty in [false, true] {
            var encoder = HikyakuJSONEncoder()
            encoder.outputFormatting = isPretty ? [.sortedKeys, .prettyPrinted] : .sortedKeys
            let bytes = try encoder.write(value)
            let read = try JSONDecoder().decode([String: [String: Int]].self, from: bytes)
            #expect(read == Dictionary(uniqueKeysWithValues: keys.enumerated().map { ($1, ["i": $0]) }))
            let foundation = JSONEncoder()
            foundation.outputFormatting =
                isPretty
                ? [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted] : [.sortedKeys, .withoutEscapingSlashes]
            #expect(bytes == (try foundation.encode(read)))
        }
    }

    @Test func prettyOutputHasTheLayoutOfFoundation() throws {
        let document = try written(
            Written { writer in
                try writer.writeObject { writer in
                    try writer.writeMember("a", [1, 2])
                    try writer.writeMember("b", [Int]())
                    try writer.writeMember("c") { try $0.writeObject { _ in } }
                    try writer.writeMember("d", ["x": [["y": 1]]])
                }
            }
        ) { $0.outputFormatting = .prettyPrinted }
        #expect(
            document == """
                {
                  "a" : [
                    1,
                    2
                  ],
                  "b" : [

                  ],
                  "c" : {

                  },
                  "d" : {
                    "x" : [
                      {
                        "y" : 1
                      }
                    ]
                  }
                }
                """
        )
    }

    // MARK: What doesn't fit

    @Test func valuesThatDoNotFitFailWithTheirPath() throws {
        var outcome = try failure { writer in
            try writer.writeObject { try $0.writeMember("a") { try $0.writeArray { try $0.writeMember("b", 1) } } }
        }
        #expect(outcome.path == "a.0")
        #expect(outcome.text == #"Can't write the member "b" here: an element of an array is expected."#)
        outcome = try failure { try $0.writeObject { try $0.write(1) } }
        #expect(outcome.path == "")
        #expect(
            outcome.text
                == "Can't write a value here: a member of an object is expected. Write the value with its key by member."
        )
        outcome = try failure { writer in
            try writer.write(1)
            try writer.write(2)
        }
        #expect(outcome.text.hasPrefix("Can't write a value here: the value is already complete"))
        outcome = try failure { try $0.writeMember("a", 1) }
        #expect(outcome.text.hasPrefix(#"Can't write the member "a" here: a value is expected"#))
    }

    @Test func nothingIsNotAValue() throws {
        #expect(
            try failure { _ in }.text
                == "Written wrote no value. Its write(to:) must write exactly one value, which may be null."
        )
        let outcome = try failure { try $0.writeObject { try $0.writeMember("a") { _ in } } }
        #expect(outcome.path == "a")
        #expect(outcome.text == "Wrote a key without a value. Write a value, or leave out the key.")
    }

    @Test func aNullOutOfPlaceFailsInTheEnd() throws {
        let outcome = try failure { writer in
            try writer.writeArray { try $0.writeObject { $0.writeNull() } }
        }
        #expect(outcome.path == "0")
        #expect(outcome.text.hasPrefix("Can't write a value here: a member of an object is expected"))
        struct Parent: Encodable {
            let child = Written {
                $0.writeNull(); $0.writeNull()
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(Child(child: child))
            }
        }
        let error = try #require(throws: EncodingError.self) { try HikyakuJSONEncoder().encode(Parent()) }
        #expect(path(of: error) == "0")
    }

    private struct Child: Encodable, JSONWritable {
        let child: Written
        func write(to writer: inout JSONWriter) throws { try child.write(to: &writer) }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func theWayToAnErrorIsReadFromTheBytes() throws {
        let outcome = try failure { writer in
            try writer.writeObject { writer in
                try writer.writeMember("done", ["x": [1, 2]])
                try writer.writeMember("te\"xt\\", "a,[{\\\"")
                try writer.writeMember("in\n\"ner") { writer in
                    try writer.writeArray { writer in
                        try writer.write("]")
                        try writer.write([[1], [], [2, 3]])
                        try writer.write(["key": [1, 2, Double.nan]])
                    }
                }
            }
        }
        #expect(outcome.path == "in\n\"ner.2.key.2")
        #expect(outcome.text.hasPrefix("JSON has no number for nan."))
    }

    @Test func aCallThatThrowsLeavesNothingBehind() throws {
        struct Stop: Error {}
        let document = try text { writer in
            try writer.writeObject { writer in
                try? writer.writeMember("a", Double.nan)
                try writer.writeMember("b", 1)
                try? writer.writeMember("c") {
                    try $0.writeArray {
                        try $0.write(1); throw Stop()
                    }
                }
                try writer.writeMember("d") { writer in
                    try writer.writeArray { writer in
                        try? writer.write(Double.infinity)
                        try? writer.writeObject {
                            try $0.writeMember("x", 1); throw Stop()
                        }
                        try writer.write(2)
                        try? writer.write([1, Double.nan])
                        try? writer.encode(["y": Double.nan])
                        try writer.write(3)
                    }
                }
                try? writer.writeMember("e") { _ in }
            }
        }
        #expect(document == #"{"b":1,"d":[2,3]}"#)
        #expect(throws: Stop.self) { try text { try $0.writeArray { _ in throw Stop() } } }
    }

    @Test(arguments: [1, 511, 512, 513, 5000])
    func atMost512ArraysAreNested(depth: Int) throws {
        struct Nest: JSONWritable {
            let depth: Int
            func write(to writer: inout JSONWriter) throws {
                try writer.writeArray { if depth > 1 { try $0.write(Nest(depth: depth - 1)) } }
            }
        }
        if depth <= 512 {
            #expect(try written(Nest(depth: depth)).count == depth * 2)
        } else {
            let error = try #require(throws: EncodingError.self) { try written(Nest(depth: depth)) }
            #expect(path(of: error)?.count == 1023)
        }
    }

    @Test func aLargeDocumentOutgrowsTheBufferManyTimes() throws {
        let values = (0..<100_000).map { "value \($0)" }
        let bytes = try HikyakuJSONEncoder().write(values)
        #expect(bytes.count == 1_388_891)
        #expect(try JSONDecoder().decode([String].self, from: bytes) == values)
    }
}
