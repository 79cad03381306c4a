import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// Containers are reused for other objects, which must not be observable.
@Suite struct ContainerReuseTests {
    private enum Key: String, CodingKey { case id, left, right, children, a, b }

    /// Holds its container while its children have others of the same keys.
    private struct Tree: Decodable, Equatable {
        let id: Int
        let left: [Tree]
        let right: [Tree]
        let path: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            left = try container.decodeIfPresent([Tree].self, forKey: .left) ?? []
            path = pathText(container.codingPath)
            right = try container.decodeIfPresent([Tree].self, forKey: .right) ?? []
            id = try container.decode(Int.self, forKey: .id)
        }

        var ids: [Int] { left.flatMap(\.ids) + [id] + right.flatMap(\.ids) }
        var paths: [String] { [path] + (left + right).flatMap(\.paths) }
    }

    private static func tree(_ id: inout Int, _ depth: Int, _ random: inout SeededGenerator) -> String {
        var members = ["\"id\":\(id)"]
        id += 1
        for side in ["left", "right"] where depth > 0 && !random.isOne(of: 4) {
            let children = (0..<Int.random(in: 0...2, using: &random)).map { _ in tree(&id, depth - 1, &random) }
            members.append("\"\(side)\":[\(children.joined(separator: ","))]")
        }
        return "{" + members.shuffled(using: &random).joined(separator: ",") + "}"
    }

    @Test func aTypeInsideOfItselfHasContainersOfItsOwn() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            var count = 0
            let document = Self.tree(&count, 6, &random)
            let ours = HikyakuJSONDecoder().outcome(Tree.self, document)
            #expect(ours == JSONDecoder().outcome(Tree.self, document), "seed \(seed)")
            #expect(ours.value?.ids.sorted() == Array(0..<count), "seed \(seed)")
            #expect(ours.value?.paths.count == count)
        }
    }

    @Test func twoContainersOfOneDecoder() throws {
        struct Value: Decodable {
            let log: [String]

            init(from decoder: any Decoder) throws {
                let first = try decoder.container(keyedBy: Key.self)
                let second = try decoder.container(keyedBy: Key.self)
                let third = try decoder.container(keyedBy: TextKey.self)
                let inner = try first.nestedContainer(keyedBy: Key.self, forKey: .a)
                let other = try second.nestedContainer(keyedBy: Key.self, forKey: .b)
                log = [
                    "\(try first.decode(Int.self, forKey: .id)) \(try second.decode(Int.self, forKey: .id))",
                    "\(try inner.decode(Int.self, forKey: .id)) \(try other.decode(Int.self, forKey: .id))",
                    "\(try third.decode(Int.self, forKey: "id")) \(third.allKeys.count)",
                    [first, second, inner, other].map { pathText($0.codingPath) }.joined(separator: " "),
                ]
            }
        }
        let document = Data(#"{"id":1,"a":{"id":2},"b":{"id":3}}"#.utf8)
        let value = try HikyakuJSONDecoder().undiagnosed(Value.self, document)
        #expect(value.log == ["1 1", "2 3", "1 3", "/ / /a /b"])
    }

    @Test func aDecoderProvidesContainersOfOtherKindsInTurn() throws {
        struct Value: Decodable {
            let sum: Int

            init(from decoder: any Decoder) throws {
                var sum = 0
                for _ in 0..<3 {
                    sum += try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: .id)
                    sum += try decoder.singleValueContainer().decode([String: Int].self)["a"] ?? 0
                    sum += try decoder.container(keyedBy: TextKey.self).decode(Int.self, forKey: "b")
                    #expect(throws: DecodingError.self) { try decoder.unkeyedContainer() }
                }
                self.sum = sum
            }
        }
        #expect(try HikyakuJSONDecoder().undiagnosed(Value.self, Data(#"{"id":1,"a":20,"b":300}"#.utf8)).sum == 963)
    }

    @Test func aTypeMayBeKeyAndValueAtOnce() throws {
        enum Field: String, CodingKey, Codable { case name, field }
        struct Value: Decodable, Equatable {
            let fields: [Field]
            let inner: [Field: Field]

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Field.self)
                let first = try container.decode(Field.self, forKey: .name)
                let other = try decoder.container(keyedBy: Field.self)
                fields = [
                    first, try other.decode(Field.self, forKey: .field),
                    try container.decode(Field.self, forKey: .name),
                ]
                inner = try decoder.container(keyedBy: Field.self).allKeys.reduce(into: [:]) {
                    $0[$1] = try decoder.container(keyedBy: Field.self).decode(Field.self, forKey: $1)
                }
            }
        }
        let bytes = Data(#"{"name":"field","field":"name"}"#.utf8)
        let value = try HikyakuJSONDecoder().undiagnosed(Value.self, bytes)
        #expect(value.fields == [.field, .name, .field])
        #expect(value.inner == [.name: .field, .field: .name])
    }

    /// More key types than there is room for, each with a container that is still held.
    @Test func manyTypesOfKeysAtOnce() throws {
        struct Nested<Inner: Decodable>: Decodable, Layer {
            // A type of its own for each `Inner`.
            enum Key: String, CodingKey { case value, count }
            let value: Inner
            let count: Int
            var inner: (any Layer)? { value as? any Layer }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                value = try container.decode(Inner.self, forKey: .value)
                count = try container.decode(Int.self, forKey: .count)
            }
        }
        typealias Two<Inner: Decodable> = Nested<Nested<Inner>>
        typealias Eight<Inner: Decodable> = Two<Two<Two<Two<Inner>>>>
        typealias All = Eight<Eight<Eight<Eight<Eight<Eight<Int>>>>>>
        var document = "7"
        for count in 0..<48 { document = "{\"value\":\(document),\"count\":\(count)}" }
        let values = try Self.layers(All.self, in: "[\(document),\(document)]")
        #expect(values.map(\.count) == [47, 47])
        #expect(values.map { $0.inner?.inner?.inner?.count } == [44, 44])
    }

    /// Hides the type: expressions of one that is nested so deeply take the compiler minutes.
    private static func layers<Value: Decodable & Layer>(_ type: Value.Type, in document: String) throws -> [any Layer]
    {
        try HikyakuJSONDecoder().undiagnosed([Value].self, Data(document.utf8))
    }

    @Test func containersThatWereThrownOutOfAreUsedAgain() throws {
        struct Value: Decodable, Equatable {
            let id: Int
            let a: Int?

            private enum CodingKeys: String, CodingKey { case id, a }
        }
        struct Values: Decodable {
            let found: [Value?]

            init(from decoder: any Decoder) throws {
                var array = try decoder.unkeyedContainer()
                var found: [Value?] = []
                while !array.isAtEnd {
                    let value = try? array.decode(Value.self)
                    if value == nil { _ = try array.decode(JSONAny.self) }
                    found.append(value)
                }
                self.found = found
            }
        }
        let document = #"[{"id":1},{"id":"2"},{"a":3},{"id":4,"a":"5"},{"a":6,"id":7},[],{"id":8,"a":null}]"#
        let found = try HikyakuJSONDecoder().undiagnosed(Values.self, Data(document.utf8)).found
        #expect(found == [.init(id: 1, a: nil), nil, nil, nil, .init(id: 7, a: 6), nil, .init(id: 8, a: nil)])
    }

    @Test func manyThreadsDecodeAtOnce() async throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let documents = (0..<8).map { _ in
            var count = 0
            return (Data(Self.tree(&count, 5, &random).utf8), count)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (document, count) in documents {
                group.addTask {
                    for _ in 0..<20 {
                        let ids = try HikyakuJSONDecoder().undiagnosed(Tree.self, document).ids
                        #expect(ids.count == count && Set(ids).count == count, "seed \(seed)")
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

private protocol Layer {
    var count: Int { get }
    var inner: (any Layer)? { get }
}
