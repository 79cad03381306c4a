import Foundation
import Testing

@testable import HikyakuJSON

/// What `Decodable` types are made of, decoded by both decoders to equal values.
@Suite struct TypeTests {
    private func expect<Value: Decodable & Equatable>(
        _ document: String,
        _ value: Value,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) {
        #expect(HikyakuJSONDecoder().outcome(Value.self, document) == .value(value), sourceLocation: sourceLocation)
        #expect(JSONDecoder().outcome(Value.self, document) == .value(value), sourceLocation: sourceLocation)
        // Inside of others, at a place that isn't the first.
        let inside = HikyakuJSONDecoder().outcome(
            [String: [Value]].self,
            #"{"a":[],"b":[\#(document) , \#(document)]}"#,
        )
        #expect(inside == .value(["a": [], "b": [value, value]]), sourceLocation: sourceLocation)
    }

    private func expect<Value: Decodable>(
        _ type: Value.Type,
        _ document: String,
        _ error: String,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) {
        #expect(HikyakuJSONDecoder().outcome(type, document).error == error, sourceLocation: sourceLocation)
        #expect(JSONDecoder().outcome(type, document).error == error, sourceLocation: sourceLocation)
    }

    private class Animal: Decodable {
        let name: String

        private enum CodingKeys: String, CodingKey { case name }
    }

    /// Decodes its superclass from the same object.
    private final class Dog: Animal {
        let breed: String

        private enum CodingKeys: String, CodingKey { case breed }

        required init(from decoder: any Decoder) throws {
            breed = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .breed)
            try super.init(from: decoder)
        }
    }

    /// Decodes its superclass from a member.
    private final class Cat: Animal {
        let lives: Int

        private enum CodingKeys: String, CodingKey { case lives, animal }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            lives = try container.decode(Int.self, forKey: .lives)
            try super.init(from: container.superDecoder(forKey: .animal))
        }
    }

    /// Decodes its superclass from `super`.
    private final class Bird: Animal {
        let wings: Int

        private enum CodingKeys: String, CodingKey { case wings }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            wings = try container.decode(Int.self, forKey: .wings)
            try super.init(from: container.superDecoder())
        }
    }

    @Test func classesInherit() throws {
        let dog = try HikyakuJSONDecoder().undiagnosed(Dog.self, Data(#"{"breed":"Akita","name":"Hachi"}"#.utf8))
        #expect(dog.name == "Hachi" && dog.breed == "Akita")
        let cat = try HikyakuJSONDecoder().undiagnosed(Cat.self, Data(#"{"animal":{"name":"Tama"},"lives":9}"#.utf8))
        #expect(cat.name == "Tama" && cat.lives == 9)
        let birds = try HikyakuJSONDecoder().undiagnosed(
            [Bird].self,
            Data(#"[{"super":{"name":"Piyo"},"wings":2}]"#.utf8),
        )
        #expect(birds.map(\.name) == ["Piyo"])
        expect([Dog].self, #"[{"breed":"Akita"}]"#, "keyNotFound(name) at /Index 0")
        expect([Cat].self, #"[{"lives":9}]"#, "valueNotFound(Dictionary<String, Any>) at /Index 0/animal")
        expect([Cat].self, #"[{"lives":9,"animal":{"name":1}}]"#, "typeMismatch(String) at /Index 0/animal/name")
        expect([Bird].self, #"[{"wings":9,"super":[]}]"#, "typeMismatch(Dictionary<String, Any>) at /Index 0/super")
        expect([Bird].self, #"[{"wings":9}]"#, "valueNotFound(Dictionary<String, Any>) at /Index 0/super")
    }

    private enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case box(Int, height: Int?)
        indirect case group([Shape], name: String)
    }

    @Test func enumsWithPayloads() {
        expect(#"{"point":{}}"#, Shape.point)
        expect(#"{"circle":{"radius":1.5}}"#, Shape.circle(radius: 1.5))
        expect(#"{"box":{"_0":1,"height":2}}"#, Shape.box(1, height: 2))
        expect(#"{"box":{"height":null,"_0":1}}"#, Shape.box(1, height: nil))
        expect(
            #"{"group":{"_0":[{"point":{}},{"group":{"_0":[],"name":"b"}}],"name":"a"}}"#,
            Shape.group([.point, .group([], name: "b")], name: "a"),
        )
        expect(Shape.self, #"{"circle":{"radius":"1"}}"#, "typeMismatch(Double) at /circle/radius")
        expect(Shape.self, #"{"circle":{}}"#, "keyNotFound(radius) at /circle")
        expect(Shape.self, #"{"square":{}}"#, "typeMismatch(Shape) at /")
        expect(Shape.self, #"{"point":{},"circle":{}}"#, "typeMismatch(Shape) at /")
        expect(
            [Shape].self,
            #"[{"group":{"_0":[{"point":1}]}}]"#,
            "typeMismatch(Dictionary<String, Any>) at /Index 0/group/_0/Index 0/point",
        )
    }

    private enum Color: String, Codable, Equatable { case red, dark = "dark-red", empty = "" }
    private enum Level: Int8, Codable, Equatable { case low = -1, high = 100 }
    private struct ID: RawRepresentable, Codable, Hashable { let rawValue: UInt64 }
    private struct Ratio: RawRepresentable, Codable, Hashable { let rawValue: Double }

    @Test func rawValues() {
        expect(#"["red","dark-red",""]"#, [Color.red, .dark, .empty])
        expect("[-1,100]", [Level.low, .high])
        expect("[18446744073709551615]", [ID(rawValue: .max)])
        expect("[0.1,1]", [Ratio(rawValue: 0.1), Ratio(rawValue: 1)])
        expect([Color].self, #"["red","blue"]"#, "dataCorrupted at /Index 1")
        expect([Color].self, "[1]", "typeMismatch(String) at /Index 0")
        expect([Level].self, "[-1,2]", "dataCorrupted at /Index 1")
        expect([Level].self, #"["1"]"#, "typeMismatch(Int8) at /Index 0")
    }

    private enum Field: String, Codable, CodingKeyRepresentable { case name, size }
    private struct Tag: RawRepresentable, Hashable, Codable, CodingKeyRepresentable { let rawValue: String }
    private struct Plain: Hashable, Codable { let id: Int }

    @Test func dictionariesWithKeysOfManyKinds() {
        expect(#"{"a":1,"":2,"\u0062":3}"#, ["a": 1, "": 2, "b": 3])
        expect(#"{"1":"a","-2":"b"}"#, [1: "a", -2: "b"])
        expect(#"{"name":1,"size":2}"#, [Field.name: 1, .size: 2])
        expect(#"{"x":[1],"y":[]}"#, [Tag(rawValue: "x"): [1], Tag(rawValue: "y"): []])
        // Other keys make an array of keys and values.
        expect(#"[{"id":1},"a",{"id":2},"b"]"#, [Plain(id: 1): "a", Plain(id: 2): "b"])
        expect(#"[1.5,"a"]"#, [1.5: "a"])
        expect("{}", [String: Int]())
        expect("{}", [Int: Int]())
        expect("[]", [Plain: Int]())
        expect(#"{"a":{"1":{"name":null}}}"#, ["a": [1: [Field.name: Int?.none]]])
        expect([Int: Int].self, #"{"a":1}"#, "typeMismatch(Int) at /a")
        expect([Field: Int].self, #"{"name":1,"other":2}"#, "dataCorrupted at /other")
        expect([Field: Int].self, #"{"name":"1"}"#, "typeMismatch(Int) at /name")
        expect([Plain: Int].self, #"[{"id":1}]"#, "dataCorrupted at /")
        expect([Plain: Int].self, #"[{"id":1},"2"]"#, "typeMismatch(Int) at /Index 1")
        expect([String: Color].self, #"{"a":"red","b":"x"}"#, "dataCorrupted at /b")
    }

    @Test func collectionsOfAllKinds() {
        expect("[1,2,2]", Set([1, 2]))
        expect("[1,2,2]", ContiguousArray([1, 2, 2]))
        expect("[[],[[1]],[[],[2,3]]]", [[], [[1]], [[], [2, 3]]])
        expect("[1,5]", 1..<5)
        expect("[1,5]", 1...5)
        expect("[false,true,null]", [false, true, nil])
        expect(#"["a",null]"#, ["a", nil])
        expect(#"{"a":null,"b":"c"}"#, ["a": nil, "b": "c"])
        expect("[[1,2],null]", [SIMD2<Int32>(1, 2), nil])
    }

    private struct Empty: Codable, Equatable {}
    private struct Box<Value: Codable & Equatable>: Codable, Equatable { let value: Value }
    private struct Transparent<Value: Codable & Equatable>: Codable, Equatable {
        let value: Value

        init(value: Value) { self.value = value }
        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Value.self) }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test func genericTypesInsideOfEachOther() {
        expect("{}", Empty())
        expect(#"{"a":[1,{}]}"#, Empty())
        expect("[{},{}]", [Empty(), Empty()])
        expect(#"{"value":{"value":[{"value":null}]}}"#, Box(value: Box(value: [Box(value: Int?.none)])))
        expect("[1,2]", Transparent(value: Transparent(value: [Transparent(value: 1), Transparent(value: 2)])))
        expect(#""a""#, Transparent(value: Optional(Transparent(value: "a"))))
        expect("null", Transparent(value: Transparent<String>?.none))
        expect(#"{"value":{"a":{"value":"2"}}}"#, Box(value: ["a": Transparent(value: Box(value: "2"))]))
        expect(#"{"value":7}"#, Box(value: Transparent(value: ID(rawValue: 7))))
    }

    @Test func valuesOfFoundation() throws {
        expect(#""https://example.com/a?b=c#d""#, try #require(URL(string: "https://example.com/a?b=c#d")))
        expect(#""https:\/\/example.com\/a b""#, try #require(URL(string: "https://example.com/a b")))
        expect(
            #""e621e1f8-c36c-495a-93fc-0c247a3e6e5f""#,
            try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
        )
        expect(
            #""\u0065621e1f8-c36c-495a-93fc-0c247a3e6e5f""#,
            try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
        )
        expect("0.1", try #require(Decimal(string: "0.1")))
        expect("-12345678901234567890.123456789e-3", try #require(Decimal(string: "-12345678901234567.890123456789")))
        expect(#""aGlrecO/eWFrdQ==""#, try #require(Data(base64Encoded: "aGlrecO/eWFrdQ==")))
        expect(#""aGlrecO\/eWFrdQ==""#, try #require(Data(base64Encoded: "aGlrecO/eWFrdQ==")))
        expect(#""""#, Data())
        expect(#"{"identifier":"de_CH"}"#, Locale(identifier: "de_CH"))
        expect(#"{"indexes":[1,2]}"#, IndexPath(indexes: [1, 2]))
        expect("[1,[2,[]]]", Nest.list([.leaf(1), .list([.leaf(2), .list([])])]))
        expect(Box<URL>.self, #"{"value":""}"#, "dataCorrupted at /value")
        expect(Box<URL>.self, #"{"value":"http://["}"#, "dataCorrupted at /value")
        expect(Box<UUID>.self, #"{"value":"e621e1f8"}"#, "dataCorrupted at /value")
        expect(Box<[URL]>.self, #"{"value":["a",""]}"#, "dataCorrupted at /value/Index 1")
        expect(Box<Data>.self, #"{"value":"a"}"#, "dataCorrupted at /value")
        expect(Box<Decimal>.self, #"{"value":"0.1"}"#, "typeMismatch(Decimal) at /value")
    }

    private enum Nest: Codable, Equatable {
        case leaf(Int), list([Nest])

        init(from decoder: any Decoder) throws {
            if let value = try? decoder.singleValueContainer().decode(Int.self) {
                self = .leaf(value)
            } else {
                self = .list(try decoder.singleValueContainer().decode([Nest].self))
            }
        }

        func encode(to encoder: any Encoder) throws {}
    }
}
