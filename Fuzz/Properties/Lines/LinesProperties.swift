import Foundation
@_spi(Benchmarks) import HikyakuJSON

/// Splits a stream into lines, in pieces as the input chooses, at once, and by a model.
func checkLines(_ input: FuzzInput) {
    let splitter = JSONLineSplitter(
        lineBytesMax: input.choices[0] & 0x80 != 0 ? 1 << 20 : Int(input.choices[0]),
        allowsByteOrderMark: input.choices[1] & 1 != 0,
    )
    let whole = results([input.document], splitter)
    let split = results(input.pieces(), splitter, drainsEvery: Int(input.choices[1] >> 6) + 1)
    check(whole == split, "split elsewhere, it is another stream: \(whole) and \(split)")
    let model = modelled(input.document, max: input.choices[0] & 0x80 != 0 ? 1 << 20 : Int(input.choices[0]))
    let lines = whole.compactMap { if case .line(let line) = $0 { line } else { nil } }
    check(lines.allSatisfy { model[$0.number] != nil }, "a line that isn't in the stream: \(lines)")
    for (number, expected) in model where number > 1 {
        check(lines.first { $0.number == number }?.bytes == expected, "line \(number) is missing or another")
    }
    decode(lines, input)
}

/// What a splitter gives.
private enum Split: Equatable {
    case line(JSONLineSplitter.Line)
    case error(JSONLineError.Reason, line: Int, byteOffset: Int)
}

private func results(_ pieces: [Data], _ start: JSONLineSplitter, drainsEvery: Int = 1) -> [Split] {
    var splitter = start
    var results: [Split] = []
    func drain(_ step: (inout JSONLineSplitter) throws(JSONLineError) -> JSONLineSplitter.Line?) {
        while true {
            do throws(JSONLineError) {
                guard let line = try step(&splitter) else { return }
                results.append(.line(line))
            } catch {
                results.append(.error(error.reason, line: error.line, byteOffset: error.byteOffset))
                check(!error.description.isEmpty, "an error has no text")
            }
        }
    }
    for (number, piece) in pieces.enumerated() {
        splitter.feed(piece)
        if number % drainsEvery == 0 { drain { splitter throws(JSONLineError) in try splitter.next() } }
    }
    drain { splitter throws(JSONLineError) in try splitter.finish() }
    return results
}

/// The lines that must come, by their numbers: those that aren't too long and have something.
///
/// Of the first one, which may begin with a mark, no more is known than that.
private func modelled(_ stream: Data, max: Int) -> [Int: Data] {
    var lines: [Int: Data] = [:]
    for (index, part) in stream.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
        guard part.count <= max else { continue }
        var line = Data(part)
        if line.last == 0x0D { line.removeLast() }
        if line.contains(where: { $0 != 0x20 && $0 != 0x09 }) || index == 0 { lines[index + 1] = line }
    }
    return lines
}

private func decode(_ lines: [JSONLineSplitter.Line], _ input: FuzzInput) {
    for line in lines {
        check(line.bytes.startIndex == 0 && !line.bytes.contains(0x0A), "a line is part of another")
        check(input.document.dropFirst(line.byteOffset).starts(with: line.bytes), "a line is elsewhere")
        let outcome = Outcome { try HikyakuJSONDecoder().decode(Anything.self, from: line.bytes) }
        check((outcome.value != nil) == isJSON(line.bytes), "a line is read otherwise")
    }
}
