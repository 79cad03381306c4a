import Foundation
import HikyakuJSON
import Testing

@Suite struct TupleTests {
    struct Place: JSONModel {
        var longitude: Double
        var name: String?
        var tags: [String]

        init(_ longitude: Double, _ name: String?, _ tags: [String] = []) {
            (self.longitude, self.name, self.tags) = (longitude, name, tags)
        }

        init(from reader: inout JSONReader) throws {
            try reader.beginTuple()
            longitude = try reader.element()
            name = try reader.element()
            tags = try reader.otherElements()
            try reader.endTuple()
        }

        func write(to writer: inout JSONWriter) throws {
            try writer.writeTuple(longitude, name, others: tags, countMin: 1)
        }
    }

    struct Pair: JSONModel {
        var first: Place
        var second: Int?

        init(from reader: inout JSONReader) throws {
            try reader.beginTuple()
            first = try reader.element()
            second = try reader.element()
            try reader.endTuple()
        }

        func write(to writer: inout JSONWriter) throws { try writer.writeTuple(first, second, countMin: 2) }
    }

    private func place(_ text: String) throws -> Place {
        try HikyakuJSONDecoder().decode(Place.self, from: Data(text.utf8))
    }

    private func text(_ value: some JSONWritable) throws -> String {
        String(decoding: try HikyakuJSONEncoder().write(value), as: UTF8.self)
    }

    @Test(arguments: [
        (#"[1.5]"#, Place(1.5, nil)), (#" [ 1.5 , null ] "#, Place(1.5, nil)), (#"[1.5,"a"]"#, Place(1.5, "a")),
        (#"[ 1.5, "[", "b", "]"]"#, Place(1.5, "[", ["b", "]"])),
    ])
    func elementsAreReadByTheirPositions(_ document: String, _ expected: Place) throws {
        #expect(try place(document) == expected)
    }

    @Test func nilAtTheEndIsLeftOut() throws {
        #expect(try text(Place(1.5, nil)) == "[1.5]")
        #expect(try text(Place(1.5, "a")) == #"[1.5,"a"]"#)
        #expect(try text(Place(1.5, nil, ["b"])) == #"[1.5,null,"b"]"#)
    }

    @Test func requiredElementsAreWrittenAsNull() throws {
        let pair = try HikyakuJSONDecoder().decode(Pair.self, from: Data("[[1]]".utf8))
        #expect(try text(pair) == "[[1],null]")
    }

    @Test func furtherElementsAreSkipped() throws {
        let pairs = try HikyakuJSONDecoder().decode([Pair].self, from: Data("[[[1],2,[3,{}],4],[[5],6]]".utf8))
        #expect(pairs.map(\.first.longitude) == [1, 5])
        #expect(pairs.map(\.second) == [2, 6])
    }

    @Test(arguments: ["[]", "[ ]", "{}", "1", "[1,2]", "[1,\"a\",3]", "[1", "[1,]", "[,1]", "[1 2]"])
    func anotherArrayIsAnError(_ document: String) {
        #expect(throws: (any Error).self) { try place(document) }
    }

    @Test func anErrorNamesThePosition() {
        do {
            _ = try HikyakuJSONDecoder().decode([Pair].self, from: Data("[[[1],2],[[3],true]]".utf8))
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains("/1/1"), "\(error)")
        }
    }
}
