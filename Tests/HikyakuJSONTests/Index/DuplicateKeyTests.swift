import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct DuplicateKeyTests {
    /// Reads nothing.
    private struct Nothing: Codable, JSONReadable {
        init(from decoder: any Decoder) {}

        init(from reader: inout JSONReader) throws { try reader.skip() }
    }

    /// Reads nothing, through containers.
    private struct Ignorance: Decodable {
        init(from decoder: any Decoder) {}
    }

    private static let decoder: HikyakuJSONDecoder = {
        var decoder = HikyakuJSONDecoder()
        decoder.duplicateKeys = .rejected
        return decoder
    }()

    private func diagnosis(of body: () throws -> Void) -> DecodingDiagnosis? {
        do {
            try body()
            return nil
        } catch {
            return error as? DecodingDiagnosis
        }
    }

    /// The key that comes again, by every way to read a document.
    private func repeatedKey(_ document: Data, sourceLocation: SourceLocation = #_sourceLocation) -> Int? {
        let decoder = Self.decoder
        let found = [
            diagnosis { _ = try decoder.decode(JSONAny.self, from: document) },
            diagnosis { _ = try decoder.decode(Ignorance.self, from: document) },
            diagnosis { _ = try decoder.decode(JSONValue.self, from: document) },
            diagnosis { _ = try decoder.read(DirectAny.self, from: document) },
            diagnosis { _ = try decoder.read(Nothing.self, from: document) },
        ]
        #expect(Set(found).count == 1, sourceLocation: sourceLocation)
        #expect(found[0] == nil || found[0]?.kind == .duplicateKey, sourceLocation: sourceLocation)
        return found[0]?.byteOffset
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, 7), (#"{"a":1,"\u0061":2}"#, 7), (#"{"\u0061":1,"a":2}"#, 12),
        (#"{"\u0061":1,"\u0061":2}"#, 12), (#"{"":1,"":2}"#, 6), (#"{"\"":1,"\u0022":2}"#, 8),
        (#"{"\/":1,"/":2}"#, 8), (#"{"😀":1,"\ud83d\ude00":2}"#, 10), (#"[0,{"a":1,"b":2,"a":3}]"#, 16),
        (#"{"a":{"b":1,"b":2}}"#, 12), (#"{"a":[{"b":{"c":1,"c":2}}]}"#, 18),
        // The first one in the document, whichever object it is of.
        (#"{"a":{"b":1,"b":2},"a":3}"#, 12), (#"{"a":1,"a":{"b":1,"b":2}}"#, 7),
        (#"{"x":[{"a":1},{"a":1,"a":1}],"x":1}"#, 21), (#"{"a":1,"b":2,"b":3,"a":4}"#, 13),
        (" {\n \"long enough to be compared\" : 1 ,\n \"long enough to be compared\" : 2 } ", 40),
    ])
    func aRepeatedKeyIsRejectedAnywhere(_ document: String, _ offset: Int) {
        #expect(repeatedKey(Data(document.utf8)) == offset)
    }

    @Test(arguments: [
        "{}", "[]", "1", #"{"a":1}"#, #"{"a":1,"b":2}"#, #"[{"a":1},{"a":1}]"#, #"{"a":{"a":{"a":1}}}"#,
        #"{"a":"a","b":"a"}"#, #"{"A":1,"a":2}"#, #"{"a":1,"a\u0000":2}"#, #"{"a":1,"\\u0061":2}"#,
        // One character, and a letter with a mark: Swift calls these strings equal.
        "{\"\u{E9}\":1,\"e\u{301}\":2}", #"{"a_b":1,"aB":2}"#,
    ])
    func otherKeysAreTaken(_ document: String) {
        #expect(repeatedKey(Data(document.utf8)) == nil)
    }

    @Test func keysAreComparedBeforeTheyAreConverted() throws {
        var decoder = Self.decoder
        decoder.keyDecodingStrategy = .custom { _ in "a" }
        #expect(try decoder.decode([String: Int].self, from: Data(#"{"b":1,"c":2}"#.utf8)).count == 2)
    }

    @Test func theLastOfRepeatedKeysWinsByDefault() throws {
        let document = Data(#"{"a":1,"\u0061":2}"#.utf8)
        #expect(try HikyakuJSONDecoder().decode([String: Int].self, from: document) == ["a": 2])
        #expect(try HikyakuJSONDecoder().read([String: Int].self, from: document) == ["a": 2])
    }

    @Test(arguments: [(#"{"a":1,"a":2"#, "truncated"), (#"{"a":1,"a":2} 3"#, "malformed"), ("", "empty")])
    func invalidJSONIsRejectedAsInvalid(_ document: String, _ kind: String) {
        let found = diagnosis { _ = try Self.decoder.decode(JSONAny.self, from: Data(document.utf8)) }
        #expect(found?.kind.rawValue == kind)
    }

    @Test func theDiagnosisNamesTheKey() {
        let document = #"{"items":[{"id":1,"na\u006De":"x","name":"y"}]}"#
        let found = diagnosis { _ = try Self.decoder.decode(JSONAny.self, from: Data(document.utf8)) }
        #expect(found?.pointer == "/items/0/name")
        #expect(found?.expected == "each key only once")
        #expect(found?.found == #"the key "name" a second time"#)
    }

    @Test(arguments: [23, 24, 25, 26, 100, 3000])
    func largeObjectsAreLookedThrough(_ count: Int) {
        let members = (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        #expect(repeatedKey(Data("{\(members)}".utf8)) == nil)
        for key in ["k0", #"\u006b0"#, "k\(count - 1)", #"\u006B\u0030"#] {
            #expect(repeatedKey(Data("{\(members),\"\(key)\":0}".utf8)) == members.utf8.count + 2, "\(key)")
        }
        let escaped = members.replacing("k", with: #"\u006b"#)
        #expect(repeatedKey(Data("{\(escaped),\"k0\":0}".utf8)) == escaped.utf8.count + 2)
        #expect(repeatedKey(Data("{\(escaped)}".utf8)) == nil)
    }

    @Test func anyDocumentsFirstRepeatedKeyIsFound() {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        var refused = 0
        for number in 0..<Effort.rounds(1000) {
            var document = KeyedDocument()
            document.write(depth: 0, &generator)
            #expect(repeatedKey(document.bytes) == document.repeatedKey, "seed \(seed), document \(number)")
            if document.repeatedKey != nil { refused += 1 }
        }
        #expect(refused > Effort.rounds(100) && refused < Effort.rounds(1000), "seed \(seed)")
    }
}

/// A document of objects in each other that knows which of its keys is the first to come again.
private struct KeyedDocument {
    private(set) var bytes = Data()
    private(set) var repeatedKey: Int?

    mutating func write(depth: Int, _ generator: inout SeededGenerator) {
        switch depth < 4 ? Int.random(in: 0..<4, using: &generator) : 3 {
        case 0, 1: object(depth: depth, &generator)
        case 2: array(depth: depth, &generator)
        default: bytes += Data(["1", "\"a\"", "null"].randomElement(using: &generator).map(\.utf8) ?? "0".utf8)
        }
    }

    private mutating func array(depth: Int, _ generator: inout SeededGenerator) {
        bytes += Data("[".utf8)
        for index in 0..<Int.random(in: 0..<4, using: &generator) {
            if index > 0 { bytes += Data(",".utf8) }
            write(depth: depth + 1, &generator)
        }
        bytes += Data("]".utf8)
    }

    private mutating func object(depth: Int, _ generator: inout SeededGenerator) {
        var seen: Set<[UInt8]> = []
        let isLarge = Int.random(in: 0..<10, using: &generator) == 0
        bytes += Data("{".utf8)
        for index in 0..<Int.random(in: 0..<(isLarge ? 40 : 6), using: &generator) {
            if index > 0 { bytes += Data(", ".utf8) }
            let name =
                (0..<Int.random(in: 0..<3, using: &generator)).map { _ in Character("a") }
                + "\(Int.random(in: 0..<(isLarge ? 400 : 12), using: &generator))"
            if !seen.insert(Array(String(name).utf8)).inserted { repeatedKey = min(repeatedKey ?? .max, bytes.count) }
            let written = name.map { character -> String in
                guard Int.random(in: 0..<8, using: &generator) == 0 else { return String(character) }
                return #"\u00"# + String(character.asciiValue ?? 0, radix: 16)
            }
            bytes += Data("\"\(written.joined())\":".utf8)
            write(depth: depth + (isLarge ? 3 : 1), &generator)
        }
        bytes += Data("}".utf8)
    }
}
