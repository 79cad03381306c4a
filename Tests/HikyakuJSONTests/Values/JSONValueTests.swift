import Foundation
import HikyakuJSON
import Testing

@Suite struct JSONValueTests {
    private static let document: JSONValue = [
        "id": 3, "price": 2.5, "name": "Soup", "isHot": true, "note": nil, "tags": ["a", "b", []], "size": ["w": 1],
    ]

    @Test func variablesAreValues() {
        let (count, large, price, name, isHot) = (3, UInt64.max, 2.5, "Soup", true)
        #expect(JSONValue(count) == 3 && JSONValue(price) == 2.5)
        #expect(JSONValue(name) == "Soup" && JSONValue(isHot) == true)
        #expect(JSONValue(large).number?.text == "18446744073709551615")
        #expect(JSONValue(Double.nan) == .null)
    }

    @Test func literalsAreValues() {
        #expect(
            Self.document
                == .object([
                    "id": .number(3), "price": .number(2.5), "name": .string("Soup"), "isHot": .bool(true),
                    "note": .null,
                    "tags": .array([.string("a"), .string("b"), .array([])]), "size": .object(["w": .number(1)]),
                ])
        )
        #expect(["a": 1, "a": 2] as JSONValue == ["a": 2])
        #expect("\(1 + 1) dishes" as JSONValue == .string("2 dishes"))
        #expect([:] as JSONValue == .object([:]))
    }

    @Test func valuesAreReadByKind() {
        let document = Self.document
        #expect(document["id"]?.int == 3)
        #expect(document["id"]?.double == 3)
        #expect(document["id"]?.number?.text == "3")
        #expect(document["price"]?.double == 2.5)
        #expect(document["price"]?.int == nil)
        #expect(document["name"]?.string == "Soup")
        #expect(document["isHot"]?.bool == true)
        #expect(document["note"]?.isNull == true)
        #expect(document["tags"]?.array?.count == 3)
        #expect(document["size"]?.object == ["w": 1])
    }

    @Test(arguments: [nil, true, 1, "1", [1], ["1": 1]] as [JSONValue])
    func aValueIsOfOneKindOnly(value: JSONValue) {
        let answers = [
            value.isNull, value.bool != nil, value.number != nil, value.string != nil, value.array != nil,
            value.object != nil,
        ]
        #expect(answers.filter { $0 }.count == 1)
        #expect((value.int != nil) == (value.number != nil))
        #expect((value.double != nil) == (value.number != nil))
    }

    @Test func whatIsNotThereIsNil() {
        let document = Self.document
        #expect(document["none"] == nil)
        #expect(document[0] == nil)
        #expect(document["tags"]?["0"] == nil)
        #expect(document["tags"]?[1] == "b")
        #expect(document["tags"]?[3] == nil)
        #expect(document["tags"]?[-1] == nil)
        #expect(document["name"]?[0] == nil)
    }

    @Test func membersAreSetAndRemoved() {
        var value: JSONValue = ["a": 1]
        value["b"] = [2]
        value["b"]?[0] = 3
        value["a"] = nil
        value["c"] = .null
        #expect(value == ["b": [3], "c": nil])
        value["c"]?["d"] = "e"
        #expect(value == ["b": [3], "c": ["d": "e"]])
        value["none"]?["d"] = "e"
        value["b"]?["d"] = "e"
        #expect(value == ["b": [3], "c": ["d": "e"]])
        var text: JSONValue = "text"
        text["a"] = 1
        text[0] = 1
        #expect(text == "text")
        var null = JSONValue.null
        null["a"] = nil
        null[0] = 1
        #expect(null.isNull)
    }

    @Test func elementsAreSetAppendedAndRemoved() {
        var value: JSONValue = [1, 2, 3]
        value[1] = "two"
        value[3] = 4
        value[0] = nil
        #expect(value == ["two", 3, 4])
        value[3] = nil
        value[4] = 5
        value[-1] = 5
        value[-1] = nil
        value["0"] = 5
        #expect(value == ["two", 3, 4])
    }

    @Test(arguments: [
        ("", "7", "7"), ("/a", "7", #"{"a":7,"b":[1,{"c":2}]}"#), ("/d", "7", #"{"a":0,"b":[1,{"c":2}],"d":7}"#),
        ("/b/0", "7", #"{"a":0,"b":[7,{"c":2}]}"#), ("/b/1/c", "7", #"{"a":0,"b":[1,{"c":7}]}"#),
        ("/b/2", "7", #"{"a":0,"b":[1,{"c":2},7]}"#), ("/b/-", "7", #"{"a":0,"b":[1,{"c":2},7]}"#),
        ("", nil, "null"), ("/a", nil, #"{"b":[1,{"c":2}]}"#), ("/b/0", nil, #"{"a":0,"b":[{"c":2}]}"#),
        ("/b/1/c", nil, #"{"a":0,"b":[1,{}]}"#), ("/b/-", nil, #"{"a":0,"b":[1,{"c":2}]}"#),
        // Where the way ends before, nothing changes.
        ("/d/e", "7", #"{"a":0,"b":[1,{"c":2}]}"#), ("/a/e", "7", #"{"a":0,"b":[1,{"c":2}]}"#),
        ("/b/3", "7", #"{"a":0,"b":[1,{"c":2}]}"#), ("/b/01", "7", #"{"a":0,"b":[1,{"c":2}]}"#),
        ("/b/-/c", "7", #"{"a":0,"b":[1,{"c":2}]}"#), ("/b/x", nil, #"{"a":0,"b":[1,{"c":2}]}"#),
    ])
    func valuesAreSetByPointers(pointer: String, value: String?, result: String) throws {
        var document: JSONValue = ["a": 0, "b": [1, ["c": 2]]]
        document[pointer: pointer] = value.flatMap { JSONNumber($0) }.map(JSONValue.number)
        #expect(document.description == result)
        document[pointer: "no pointer"] = 7
        #expect(document.description == result && document[pointer: "no pointer"] == nil)
    }

    @Test func numbersAreComparedByValue() throws {
        let first = JSONValue.object(["a": .array([.number(try #require(JSONNumber("1.0")))])])
        #expect(first == ["a": [1]])
        #expect(Set([first, ["a": [1]]]).count == 1)
    }

    @Test func theDescriptionIsCompactJSON() throws {
        let price = JSONValue.number(try #require(JSONNumber("1.50")))
        let value: JSONValue = ["b": [1, price, "x", true, false, nil], "a": [:], "": []]
        #expect(value.description == #"{"":[],"a":{},"b":[1,1.50,"x",true,false,null]}"#)
        let text: JSONValue = "\"\\/\u{0}\u{8}\t\n\r\u{1F}\u{7F}é\u{2028}😀"
        #expect(text.description == "\"\\\"\\\\/\\u0000\\b\\t\\n\\r\\u001f\u{7F}é\u{2028}😀\"")
        #expect(try JSONDecoder().decode(String.self, from: Data(text.description.utf8)) == text.string)
    }
}
