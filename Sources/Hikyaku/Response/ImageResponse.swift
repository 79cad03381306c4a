#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

#if os(macOS)
public import AppKit
#elseif canImport(UIKit)
public import UIKit
#endif

/// An image whose format and size are read from its first bytes: PNG, JPEG, GIF or WebP.
///
/// The bytes decide, not the `Content-Type`: a proxy's page with the type `image/png` is a decoding failure that says
/// what was found. Only the header is decoded, so an image that is too large for the memory is detected before it is
/// drawn.
public enum ImageResponse: ResponseDefinition {
    /// The supported formats.
    public static var acceptedMediaTypes: String? { "image/webp, image/png, image/jpeg, image/gif" }

    /// Reads the image's header.
    ///
    /// - Throws: ``DecodingDiagnosis`` if the body is not an image in one of these formats, or its header is
    ///   incomplete.
    public static func read(_ response: BufferedResponse) throws -> ResponseImage {
        try ResponseImage(response.body)
    }
}

/// An image with its original bytes, and the size from its header.
public struct ResponseImage: Sendable, Hashable {
    /// The file format of an image.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// [PNG](https://www.w3.org/TR/png-3/).
        case png
        /// JPEG (ITU-T T.81).
        case jpeg
        /// [GIF](https://www.w3.org/Graphics/GIF/spec-gif89a.txt).
        case gif
        /// [WebP](https://www.rfc-editor.org/rfc/rfc9649).
        case webp

        /// The media type: `image/png`.
        public var mediaType: String { "image/\(rawValue)" }
    }

    /// The bytes of the image file.
    public let bytes: Data
    /// The format.
    public let format: Format
    /// The stored width in pixels, at least 1; a JPEG may have to be rotated when it is shown.
    public let width: Int
    /// The stored height in pixels, at least 1.
    public let height: Int

    /// Reads the header of an image.
    ///
    /// - Parameter bytes: The whole image; only the header is read.
    /// - Throws: ``DecodingDiagnosis`` if this is not an image in one of these formats, or its header is incomplete.
    public init(_ bytes: Data) throws {
        let header = ImageHeader(bytes: bytes)
        guard let format = header.format else {
            throw DecodingDiagnosis(unreadable: bytes, expected: "an image in PNG, JPEG, GIF or WebP")
        }
        guard let size = header.size(format), size.width > 0, size.height > 0 else {
            throw DecodingDiagnosis(
                kind: .malformed,
                expected: "an image with its size in the header",
                found: "\(bytes.count) bytes that begin like \(format.mediaType)",
            )
        }
        self.bytes = bytes
        self.format = format
        (width, height) = size
    }
}

extension ResponseImage: CustomStringConvertible, CustomReflectable {
    /// Format and size: `image/png, 640 x 480, 12 bytes`.
    public var description: String { "\(format.mediaType), \(width) x \(height), \(bytes.count) bytes" }

    /// Format and size, without the bytes, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["image": description]) }
}

#if os(macOS)
extension ResponseImage {
    /// The image for AppKit; `nil` if the system can't decode it.
    public func makeNSImage() -> NSImage? { NSImage(data: bytes) }
}
#elseif canImport(UIKit)
extension ResponseImage {
    /// The image for UIKit.
    ///
    /// - Parameter scale: The number of pixels per point; usually 1 for an image without its own scale.
    /// - Returns: The image; `nil` if the system can't decode it.
    public func makeUIImage(scale: Double = 1) -> UIImage? { UIImage(data: bytes, scale: scale) }
}
#endif

/// The first bytes of an image of any supported format, with offsets from the first one; there are none after the end.
private struct ImageHeader {
    typealias Size = (width: Int, height: Int)

    let bytes: Data

    /// The format whose signature the first bytes are.
    var format: ResponseImage.Format? {
        if has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
        if has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
        if has("GIF87a", at: 0) || has("GIF89a", at: 0) { return .gif }
        return has("RIFF", at: 0) && has("WEBP", at: 8) ? .webp : nil
    }

    /// The size in the header; `nil` if it is incomplete or damaged.
    func size(_ format: ResponseImage.Format) -> Size? {
        switch format {
        case .png: png
        case .jpeg: jpeg
        case .gif: littleEndian(2, at: 6).flatMap { width in littleEndian(2, at: 8).map { (width, $0) } }
        case .webp: webp
        }
    }

    /// The IHDR chunk must be the first one; a size has 31 bits.
    private var png: Size? {
        guard bigEndian(4, at: 8) == 13, has("IHDR", at: 12),
            let width = bigEndian(4, at: 16), let height = bigEndian(4, at: 20),
            width <= Int32.max, height <= Int32.max
        else { return nil }
        return (width, height)
    }

    /// Skips from segment to segment to the frame header (ITU-T T.81, B.2.2).
    private var jpeg: Size? {
        var place = 2
        while self[place] == 0xFF, let marker = self[place + 1] {
            switch marker {
            case 0xFF:
                // Any number of these may precede a marker.
                place += 1
            case 0x01, 0xD0...0xD7:
                // These have no segment.
                place += 2
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                guard let height = bigEndian(2, at: place + 5), let width = bigEndian(2, at: place + 7)
                else { return nil }
                return (width, height)
            case 0xD8, 0xD9, 0xDA, 0x00:
                // The image's data or its end, without a frame before it.
                return nil
            default:
                guard let length = bigEndian(2, at: place + 2), length >= 2 else { return nil }
                place += 2 + length
            }
        }
        return nil
    }

    /// RFC 9649, section 2: the first chunk of any of the three kinds has the size.
    private var webp: Size? {
        if has("VP8X", at: 12) {
            guard let width = littleEndian(3, at: 24), let height = littleEndian(3, at: 27) else {
                return nil
            }
            return (width + 1, height + 1)
        }
        if has("VP8L", at: 12) {
            guard self[20] == 0x2F, let bits = littleEndian(4, at: 21) else { return nil }
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        // A key frame (RFC 6386, section 9.1): its start code, then 14 bits for each size below two bits of scaling.
        guard has("VP8 ", at: 12), has([0x9D, 0x01, 0x2A], at: 23),
            let width = littleEndian(2, at: 26), let height = littleEndian(2, at: 28)
        else { return nil }
        return (width & 0x3FFF, height & 0x3FFF)
    }

    private subscript(place: Int) -> UInt8? {
        place < bytes.count ? bytes[bytes.startIndex + place] : nil
    }

    private func has(_ mark: some Sequence<UInt8>, at place: Int) -> Bool {
        place <= bytes.count && bytes.dropFirst(place).starts(with: mark)
    }

    private func has(_ mark: StaticString, at place: Int) -> Bool { has("\(mark)".utf8, at: place) }

    private func bigEndian(_ count: Int, at place: Int) -> Int? {
        guard place + count <= bytes.count else { return nil }
        return bytes.dropFirst(place).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }

    private func littleEndian(_ count: Int, at place: Int) -> Int? {
        guard place + count <= bytes.count else { return nil }
        return bytes.dropFirst(place).prefix(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
