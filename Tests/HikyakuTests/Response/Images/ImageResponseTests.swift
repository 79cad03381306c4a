import Foundation
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku

private let png = Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8) + Data([0, 0, 0, 13]) + Data("IHDR".utf8)
private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0x4A, 0x46]
private let riff = Data("RIFF\u{0}\u{0}\u{0}\u{0}WEBP".utf8)

/// The beginnings of images of 300 x 7 pixels.
private let images: [(String, ResponseImage.Format, Data)] = [
    ("PNG", .png, png + [0, 0, 1, 0x2C, 0, 0, 0, 7, 8, 2, 0, 0, 0]),
    ("GIF 87", .gif, Data("GIF87a".utf8) + [0x2C, 1, 7, 0]),
    ("GIF 89", .gif, Data("GIF89a".utf8) + [0x2C, 1, 7, 0, 0]),
    ("JPEG", .jpeg, Data(jpeg + [0xFF, 0xC0, 0, 11, 8, 0, 7, 1, 0x2C])),
    ("progressive JPEG", .jpeg, Data(jpeg + [0xFF, 0xC2, 0, 11, 8, 0, 7, 1, 0x2C])),
    ("JPEG with fill bytes", .jpeg, Data(jpeg + [0xFF, 0xFF, 0xFF, 0xC0, 0, 11, 8, 0, 7, 1, 0x2C])),
    (
        "JPEG with tables before the frame", .jpeg,
        Data(jpeg + [0xFF, 0xC4, 0, 3, 1, 0xFF, 0x01, 0xFF, 0xDB, 0, 2, 0xFF, 0xC1, 0, 11, 8, 0, 7, 1, 0x2C]),
    ),
    (
        "lossy WebP", .webp,
        riff + Data("VP8 ".utf8) + [20, 0, 0, 0, 0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x2C, 0x41, 7, 0xC0],
    ),
    ("lossless WebP", .webp, riff + Data("VP8L".utf8) + [20, 0, 0, 0, 0x2F, 0x2B, 0x81, 0x01, 0x10]),
    ("extended WebP", .webp, riff + Data("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0, 0x2B, 1, 0, 6, 0, 0]),
    ("AVIF", .avif, BoxedImage("avif").bytes), ("HEIC", .heic, BoxedImage("heic").bytes),
]

@Suite struct ImageResponseTests {
    @Test(arguments: images.map(\.0))
    func formatAndSizeAreReadFromTheHeader(name: String) async throws {
        let (_, format, bytes) = try #require(images.first { $0.0 == name })
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: HTTPBody(bytes))
        let image = try await send(ImageResponse.self, response)
        #expect(image.format == format)
        #expect(image.width == 300)
        #expect(image.height == 7)
        #expect(image.bytes == bytes)
        #expect(image.description == "\(format.mediaType), 300 x 7, \(bytes.count) bytes")
        #expect(try ResponseImage((Data([1, 2]) + bytes).dropFirst(2)).width == 300, "of a slice too")
    }

    @Test func largeSizesAreReadWhole() throws {
        #expect(try ResponseImage(png + [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1]).width == 2_147_483_647)
        let canvas = riff + Data("VP8X".utf8) + [10, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(try ResponseImage(canvas).height == 1 << 24)
        #expect(
            try ResponseImage(riff + Data("VP8L".utf8) + [5, 0, 0, 0, 0x2F, 0xFF, 0xFF, 0xFF, 0xFF]).height == 16_384
        )
    }

    @Test(arguments: images.map(\.0))
    func aHeaderThatIsCutAnywhereIsNoImage(name: String) throws {
        let (_, _, bytes) = try #require(images.first { $0.0 == name })
        let shortest = try #require((0...bytes.count).first { (try? ResponseImage(bytes.prefix($0))) != nil })
        #expect(shortest > 8)
        for count in 0..<shortest {
            let error = #expect(throws: DecodingDiagnosis.self) { try ResponseImage(bytes.prefix(count)) }
            #expect(error?.expected.hasPrefix("an image") == true)
        }
    }

    @Test(arguments: [
        png + [0, 0, 0, 0, 0, 0, 0, 7], png + [0x80, 0, 0, 1, 0, 0, 0, 1],
        Data(jpeg + [0xFF, 0xC0, 0, 11, 8, 0, 0, 1, 1]),
        Data(jpeg + [0xFF, 0xDA, 0, 2, 0xFF, 0xC0, 0, 11, 8, 0, 7, 1, 0x2C]),
        Data(jpeg + [0xFF, 0xE1, 0, 1, 0xFF, 0xC0]),
        Data(jpeg + [0x00, 0xC0, 0, 11, 8, 0, 7, 1, 0x2C]), riff + Data("VP9 ".utf8) + Data(count: 30),
        riff + Data("VP8 ".utf8) + Data(count: 30), riff + Data("VP8L".utf8) + Data(count: 30),
    ])
    func aDamagedHeaderIsNoImage(bytes: Data) throws {
        let error = #expect(throws: DecodingDiagnosis.self) { try ResponseImage(bytes) }
        #expect(error?.kind == .malformed)
        #expect(error?.expected == "an image with its size in the header")
    }

    @Test(arguments: [
        ("", DecodingDiagnosis.Kind.empty, "an empty body"),
        ("<!doctype html><title>Login</title>", .html, #"an HTML page of 35 bytes with a title masked as "Aaaaa""#),
        ("not found", .plainText, "plain text"), (#"{"a":1}"#, .malformed, "7 bytes in another format"),
    ])
    func whatIsNoImageIsNamed(body: String, kind: DecodingDiagnosis.Kind, found: String) async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await send(
                ImageResponse.self,
                HTTPResponse(status: 200, headers: ["Content-Type": "image/png"], body: HTTPBody(body)),
            )
        }
        guard case .decoding(let failure) = error else { throw error }
        #expect(failure.diagnosis.kind == kind)
        #expect(failure.diagnosis.expected == "an image in PNG, JPEG, GIF, WebP, AVIF or HEIF")
        #expect(failure.diagnosis.found == found)
    }

    @Test func pixelsAreCountedWithoutOverflow() throws {
        let large = try ResponseImage(png + [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        #expect(large.hasMorePixels(than: 1_000_000_000))
        let small = try ResponseImage(png + [0, 0, 0, 4, 0, 0, 0, 5])
        #expect(small.hasMorePixels(than: 19) && !small.hasMorePixels(than: 20))
    }

    @Test func imagesAreInTheAcceptHeader() throws {
        let accept = try Shaped<ImageResponse>().httpRequest().headers[.accept]
        #expect(accept == "image/png, image/jpeg, image/gif, image/webp, image/avif, image/heic, image/heif")
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func noBytesStopTheProcess(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var readCount = 0
        for _ in 0..<5_000 {
            var bytes = images[Int.random(in: 0..<images.count, using: &random)].2
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                let place = bytes.startIndex + Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            bytes = bytes.prefix(Int.random(in: 0...bytes.count + 10, using: &random))
            guard let image = try? ResponseImage(bytes) else { continue }
            readCount += 1
            #expect(image.width > 0 && image.height > 0)
        }
        #expect(readCount > 500)
    }
}
