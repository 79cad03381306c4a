import Foundation
import HikyakuJSON

/// Splits a JSON text sequence into records, in pieces as the input chooses, and at once.
func checkSequence(_ input: FuzzInput) {
    let limit = input.choices[0] & 0x80 != 0 ? 1 << 20 : Int(input.choices[0])
    let whole = results([input.document], limit)
    let split = results(input.pieces(), limit)
    check(whole == split, "split elsewhere, it is another sequence: \(whole) and \(split)")
    for case .record(let record) in whole {
        check(record.bytes.count <= limit, "a record is larger than the limit")
        check(!record.bytes.contains(0x1E), "a record has a separator inside")
        check(input.document.dropFirst(record.byteOffset).starts(with: record.bytes), "a record is elsewhere")
    }
    let numbers = whole.compactMap { if case .record(let record) = $0 { record.number } else { nil } }
    check(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "the numbers don't grow: \(numbers)")
}

/// What a splitter gives.
private enum Split: Equatable {
    case record(JSONLineSplitter.Line)
    case error(JSONLineError.Reason, record: Int, byteOffset: Int)
}

private func results(_ pieces: [Data], _ limit: Int) -> [Split] {
    var splitter = JSONSequenceSplitter(recordBytesMax: limit)
    var results: [Split] = []
    func drain(_ step: (inout JSONSequenceSplitter) throws(JSONLineError) -> JSONLineSplitter.Line?) {
        while true {
            do throws(JSONLineError) {
                guard let record = try step(&splitter) else { return }
                results.append(.record(record))
            } catch {
                results.append(.error(error.reason, record: error.line, byteOffset: error.byteOffset))
                check(!error.description.isEmpty, "an error has no text")
            }
        }
    }
    for piece in pieces {
        splitter.feed(piece)
        drain { splitter throws(JSONLineError) in try splitter.next() }
    }
    drain { splitter throws(JSONLineError) in try splitter.finish() }
    return results
}
