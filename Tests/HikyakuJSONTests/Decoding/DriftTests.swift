import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct DriftTests {
    private enum State: String { case open }

    private struct Item: Decodable {
        let state: OpenEnum<State>
        @Defaulted.Empty var name: String
        let numbers: LossyArray<Int>
    }

    @Test func driftIsReportedInTheOrderOfTheDocument() throws {
        let notes = DriftNotes()
        let document = Data(
            #"[{"numbers":[1,"a",null],"state":"new"},{"state":"open","name":null,"numbers":[]},{}]"#.utf8
        )
        let items = try HikyakuJSONDecoder.noting(notes).decode(LossyArray<Item>.self, from: document)
        #expect(items.map(\.numbers.elements) == [[1], []])
        #expect(
            notes.texts == [
                "defaultedKey /0/name String", "lossyElement /0/numbers/1 Int", "lossyElement /0/numbers/2 Int",
                "unknownEnumValue /0/state State", "defaultedKey /1/name String", "lossyElement /2 Item",
            ]
        )
    }

    /// A key may have what moves a terminal's cursor, or writes another line into a log.
    @Test func aDriftIsOneLine() throws {
        let notes = DriftNotes()
        let document = #"{"a\nb\u001b[2J":[1,null],"c":["hunter2"]}"#
        _ = try HikyakuJSONDecoder.noting(notes).decode([String: LossyArray<Int>].self, from: Data(document.utf8))
        let first = try #require(notes.drifts.first)
        #expect(first.pointer == "/a?a?[9A/1")
        #expect(
            notes.drifts.map(\.description) == [
                "lossyElement of Int at /a?a?[9A/1 (keys masked): at /a?a?[9A/1 (keys masked): expected Int, found null (line 1, "
                    + #"column 21, byte 20), in `{"a?a?[9A":[9,null],"c":["aaaaaa9"]}` (values masked)"#,
                "lossyElement of Int at /c/0: at /c/0: expected Int, found a string masked as \"aaaaaa9\" (line 1, column 32, byte "
                    + #"31), in `{"a?a?[9A":[9,null],"c":["aaaaaa9"]}` (values masked)"#,
            ]
        )
        var rest = JSONDrift(kind: .defaultedKey, pointer: "", typeName: "String")
        rest.count = 12
        #expect("\(rest)" == "defaultedKey of String, 12 more")
        #expect(
            "\(JSONDrift(kind: .unknownEnumValue, pointer: "", typeName: "A", byteOffset: 0))"
                == "unknownEnumValue of A in the body as a whole"
        )
    }

    /// Where a pointer has no room for all of the way, the missing key isn't one of what it leads to.
    @Test func aPointerThatIsCutNamesNoMember() throws {
        let notes = DriftNotes()
        for length in [10, 16 * 1024] {
            let key = String(repeating: "k", count: length)
            let document = Data("{\"a\":{\"\(key)\":{\"state\":\"open\",\"numbers\":[]}}}".utf8)
            _ = try HikyakuJSONDecoder.noting(notes).decode([String: [String: Item]].self, from: document)
        }
        #expect(notes.texts == ["defaultedKey /a/kkkkkkkkkk/name String", "defaultedKey /a String"])
    }

    @Test func aDecodingThatFailsReportsNoDrift() {
        let notes = DriftNotes()
        let document = Data(#"[["a"],1]"#.utf8)
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder.noting(notes).decode([LossyArray<Int>].self, from: document)
        }
        #expect(notes.drifts.isEmpty)
    }

    @Test func aValueInsideADirectTypeReportsItsPath() throws {
        struct Around: JSONReadable {
            let item: Item

            init(from reader: inout JSONReader) throws {
                var item: Item?
                try reader.readObject { _, reader in item = try reader.decode(Item.self) }
                self.item = try #require(item)
            }
        }
        let notes = DriftNotes()
        let document = Data(#"[{"x":{"state":"new","numbers":[null]}}]"#.utf8)
        _ = try HikyakuJSONDecoder.noting(notes).read([Around].self, from: document)
        #expect(
            notes.texts == [
                "defaultedKey /0/x/name String", "unknownEnumValue /0/x/state State", "lossyElement /0/x/numbers/0 Int",
            ]
        )
    }

    @Test func beyondALimitDriftsAreCounted() throws {
        let notes = DriftNotes()
        let numbers = (0..<150).map { $0 % 3 == 0 ? "\"a\"" : "1" }.joined(separator: ",")
        let states = (0..<120).map { "\"\($0)\"" }.joined(separator: ",")
        let document = Data("{\"a\":[\(numbers)],\"b\":[\(states)],\"c\":[null,null]}".utf8)
        struct Value: Decodable {
            let a: LossyArray<Int>
            let b: [OpenEnum<State>]
            let c: LossyArray<Bool>
        }
        let value = try HikyakuJSONDecoder.noting(notes).decode(Value.self, from: document)
        #expect(value.a.lostCount == 50 && value.b.count == 120 && value.c.lostCount == 2)
        let expected =
            stride(from: 0, to: 150, by: 3).map { "lossyElement /a/\($0) Int" }
            + (0..<50).map { "unknownEnumValue /b/\($0) State" } + [
                "unknownEnumValue  State x70", "lossyElement  Bool x2",
            ]
        #expect(notes.texts == expected)
        #expect(notes.drifts.count == JSONDrift.reportedMax + 2)
        #expect(notes.drifts.last?.byteOffset == nil)
    }

    @Test func eachDocumentHasALimitOfItsOwn() throws {
        let notes = DriftNotes()
        let decoder = HikyakuJSONDecoder.noting(notes)
        for _ in 0..<2 {
            let document = Data("[\(Array(repeating: "null", count: 100).joined(separator: ","))]".utf8)
            _ = try decoder.decode(LossyArray<Int>.self, from: document)
        }
        #expect(notes.drifts.count == 200 && notes.drifts.allSatisfy { $0.count == 1 })
    }

    @Test func placesOfALenientDocumentAreThoseItCameWith() throws {
        let notes = DriftNotes()
        let decoder = HikyakuJSONDecoder.noting(notes, leniency: [.byteOrderMark, .trailingCommas])
        let document = "\u{FEFF}{\"a\": \"b\", \"numbers\": [0.5,\n\"x\", 2,], \"state\": \"neu\",}"
        let item = try decoder.decode(Item.self, from: Data(document.utf8))
        #expect(item.numbers == [2])
        #expect(
            notes.texts == [
                "defaultedKey /name String", "lossyElement /numbers/0 Int", "lossyElement /numbers/1 Int",
                "unknownEnumValue /state State",
            ]
        )
        #expect(notes.drifts.map(\.byteOffset) == [3, 26, 31, 50])
        #expect(notes.drifts.map(\.diagnosis?.line) == [nil, 1, 2, nil])
        #expect(notes.drifts.map(\.diagnosis?.column) == [nil, 27, 1, nil])
    }

    @Test func keysOfAPointerAreEscapedAndBounded() throws {
        let notes = DriftNotes()
        let long = String(repeating: "k", count: 20_000)
        let document = Data(#"{"a/b~c\u0022":[1,null],"\#(long)":[null]}"#.utf8)
        _ = try HikyakuJSONDecoder.noting(notes).decode([String: LossyArray<Int>].self, from: document)
        #expect(notes.texts == ["lossyElement /a~1a~0a\"/1 Int", "lossyElement  Int"])
    }

    @Test func aValueThatIsTriedInVainIsReportedToo() throws {
        struct Either: Decodable {
            init(from decoder: any Decoder) throws {
                if (try? [String: LossyArray<Int>](from: decoder))?["b"] == nil {
                    _ = try [String: LossyArray<String>](from: decoder)
                }
            }
        }
        let notes = DriftNotes()
        _ = try HikyakuJSONDecoder.noting(notes).decode(Either.self, from: Data(#"{"a":["x",1]}"#.utf8))
        #expect(notes.texts == ["lossyElement /a/0 Int", "lossyElement /a/1 String"])
    }

    @Test func aDiagnosisOfADocumentInsideIsLeftAsItIs() throws {
        struct Nested: Decodable {
            init(from decoder: any Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                _ = try HikyakuJSONDecoder().decode([Int].self, from: Data(text.utf8))
            }
        }
        let notes = DriftNotes()
        let document = Data(#"[ "[1]", "[1,true]" ]"#.utf8)
        let decoder = HikyakuJSONDecoder.noting(notes, leniency: .trailingCommas)
        #expect(try decoder.decode(LossyArray<Nested>.self, from: document).count == 1)
        #expect(notes.drifts.map(\.pointer) == ["/1"])
        #expect(notes.drifts.map(\.byteOffset) == [9])
        #expect(notes.drifts.map(\.diagnosis?.byteOffset) == [3])
    }
}
