#if os(Linux)
import Foundation

@testable import HikyakuCompression
@testable import HikyakuHTTP

/// Undoes content codings, one to three of them, at once and in pieces, and those that were just applied.
func checkCodings(_ input: FuzzInput) {
    let count = 1 + input.choice(0, of: 3)
    let codings = (0..<count).map {
        ContentCoding.allCases[(Int(input.choices[0] >> 2) + $0 * Int(input.choices[1])) % 4]
    }
    let ratioMax = 1 + Int(input.choices[1] >> 4) * 20
    let whole = Decoded([input.document], codings, ratioMax)
    let pieces = Decoded(input.pieces(), codings, ratioMax)
    check(whole.agrees(with: pieces), "cut elsewhere, \(codings) give \(pieces.summary), and not \(whole.summary)")
    if whole.reason == nil {
        let bytesMax = max(ContentDecoder.ratioFreeBytes, ratioMax * input.document.count)
        check(whole.bytes.count <= bytesMax, "\(input.document.count) bytes became \(whole.bytes.count)")
    }
    comesBack(input)
}

/// What the codings leave of a body.
private struct Decoded {
    private(set) var bytes = Data()
    private(set) var reason: FailureReason?

    var summary: String { "\(bytes.count) bytes, \(reason.map { "\($0)" } ?? "whole")" }

    init(_ pieces: [Data], _ codings: [ContentCoding], _ ratioMax: Int) {
        do throws(TransportError) {
            let decoder = try ContentDecoder(codings, ratioMax: ratioMax)
            for piece in pieces {
                decoder.feed(piece)
                try drain(decoder)
            }
            decoder.end()
            try drain(decoder)
            check(try decoder.next() == nil, "something follows the end")
        } catch {
            reason = error.reason
            let reasons: [FailureReason] = [.malformedContentCoding, .truncatedResponse, .compressionRatio]
            check(reasons.contains(error.reason), "\(error)")
            check(error.message.utf8.count < 300, "\(error)")
        }
    }

    private mutating func drain(_ decoder: ContentDecoder) throws(TransportError) {
        while let piece = try decoder.next() {
            check(1...ContentDecoder.pieceBytesMax ~= piece.count, "a piece of \(piece.count) bytes")
            bytes += piece
            // The ratio is checked with each piece.
            guard bytes.count <= 40 << 20 else { return violation("a body grows without end") }
        }
    }

    /// Whether they are equal; of a body that can't be decoded, one may have got further than the other, and what
    /// came of it before the ratio was exceeded depends on the pieces.
    func agrees(with other: Decoded) -> Bool {
        if reason == nil && other.reason == nil { return bytes == other.bytes }
        let isRatio = reason == .compressionRatio || other.reason == .compressionRatio
        return isRatio || (reason != nil && other.reason != nil)
    }
}

/// What was encoded is decoded as the same.
private func comesBack(_ input: FuzzInput) {
    let formats: [(ContentEncoder.Format, ContentCoding)] = [(.gzip, .gzip), (.zstd, .zstd)]
    let (format, coding) = formats[Int(input.choices[2]) % 2]
    do throws(TransportError) {
        let encoder = try ContentEncoder(format)
        var coded = Data()
        for piece in input.pieces() { coded += try encoder.encode(piece) }
        coded += try encoder.finish()
        let decoded = Decoded([coded], [coding], 10_000)
        check(decoded.reason == nil && decoded.bytes == input.document, "\(coding) comes back as \(decoded.summary)")
        // A part of it is not a body.
        let cut = Decoded([coded.dropLast()], [coding], 10_000)
        check(cut.reason != nil, "a body that was cut off is whole")
    } catch {
        violation("\(coding) can't be encoded: \(error)")
    }
}
#endif
