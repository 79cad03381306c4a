import Foundation
import Hikyaku

/// Parses an event stream in pieces as the input chooses, at once, and by a model.
func checkEvents(_ input: FuzzInput) {
    let isLimited = input.choices[0] & 0x80 != 0
    let limit = isLimited ? Int(input.choices[0] & 0x7F) : 1 << 20
    let parser = EventStreamParser(lineBytesMax: limit, eventBytesMax: limit / 2 + 1, idBytesMax: limit / 4)
    let whole = Parsed(of: [input.document], parser)
    let split = Parsed(of: input.pieces(), parser)
    check(whole == split, "split elsewhere, it is another stream: \(whole) and \(split)")
    for event in whole.events {
        check(event.data.utf8.count <= 3 * (limit / 2 + 1), "an event is larger than the limit")
        check(event.id.utf8.count <= 3 * (limit / 4), "an id is larger than the limit")
        check(!event.id.utf8.contains(0), "an id has a NUL")
        check(!event.name.isEmpty && !event.name.utf8.contains(0x0A), "a name is not a line")
    }
    if !isLimited {
        check(!whole.hasFailed, "it failed without a limit")
        check(whole.events == modelled(input.document), "the model reads \(modelled(input.document))")
    }
}

/// What a parser gives for a stream.
private struct Parsed: Equatable {
    var events: [ServerSentEvent] = []
    var hasFailed = false
    var lastEventID = ""
    var retry: Duration?

    init(of pieces: [Data], _ start: EventStreamParser) {
        var parser = start
        do throws(TransportError) {
            for piece in pieces {
                parser.feed(piece)
                while let event = try parser.next() { events.append(event) }
            }
        } catch {
            check(error.reason == .eventTooLarge, "another error: \(error)")
            hasFailed = true
        }
        (lastEventID, retry) = (parser.lastEventID, parser.retry)
    }
}

/// The rules once more, for a whole stream: line by line, without regard to time and memory.
private func modelled(_ stream: Data) -> [ServerSentEvent] {
    var bytes = Array(stream)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    var lines: [[UInt8]] = [[]]
    for (index, byte) in bytes.enumerated() {
        if byte == 0x0A, index > 0, bytes[index - 1] == 0x0D { continue }
        if byte == 0x0A || byte == 0x0D { lines.append([]) } else { lines[lines.count - 1].append(byte) }
    }
    lines.removeLast()
    var events: [ServerSentEvent] = []
    var (data, name, id, retry): ([UInt8]?, String, String, Duration?) = (nil, "", "", nil)
    for line in lines {
        guard !line.isEmpty else {
            if let data {
                let text = String(decoding: data, as: UTF8.self)
                events.append(ServerSentEvent(name: name.isEmpty ? "message" : name, data: text, id: id, retry: retry))
            }
            (data, name, retry) = (nil, "", nil)
            continue
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var value = Array(line[(colon.map { $0 + 1 } ?? line.count)...])
        if value.first == 0x20 { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch Array(line[..<(colon ?? line.count)]) {
        case Array("data".utf8): data = data.map { $0 + [0x0A] + value } ?? value
        case Array("event".utf8): name = text
        case Array("id".utf8) where !value.contains(0): id = text
        case Array("retry".utf8) where !value.isEmpty && value.allSatisfy { 0x30...0x39 ~= $0 }:
            retry = min(.milliseconds(Int64(text) ?? .max), .seconds(100 * 365 * 86_400))
        default: break
        }
    }
    return events
}
