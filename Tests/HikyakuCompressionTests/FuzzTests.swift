#if os(Linux)
import Foundation
import HikyakuCompression
import HikyakuHTTP
import TestSupport
import Testing

/// Bodies changed at random: none stops the process, hangs, or gives more than the bounds allow.
@Suite struct FuzzTests {
    private static let stacks: [[ContentCoding]] =
        ContentCoding.allCases.map { [$0] } + [[.gzip, .gzip], [.brotli, .gzip], [.zstd, .deflate, .brotli]]

    @Test(arguments: stacks, [1, 2, 3] as [UInt64])
    func changedBodiesEndWithinBounds(codings: [ContentCoding], seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let plain = sampleText(bytes: 2_000)
        let coded = try codings.reduce(plain) { try Encoders.encode($0, $1) }
        for round in 0..<300 {
            let changed = Bool.random(using: &random) ? change(coded, &random) : noise(&random)
            let decoder = try ContentDecoder(codings, ratioMax: 200)
            let bytes = drain(decoder, pieces(changed, &random))
            let most = ContentDecoder.ratioFreeBytes + ContentDecoder.pieceBytesMax + 200 * changed.count
            #expect(bytes <= most, "seed \(seed), round \(round)")
        }
    }

    private func drain(_ decoder: ContentDecoder, _ pieces: [Data]) -> Int {
        var bytes = 0
        do {
            for piece in pieces {
                decoder.feed(piece)
                while let part = try decoder.next() { bytes += part.count }
            }
            decoder.end()
            while let part = try decoder.next() { bytes += part.count }
        } catch {
            #expect([.malformedContentCoding, .truncatedResponse, .compressionRatio].contains(error.reason))
        }
        return bytes
    }

    private func change(_ coded: Data, _ random: inout SeededGenerator) -> Data {
        var bytes = [UInt8](coded)
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = [0, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(.random(in: 0...255, using: &random), at: place)
            default: bytes.insert(contentsOf: bytes.dropFirst(place).prefix(40), at: place)
            }
        }
        return Data(bytes)
    }

    private func noise(_ random: inout SeededGenerator) -> Data {
        let starts: [[UInt8]] = [[], [0x1F, 0x8B, 8], [0x28, 0xB5, 0x2F, 0xFD], [0x78, 0x9C], [0x1B]]
        let count = Int.random(in: 0..<600, using: &random)
        let start = starts.randomElement(using: &random) ?? []
        return Data(start + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    private func pieces(_ data: Data, _ random: inout SeededGenerator) -> [Data] {
        var rest = data[...]
        var pieces: [Data] = []
        while !rest.isEmpty {
            let count = Int.random(in: 0...200, using: &random)
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}
#endif
