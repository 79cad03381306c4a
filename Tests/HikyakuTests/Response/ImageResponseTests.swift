import Foundation
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

private let png = Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8)
private let images: [(ResponseImage.Format, Data)] = [
    (.png, png), (.jpeg, Data([0xFF, 0xD8, 0xFF])), (.gif, Data("GIF87a".utf8)), (.gif, Data("GIF89a".utf8)),
    (.webp, Data("RIFF\u{0}\u{0}\u{0}\u{0}WEBP".utf8)), (.avif, boxed("avif")), (.heic, boxed("heic")),
]

/// The first box of an AVIF or HEIF, with its brands.
private func boxed(_ brands: String..., size: UInt8? = nil) -> Data {
    let content = Data((brands[0] + "\0\0\0\0" + brands.dropFirst().joined()).utf8)
    return Data([0, 0, 0, size ?? UInt8(8 + content.count)]) + Data("ftyp".utf8) + content
}

@Suite struct ImageResponseTests {
    @Test(arguments: images.indices) func theFirstBytesSayTheFormat(index: Int) async throws {
        let (format, signature) = images[index]
        let bytes = signature + Data("pixels".utf8)
        let response = HTTPResponse(status: 200, headers: ["Content-Type": "text/html"], body: HTTPBody(bytes))
        let image = try await send(ImageResponse.self, response)
        #expect(image.format == format && image.bytes == bytes)
        #expect(image.description == "\(format.mediaType), \(bytes.count) bytes")
        #expect(try ResponseImage((Data([1, 2]) + bytes).dropFirst(2)).format == format, "of a slice too")
        for count in 0..<min(8, signature.count) {
            let error = #expect(throws: DecodingDiagnosis.self) { try ResponseImage(signature.prefix(count)) }
            #expect(error?.expected.hasPrefix("an image") == true)
        }
    }

    @Test(arguments: [
        (boxed("avif"), "image/avif"), (boxed("avis", "msf1", "mif1"), "image/avif"),
        (boxed("mif1", "miaf", "avif"), "image/avif"), (boxed("heic", "mif1"), "image/heic"),
        (boxed("heix"), "image/heic"), (boxed("mif1", "heic"), "image/heic"), (boxed("msf1", "hevc"), "image/heic"),
        (boxed("mif1", "miaf"), "image/heif"), (boxed("mif2", "jpeg"), "image/heif"),
        (boxed("avif", size: 0), "image/avif"), (boxed("mif1", "avif", size: 200), "image/avif"),
    ])
    func brandsSayTheFormat(bytes: Data, mediaType: String) throws {
        #expect(try ResponseImage(bytes).format.mediaType == mediaType)
    }

    @Test(arguments: [
        boxed("isom", "mp41"), boxed("qt  "), boxed("HEIC"), boxed(""), boxed("avi"), boxed("avif", size: 9),
        boxed("avif", size: 1), Data("\0\0\0\u{20}ftyp".utf8),
        // What comes after the box is not a brand.
        boxed("isom") + Data("avif".utf8),
        Data([0, 0, 2, 0]) + boxed("isom").dropFirst(4) + Data(String(repeating: "mp41", count: 64).utf8)
            + Data("avif".utf8),
    ])
    func otherBrandsAreNotAnImage(bytes: Data) throws {
        let error = #expect(throws: DecodingDiagnosis.self) { try ResponseImage(bytes) }
        #expect(error?.expected == "an image in PNG, JPEG, GIF, WebP, AVIF or HEIF")
    }

    @Test(arguments: [
        ("", DecodingDiagnosis.Kind.empty, "an empty body"),
        ("<!doctype html><title>Login</title>", .html, #"an HTML page of 35 bytes with a title masked as "Aaaaa""#),
        ("not found", .plainText, "plain text"), (#"{"a":1}"#, .malformed, "7 bytes in another format"),
    ])
    func anotherBodyIsNamed(body: String, kind: DecodingDiagnosis.Kind, found: String) async throws {
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

    @Test func imagesAreInTheAcceptHeader() throws {
        let accept = try Shaped<ImageResponse>().httpRequest().headers[.accept]
        #expect(accept == "image/png, image/jpeg, image/gif, image/webp, image/avif, image/heic, image/heif")
    }
}
