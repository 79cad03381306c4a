import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct JSONCodableTests {
    struct Node: JSONCodable, Hashable {
        var id: Int?
        var name: String
        var limit: Int
        var isOpen: Bool
        var sort: String
        var ratio: Double
        var next: Boxed<Node>?

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            name = try reader.member("name")
            limit = try reader.member("limit", or: 20)
            isOpen = try reader.member("isOpen", or: true)
            sort = try reader.member("sort", or: "asc")
            ratio = try reader.member("ratio", or: 0.5)
            next = try reader.member("next")
            try reader.endObject()
        }

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.readOnlyMember("id", id)
            try writer.member("name", name)
            try writer.member("limit", limit)
            try writer.member("next", next)
            try writer.endObject()
        }
    }

    private func node(_ text: String) throws -> Node {
        try HikyakuJSONDecoder().decode(Node.self, from: Data(text.utf8))
    }

    @Test func theCompilerComparesPropertiesAndBoxes() throws {
        let document = #"{"id":1,"name":"a","next":{"name":"b"}}"#
        #expect(try node(document) == node(document))
        #expect(try node(document).hashValue == node(document).hashValue)
        // What is not written is compared, too.
        #expect(try node(#"{"name":"a"}"#) != node(#"{"name":"a","sort":"desc"}"#))
        #expect(try node(document) != node(#"{"id":1,"name":"a","next":{"name":"c"}}"#))
    }

    @Test func foreignCodersReadAndWriteIt() throws {
        let value = try node(#"{"id":1,"name":"a","next":{"name":"b"}}"#)
        let copy = try JSONDecoder().decode(Node.self, from: JSONEncoder().encode(value))
        #expect(copy == value)
    }

    @Test(arguments: [#"{"name":"a"}"#, #"{"name":"a","limit":null,"isOpen":null,"sort":null,"ratio":null}"#])
    func absenceIsTheOtherValue(_ document: String) throws {
        let value = try node(document)
        #expect(value.limit == 20 && value.isOpen && value.sort == "asc" && value.ratio == 0.5)
    }

    @Test func aMemberIsReadInsteadOfTheOtherValue() throws {
        let value = try node(#"{"ratio":2,"sort":"desc","isOpen":false,"limit":5,"name":"a"}"#)
        #expect(value.limit == 5 && !value.isOpen && value.sort == "desc" && value.ratio == 2)
    }

    @Test func aMemberOfAnotherTypeIsAnError() {
        #expect(throws: (any Error).self) { try node(#"{"name":"a","limit":"5"}"#) }
    }

    @Test func absenceIsNotADrift() throws {
        var decoder = HikyakuJSONDecoder()
        let notes = DriftNotes()
        decoder.onDrift = { notes.add($0) }
        _ = try decoder.decode(Node.self, from: Data(#"{"name":"a"}"#.utf8))
        #expect(notes.texts.isEmpty)
    }

    private struct Tagged: JSONWritable {
        var items: [Item]
        var isText = false

        struct Item: JSONWritable {
            var a: Int?
            func write(to writer: inout JSONWriter) throws {
                try writer.beginObject()
                try writer.member("a", a)
                try writer.endObject()
            }
        }

        func write(to writer: inout JSONWriter) throws {
            if isText { return try writer.write("text", tagged: "kind", "t") }
            try writer.beginObject()
            try writer.member("items", items)
            try writer.endObject()
        }
    }

    private struct Choice: JSONWritable {
        var value: Tagged
        func write(to writer: inout JSONWriter) throws { try writer.write(value, tagged: "kind", "x\"y") }
    }

    @Test func anObjectBeginsWithItsTag() throws {
        func text(_ value: some JSONWritable, _ formatting: HikyakuJSONEncoder.OutputFormatting = []) throws -> String {
            var encoder = HikyakuJSONEncoder()
            encoder.outputFormatting = formatting
            return String(decoding: try encoder.write(value), as: UTF8.self)
        }
        let value = Choice(value: Tagged(items: [.init(a: 1), .init()]))
        #expect(try text(value) == #"{"kind":"x\"y","items":[{"a":1},{}]}"#)
        #expect(try text(value, .sortedKeys) == #"{"items":[{"a":1},{}],"kind":"x\"y"}"#)
        // What is not an object has no tag, and neither has what comes after it.
        #expect(try text([Tagged(items: [], isText: true), Tagged(items: [])]) == #"["text",{"items":[]}]"#)
    }

    @Test func readOnlyMembersAreLeftOutOfRequestsOnly() throws {
        let value = try node(#"{"id":1,"name":"a","next":{"id":2,"name":"b"}}"#)
        var encoder = HikyakuJSONEncoder()
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self).contains(#""id":1"#))
        encoder.leavesOutReadOnlyMembers = true
        let expected = #"{"name":"a","limit":20,"next":{"name":"b","limit":20}}"#
        #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == expected)
        #expect(String(decoding: try encoder.encode([value]), as: UTF8.self) == "[\(expected)]")
    }

    @Test(arguments: [
        (#"{"b":1}"#, true), (#"{"c":1,"a":[{}]}"#, true), (#"{"c":{"a":1}}"#, false), ("{}", false), ("[]", false),
    ])
    func anObjectHasOneOfTheMembers(_ document: String, _ expected: Bool) throws {
        struct Found: JSONReadable {
            var hasMember: Bool
            var value: JSONValue

            init(from reader: inout JSONReader) throws {
                hasMember = reader.hasMember("a", "b")
                value = try reader.read()
            }
        }
        let found = try HikyakuJSONDecoder().read(Found.self, from: Data(document.utf8))
        #expect(found.hasMember == expected)
    }
}
