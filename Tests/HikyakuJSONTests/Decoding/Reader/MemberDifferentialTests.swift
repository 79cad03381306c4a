import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// The form with `member` reads what the form with a closure reads.
@Suite struct MemberDifferentialTests {
    /// Reads itself by a closure.
    private final class Called: JSONReadable {
        let id: Int
        let name: String?
        let next: Called?
        let list: [Called]?
        let flags: [String: Bool]?
        let score: Double

        init(from reader: inout JSONReader) throws {
            var id: Int?, name: String?, next: Called?, list: [Called]?, flags: [String: Bool]?, score: Double?
            try reader.readObject { key, reader in
                switch key {
                case "id": id = try reader.read(Int.self)
                case "name": name = try reader.read(String?.self)
                case "next": next = try reader.read(Called?.self)
                case "list": list = try reader.read([Called]?.self)
                case "flags": flags = try reader.read([String: Bool]?.self)
                case "score": score = try reader.read(Double.self)
                default: break
                }
            }
            guard let id, let score else {
                throw DecodingError.keyNotFound(JSONCodingKey(id == nil ? "id" : "score"), .init("missing", at: 0))
            }
            (self.id, self.name, self.next, self.list, self.flags, self.score) = (id, name, next, list, flags, score)
        }

        var text: String {
            let list = list.map { "[\($0.map(\.text).joined(separator: ","))]" } ?? "-"
            let flags = flags.map { "\($0.sorted { $0.key < $1.key })" } ?? "-"
            return "(\(id) \(name ?? "-") \(next?.text ?? "-") \(list) \(flags) \(score))"
        }
    }

    /// Reads its members by name.
    private final class Named: JSONReadable {
        let id: Int
        let name: String?
        let next: Named?
        let list: [Named]?
        let flags: [String: Bool]?
        let score: Double

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            name = try reader.member("name")
            next = try reader.member("next")
            list = try reader.member("list")
            flags = try reader.member("flags")
            score = try reader.member("score")
            try reader.endObject()
        }

        var text: String {
            let list = list.map { "[\($0.map(\.text).joined(separator: ","))]" } ?? "-"
            let flags = flags.map { "\($0.sorted { $0.key < $1.key })" } ?? "-"
            return "(\(id) \(name ?? "-") \(next?.text ?? "-") \(list) \(flags) \(score))"
        }
    }

    private struct Documents {
        var random: SeededGenerator
        var isRepeated = false

        private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        private mutating func space() -> String { chance(10) ? random.pick([" ", "\n", "\t \r"]) : "" }

        private mutating func key(_ key: String) -> String {
            guard chance(5), let first = key.unicodeScalars.first, first.isASCII else { return "\"\(key)\"" }
            return "\"\\u00" + String(first.value, radix: 16) + key.dropFirst() + "\""
        }

        private mutating func value(_ key: String, depth: Int) -> String {
            if chance(2) { return random.pick(["null", "1.5", "\"x\"", "{}", "[]", "true", "nul", "-"]) }
            switch key {
            case "id": return "\(Int.random(in: -9...99999, using: &random))"
            case "name": return random.pick(["null", "\"a\"", "\"\\u00e4 long text of more than one word\"", "\"\""])
            case "next": return depth > 0 ? object(depth: depth - 1) : "null"
            case "list":
                let count = depth > 0 ? Int.random(in: 0...3, using: &random) : 0
                return "[" + (0..<count).map { _ in object(depth: depth - 1) }.joined(separator: ",") + "]"
            case "flags": return random.pick(["{}", "null", #"{"a":true,"b":false}"#, #"{"a":true,"a":false}"#])
            case "score": return random.pick(["1", "0.25", "-3e2"])
            default: return random.pick(["{\"id\":[1,{}]}", "[[],\"]\"]", "12", "\"id\""])
            }
        }

        mutating func object(depth: Int) -> String {
            var keys = ["id", "name", "next", "list", "flags", "score"]
            if !chance(60) { keys.shuffle(using: &random) }
            keys.removeAll { $0 != "id" && $0 != "score" && chance(30) }
            if chance(2), !keys.isEmpty { keys.removeFirst() }
            if chance(30) {
                keys.insert(random.pick(["x", "ids", "", "nam"]), at: Int.random(in: 0...keys.count, using: &random))
            }
            if chance(4), let key = keys.first {
                keys.append(key)
                isRepeated = true
            }
            let members = keys.map { name in
                let parts = [space(), key(name), space(), ":", space(), value(name, depth: depth), space()]
                return parts.joined()
            }
            return "{" + members.joined(separator: ",") + space() + "}"
        }
    }

    @Test func bothFormsReadTheSame() {
        let seed = testSeed()
        var documents = Documents(random: SeededGenerator(seed: seed))
        let decoder = HikyakuJSONDecoder()
        var values = 0
        for number in 0..<Effort.rounds(4000) {
            documents.isRepeated = false
            var document = documents.object(depth: number % 5)
            if number % 7 == 0 { document.removeLast(min(document.count, 1 + number % 5)) }
            let called = decoder.reading(Called.self, document).map(\.text)
            let named = decoder.reading(Named.self, document).map(\.text)
            if let value = called.value {
                #expect(named == .value(value), "seed \(seed): \(document)")
                values += 1
            } else if !documents.isRepeated {
                #expect(named.error != nil, "seed \(seed): \(document)")
            }
            let list = decoder.reading([Named].self, "[\(document),\(document)]").map { $0.map(\.text) }
            #expect(list.value == named.value.map { [$0, $0] }, "seed \(seed): \(document)")
        }
        #expect(values > Effort.rounds(1000))
    }

    @Test func onlyOneErrorOfSeveralMayDiffer() {
        let seed = testSeed()
        var documents = Documents(random: SeededGenerator(seed: seed))
        let decoder = HikyakuJSONDecoder()
        for _ in 0..<500 {
            documents.isRepeated = false
            let document = documents.object(depth: 2).replacing(#""score""#, with: #""scor""#)
            let called = decoder.reading(Called.self, document)
            // Of repeated members, the form by names reads the last, whatever is wrong with the others.
            guard called.error?.hasPrefix("keyNotFound") == true, !documents.isRepeated else { continue }
            #expect(decoder.reading(Named.self, document).error != nil, "seed \(seed): \(document)")
        }
    }
}
