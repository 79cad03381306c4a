import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// Where errors say that they happened, also after others that were passed over.
@Suite struct WritingPathTests {
    /// A pass over the document for each would take minutes.
    @Test(arguments: [[], HikyakuJSONEncoder.OutputFormatting.sortedKeys])
    func errorsThatArePassedOverDoNotCostTheDocumentEach(format: HikyakuJSONEncoder.OutputFormatting) throws {
        struct Score: JSONWritable {
            func write(to writer: inout JSONWriter) throws {
                try writer.writeObject { writer in
                    try writer.writeMember("id", 1)
                    try? writer.writeMember("score", Double.nan)
                    try? writer.writeMember("date") { try $0.encode([Double.infinity]) }
                }
            }
        }
        let text = try written(Array(repeating: Score(), count: 20_000)) { $0.outputFormatting = format }
        #expect(text == "[" + Array(repeating: #"{"id":1}"#, count: 20_000).joined(separator: ",") + "]")
    }

    @Test(arguments: [
        [], HikyakuJSONEncoder.OutputFormatting.sortedKeys, .prettyPrinted, [.sortedKeys, .prettyPrinted],
    ])
    func eachErrorHasItsPath(format: HikyakuJSONEncoder.OutputFormatting) throws {
        let first = testSeed()
        for number in 0..<200 as Range<UInt64> {
            let seed = first &+ number
            let walk = RandomWriting(seed: seed)
            var encoder = HikyakuJSONEncoder()
            encoder.outputFormatting = format
            _ = try? encoder.write(walk)
            #expect(walk.differences == [], "seed \(first), number \(number)")
            // Inside of a Codable parent too.
            let child = RandomWriting(seed: seed, around: ["a", "0"])
            _ = try? encoder.encode(["a": [child]])
            #expect(child.differences == [], "seed \(first), number \(number)")
        }
    }
}

/// Writes arrays, objects and values at random, some of which fail, and looks at the errors' paths.
private final class RandomWriting: JSONWritable, Encodable {
    struct Stop: Error {}

    private(set) var differences: [String] = []
    private var random: SeededGenerator
    private let around: [String]

    init(seed: UInt64, around: [String] = []) {
        random = SeededGenerator(seed: seed)
        self.around = around
    }

    func encode(to encoder: any Encoder) throws {}

    func write(to writer: inout JSONWriter) throws {
        try writer.writeArray { writer in try writeElements(&writer, around) }
    }

    private func writeElements(_ writer: inout JSONWriter, _ path: [String]) throws {
        var count = 0
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            do {
                try writeValue(&writer, path + ["\(count)"])
                count += 1
            } catch is Stop {}
        }
        if Int.random(in: 0..<5, using: &random) == 0, path.count > around.count { throw Stop() }
    }

    private func writeMembers(_ writer: inout JSONWriter, _ path: [String]) throws {
        for number in (0..<Int.random(in: 0..<6, using: &random)).reversed() {
            let key = "\"k\(number)\\"
            do {
                try writer.writeMember(key) { writer in try writeValue(&writer, path + [key]) }
            } catch is Stop {}
        }
        if Int.random(in: 0..<5, using: &random) == 0 { throw Stop() }
    }

    private func writeValue(_ writer: inout JSONWriter, _ path: [String]) throws {
        switch Int.random(in: path.count - around.count > 6 ? 2..<7 : 0..<7, using: &random) {
        case 0: try writer.writeArray { writer in try writeElements(&writer, path) }
        case 1: try writer.writeObject { writer in try writeMembers(&writer, path) }
        case 2: try writer.write("],\"{\\")
        case 3: throw Stop()
        case 4:
            check(path) { try writer.write(Double.nan) }
            try writer.write(1)
        case 5:
            check(path + ["x", "1"]) { try writer.encode(["x": [1, Double.nan]]) }
            try writer.encode(["x": [1]])
        default: try writer.write([["a": "b"], [:]])
        }
    }

    private func check(_ expected: [String], _ work: () throws -> Void) {
        do {
            try work()
            differences.append("no error at \(expected)")
        } catch {
            let found = path(of: error)
            if found != expected.joined(separator: ".") { differences.append("\(found ?? "\(error)") for \(expected)") }
        }
    }
}
