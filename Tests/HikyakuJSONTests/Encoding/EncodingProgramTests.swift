import Foundation
import HikyakuJSON
import TestSupport
import Testing

/// Calls of containers in any order, compared with Foundation's encoder, byte for byte.
@Suite struct EncodingProgramTests {
    @Test(arguments: [JSONEncoder.OutputFormatting.sortedKeys, [.sortedKeys, .prettyPrinted]])
    func anyOrderOfCallsIsEncodedTwiceAtMostAndAsFoundationDoes(format: JSONEncoder.OutputFormatting) throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for number in 0..<Effort.rounds(2000) {
            let program = EncodingProgram(depth: 4, random: &random)
            let theirs = try foundation(program) { $0.outputFormatting = format }
            program.prepare(throwsToo: true)
            let ours = try encoded(program) { encoder in
                encoder.outputFormatting =
                    format.contains(.prettyPrinted) ? [.sortedKeys, .prettyPrinted] : .sortedKeys
            }
            let runs = program.runsMax
            guard ours == theirs, runs <= 2 else {
                Issue.record("seed \(seed), value \(number): \(ours) instead of \(theirs), in \(runs) runs")
                return
            }
            // In the order of the calls, it is the same value.
            let unsorted = try HikyakuJSONDecoder().read(JSONValue.self, from: Data(encoded(program).utf8))
            let again = try encoded(unsorted) { $0.outputFormatting = .sortedKeys }
            guard try again == sorted(program) else {
                Issue.record("seed \(seed), value \(number): unsorted, it is \(again)")
                return
            }
        }
    }
}
