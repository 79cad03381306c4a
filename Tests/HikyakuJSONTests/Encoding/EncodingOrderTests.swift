import Foundation
import HikyakuJSON
import Testing

/// Values that don't write in the order of the document.
@Suite struct EncodingOrderTests {
    private static func check(
        _ value: Encoded,
        _ document: String,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) throws {
        #expect(try sorted(value) == document, sourceLocation: sourceLocation)
        #expect(try foundation(value) == document, sourceLocation: sourceLocation)
        // Inside of others, which are written in order.
        #expect(try sorted([["a": value]]) == #"[{"a":\#(document)}]"#, sourceLocation: sourceLocation)
    }

    @Test func twoContainersSideBySide() throws {
        try Self.check(
            Encoded { encoder in
                var object = encoder.container(keyedBy: AnyKey.self)
                var one = object.nestedContainer(keyedBy: AnyKey.self, forKey: "one")
                var two = object.nestedUnkeyedContainer(forKey: "two")
                try one.encode(1, forKey: "a")
                try two.encode(2)
                try one.encode([3], forKey: "b")
                try two.encode("4")
            },
            #"{"one":{"a":1,"b":[3]},"two":[2,"4"]}"#,
        )
    }

    @Test func theLastValueOfAKeyWins() throws {
        try Self.check(
            Encoded { encoder in
                var object = encoder.container(keyedBy: AnyKey.self)
                try object.encode([1, 2], forKey: "a")
                try object.encode("b", forKey: "b")
                try object.encode(["x": 1], forKey: "a")
            },
            #"{"a":{"x":1},"b":"b"}"#,
        )
    }

    @Test(arguments: [5, 16, 17, 18, 40, 200])
    func aKeyIsFoundAgainAmongAnyNumber(count: Int) throws {
        for repeated in [0, count / 2, count - 1] {
            let value = Encoded { encoder in
                var object = encoder.container(keyedBy: AnyKey.self)
                for key in 0..<count { try object.encode(key, forKey: AnyKey("key \(key)")) }
                try object.encode(-1, forKey: AnyKey("key \(repeated)"))
            }
            let read = try JSONDecoder().decode([String: Int].self, from: Data(try encoded(value).utf8))
            #expect(read.count == count)
            #expect(read["key \(repeated)"] == -1)
        }
    }

    @Test func keysThatAreConvertedToTheSameAreTheSame() throws {
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "someKey")
            try object.encode(2, forKey: "some_key")
        }
        #expect(try encoded(value) { $0.keyEncodingStrategy = .convertToSnakeCase } == #"{"some_key":2}"#)
        #expect(try encoded(value) == #"{"someKey":1,"some_key":2}"#)
    }

    @Test func aContainerThatIsRequestedAgainContinues() throws {
        try Self.check(
            Encoded { encoder in
                var object = encoder.container(keyedBy: AnyKey.self)
                var one = object.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
                try one.encode(1, forKey: "x")
                var two = object.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
                try two.encode(2, forKey: "y")
                var list = object.nestedUnkeyedContainer(forKey: "b")
                try list.encode(3)
                var again = object.nestedUnkeyedContainer(forKey: "b")
                try again.encode(4)
            },
            #"{"a":{"x":1,"y":2},"b":[3,4]}"#,
        )
    }

    @Test func aSuperEncoderMayWait() throws {
        try Self.check(
            Encoded { encoder in
                var object = encoder.container(keyedBy: AnyKey.self)
                let one = object.superEncoder()
                let two = object.superEncoder(forKey: "two")
                try object.encode(1, forKey: "a")
                var array = two.unkeyedContainer()
                try array.encode(2)
                try "super".encode(to: one)
            },
            #"{"a":1,"super":"super","two":[2]}"#,
        )
        try Self.check(
            Encoded { encoder in
                var array = encoder.unkeyedContainer()
                try array.encode(1)
                let waiting = array.superEncoder()
                try array.encode(2)
                try ["x": 3].encode(to: waiting)
            },
            #"[1,{"x":3},2]"#,
        )
    }

    @Test func aChildMayWriteIntoItsParent() throws {
        try Self.check(
            Encoded { encoder in
                var object = encoder.container(keyedBy: AnyKey.self)
                let parent = object
                try object.encode(
                    Encoded { inner in
                        var container = inner.container(keyedBy: AnyKey.self)
                        try container.encode(1, forKey: "x")
                        var parent = parent
                        try parent.encode(2, forKey: "b")
                        try container.encode(3, forKey: "y")
                    },
                    forKey: "a",
                )
            },
            #"{"a":{"x":1,"y":3},"b":2}"#,
        )
    }

    @Test func whatFollowsASwallowedErrorIsEncodedAllTheSame() throws {
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            var one = object.nestedUnkeyedContainer(forKey: "one")
            try object.encode(1, forKey: "two")
            try? one.encode(2)
            try? object.encode(3, forKey: "two")
        }
        #expect(try sorted(value) == #"{"one":[2],"two":3}"#)
    }

    /// What the first run throws is not the result, whatever a type makes of the error.
    @Test func anErrorThatATypeReplacesIsForgotten() throws {
        struct Stop: Error {}
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "a")
            do { try object.encode(2, forKey: "a") } catch { throw Stop() }
        }
        try Self.check(value, #"{"a":2}"#)
        let late = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "a")
            try object.encode(2, forKey: "a")
            throw Stop()
        }
        #expect(throws: Stop.self) { try encoded([late]) }
    }

    @Test func aChildThatWritesIntoItsParentAtItsEndComesAfterThat() throws {
        try Self.check(
            Encoded { encoder in
                var array = encoder.unkeyedContainer()
                let outer = array
                try array.encode(
                    Encoded { inner in
                        var (outer, container) = (outer, inner.unkeyedContainer())
                        try container.encode(1)
                        try outer.encode(2)
                    }
                )
            },
            "[2,[1]]",
        )
    }

    @Test func everyStrategyAppliesOutOfOrder() throws {
        struct Values: Encodable {
            var someDate = Date(timeIntervalSince1970: 1.25)
            var someData = Data([255])
            var someNumbers = [1.5, .infinity]
            var someTable = ["keptKey": URL(string: "https://example.com/")]
            var someName = [Sample.Name.secondName: Decimal(5)]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                var late = container.nestedUnkeyedContainer(forKey: .someName)
                try container.encode(someDate, forKey: .someDate)
                try container.encode(someData, forKey: .someData)
                try container.encode(someNumbers, forKey: .someNumbers)
                try container.encode(someTable, forKey: .someTable)
                try late.encode(someName)
            }
            enum CodingKeys: CodingKey { case someDate, someData, someNumbers, someTable, someName }
        }
        let document = try encoded([Values()]) { encoder in
            encoder.keyEncodingStrategy = .convertToSnakeCase
            encoder.dateEncodingStrategy = .custom { try [$0.timeIntervalSince1970].encode(to: $1) }
            encoder.dataEncodingStrategy = .base64URL
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "∞",
                negativeInfinity: "",
                nan: "",
            )
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        }
        #expect(
            document == """
                [
                  {
                    "some_data" : "_w",
                    "some_date" : [
                      1.25
                    ],
                    "some_name" : [
                      {
                        "second_name" : 5
                      }
                    ],
                    "some_numbers" : [
                      1.5,
                      "∞"
                    ],
                    "some_table" : {
                      "keptKey" : "https://example.com/"
                    }
                  }
                ]
                """
        )
    }

    @Test func levelsOfDirectAndUnorderedValuesAreEncodedTwiceEach() throws {
        final class Count {
            var number = 0
        }
        struct Level: JSONWritable, Encodable {
            let rest: Int
            let count: Count
            func write(to writer: inout JSONWriter) throws {
                try writer.encode(
                    Encoded { encoder in
                        count.number += 1
                        var object = encoder.container(keyedBy: AnyKey.self)
                        if rest > 0 { try object.encode(Level(rest: rest - 1, count: count), forKey: "a") }
                        try object.encode(1, forKey: "b")
                        try object.encode(2, forKey: "b")
                    }
                )
            }
            func encode(to encoder: any Encoder) throws {}
        }
        let count = Count()
        let text = try encoded(Level(rest: 30, count: count))
        #expect(text.hasPrefix(#"{"a":{"a":"#) && text.hasSuffix(#""b":2}"#))
        #expect(count.number == 62)
    }

    @Test func everyWayOutOfOrderIsEncodedTwice() throws {
        typealias Way = (inout KeyedEncodingContainer<AnyKey>, any Encoder) throws -> Void
        let ways: [Way] = [
            { object, _ in
                try object.encode(1, forKey: "a")
                try object.encode(2, forKey: "a")
            },
            { object, _ in
                var one = object.nestedUnkeyedContainer(forKey: "a")
                var two = object.nestedUnkeyedContainer(forKey: "b")
                try one.encode(1)
                try two.encode(2)
            },
            { object, _ in
                let late = object.superEncoder(forKey: "a")
                try object.encode(1, forKey: "b")
                try 2.encode(to: late)
            },
            { object, _ in
                for key in ["x", "y"] as [AnyKey] {
                    var nested = object.nestedContainer(keyedBy: AnyKey.self, forKey: "a")
                    try nested.encode(1, forKey: key)
                }
            },
            { object, encoder in
                let outer = object
                try object.encode(
                    Encoded { inner in
                        var (outer, container) = (outer, inner.unkeyedContainer())
                        try outer.encode(1, forKey: "b")
                        try container.encode(encoder.codingPath.count)
                    },
                    forKey: "a",
                )
            },
        ]
        for way in ways {
            var runs = 0
            let value = Encoded { encoder in
                runs += 1
                var object = encoder.container(keyedBy: AnyKey.self)
                try way(&object, encoder)
            }
            var encoder = HikyakuJSONEncoder()
            _ = try encoder.encode(value)
            #expect(runs == 2)
            // The first run ends in the first of them.
            _ = try encoder.encode(["a": [value, value]])
            #expect(runs == 5)
            // Inside of one that doesn't write in order either.
            _ = try encoder.encode(
                Encoded { encoder in
                    var object = encoder.container(keyedBy: AnyKey.self)
                    var late = object.nestedUnkeyedContainer(forKey: "late")
                    try object.encode(value, forKey: "a")
                    try object.encode([value], forKey: "a")
                    try late.encode(value)
                }
            )
            #expect(runs == 9)
            _ = try encoder.encode([Direct { writer in try writer.encode(value) }])
            #expect(runs == 11)
            let passed = Passed(value: value)
            encoder.dateEncodingStrategy = .custom { _, encoder in try passed.value.encode(to: encoder) }
            _ = try encoder.encode(["a": Date()])
            #expect(runs == 13)
        }
    }

    private struct Direct: JSONWritable, Encodable {
        let write: (inout JSONWriter) throws -> Void

        func write(to writer: inout JSONWriter) throws {
            try write(&writer)
        }

        func encode(to encoder: any Encoder) throws {}
    }

    /// The compiler can't see that the closure runs where it is made.
    private struct Passed: @unchecked Sendable {
        let value: Encoded
    }

    @Test func whatThrowsAfterItsParentWasWrittenToIsTakenBack() throws {
        struct Stop: Error {}
        let object = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            let outer = object
            let child = Encoded { inner in
                var (outer, container) = (outer, inner.container(keyedBy: AnyKey.self))
                try container.encode(1, forKey: "x")
                try outer.encode(2, forKey: "b")
                throw Stop()
            }
            try? object.encode(child, forKey: "a")
            try object.encode(3, forKey: "c")
        }
        #expect(try encoded([object]) == #"[{"b":2,"c":3}]"#)
        let array = Encoded { encoder in
            var array = encoder.unkeyedContainer()
            let outer = array
            let child = { (throwing: Bool) in
                Encoded { inner in
                    var (outer, container) = (outer, inner.unkeyedContainer())
                    try outer.encode(2)
                    try container.encode(1)
                    if throwing { throw Stop() }
                }
            }
            try? array.encode(child(true))
            try array.encode(child(false))
        }
        #expect(try encoded(["a": array]) == #"{"a":[2,2,[1]]}"#)
    }

    @Test func writingToACompleteContainerIsRejected() throws {
        let value = Encoded { encoder in
            var kept: (any UnkeyedEncodingContainer)?
            var array = encoder.unkeyedContainer()
            try array.encode(Encoded { kept = $0.unkeyedContainer() })
            let error = #expect(throws: EncodingError.self) { try kept?.encode(1) }
            #expect("\(String(describing: error))".contains("after its value was complete"))
            try array.encode(2)
        }
        #expect(try encoded(value) == "[[],2]")
    }

    /// An encoder or a container of a complete value throws at each write, and other values are encoded.
    @Test func anEncoderOfACompleteValueDoesNotFailOtherValues() throws {
        struct Stop: Error {}
        let value = Encoded { encoder in
            var kept: [any Encoder] = []
            var array = encoder.unkeyedContainer()
            try array.encode(
                Encoded { inner in
                    kept.append(inner)
                    try 1.encode(to: inner)
                }
            )
            try? array.encode(
                Encoded { inner in
                    kept.append(inner)
                    throw Stop()
                }
            )
            try array.encode(
                Encoded { inner in
                    for late in kept {
                        var object = late.container(keyedBy: AnyKey.self)
                        let error = #expect(throws: EncodingError.self) { try object.encode(2, forKey: "a") }
                        #expect("\(String(describing: error))".contains("after its value was complete"))
                        _ = object.nestedContainer(keyedBy: AnyKey.self, forKey: "b")
                        #expect(throws: EncodingError.self) { try 3.encode(to: object.superEncoder()) }
                        var elements = late.unkeyedContainer()
                        #expect(throws: EncodingError.self) { try elements.encode(4) }
                        _ = elements.nestedUnkeyedContainer()
                    }
                    try 5.encode(to: inner)
                }
            )
        }
        #expect(try encoded(value) == "[1,5]")
        #expect(try encoded(["a": [value, value]]) == #"{"a":[[1,5],[1,5]]}"#)
    }

    @Test func whatWritesItselfKeepsOthersFromWritingAroundIt() throws {
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            let outer = object
            let direct = Direct { writer in
                var outer = outer
                #expect(throws: EncodingError.self) { try outer.encode(1, forKey: "x") }
                try writer.write(2)
            }
            try object.encode(direct, forKey: "a")
        }
        #expect(try encoded(value) == #"{"a":2}"#)
    }
}
