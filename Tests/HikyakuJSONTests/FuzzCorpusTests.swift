import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// The inputs that the fuzzers keep, so that the sanitizers see them too: libFuzzer's instrumentation and theirs don't
/// go together.
@Suite struct FuzzCorpusTests {
    @Test(arguments: ["decoder", "reader", "lines", "diagnosis", "encoder"])
    func keptInputsAreReadWhereTheyAreJSONAndExplainedElsewhere(target: String) throws {
        let inputs = try FuzzCorpus.inputs(of: target)
        #expect(inputs.count >= 10)
        for input in inputs {
            let syntax = JSONSyntaxError.in(input.document)
            do {
                let value = try HikyakuJSONDecoder().decode(JSONValue.self, from: input.document)
                #expect(syntax == nil, "\(input.name)")
                let written = try HikyakuJSONEncoder().encode(value)
                #expect(try HikyakuJSONDecoder().decode(JSONValue.self, from: written) == value, "\(input.name)")
            } catch let diagnosis as DecodingDiagnosis {
                #expect(syntax.map { DecodingDiagnosis($0, body: input.document) } == diagnosis, "\(input.name)")
            }
        }
    }

    @Test(arguments: ["decoder", "reader", "lines", "diagnosis", "encoder"])
    func keptInputsHaveTheSameLinesInPieces(target: String) throws {
        for input in try FuzzCorpus.inputs(of: target) {
            let whole = try Self.lines([input.document])
            let pieces = input.document.map { Data([$0]) }
            #expect(try Self.lines(pieces) == whole, "\(input.name)")
        }
    }

    private static func lines(_ pieces: [Data]) throws -> [JSONLineSplitter.Line] {
        var splitter = JSONLineSplitter(allowsByteOrderMark: true)
        var lines: [JSONLineSplitter.Line] = []
        for piece in pieces {
            splitter.feed(piece)
            while let line = try splitter.next() { lines.append(line) }
        }
        while let line = try splitter.finish() { lines.append(line) }
        return lines
    }

    @Test func keptSequencesHaveTheSameRecordsInPieces() throws {
        let inputs = try FuzzCorpus.inputs(of: "sequence")
        #expect(inputs.count >= 10)
        for input in inputs {
            let whole = Self.records([input.document])
            #expect(Self.records(input.document.map { Data([$0]) }) == whole, "\(input.name)")
        }
    }

    /// The records and the errors, in their order.
    private static func records(_ pieces: [Data]) -> [String] {
        var splitter = JSONSequenceSplitter(recordBytesMax: 64)
        var records: [String] = []
        for (index, piece) in (pieces + [Data()]).enumerated() {
            splitter.feed(piece)
            while true {
                do throws(JSONLineError) {
                    let record = index == pieces.count ? try splitter.finish() : try splitter.next()
                    guard let record else { break }
                    records.append("\(record)")
                } catch {
                    records.append("\(error)")
                }
            }
        }
        return records
    }
}
