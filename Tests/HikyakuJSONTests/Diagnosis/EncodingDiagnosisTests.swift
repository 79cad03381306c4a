import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct EncodingDiagnosisTests {
    private static let secret = "hunter2"

    /// What the encoder throws for a value, and its diagnosis, without any part of the value.
    private func diagnosis<Value: Encodable>(
        of value: Value,
        by encoder: HikyakuJSONEncoder = HikyakuJSONEncoder(),
    ) throws -> String {
        let error = try #require(throws: (any Error).self) { try encoder.encode(value) }
        let diagnosis = encoder.diagnosis(of: error, encoding: value)
        #expect(!diagnosis.description.contains(Self.secret))
        #expect(diagnosis.errorDescription == "The value can't be encoded: \(diagnosis)")
        return diagnosis.description
    }

    private func diagnosis<Value: JSONWritable>(ofWriting value: Value) throws -> String {
        let encoder = HikyakuJSONEncoder()
        let error = try #require(throws: (any Error).self) { try encoder.write(value) }
        return encoder.diagnosis(of: error, writing: value).description
    }

    private struct Refusal: Error {
        let text = EncodingDiagnosisTests.secret
    }

    private struct Row: Encodable {
        var d = 1.0
    }

    private struct Order: Encodable {
        var list = [Row(), Row(d: .infinity)]
    }

    // MARK: Numbers, dates, depth

    @Test func aNumberThatIsNotFiniteHasItsPlace() throws {
        #expect(try diagnosis(of: Order()) == "at /list/1/d: not a finite number")
        #expect(try diagnosis(of: ["a/b": [Row(d: .nan)]]) == "at /a~1a/0/d (keys masked): not a finite number")
        #expect(try diagnosis(of: ["~": Float.nan]) == "at /~0: not a finite number")
        #expect(try diagnosis(of: Double.nan) == "in the value as a whole: not a finite number")
        #expect(try diagnosis(of: [7: [Optional(Double.nan)]]) == "at /9/0 (keys masked): not a finite number")
    }

    /// An element's key is named "Index 0"; so may be a member's.
    @Test func aKeyThatLooksLikeAnIndexIsAKey() throws {
        #expect(try diagnosis(of: ["Index 0": [Double.nan]]) == "at /Aaaaa 9/0 (keys masked): not a finite number")
    }

    @Test func nestedContainersAndSuperEncodersHaveTheirPlace() throws {
        let keyed = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            var list = object.nestedUnkeyedContainer(forKey: "list")
            try list.encode(1)
            var inner = list.nestedContainer(keyedBy: AnyKey.self)
            try inner.encode(Double.nan, forKey: "d")
        }
        #expect(try diagnosis(of: [keyed]) == "at /0/list/1/d: not a finite number")
        let base = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try Row(d: .nan).encode(to: object.superEncoder())
        }
        #expect(try diagnosis(of: ["a": base]) == "at /a/super/d: not a finite number")
        let keyedBase = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "x")
            try Row(d: .nan).encode(to: object.superEncoder(forKey: "base"))
        }
        #expect(try diagnosis(of: [keyedBase]) == "at /0/base/d: not a finite number")
        let element = Encoded { encoder in
            var list = encoder.unkeyedContainer()
            try list.encode("a")
            try Row(d: .nan).encode(to: list.superEncoder())
        }
        #expect(try diagnosis(of: ["a": element]) == "at /a/1/d: not a finite number")
        let single = Encoded { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Row(d: .nan))
        }
        #expect(try diagnosis(of: [[single]]) == "at /0/0/d: not a finite number")
    }

    @Test func aDistantDateHasItsPlaceAndIsNotShown() throws {
        let text = try diagnosis(of: ["since": Date(timeIntervalSince1970: 253_402_300_800)])
        #expect(text == "at /since: a date outside the years 0 to 9999, which ISO 8601 can't express")
    }

    @Test func aValueThatContainsItselfHasItsPlace() throws {
        final class Node: Encodable {
            var next: [Node] = []
        }
        let node = Node()
        node.next = [node]
        defer { node.next = [] }
        let text = try diagnosis(of: node)
        #expect(text.hasPrefix("at /next/0/next/0/"))
        #expect(text.hasSuffix("…: more than 512 nested arrays and objects"))
        #expect(text.count < 300)
    }

    @Test func aValueOfNothingIsNamed() throws {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) throws {}
        }
        let text = try diagnosis(of: Nothing())
        #expect(text.hasPrefix("in the value as a whole: Nothing encoded no value."))
    }

    // MARK: What types throw

    @Test func aTypesOwnErrorHasThePlaceOfItsValue() throws {
        let refusing = Encoded { _ in throw Refusal() }
        #expect(try diagnosis(of: refusing) == "in the value as a whole: encoding it threw Refusal")
        #expect(try diagnosis(of: ["a": [refusing]]) == "at /a/0: encoding it threw Refusal")
        let late = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            var nested = object.nestedContainer(keyedBy: AnyKey.self, forKey: "nested")
            try nested.encode(1, forKey: "b")
            throw Refusal()
        }
        #expect(try diagnosis(of: ["a": [1: late]]) == "at /a/9 (keys masked): encoding it threw Refusal")
        let inside = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(Self.secret, forKey: "password")
            var list = object.nestedUnkeyedContainer(forKey: "list")
            try list.encode(refusing)
        }
        #expect(try diagnosis(of: [inside]) == "at /0/list/0: encoding it threw Refusal")
        let tree = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "a")
            try object.encode([refusing], forKey: "a")
        }
        #expect(try diagnosis(of: ["t": tree]) == "at /t/a/0: encoding it threw Refusal")
    }

    /// The first error was ignored, so its place isn't that of the second.
    @Test func anIgnoredErrorIsNotTheOneThatIsDiagnosed() throws {
        let refusing = Encoded { _ in throw Refusal() }
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try? object.encode(refusing, forKey: "first")
            try object.encode(1, forKey: "second")
            try object.encode([refusing], forKey: "third")
        }
        #expect(try diagnosis(of: [value]) == "at /0/third/0: encoding it threw Refusal")
    }

    @Test func anEncodingErrorOfATypeShowsItsTypeAndNotItsText() throws {
        func error(_ path: [any CodingKey]) -> EncodingError {
            .invalidValue(Self.secret, .init(codingPath: path, debugDescription: "\(Self.secret) is not a price"))
        }
        let placed = Encoded { encoder in throw error(encoder.codingPath + [AnyKey("price")]) }
        #expect(try diagnosis(of: [placed]) == "at /0/price: a value of String that can't be encoded")
        let unplaced = Encoded { _ in throw error([]) }
        #expect(try diagnosis(of: ["a": [unplaced]]) == "at /a/0: a value of String that can't be encoded")
        #expect(
            EncodingDiagnosis(error([AnyKey("x")])).description == "at /x: a value of String that can't be encoded"
        )
    }

    /// What fails once may succeed the next time.
    @Test func aFailureThatDoesNotRepeatHasNoPlace() throws {
        var count = 0
        let moody = Encoded { encoder in
            count += 1
            if count == 1 { throw Refusal() }
            try 1.encode(to: encoder)
        }
        #expect(try diagnosis(of: [moody]) == "in the value as a whole: encoding it threw Refusal")
        #expect(count == 2)
    }

    @Test func mixedUseOfContainersHasItsPlace() throws {
        let two = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "a")
            var list = encoder.unkeyedContainer()
            try list.encode(1)
        }
        #expect(try diagnosis(of: ["x": two]).hasPrefix("at /x: Encoded one value to containers of different kinds."))
    }

    // MARK: Values that write themselves

    private struct Leaf: JSONModel {
        var ratio = 0.5
        var isRefusing = false

        init(ratio: Double = 0.5, isRefusing: Bool = false) {
            (self.ratio, self.isRefusing) = (ratio, isRefusing)
        }

        init(from reader: inout JSONReader) throws {}

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("note", EncodingDiagnosisTests.secret)
            if isRefusing { throw Refusal() }
            try writer.member("ratio", ratio)
            try writer.endObject()
        }
    }

    private struct Branch: JSONWritable {
        let leaves: [Leaf]

        func write(to writer: inout JSONWriter) throws {
            try writer.writeObject { writer in
                try writer.writeMember("count", leaves.count)
                try writer.writeMember("leaves", leaves)
            }
        }
    }

    @Test func aValueThatWritesItselfHasItsPlace() throws {
        let branch = Branch(leaves: [Leaf(), Leaf(ratio: .nan)])
        #expect(try diagnosis(ofWriting: branch) == "at /leaves/1/ratio: not a finite number")
        #expect(try diagnosis(ofWriting: [branch]) == "at /0/leaves/1/ratio: not a finite number")
        #expect(try diagnosis(of: ["a": [Leaf(ratio: .nan)]]) == "at /a/0/ratio: not a finite number")
        let refusing = Branch(leaves: [Leaf(), Leaf(isRefusing: true)])
        #expect(try diagnosis(ofWriting: refusing) == "at /leaves/1: encoding it threw Refusal")
        #expect(try diagnosis(of: ["a": [Leaf(isRefusing: true)]]) == "at /a/0: encoding it threw Refusal")
    }

    @Test func aCodableValueInsideOneThatWritesItselfHasItsPlace() throws {
        struct Outer: JSONWritable {
            let inner: Encoded
            func write(to writer: inout JSONWriter) throws {
                try writer.writeObject { writer in
                    try writer.writeMember("a") { writer in
                        try writer.writeArray { writer in
                            try writer.write(1)
                            try writer.encode(["b": inner])
                        }
                    }
                }
            }
        }
        let refusing = Outer(inner: Encoded { _ in throw Refusal() })
        #expect(try diagnosis(ofWriting: refusing) == "at /a/1/b: encoding it threw Refusal")
        let infinite = Outer(inner: Encoded { try Order().encode(to: $0) })
        #expect(try diagnosis(ofWriting: infinite) == "at /a/1/b/list/1/d: not a finite number")
    }

    // MARK: Other encoders

    @Test func errorsOfFoundationsEncoderHaveTheirPlace() throws {
        let error = try #require(throws: (any Error).self) { try JSONEncoder().encode(["o": Order()]) }
        #expect(EncodingDiagnosis(error).description == "at /o/list/1/d: not a finite number")
        let nothing = Encoded { _ in }
        let other = try #require(throws: (any Error).self) { try JSONEncoder().encode(nothing) }
        #expect(EncodingDiagnosis(other).description == "in the value as a whole: Encoded encoded no value")
    }

    @Test func aLongPathIsCut() throws {
        let key = String(repeating: "k", count: 10_000)
        let value = [key: [key: [key: Double.nan]]]
        let error = try #require(throws: (any Error).self) { try HikyakuJSONEncoder().encode(value) }
        let diagnosis = EncodingDiagnosis(error)
        #expect(diagnosis.pointer == "/" + String(repeating: "a", count: 10_000))
        #expect(diagnosis.description.count < 300)
        let hidden = try self.diagnosis(of: ["a\u{1B}[2J\u{202E}": Double.nan])
        #expect(hidden == "at /a?[9A? (keys masked): not a finite number")
    }

    @Test func aDiagnosisIsItsOwn() {
        let own = EncodingDiagnosis(pointer: "/a", problem: "not a colour")
        #expect(EncodingDiagnosis(own) == own)
    }
}
