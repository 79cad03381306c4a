import Foundation
import Testing

@testable import HikyakuJSON

/// What fails leaves the reader before the value, wherever in it that was, so that something else can be tried.
@Suite struct ReaderRecoveryTests {
    private let decoder = HikyakuJSONDecoder()

    private struct Point: JSONReadable, Equatable, CustomStringConvertible {
        let x: Int
        var description: String { "x \(x)" }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            x = try reader.member("x")
            try reader.endObject()
        }
    }

    /// A type that rejects a value that it has read.
    private struct Even: JSONReadable, Equatable, CustomStringConvertible {
        struct Odd: Error {}
        let number: Int
        var description: String { "\(number)" }

        init(from reader: inout JSONReader) throws {
            number = try reader.read(Int.self)
            if number % 2 != 0 { throw Odd() }
        }
    }

    /// Tries one type after another.
    private enum Either: JSONReadable, Equatable {
        case numbers([Int]), texts([String]), point(Point), points([Point]), even(Even), map([String: Bool])
        case number(Double), lists(Set<[String]>), any(DirectAny)

        init(from reader: inout JSONReader) throws {
            if let value = try? reader.read([Int].self) {
                self = .numbers(value)
            } else if let value = try? reader.read([String].self) {
                self = .texts(value)
            } else if let value = try? reader.read(Point.self) {
                self = .point(value)
            } else if let value = try? reader.read([Point].self) {
                self = .points(value)
            } else if let value = try? reader.read(Even.self) {
                self = .even(value)
            } else if let value = try? reader.read([String: Bool].self) {
                self = .map(value)
            } else if let value = try? reader.read(Double.self) {
                self = .number(value)
            } else if let value = try? reader.read(Set<[String]>.self) {
                self = .lists(value)
            } else {
                self = .any(try reader.read(DirectAny.self))
            }
        }
    }

    @Test(arguments: [
        ("[1,2]", "numbers([1, 2])"),
        (#"["1","2"]"#, #"texts(["1", "2"])"#),
        (#"{"y":[{}],"x":1}"#, "point(x 1)"),
        (#"[{"x":1},{"x":2}]"#, "points([x 1, x 2])"),
        ("2", "even(2)"),
        ("3", "number(3.0)"),
        ("3.5", "number(3.5)"),
        (#"{"x":true}"#, #"map(["x": true])"#),
        (#"[["a"]]"#, #"lists(Set([["a"]]))"#),
    ])
    func afterAFailureSomethingElseIsTried(_ document: String, _ value: String) {
        #expect(decoder.reading(Either.self, document).map { "\($0)" } == .value(value))
        // Inside of others, where reading goes on behind it.
        let inside = decoder.reading([String: [Either]].self, #"{"a":[\#(document) , \#(document)],"b":[]}"#)
        #expect(inside.value?["a"]?.map { "\($0)" } == [value, value])
        #expect(inside.value?["b"] == [])
    }

    @Test(arguments: [#"[1,"2"]"#, #"[1,[2,"3"]]"#, #"[{"x":1},{"x":"2"}]"#, #"{"x":{"x":[1,null]}}"#, #"[["a"],[1]]"#])
    func whatNoneOfThemReadsIsReadByTheLast(_ document: String) {
        guard case .value(.any(let value)) = decoder.reading(Either.self, document) else {
            Issue.record("\(decoder.reading(Either.self, document))")
            return
        }
        #expect(DecodingOutcome.value(value.value) == decoder.outcome(JSONAny.self, document))
    }

    @Test(arguments: [#"[1,"\x"]"#, #"[1,2"#, "[1,2]]", #"{"x":1,}"#, "[tru]", "[\"\u{1}\"]", #"{"x":-}"#])
    func invalidBytesAreRejectedInEveryWay(_ document: String) {
        #expect(decoder.reading(Either.self, document).error != nil)
        #expect(decoder.reading([String: Either].self, #"{"a":\#(document)}"#).error != nil)
    }

    @Test func aClosureMayTryAndGiveUp() throws {
        var found: [String] = []
        try decoder.undiagnosed(Data(#"[[1,[2,"a"]],{"x":[0]},[3]]"#.utf8)) { reader in
            try reader.readArray { reader in
                let before = reader.offset
                if let value = try? reader.read([Int].self) {
                    found.append("\(value)")
                } else {
                    found.append("none at \(reader.offset)")
                    #expect(reader.offset == before)
                }
            }
        }
        #expect(found == ["none at 1", "none at 13", "[3]"])
    }

    @Test func objectsAndArraysAreReadAgainAfterAFailureInside() throws {
        struct Stop: Error {}
        let document = Data(#"{"a":{"b":[1,[2,3],4]},"b":0}"#.utf8)
        let value = try decoder.undiagnosed(document) { reader in
            #expect(throws: Stop.self) {
                try reader.readObject { _, reader in
                    try reader.readObject { _, reader in
                        try reader.readArray { reader in
                            if try reader.read(Int.self) == 1 { throw Stop() }
                        }
                    }
                }
            }
            #expect(reader.offset == 0)
            return try reader.read(DirectAny.self).value
        }
        #expect(DecodingOutcome.value(value) == decoder.outcome(JSONAny.self, document))
    }

    @Test func aFailureLeavesTheDepthAsItWas() throws {
        var shallow = decoder
        shallow.depthMax = 3
        let document = Data(#"[[["a"]]]"#.utf8)
        let count = try shallow.undiagnosed(document) { reader in
            for _ in 0..<10 {
                #expect(throws: DecodingError.self) { try reader.read([[[Int]]].self) }
                #expect(throws: DecodingError.self) { try reader.decode([[[Int]]].self) }
            }
            return try reader.read([[[String]]].self).count
        }
        #expect(count == 1)
    }

    @Test func aValueOfContainersThatFailsIsReadInAnotherWay() throws {
        let value = try decoder.undiagnosed(Data(#"[{"x":"1"}]"#.utf8)) { reader in
            var found: [JSONAny] = []
            try reader.readArray { reader in
                if let number = try? reader.decode([String: Int].self) {
                    found.append(.integer(Int64(number.count)))
                } else {
                    found.append(try reader.decode(JSONAny.self))
                }
            }
            return found
        }
        #expect(value == [.object(["x": .string("1")])])
    }
}
