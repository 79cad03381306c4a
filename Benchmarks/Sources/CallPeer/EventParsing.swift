import Foundation
import Hikyaku

/// Parses an event stream of about one mebibyte from memory, again and again.
///
/// - Parameters:
///   - dataBytes: The size of each event's data.
///   - isInPieces: Whether the stream comes in pieces of 16 KiB, which cut events.
///   - rounds: How often.
/// - Returns: The number of events.
/// - Throws: `TransportError` of the parser, and `POSIXError` if bytes are missing.
func parse(_ dataBytes: Int, isInPieces: Bool, rounds: Int) throws -> Int {
    let stream = eventStream(dataBytes: dataBytes)
    let size = isInPieces ? 16_384 : stream.count
    let pieces = stride(from: 0, to: stream.count, by: size).map { Data(stream[$0..<min($0 + size, stream.count)]) }
    var (count, bytes) = (0, 0)
    for _ in 0..<rounds {
        var parser = EventStreamParser()
        for piece in pieces {
            parser.feed(piece)
            while let event = try parser.next() {
                count += 1
                bytes += event.data.utf8.count
            }
        }
    }
    guard bytes == count * dataBytes else { throw POSIXError(.EIO) }
    return count
}

/// A stream of about one mebibyte of events with ids.
func eventStream(dataBytes: Int) -> Data {
    let value = Data(String(repeating: #"{"text": "deltas"} "#, count: dataBytes / 19 + 1).utf8).prefix(dataBytes)
    var stream = Data()
    var number = 0
    while stream.count < 1 << 20 {
        number += 1
        stream += Data("id: \(number)\ndata: ".utf8) + value + Data("\n\n".utf8)
    }
    return stream
}
