import Foundation
import Testing

@testable import HikyakuJSON

/// Types that try one thing and then another, as those without a schema do.
@Suite struct FallbackTests {
    private struct Point: Codable, Equatable {
        var x: Int, y: Int
    }

    /// Goes on with another type where one fails, in the ways that people write it.
    private enum Either: Decodable, Equatable {
        case point(Point), points([Point]), number(Double), text(String), matrix([[Int]]), map([String: Either]),
            nothing

        private enum Key: String, CodingKey { case x, y, type, value }

        init(from decoder: any Decoder) throws {
            if let container = try? decoder.container(keyedBy: Key.self),
                let x = try? container.decode(Int.self, forKey: .x)
            {
                self = .point(Point(x: x, y: try container.decode(Int.self, forKey: .y)))
                return
            }
            if var array = try? decoder.unkeyedContainer() {
                self =
                    (try? array.decode(Point.self)) == nil
                    ? .matrix(try [[Int]](from: decoder)) : .points(try [Point](from: decoder))
                return
            }
            let single = try decoder.singleValueContainer()
            do {
                self = .number(try single.decode(Double.self))
            } catch DecodingError.typeMismatch {
                do {
                    self = .text(try single.decode(String.self))
                } catch {
                    self = .map(try single.decode([String: Either].self))
                }
            } catch DecodingError.valueNotFound {
                self = .nothing
            }
        }
    }

    @Test(arguments: [
        #"{"x":1,"y":2}"#, #"[{"x":1,"y":2}]"#, "1.5", #""a""#, "[[1],[2,3]]", #"{"x":"1","y":2}"#, "null", "{}", "[]",
        #"{"a":{"x":3,"y":4},"b":[[5]],"c":{"d":null}}"#,
        // What nothing fits.
        #"{"x":1}"#, #"{"x":1,"y":"2"}"#, #"[{"x":1,"y":2},3]"#, "[1]", "[[1],[null]]", #"{"x":"1","a":[1]}"#, "true",
        #"{"a":{"x":1}}"#,
    ])
    func whatIsTriedInTurnIsAsWithFoundation(_ document: String) {
        let ours = HikyakuJSONDecoder().outcome(Either.self, document)
        #expect(ours == JSONDecoder().outcome(Either.self, document))
        let inside = #"{"a":[\#(document),\#(document)]}"#
        #expect(
            HikyakuJSONDecoder().outcome([String: [Either]].self, inside)
                == JSONDecoder().outcome([String: [Either]].self, inside)
        )
    }

    /// Keeps the good elements of an array.
    private struct Lossy: Decodable, Equatable {
        let points: [Point]
        let skipped: [Int]

        private struct Anything: Decodable {}

        init(from decoder: any Decoder) throws {
            var array = try decoder.unkeyedContainer()
            var points: [Point] = []
            var skipped: [Int] = []
            while !array.isAtEnd {
                do {
                    points.append(try array.decode(Point.self))
                } catch {
                    skipped.append(array.currentIndex)
                    _ = try array.decode(Anything.self)
                }
            }
            (self.points, self.skipped) = (points, skipped)
        }
    }

    @Test func badElementsAreSkipped() {
        let document = #"[{"x":1,"y":1},{"x":1},null,3,[{"x":2}],{"x":2,"y":2},"a",{"x":[],"y":{}},{"y":3,"x":3}]"#
        let ours = HikyakuJSONDecoder().outcome(Lossy.self, document)
        #expect(ours.value?.points == [1, 2, 3].map { Point(x: $0, y: $0) })
        #expect(ours.value?.skipped == [1, 2, 3, 4, 6, 7])
        #expect(ours == JSONDecoder().outcome(Lossy.self, document))
    }

    @Test func aFailureBehindOthersLeavesEarlierContainersAsTheyWere() throws {
        struct Value: Decodable {
            let found: [String]

            init(from decoder: any Decoder) throws {
                let outer = try decoder.container(keyedBy: TextKey.self)
                var found: [String] = []
                for key in ["a", "b", "c", "d"] as [TextKey] {
                    if let point = try? outer.decode(Point.self, forKey: key) {
                        found.append("\(key.stringValue) \(point.x)")
                    } else if let number = try? outer.decode(Int.self, forKey: key) {
                        found.append("\(key.stringValue) \(number)")
                    } else {
                        found.append("\(key.stringValue) \(outer.contains(key))")
                    }
                }
                self.found = found
            }
        }
        let document = #"{"d":{"x":1},"c":3,"b":{"x":1,"y":1e1000},"a":{"y":2,"x":4}}"#
        #expect(HikyakuJSONDecoder().outcome(Value.self, document).value?.found == ["a 4", "b true", "c 3", "d true"])
    }

    /// A direct type inside of containers, and containers inside of a direct type, of which one fails.
    @Test func directTypesAndContainersTakeTurns() {
        struct Direct: JSONReadable, Decodable, Equatable {
            let values: [JSONAny]

            init(from reader: inout JSONReader) throws {
                var values: [JSONAny] = []
                try reader.readArray { reader in
                    if let point = try? reader.decode(Point.self) {
                        values.append(.integer(Int64(point.x)))
                    } else if let nested = try? reader.read(Direct.self) {
                        values.append(.array(nested.values))
                    } else {
                        values.append(try reader.decode(JSONAny.self))
                    }
                }
                self.values = values
            }

            init(from decoder: any Decoder) throws { values = [] }
        }
        let document = #"[{"x":1,"y":2},[{"x":3,"y":4},{"x":5}],{"x":6},[[[7]]],"a"]"#
        let expected: [JSONAny] = [
            .integer(1), .array([.integer(3), .object(["x": .integer(5)])]), .object(["x": .integer(6)]),
            .array([.array([.array([.integer(7)])])]), .string("a"),
        ]
        #expect(HikyakuJSONDecoder().reading(Direct.self, document).value?.values == expected)
        #expect(HikyakuJSONDecoder().outcome(Direct.self, document).value?.values == expected)
        struct Outer: Decodable { let direct: [Direct?] }
        #expect(
            HikyakuJSONDecoder().outcome(Outer.self, #"{"direct":[null,\#(document)]}"#).value?.direct.last??.values
                == expected
        )
    }
}
