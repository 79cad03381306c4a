#if os(Linux)
import Foundation
import HikyakuCompression
import HikyakuHTTP
import Testing

@Suite struct BombTests {
    /// Beside other tests, the peak would be theirs: each bomb goes off in a process of its own.
    @Test(arguments: Bomb.allCases)
    func aBombGoesNowhere(bomb: Bomb) async {
        await #expect(processExitsWith: .success) { [bomb] in
            let coded = try bomb.make()
            _ = try decode([Encoders.gzip(Data("warm".utf8))], [.gzip])
            PeakMemory.reset()
            let before = PeakMemory.bytes
            let decoder = try ContentDecoder(bomb.codings, ratioMax: 200)
            decoder.feed(coded)
            decoder.end()
            var bytes = 0
            let error = #expect(throws: TransportError.self) {
                while let piece = try decoder.next() { bytes += piece.count }
            }
            #expect(error?.reason == .compressionRatio)
            #expect(bytes <= ContentDecoder.ratioFreeBytes)
            let growth = PeakMemory.bytes - before
            #expect(before > 0 && growth < 32 << 20 || !PeakMemory.isMeaningful, "grew by \(growth) bytes")
        }
    }

    /// A limit that doesn't hold is not an excuse to expand into memory.
    @Test(arguments: [Bomb.deflate, .brotli])
    func withoutALimitItPassesThroughInPieces(bomb: Bomb) async {
        await #expect(processExitsWith: .success) { [bomb] in
            let body = try HTTPBody(bomb.make()).decoded(bomb.codings, ratioMax: .max)
            PeakMemory.reset()
            let before = PeakMemory.bytes
            var bytes = 0
            for try await piece in body { bytes += piece.count }
            #expect(bytes == bomb.plainBytes)
            let growth = PeakMemory.bytes - before
            #expect(before > 0 && growth < 32 << 20 || !PeakMemory.isMeaningful, "grew by \(growth) bytes")
        }
    }

    @Test(arguments: ContentCoding.allCases)
    func aMebibyteMayGrowAsItLikes(coding: ContentCoding) throws {
        let free = Data(count: 1024 * 1024)
        #expect(try decode([Encoders.encode(free, coding)], [coding]) == free)
        let coded = try Encoders.encode(Data(count: free.count + 1), coding)
        #expect(try reason([coded], [coding]) == .compressionRatio)
    }

    @Test func theRatioCountsAgainstWhatWasSent() throws {
        // Three quarters of each block are zeros: 2,048 bytes from 12 or more.
        let text = repeated(randomBytes(16, seed: 1) + Data(count: 2032), 2_000)
        let coded = try Encoders.gzip(text)
        let ratio = text.count / coded.count
        #expect(ratio > 20)
        #expect(try decode([coded], [.gzip], ratioMax: ratio * 2) == text)
        let error = #expect(throws: TransportError.self) { try decode([coded], [.gzip], ratioMax: ratio / 2) }
        #expect(error?.reason == .compressionRatio)
        // Two layers together are held to the same bound.
        let twice = try Encoders.gzip(Encoders.gzip(Data(count: 20 << 20)))
        #expect(try reason([twice], [.gzip, .gzip]) == .compressionRatio)
    }

    @Test func aLayerThatGrowsIsFoundWhereTheLastGivesNothing() throws {
        // Empty members, packed: gigabytes of work for nothing that comes out.
        let empty = try Encoders.gzip(Data())
        let inner = repeated(empty, 200_000)
        #expect(try reason([Encoders.gzip(inner)], [.gzip, .gzip]) == .compressionRatio)
    }
}
#endif
