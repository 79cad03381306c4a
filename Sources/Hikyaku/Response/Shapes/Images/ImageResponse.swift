#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An image whose format and size were read from its first bytes: PNG, JPEG, GIF or WebP.
///
/// The bytes decide, and not what `Content-Type` says: a page of a proxy that calls itself `image/png` is a decoding
/// failure that says what came. Nothing is decoded beyond the header, so that an image whose size is too large for the
/// memory is known before anybody draws it.
public enum ImageResponse: ResponseDefinition {
    /// The formats that are read.
    public static var acceptedMediaTypes: String? { "image/webp, image/png, image/jpeg, image/gif" }

    /// Reads the image's header.
    ///
    /// - Throws: ``DecodingDiagnosis`` where there is no image of these formats, or none whose header is whole.
    public static func read(_ response: BufferedResponse) throws -> ResponseImage {
        try ResponseImage(response.body)
    }
}

/// An image as it came, with what its header says.
public struct ResponseImage: Sendable, Hashable {
    /// How an image is coded.
    public enum Format: String, Sendable, Hashable, CaseIterable {
        /// [PNG](https://www.w3.org/TR/png-3/).
        case png
        /// JPEG (ITU-T T.81).
        case jpeg
        /// [GIF](https://www.w3.org/Graphics/GIF/spec-gif89a.txt).
        case gif
        /// [WebP](https://www.rfc-editor.org/rfc/rfc9649).
        case webp

        /// Its media type: `image/png`.
        public var mediaType: String { "image/\(rawValue)" }
    }

    /// The image in its format.
    public let bytes: Data
    /// How it is coded.
    public let format: Format
    /// The width in pixels as it is stored, at least 1; a JPEG may ask to be turned when it is shown.
    public let width: Int
    /// The height in pixels as it is stored, at least 1.
    public let height: Int

    /// Reads the header of an image.
    ///
    /// - Parameter bytes: The whole image; what is behind the header isn't looked at.
    /// - Throws: ``DecodingDiagnosis`` where there is no image of the formats, or none whose header is whole.
    public init(_ bytes: Data) throws {
        guard let format = ImageHeader.format(of: bytes) else {
            throw DecodingDiagnosis(unreadable: bytes, expected: "an image in PNG, JPEG, GIF or WebP")
        }
        guard let size = ImageHeader.size(of: bytes, format), size.width > 0, size.height > 0 else {
            throw DecodingDiagnosis(
                kind: .malformed,
                expected: "an image with its size in the header",
                found: "\(bytes.count) bytes that begin as \(format.mediaType)",
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

    /// Format and size, and never the bytes, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["image": description]) }
}
