import Foundation
import Testing

@testable import HikyakuJSON

/// What `Encoder` promises to the types that it encodes.
@Suite struct EncoderContractTests {
    private class Animal: Encodable {
        var name = "cat"
        enum Keys: CodingKey { case name }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            try container.encode(name, forKey: .name)
        }
    }

    private final class Cat: Animal {
        var lives = 9
        let isNested: Bool
        enum CatKeys: CodingKey { case lives, parent }
        init(isNested: Bool) { self.isNested = isNested }
        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CatKeys.self)
            try container.encode(lives, forKey: .lives)
            if isNested {
                try super.encode(to: container.superEncoder())
                try super.encode(to: container.superEncoder(forKey: .parent))
            } else {
                try super.encode(to: encoder)
            }
        }
    }

    @Test func aSuperclassSharesTheContainerOrHasItsOwn() throws {
        #expect(try encoded(Cat(isNested: false)) == #"{"lives":9,"name":"cat"}"#)
        #expect(
            try encoded([Cat(isNested: true)])
                == #"[{"lives":9,"super":{"name":"cat"},"parent":{"name":"cat"}}]"#
        )
    }

    @Test func containersNest() throws {
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            var array = object.nestedUnkeyedContainer(forKey: "a")
            #expect(array.count == 0)
            try array.encode(1)
            try array.encodeNil()
            var inner = array.nestedContainer(keyedBy: AnyKey.self)
            try inner.encode("x", forKey: "b")
            _ = array.nestedUnkeyedContainer()
            try array.encode(contentsOf: [true, false])
            #expect(array.count == 6)
            _ = object.nestedContainer(keyedBy: AnyKey.self, forKey: "c")
            try object.encodeNil(forKey: "d")
            try object.encodeIfPresent(Int?.none, forKey: "e")
            try object.encodeConditional(Animal(), forKey: "f")
        }
        #expect(try encoded(value) == #"{"a":[1,null,{"b":"x"},[],true,false],"c":{},"d":null,"f":{"name":"cat"}}"#)
    }

    @Test func aSecondRequestReturnsTheSameContainer() throws {
        let value = Encoded { encoder in
            var one = encoder.container(keyedBy: AnyKey.self)
            try one.encode(1, forKey: "a")
            var other = encoder.container(keyedBy: Animal.Keys.self)
            try other.encode(2, forKey: .name)
            try one.encode(3, forKey: "c")
        }
        #expect(try encoded(value) == #"{"a":1,"name":2,"c":3}"#)
        let list = Encoded { encoder in
            var one = encoder.unkeyedContainer()
            try one.encode(1)
            var other = encoder.unkeyedContainer()
            try other.encode(2)
            #expect(one.count == 2)
        }
        #expect(try encoded(list) == "[1,2]")
    }

    @Test func whatEncodesNothingIsAnEmptyObjectInsideOfAnother() throws {
        let nothing = Encoded { _ in }
        #expect(try encoded(["a": [nothing]]) == #"{"a":[{}]}"#)
        #expect(try encoded([Encoded?.some(nothing)]) == "[{}]")
        let single = Encoded { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(nothing)
        }
        #expect(try encoded(single) == "{}")
        let pretty = try encoded([nothing]) { $0.outputFormatting = .prettyPrinted }
        #expect(pretty == "[\n  {\n\n  }\n]")
    }

    @Test func userInfoReachesEveryValue() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        let inner = Encoded { encoder in try (encoder.userInfo[key] as? Int).encode(to: encoder) }
        let value = Encoded { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode([inner], forKey: "a")
            try inner.encode(to: container.superEncoder())
            // Out of order.
            try container.encode(inner, forKey: "a")
        }
        let direct = Written { writer in try writer.writeArray { try $0.encode(UserInfoReader(key: key)) } }
        #expect(try encoded(value) { $0.userInfo = [key: 5] } == #"{"a":5,"super":5}"#)
        #expect(try written(direct) { $0.userInfo = [key: 6] } == "[6]")
        #expect(try encoded(inner) == "null")
    }

    private struct UserInfoReader: Encodable {
        let key: CodingUserInfoKey
        func encode(to encoder: any Encoder) throws {
            try (encoder.userInfo[key] as? Int).encode(to: encoder)
        }
    }

    @Test(arguments: [false, true])
    func theCodingPathLeadsToEachPlace(isTree: Bool) throws {
        var paths: [String] = []
        func note(_ path: [any CodingKey]) {
            paths.append(path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: "."))
        }
        let leaf = Encoded { encoder in
            note(encoder.codingPath)
            note(encoder.singleValueContainer().codingPath)
            try 1.encode(to: encoder)
        }
        let value = Encoded { encoder in
            paths = []
            var object = encoder.container(keyedBy: AnyKey.self)
            note(object.codingPath)
            try object.encode(leaf, forKey: "plain")
            try object.encode(["key": [leaf]], forKey: "dictionary")
            try object.encode([7: Encoded?.some(leaf)], forKey: "numbers")
            var array = object.nestedUnkeyedContainer(forKey: "array")
            note(array.codingPath)
            try array.encode(0)
            try array.encode(leaf)
            try leaf.encode(to: array.superEncoder())
            let inner = array.nestedContainer(keyedBy: AnyKey.self)
            note(inner.codingPath)
            try leaf.encode(to: object.superEncoder())
            if isTree { try object.encode(1, forKey: "plain") }
        }
        _ = try encoded([value])
        #expect(
            paths == [
                "[0]", "[0].plain", "[0].plain", "[0].dictionary.key.[0]", "[0].dictionary.key.[0]",
                "[0].numbers.[7]", "[0].numbers.[7]", "[0].array", "[0].array.[1]", "[0].array.[1]",
                "[0].array.[2]", "[0].array.[2]", "[0].array.[3]", "[0].super", "[0].super",
            ]
        )
    }

    @Test func theCodingPathPassesThroughDirectValues() throws {
        var path: [String] = []
        let leaf = Encoded { encoder in
            path = encoder.codingPath.map(\.stringValue)
            try 1.encode(to: encoder)
        }
        let outer = Encoded { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(DirectParent(child: leaf), forKey: "outer")
        }
        _ = try encoded(outer)
        #expect(path == ["outer", "direct", "Index 1", "inner", "direct", "Index 1", "inner"])
    }

    /// A direct value with a Codable one inside, with a direct one inside, with a Codable one inside.
    private struct DirectParent: JSONWritable, Encodable {
        let child: Encoded
        var level = 0

        func write(to writer: inout JSONWriter) throws {
            try writer.writeObject { writer in
                try writer.writeMember("first", 1)
                try writer.writeMember("direct") { writer in
                    try writer.writeArray { writer in
                        try writer.write("x")
                        try writer.encode([
                            "inner": Encoded { encoder in
                                if level == 1 { return try child.encode(to: encoder) }
                                var container = encoder.singleValueContainer()
                                try container.encode(DirectParent(child: child, level: 1))
                            }
                        ])
                    }
                }
            }
        }

        func encode(to encoder: any Encoder) throws {}
    }

    @Test func aValueThatThrowsLeavesItsPlaceFree() throws {
        struct Stop: Error {}
        let halfway = Encoded { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode([1, 2], forKey: "x")
            var nested = container.nestedUnkeyedContainer(forKey: "y")
            try nested.encode(1)
            throw Stop()
        }
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try? object.encode(halfway, forKey: "a")
            try? object.encode(Double.nan, forKey: "b")
            try object.encode(1, forKey: "a")
            try? object.encode([1, Double.nan], forKey: "c")
            try? object.encode(["k": Date(timeIntervalSince1970: .nan)], forKey: "c")
            var array = object.nestedUnkeyedContainer(forKey: "d")
            try? array.encode(halfway)
            try? array.encode(Float.nan)
            try array.encode(2)
            try? array.encode([halfway])
            #expect(array.count == 1)
            let single = Encoded { encoder in
                var container = encoder.singleValueContainer()
                try? container.encode(halfway)
                try? container.encode(Double.nan)
                try container.encode(3)
            }
            try array.encode(single)
        }
        #expect(try encoded(value) == #"{"a":1,"d":[2,3]}"#)
        #expect(throws: Stop.self) { try encoded(["a": [halfway]]) }
    }

    @Test func whatWritesInOrderIsEncodedOnce() throws {
        final class Count {
            var number = 0
        }
        struct Counted: JSONWritable, Encodable {
            let count: Count
            func write(to writer: inout JSONWriter) throws {
                count.number += 1
                try writer.write(1)
            }
            func encode(to encoder: any Encoder) throws {}
        }
        let count = Count()
        let direct = Counted(count: count)
        let plain = Encoded { encoder in
            count.number += 1
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(direct, forKey: "a")
            try object.encode([direct], forKey: "b")
            var array = object.nestedUnkeyedContainer(forKey: "c")
            try array.encode(Counted?.some(direct))
            try 1.encode(to: array.superEncoder())
        }
        _ = try encoded(direct)
        #expect(count.number == 1)
        _ = try encoded([direct, direct])
        #expect(count.number == 3)
        _ = try encoded(["a": [plain]])
        #expect(count.number == 7)
        _ = try written(DirectParent(child: plain))
        #expect(count.number == 11)
    }

    @Test func oneEncoderServesManyThreads() async throws {
        let encoder = HikyakuJSONEncoder()
        let expected = try encoder.encode(["a": [1, 2]])
        await withTaskGroup(of: Data?.self) { group in
            for _ in 0..<50 { group.addTask { try? encoder.encode(["a": [1, 2]]) } }
            for await bytes in group { #expect(bytes == expected) }
        }
    }
}
