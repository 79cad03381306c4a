#if os(Linux)
import Foundation
import HikyakuCompression
import HikyakuHTTP
import Testing

@Suite struct DecoderTests {
    /// A body that a decoder has to undo, by name.
    struct Vector: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var plain: Data
        var coded: Data
        var codings: [ContentCoding]
        /// Whether a checksum detects every change.
        var hasChecksum = true
    }

    static let vectors: [Vector] = {
        do { return try makeVectors() } catch { fatalError("\(error)") }
    }()

    private static func makeVectors() throws -> [Vector] {
        let text = Data("hello hello hello hello, and more of it: 0123456789".utf8)
        var vectors = [
            Vector(testDescription: "gzip", plain: text, coded: try Encoders.gzip(text), codings: [.gzip]),
            Vector(
                testDescription: "two members",
                plain: text + text,
                coded: try Encoders.gzip(text) + Encoders.gzip(text),
                codings: [.gzip],
            ),
            Vector(
                testDescription: "empty members around one",
                plain: text,
                coded: try Encoders.gzip(Data()) + Encoders.gzip(text) + Encoders.gzip(Data()),
                codings: [.gzip],
            ),
            Vector(
                testDescription: "gzip with all fields",
                plain: text,
                coded: try fullHeader(text),
                codings: [.gzip],
            ),
            Vector(
                testDescription: "zlib",
                plain: text,
                coded: try Encoders.deflated([text], .zlib),
                codings: [.deflate],
            ),
            Vector(testDescription: "zstd", plain: text, coded: try Encoders.zstd(text), codings: [.zstd]),
            Vector(
                testDescription: "zstd without a size",
                plain: text,
                coded: try Encoders.zstd(text, hasSize: false),
                codings: [.zstd],
            ),
            Vector(
                testDescription: "two frames, two that are passed over",
                plain: text + text,
                coded: try skippable(0) + Encoders.zstd(text) + skippable(5) + Encoders.zstd(text),
                codings: [.zstd],
            ),
            Vector(
                testDescription: "gzip in gzip",
                plain: text,
                coded: try Encoders.gzip(Encoders.gzip(text)),
                codings: [.gzip, .gzip],
            ),
        ]
        for (name, coded) in [
            ("raw deflate", try Encoders.deflated([text], .raw)),
            ("raw deflate, stored", try Encoders.deflated([text], .raw, level: 0)),
        ] {
            vectors.append(
                Vector(testDescription: name, plain: text, coded: coded, codings: [.deflate], hasChecksum: false)
            )
        }
        for (name, plain) in [("br", text), ("br of nothing", Data())] {
            vectors.append(
                Vector(
                    testDescription: name,
                    plain: plain,
                    coded: try Encoders.brotli(plain),
                    codings: [.brotli],
                    hasChecksum: false,
                )
            )
        }
        vectors.append(
            Vector(
                testDescription: "gzip, br, zstd, deflate",
                plain: text,
                coded: try ContentCoding.allInOrder.reduce(text) { try Encoders.encode($0, $1) },
                codings: ContentCoding.allInOrder,
            )
        )
        return vectors
    }

    /// A member with extra field, name, comment and the checksum of its header (RFC 1952, section 2.3).
    private static func fullHeader(_ text: Data) throws -> Data {
        var header: [UInt8] = [0x1F, 0x8B, 8, 0b11110, 0, 0, 0, 0, 0, 255, 3, 0, 1, 2, 3]
        header += Array("name".utf8) + [0] + Array("comment".utf8) + [0]
        let sum = Checksum.crc32(Data(header))
        header += [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
        return try Data(header) + Encoders.gzip(text).dropFirst(10)
    }

    /// A frame that is passed over (RFC 8878, section 3.1.2).
    private static func skippable(_ count: UInt8) -> Data {
        Data([0x53, 0x2A, 0x4D, 0x18, count, 0, 0, 0]) + Data(repeating: 0xAB, count: Int(count))
    }

    // MARK: - Whole bodies

    @Test(arguments: vectors)
    func undoesABodySplitAnywhere(vector: Vector) throws {
        #expect(try decode([vector.coded], vector.codings) == vector.plain)
        for split in 0...vector.coded.count {
            let pieces = [vector.coded.prefix(split), vector.coded.dropFirst(split)]
            #expect(try decode(pieces, vector.codings) == vector.plain, "split at \(split)")
        }
        #expect(try decode(vector.coded.map { Data([$0]) }, vector.codings) == vector.plain)
    }

    @Test(arguments: ContentCoding.allCases)
    func undoesLargeBodiesInBoundedPieces(coding: ContentCoding) throws {
        for plain in [sampleText(bytes: 3_000_000), randomBytes(500_000, seed: 1), Data(count: 1_000_000)] {
            let coded = try Encoders.encode(plain, coding)
            #expect(try decode([coded], [coding]) == plain)
            let pieces = stride(from: 0, to: coded.count, by: 1000).map { coded.dropFirst($0).prefix(1000) }
            #expect(try decode(pieces, [coding]) == plain)
        }
    }

    @Test func severalPiecesMayBeFedBeforeAnyIsTaken() throws {
        let plain = sampleText(bytes: 200_000)
        let coded = try Encoders.gzip(plain)
        let decoder = try ContentDecoder([.gzip], ratioMax: 200)
        decoder.feed(coded.prefix(1000))
        decoder.feed(coded.dropFirst(1000))
        decoder.end()
        var decoded = Data()
        while let piece = try decoder.next() { decoded.append(piece) }
        #expect(decoded == plain)
    }

    @Test(arguments: ["gzip", "GZip", "x-gzip", "X-GZIP"])
    func gzipHasAnOlderName(name: String) {
        #expect(ContentCoding(name: name) == .gzip)
    }

    @Test func codingsHaveTheNamesOfTheRegistry() {
        #expect(ContentCoding(name: "br") == .brotli)
        #expect(ContentCoding(name: "Deflate") == .deflate)
        #expect(ContentCoding(name: "zstd") == .zstd)
        for name in ["", "identity", "compress", "brotli", "gzip ", "dcz"] { #expect(ContentCoding(name: name) == nil) }
    }

    // MARK: - Damaged bodies

    @Test(arguments: vectors)
    func aBodyThatIsCutAnywhereIsTruncated(vector: Vector) throws {
        // Where a member or a frame ends, the body may end too.
        let wholePrefixes = Set((0..<vector.coded.count).filter { isWhole(vector, $0) })
        for count in 0..<vector.coded.count where !wholePrefixes.contains(count) {
            #expect(try reason([vector.coded.prefix(count)], vector.codings) == .truncatedResponse, "cut at \(count)")
        }
        #expect(
            wholePrefixes.count
                == [
                    "two members": 1, "empty members around one": 2, "two frames, two that are passed over": 3,
                ][vector.testDescription, default: 0]
        )
    }

    private func isWhole(_ vector: Vector, _ count: Int) -> Bool {
        (try? decode([vector.coded.prefix(count)], vector.codings)) != nil
    }

    @Test(arguments: vectors)
    func bytesAfterTheEndAreRejected(vector: Vector) throws {
        // The coding that was applied last.
        let isPadded = vector.codings.last == .gzip
        for garbage in [[0], [0, 0, 0, 0], [0x0A], [0, 0x1F], Array("<!-- -->".utf8)] as [[UInt8]] {
            if isPadded, garbage.allSatisfy({ $0 == 0 }) {
                #expect(try decode([vector.coded + garbage], vector.codings) == vector.plain)
                #expect(try decode([vector.coded, Data(garbage)], vector.codings) == vector.plain)
                continue
            }
            #expect(try reason([vector.coded + garbage], vector.codings) == .malformedContentCoding)
            #expect(try reason([vector.coded, Data(garbage)], vector.codings) == .malformedContentCoding)
        }
    }

    @Test(arguments: vectors)
    func aFlippedBitNeverGivesOtherBytesWhereAChecksumIs(vector: Vector) throws {
        for bit in 0..<vector.coded.count * 8 {
            var damaged = vector.coded
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            do {
                let decoded = try decode([damaged], vector.codings)
                if vector.hasChecksum { #expect(losesNothing(decoded, vector), "bit \(bit)") }
            } catch let error as TransportError {
                #expect([.malformedContentCoding, .truncatedResponse, .compressionRatio].contains(error.reason))
            }
        }
    }

    /// A frame with the magic number of a skippable frame is skipped, which no checksum detects.
    private func losesNothing(_ decoded: Data, _ vector: Vector) -> Bool {
        decoded == vector.plain || vector.codings == [.zstd] && vector.plain.starts(with: decoded)
    }

    @Test func aWrongTrailerIsRejected() throws {
        let coded = try Encoders.gzip(sampleText(bytes: 100))
        for offset in 1...8 {
            var damaged = coded
            damaged[coded.count - offset] ^= 0x40
            #expect(try reason([damaged], [.gzip]) == .malformedContentCoding)
        }
        var damaged = try Encoders.deflated([sampleText(bytes: 100)], .zlib)
        damaged[damaged.count - 1] ^= 1
        #expect(try reason([damaged], [.deflate]) == .malformedContentCoding)
    }

    @Test(arguments: ContentCoding.allCases)
    func plainTextIsNotACodedBody(coding: ContentCoding) throws {
        #expect(try reason([Data("<html><body>Sign in</body></html>".utf8)], [coding]) == .malformedContentCoding)
        #expect(try reason([Data()], [coding]) == .truncatedResponse)
    }

    @Test func aZstdWindowAboveEightMebibytesIsRejected() throws {
        let plain = randomBytes(9_000_000, seed: 3)
        #expect(try decode([Encoders.zstd(plain, windowExponent: 23, hasSize: false)], [.zstd]) == plain)
        let coded = try Encoders.zstd(plain, windowExponent: 24, hasSize: false)
        #expect(try reason([coded], [.zstd]) == .malformedContentCoding)
    }

    /// Some builds of libzstd would undo them, without a limit on the window.
    @Test func formatsOlderThanTheStandardAreNotZstd() throws {
        // A frame of version 0.7: a header, a block of two bytes as they are, and the end.
        let frame = Data([0x27, 0xB5, 0x2F, 0xFD, 0x20, 2, 0x40, 0, 2, 0x68, 0x69, 0xC0, 0, 0])
        #expect(try reason([frame], [.zstd]) == .malformedContentCoding)
        #expect(try reason(frame.map { Data([$0]) }, [.zstd]) == .malformedContentCoding)
    }

    @Test func aDictionaryIsRejected() throws {
        // The zlib header that requires one.
        #expect(try reason([Data([0x78, 0xBB, 0, 0, 0, 1, 3, 0])], [.deflate]) == .malformedContentCoding)
    }
}

extension ContentCoding {
    static let allInOrder: [ContentCoding] = [.gzip, .brotli, .zstd, .deflate]
}
#endif
