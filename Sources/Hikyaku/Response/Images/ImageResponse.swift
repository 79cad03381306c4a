#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An image whose format and size are read from its header: PNG, JPEG, GIF, WebP, AVIF or HEIF, such as HEIC.
///
/// ```swift
/// nonisolated struct Avatar: Shop.Request {
///     typealias Definition = ImageResponse
///     var userID: String
///     var path: RequestPath { "/users/\(userID)/avatar" }
/// }
/// let image = try await client.send(Avatar(userID: "hana"))
/// show(image.format, image.width, image.height)
/// ```
/// The bytes decide, not the `Content-Type`: a proxy's page with the type `image/png` is a decoding failure that says
/// what was found. Only the header is decoded, so an image that is too large for the memory is detected before it is
/// drawn.
public enum ImageResponse: ResponseDefinition {
    /// The supported formats, all with the same priority.
    public static var acceptedMediaTypes: String? { all }

    private static let all = ResponseImage.Format.allCases.map(\.mediaType).joined(separator: ", ")

    /// Reads the image's header.
    ///
    /// - Throws: ``DecodingDiagnosis`` if the body is not an image in one of these formats, or its header is
    ///   incomplete.
    public static func read(_ response: BufferedResponse) throws -> ResponseImage {
        try ResponseImage(response.body)
    }
}

/// An image with its original bytes, and the size from its header.
///
/// ```swift
/// // A stub for previews and tests, from an image of the app:
/// let avatar = try ResponseImage(Data(contentsOf: URL(filePath: "Fixtures/avatar.png")))
/// let preview = client.stubbing(Shop.Avatar.self) { _ in avatar }
/// ```
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
        /// [AVIF](https://aomediacodec.github.io/av1-avif/), also an animated one.
        case avif
        /// HEIF with HEVC (ISO/IEC 23008-12), what an iPhone's camera writes; of a sequence, one with a
        /// primary image.
        case heic
        /// HEIF with another coding, which few systems decode.
        case heif

        /// The media type: `image/png`.
        public var mediaType: String { "image/\(rawValue)" }
    }

    /// The bytes of the image file.
    public let bytes: Data
    /// The format.
    public let format: Format
    /// The stored width in pixels, at least 1; a JPEG, AVIF or HEIF may have to be rotated or cropped when it is shown.
    ///
    /// For an AVIF or HEIF it is that of the primary image, also if that is made of tiles.
    public let width: Int
    /// The stored height in pixels, at least 1.
    public let height: Int

    /// Reads the header of an image.
    ///
    /// - Parameter bytes: The whole image; only the header is read.
    /// - Throws: ``DecodingDiagnosis`` if this is not an image in one of these formats, or its header is incomplete.
    public init(_ bytes: Data) throws {
        let header = ImageHeader(bytes: ImageBytes(bytes))
        guard let format = header.format else {
            throw DecodingDiagnosis(unreadable: bytes, expected: "an image in PNG, JPEG, GIF, WebP, AVIF or HEIF")
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

    /// Whether the stored image has more pixels than a limit.
    func hasMorePixels(than pixelsMax: Int) -> Bool {
        let (count, isOverflowing) = width.multipliedReportingOverflow(by: height)
        return isOverflowing || count > pixelsMax
    }
}

extension ResponseImage: CustomStringConvertible, CustomReflectable {
    /// Format and size: `image/png, 640 x 480, 12 bytes`.
    public var description: String { "\(format.mediaType), \(width) x \(height), \(bytes.count) bytes" }

    /// Format and size, without the bytes, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["image": description]) }
}
