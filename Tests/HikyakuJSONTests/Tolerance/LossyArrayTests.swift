import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct LossyArrayTests {
    /// A type of several members, which fails in the midst of them.
    private struct Item: Codable, JSONReadable, Hashable {
        let id: Int
        let tags: [String]

        init(_ id: Int, _ tags: [String] = []) {
            self.id = id
            self.tags = tags
        }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            tags = try reader.member("tags")
            try reader.endObject()
        }
    }

    private struct Refusal: Error {}

    /// Rejects all but even numbers.
    private struct Even: Decodable, JSONReadable, Hashable {
        let number: Int

        init(_ number: Int) throws {
            guard number % 2 == 0 else { throw Refusal() }
            self.number = number
        }

        init(from decoder: any Decoder) throws {
            try self.init(decoder.singleValueContainer().decode(Int.self))
        }

        init(from reader: inout JSONReader) throws {
            try self.init(reader.read(Int.self))
        }
    }

    @Test(arguments: [
        ("[1,2,3]", [1, 2, 3], []), ("[]", [], []), ("[ 1 , \"a\" , 3 ]", [1, 3], [1]), ("[null]", [], [0]),
        ("[1.5,{},[],true,1e99,2]", [2], [0, 1, 2, 3, 4]), ("[[1,[2]],{\"a\":[{}]},4]", [4], [0, 1]),
    ])
    func goodElementsAreKept(_ document: String, _ elements: [Int], _ lost: [Int]) throws {
        for reading in try everyReading(of: LossyArray<Int>.self, document) {
            #expect(reading.value == LossyArray(elements))
            #expect(reading.value.lostCount == lost.count)
            if let drifts = reading.drifts { #expect(drifts == lost.map { "lossyElement /\($0) Int" }) }
        }
    }

    @Test func anElementThatFailsInTheMidstIsPassedAsAWhole() throws {
        let document = #"""
            [{"id":1,"tags":[]},{"id":"x","tags":["]"]},{"tags":["a",{"b":2}],"id":3},{"id":4,"tags":["\"}",null]},
            {"id":5},{"id":6,"tags":["f"],"more":[{}]}]
            """#
        for reading in try everyReading(of: LossyArray<Item>.self, document) {
            #expect(reading.value.elements == [Item(1), Item(6, ["f"])])
            if let drifts = reading.drifts { #expect(drifts == (1...4).map { "lossyElement /\($0) Item" }) }
        }
    }

    @Test func arraysInEachOtherLoseTheirOwn() throws {
        for reading in try everyReading(of: LossyArray<LossyArray<Int>>.self, #"[[1,"a"],2,[3,[4],5],[]]"#) {
            #expect(reading.value == [[1], [3, 5], []])
            #expect(reading.value.lostCount == 1)
            #expect(reading.value.map(\.lostCount) == [1, 1, 0])
            guard let drifts = reading.drifts else { continue }
            #expect(drifts == ["lossyElement /0/1 Int", "lossyElement /1 LossyArray<Int>", "lossyElement /2/1 Int"])
        }
    }

    @Test(arguments: ["{}", "1", "null", "\"a\""])
    func whatIsNotAnArrayIsAnError(_ document: String) {
        let bytes = Data(document.utf8)
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode(LossyArray<Int>.self, from: bytes)
        }
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode(LossyArray<DecodedOnly>.self, from: bytes)
        }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(LossyArray<Int>.self, from: bytes) }
    }

    private struct DecodedOnly: Decodable {
        let id: Int
    }

    @Test(arguments: [#"["a" 1]"#, #"["a","#, #"["a",1"#, "[nul]", #"["\x"]"#, #"[{"a" 1}]"#, "[[1}]"])
    func whatIsNotJSONIsAnError(_ document: String) {
        let bytes = Data(document.utf8)
        let notes = DriftNotes()
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder.noting(notes).read(LossyArray<Int>.self, from: bytes)
        }
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder.noting(notes).decode(LossyArray<DecodedOnly>.self, from: bytes)
        }
        #expect(notes.drifts.isEmpty)
    }

    @Test func anElementsOwnErrorIsNamed() throws {
        let document = Data("[2,3,4]".utf8)
        let ways: [(HikyakuJSONDecoder) throws -> LossyArray<Even>] = [
            { try $0.decode(LossyArray<Even>.self, from: document) },
            { try Throughout<LossyArray<Even>>.decode($0, document) },
        ]
        for decode in ways {
            let notes = DriftNotes()
            let array = try decode(.noting(notes))
            #expect(array.map(\.number) == [2, 4])
            #expect(notes.drifts.map(\.diagnosis) == [nil])
            #expect(notes.drifts.map(\.reason) == ["it threw an error of the type Refusal"])
            #expect(notes.drifts.map(\.byteOffset) == [3])
        }
    }

    @Test func otherErrorsAreDiagnosed() throws {
        let document = Data("{\"items\":[\n{\"id\":1},{\"id\":\"secret\"}, 5 ]}".utf8)
        let notes = DriftNotes()
        let value = try HikyakuJSONDecoder.noting(notes).decode([String: LossyArray<DecodedOnly>].self, from: document)
        #expect(value["items"]?.map(\.id) == [1])
        let diagnoses = notes.drifts.compactMap(\.diagnosis)
        #expect(diagnoses.map(\.pointer) == ["/items/1/id", "/items/2"])
        #expect(diagnoses.map(\.line) == [2, 2])
        #expect(diagnoses.map(\.furtherCount) == [0, 0])
        #expect(diagnoses[0].found == "a string masked as \"aaaaaa\"")
        #expect(notes.drifts.map(\.reason) == diagnoses.map(\.description))
        #expect(!"\(notes.drifts)".contains("secret"))
    }

    @Test func itIsACollection() {
        var array: LossyArray = [3, 1, 2]
        array.append(5)
        array.sort()
        array[0] = 0
        array.removeLast()
        #expect(array.elements == [0, 2, 3])
        #expect(array.description == "[0, 2, 3]")
        #expect(LossyArray(array.map { $0 }).hashValue == array.hashValue)
        #expect(array.count == 3 && array.startIndex == 0 && array.endIndex == 3)
    }

    @Test func itIsWrittenAsAnArray() throws {
        let array: LossyArray = [Item(1, ["a"])]
        let document = #"[{"id":1,"tags":["a"]}]"#
        #expect(String(decoding: try HikyakuJSONEncoder().encode(array), as: UTF8.self) == document)
        #expect(String(decoding: try HikyakuJSONEncoder().write(LossyArray([1, 2])), as: UTF8.self) == "[1,2]")
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(array), as: UTF8.self) == document)
    }

    @Test func aPropertyListIsReadAsWell() throws {
        let list = try PropertyListSerialization.data(
            fromPropertyList: [1, "a", 3] as [Any],
            format: .xml,
            options: 0,
        )
        let array = try PropertyListDecoder().decode(LossyArray<Int>.self, from: list)
        #expect(array == [1, 3])
        #expect(array.lostCount == 1)
    }
}
