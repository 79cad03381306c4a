#if os(Linux)
import Foundation
import HikyakuCompression
import HikyakuHTTP
import TestSupport
import Testing

/// Undoes codings of pieces, and holds every piece that comes out to its bound.
func decode(_ pieces: [Data], _ codings: [ContentCoding], ratioMax: Int = 200) throws -> Data {
    let decoder = try ContentDecoder(codings, ratioMax: ratioMax)
    var decoded = Data()
    func drain() throws {
        while let piece = try decoder.next() {
            #expect(!piece.isEmpty && piece.count <= ContentDecoder.pieceBytesMax)
            decoded.append(piece)
        }
    }
    for piece in pieces {
        decoder.feed(piece)
        try drain()
    }
    decoder.end()
    try drain()
    return decoded
}

/// Why the codings can't be undone.
func reason(
    _ pieces: [Data],
    _ codings: [ContentCoding],
    sourceLocation: SourceLocation = #_sourceLocation,
) throws -> FailureReason {
    try #require(throws: TransportError.self, sourceLocation: sourceLocation) { try decode(pieces, codings) }.reason
}

/// Text with the entropy of a JSON document.
func sampleText(bytes: Int) -> Data {
    var random = SeededGenerator(seed: 7)
    var text = Data()
    while text.count < bytes {
        let id = Int.random(in: 0..<1_000_000, using: &random)
        let score = Double.random(in: 0..<1, using: &random)
        text.append(contentsOf: "{\"id\":\(id),\"name\":\"dish \(id % 97)\",\"score\":\(score)},\n".utf8)
    }
    return text.prefix(bytes)
}

func randomBytes(_ count: Int, seed: UInt64) -> Data {
    var random = SeededGenerator(seed: seed)
    let words = (0..<(count / 8 + 1)).map { _ in random.next() }
    return words.withUnsafeBytes { Data($0.prefix(count)) }
}

/// The same bytes again and again; many times as quick as by a joined sequence.
func repeated(_ bytes: Data, _ count: Int) -> Data {
    var all = Data(capacity: bytes.count * count)
    for _ in 0..<count { all.append(bytes) }
    return all
}
#endif
