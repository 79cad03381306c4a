import Foundation
import HikyakuJSON
import Testing

@Suite struct EncodingFailureTests {
    private func failure(_ encode: () throws -> String) throws -> (path: String, text: String) {
        let error = try #require(throws: EncodingError.self) { try encode() }
        guard case .invalidValue(_, let context) = error else { return ("", "") }
        return (path(of: error) ?? "", context.debugDescription)
    }

    private static let notANumber = """
        JSON has no number for nan. Leave it out, or set nonConformingFloatEncodingStrategy to convertToString.
        """

    @Test func whatJSONCannotHoldIsNamedWithItsPlace() throws {
        struct Value: Encodable {
            var values = ["key": [1, Double.nan]]
        }
        struct Plain: Encodable {
            var ratio = Float.nan
        }
        #expect(try failure { try encoded(Double.nan) } == ("", Self.notANumber))
        #expect(try failure { try encoded([Value()]) } == ("0.values.key.1", Self.notANumber))
        #expect(try failure { try encoded(["a": Plain()]) } == ("a.ratio", Self.notANumber))
        let unkeyed = Encoded { encoder in
            var array = encoder.unkeyedContainer()
            try array.encode(1)
            try array.encode(Float.nan)
        }
        #expect(try failure { try encoded(["a": unkeyed]) } == ("a.1", Self.notANumber))
        let single = Encoded { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Double.nan)
        }
        #expect(try failure { try encoded([[single]]) } == ("0.0", Self.notANumber))
        let tree = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "a")
            try object.encode([1, .nan], forKey: "a")
        }
        #expect(try failure { try encoded([tree]) } == ("0.a.1", Self.notANumber))
    }

    @Test func aDateOutOfRangeIsNamedWithItsPlace() throws {
        struct Value: Encodable {
            var date = Date(timeIntervalSince1970: 253_402_300_800)
        }
        #expect(
            try failure { try encoded([Value()]) } == (
                "0.date",
                """
                ISO 8601 covers the years 0 to 9999, but the date is 253402300800.0 seconds from 1970. Leave it out, or \
                use another dateEncodingStrategy.
                """,
            )
        )
    }

    @Test func aDocumentOfNothingIsAnError() throws {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) throws {}
        }
        let outcome = try failure { try encoded(Nothing()) }
        #expect(outcome == ("", "Nothing encoded no value. A document must contain a value, which may be null."))
    }

    @Test func whatAnEncodingTypeThrowsPasses() throws {
        let own = EncodingError.invalidValue(
            1,
            EncodingError.Context(codingPath: [AnyKey("x")], debugDescription: "own"),
        )
        #expect(try failure { try encoded([Encoded { _ in throw own }]) } == ("x", "own"))
    }

    @Test func aCycleOfReferencesIsAnError() throws {
        final class Node: Encodable {
            var next: Node?
            var list: [Node] = []
        }
        let node = Node()
        node.next = node
        let outcome = try failure { try encoded(node) }
        #expect(
            outcome.text.hasPrefix("More than 512 objects and arrays are nested. Check whether a value contains itself")
        )
        #expect(outcome.path.split(separator: ".").count == 512)
        node.next = nil
        node.list = [node]
        #expect(try failure { try encoded(node) }.text == outcome.text)
    }

    @Test(arguments: [1, 2, 511, 512])
    func upTo512ContainersAreNested(depth: Int) throws {
        struct Nest: Encodable {
            let depth: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                if depth > 1 { try container.encode(Nest(depth: depth - 1)) }
            }
        }
        #expect(try encoded(Nest(depth: depth)).count == depth * 2)
        #expect(throws: EncodingError.self) { try encoded(Nest(depth: 513)) }
        var nested = Encoded { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
        }
        #expect(try encoded(nested).count == depth * 2)
        nested = Encoded { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 1...512 { container = container.nestedUnkeyedContainer() }
        }
        #expect(throws: EncodingError.self) { try encoded(nested) }
    }

    @Test func aValueThatOnlyEncodesItselfIsAnError() throws {
        struct Loop: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(self)
            }
        }
        #expect(throws: EncodingError.self) { try encoded(Loop()) }
        let tree = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "a")
            try object.encode(Loop(), forKey: "a")
        }
        #expect(throws: EncodingError.self) { try encoded(tree) }
        #expect(throws: EncodingError.self) { try encoded(Ping()) }
    }

    private struct Ping: JSONWritable, Encodable {
        func write(to writer: inout JSONWriter) throws {
            try writer.encode(
                Encoded { encoder in
                    var container = encoder.singleValueContainer()
                    try container.encode(Ping())
                }
            )
        }

        func encode(to encoder: any Encoder) throws {}
    }

    /// Foundation ends the process for each of them.
    @Test func whatCannotBeOneValueIsAnError() throws {
        let two = "Encoded one value to containers of different kinds. Use one container for each value."
        var outcome = try failure {
            try encoded([
                Encoded { encoder in
                    var object = encoder.container(keyedBy: AnyKey.self)
                    try object.encode(1, forKey: "a")
                    var array = encoder.unkeyedContainer()
                    try array.encode(2)
                }
            ])
        }
        #expect(outcome == ("0", two))
        outcome = try failure {
            try encoded([
                Encoded { encoder in
                    try 1.encode(to: encoder)
                    _ = encoder.container(keyedBy: AnyKey.self)
                }
            ])
        }
        #expect(outcome == ("0", two))
        outcome = try failure {
            try encoded([
                Encoded { encoder in
                    try 1.encode(to: encoder)
                    try 2.encode(to: encoder)
                }
            ])
        }
        let second = "Encoded two values to a single-value container. Encode one value, or both as an array."
        #expect(outcome == ("0", second))
    }

    @Test func whatWritesItselfMustWriteOneValue() throws {
        struct Wrong: JSONWritable, Encodable {
            let count: Int
            func write(to writer: inout JSONWriter) throws {
                for number in 0..<count { try writer.write(number) }
            }
            func encode(to encoder: any Encoder) throws {}
        }
        #expect(try encoded([Wrong(count: 1)]) == "[0]")
        let nothing = "Wrong wrote no value. Its write(to:) must write exactly one value, which may be null."
        let parent = Encoded { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(Wrong(count: 0), forKey: "a")
        }
        #expect(try failure { try encoded([parent]) } == ("0.a", nothing))
        let outcome = try failure { try encoded(["a": Wrong(count: 2)]) }
        #expect(outcome.path == "a")
        #expect(outcome.text.hasPrefix("Can't write a value here: the value is already complete"))
    }

    @Test func anEncoderThatOutlivesItsValueDoesNothing() throws {
        var kept: (any Encoder)?
        var container: (any UnkeyedEncodingContainer)?
        let value = Encoded { encoder in
            kept = encoder
            container = encoder.unkeyedContainer()
            try container?.encode(1)
        }
        #expect(try encoded(value) == "[1]")
        #expect(throws: (any Error).self) { try container?.encode(2) }
        #expect(throws: (any Error).self) { try 1.encode(to: try #require(kept)) }
        #expect(kept?.codingPath.count == 0)
        #expect(container?.count == 0)
        #expect(try encoded([value]) == "[[1]]")
    }
}
