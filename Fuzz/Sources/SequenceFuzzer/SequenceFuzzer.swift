import Foundation
import FuzzSupport
import HikyakuJSON

/// Splits a JSON text sequence into records, in pieces as the input chooses, and at once.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput(start, count)
    let limit = input.choices[0] & 0x80 != 0 ? 1 << 20 : Int(input.choices[0])
    let whole = results([input.document], limit)
    let split = results(pieces(of: input.document, input), limit)
    check(whole == split, "split elsewhere, it is another sequence: \(whole) and \(split)")
    for case .record(let record) in whole {
        check(record.bytes.count <= limit, "a record is larger than the limit")
        check(!record.bytes.contains(0x1E), "a record has a separator inside")
        check(input.document.dropFirst(record.byteOffset).starts(with: record.bytes), "a record is elsewhere")
    }
    let numbers = whole.compactMap { if case .record(let record) = $0 { record.number } else { nil } }
    check(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }, "the numbers don't grow: \(numbers)")
    return 0
}

/// What a splitter gives.
private enum Result: Equatable {
    case record(JSONLineSplitter.Line)
    case error(JSONLineError.Reason, record: Int, byteOffset: Int)
}

private func pieces(of stream: Data, _ input: FuzzInput) -> [Data] {
    var rest = stream
    var pieces: [Data] = []
    while !rest.isEmpty {
        let size = Int(input.choices[2 + pieces.count % 2]) % 40
        // Empty pieces are fed too; one of the two sizes may be 0, and not both for ever.
        let length = pieces.count % 4 == 3 ? max(1, size) : size
        pieces.append(rest.prefix(length))
        rest = rest.dropFirst(length)
    }
    return pieces
}

private func results(_ pieces: [Data], _ limit: Int) -> [Result] {
    var splitter = JSONSequenceSplitter(recordBytesMax: limit)
    var results: [Result] = []
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
