import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// Types that read themselves inside of those that are decoded through containers, and the other way round.
@Suite struct DecodingByTurnsTests {
    /// Which sessions decoded a value and all that is in it.
    private struct Level: Decodable {
        let sessions: [ObjectIdentifier]

        private enum Key: CodingKey { case turn }

        init(from decoder: any Decoder) throws {
            let own = (decoder as? ValueDecoder).map { ObjectIdentifier($0.session) }
            let inside = try decoder.container(keyedBy: Key.self).decodeIfPresent(Turn.self, forKey: .turn)
            sessions = (own.map { [$0] } ?? []) + (inside?.sessions ?? [])
        }
    }

    private struct Turn: Decodable, JSONReadable {
        let sessions: [ObjectIdentifier]

        init(from reader: inout JSONReader) throws {
            var sessions: [ObjectIdentifier] = []
            try reader.readObject { _, reader in
                try reader.readArray { sessions += try $0.decode(Level.self).sessions }
            }
            self.sessions = sessions
        }

        init(from decoder: any Decoder) throws {
            // Never called, since the type reads itself.
            sessions = []
        }
    }

    @Test func aDocumentIsIndexedOnceHoweverOftenTypesTakeTurns() throws {
        let document =
            String(repeating: #"{"turn":{"list":["#, count: 100) + "{}" + String(repeating: "]}}", count: 100)
        let levels = try HikyakuJSONDecoder().undiagnosed(Level.self, Data(document.utf8))
        #expect(levels.sessions.count == 101)
        #expect(Set(levels.sessions).count == 1)
    }

    /// A value of any kind, whose containers are read directly and by a decoder by turns.
    private struct Direct: Decodable, JSONReadable {
        let value: JSONAny

        init(from reader: inout JSONReader) throws {
            if let elements = try? Self.elements(&reader) {
                value = .array(elements)
            } else if let members = try? Self.members(&reader) {
                value = .object(members)
            } else {
                value = try reader.decode(JSONAny.self)
            }
        }

        private static func elements(_ reader: inout JSONReader) throws -> [JSONAny] {
            var elements: [JSONAny] = []
            try reader.readArray { elements.append(try $0.decode(Contained.self).value) }
            return elements
        }

        private static func members(_ reader: inout JSONReader) throws -> [String: JSONAny] {
            var members: [String: JSONAny] = [:]
            try reader.readObject { key, reader in
                // What fails leaves the reader before the value.
                _ = try? reader.decode(UUID.self)
                members[key] = try reader.decode(Contained.self).value
            }
            return members
        }
    }

    private struct Contained: Decodable {
        let value: JSONAny

        init(from decoder: any Decoder) throws {
            if let elements = try? decoder.singleValueContainer().decode([Direct].self) {
                value = .array(elements.map(\.value))
            } else if let members = try? decoder.container(keyedBy: TextKey.self) {
                var object: [String: JSONAny] = [:]
                for key in members.allKeys.reversed() {
                    object[key.stringValue] = try members.decode(Direct.self, forKey: key).value
                }
                value = .object(object)
            } else {
                value = try decoder.singleValueContainer().decode(JSONAny.self)
            }
        }
    }

    private func expectSame(_ document: String, _ comment: Comment? = nil) {
        let decoder = HikyakuJSONDecoder()
        let expected = decoder.outcome(JSONAny.self, document)
        #expect(expected.value != nil, comment)
        #expect(decoder.outcome(Contained.self, document).map(\.value) == expected, comment)
        #expect(
            decoder.outcome([Direct].self, "[\(document)]").map { $0.first?.value } == expected.map(Optional.some),
            comment,
        )
        #expect(decoder.reading(Direct.self, document).map(\.value) == expected, comment)
    }

    @Test(arguments: [
        "[]", "[[]]", "[[[[]]]]", "[[],[[]],[]]", "{}", #"{"a":{}}"#, #"{"a":{"b":{}},"c":[{}]}"#,
        " [ [ 1 , [ ] ] , { \"a\" : [ { } ] } ] ", #"{"a":[{"b":[[true]]},"]}"],"c":{"d":null}}"#,
        #"[[[[1.5e3]]],[[["x"]]],[[[false]]],[[[-0]]]]"#, "[[[[]   ]   ]   ,[[[]]\n]\n]", #"[["a]"],{"}":"\"]"}]"#,
    ])
    func theReaderIsBehindWhatWasDecoded(_ document: String) {
        expectSame(document)
    }

    @Test func generatedDocumentsAreTheSameByTurns() {
        let seed = testSeed()
        var documents = DocumentGenerator(seed: seed)
        for _ in 0..<300 {
            let document = documents.next()
            expectSame(document, "seed \(seed): \(document)")
        }
    }

    @Test func nothingIsDecodedWithoutAValue() throws {
        struct Beyond: Decodable, JSONReadable {
            let errors: [String]

            init(from reader: inout JSONReader) throws {
                var errors: [String] = []
                try reader.readArray { reader in
                    _ = try reader.decode(Int.self)
                    do {
                        _ = try reader.decode(Int.self)
                    } catch let error as JSONSyntaxError {
                        errors.append("\(error.kind) at \(error.byteOffset)")
                    }
                }
                self.errors = errors
            }
        }
        struct Outer: Decodable { let inner: Beyond }
        let document = Data(#"{"inner":[1,2]}"#.utf8)
        let errors = ["noValue at 11", "noValue at 13"]
        let decoder = HikyakuJSONDecoder()
        #expect(try decoder.undiagnosed(Outer.self, document).inner.errors == errors)
        let direct = try decoder.undiagnosed(document) { try $0.read([String: Beyond].self) }
        #expect(direct.mapValues(\.errors) == ["inner": errors])
    }
}
