public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An image whose format its first bytes say: PNG, JPEG, GIF, WebP, AVIF or HEIF, such as HEIC.
///
/// ```swift
/// struct Avatar: Shop.Request {
///     typealias Definition = ImageResponse
///     var userID: String
///     var path: RequestPath { "/users/\(userID)/avatar" }
/// }
/// let image = try await client.send(Avatar(userID: "hana"))
/// show(image.format, image.bytes)
/// ```
/// The bytes decide, not the `Content-Type`: a proxy's page with the type `image/png` is a decoding failure that says
/// what was found. Nothing is decoded.
public enum ImageResponse: ResponseDefinition {
    /// The supported formats, all with the same priority.
    public static var acceptedMediaTypes: String? { all }

    private static let all = ResponseImage.Format.allCases.map(\.mediaType).joined(separator: ", ")

    /// Reads the image's format.
    ///
    /// - Throws: ``DecodingDiagnosis`` if the body is not an image in one of these formats.
    public static func read(_ response: BufferedResponse) throws -> ResponseImage {
        try ResponseImage(response.body)
    }
}

/// An image with its original bytes.
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
        /// HEIF with HEVC (ISO/IEC 23008-12), what an iPhone's camera writes.
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

    /// Reads the format of an image.
    ///
    /// - Parameter bytes: The whole image; only its first bytes are read.
    /// - Throws: ``DecodingDiagnosis`` if this is not an image in one of these formats.
    public init(_ bytes: Data) throws {
        guard let format = Format(of: bytes) else {
            throw DecodingDiagnosis(unreadable: bytes, expected: "an image in PNG, JPEG, GIF, WebP, AVIF or HEIF")
        }
        self.bytes = bytes
        self.format = format
    }
}

extension ResponseImage.Format {
    /// The format whose signature the first bytes are.
    fileprivate init?(of bytes: Data) {
        func has(_ mark: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: mark.utf8) }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if has("GIF87a", at: 0) || has("GIF89a", at: 0) {
            self = .gif
        } else if has("RIFF", at: 0) && has("WEBP", at: 8) {
            self = .webp
        } else if has("ftyp", at: 4), let format = Self(brandsOf: bytes) {
            self = format
        } else {
            return nil
        }
    }

    /// The format of a file of boxes, by its major brand, or by the first compatible one that says it; `nil` for a film
    /// and the like (ISO/IEC 14496-12, section 4.3).
    private init?(brandsOf bytes: Data) {
        /// No more brands are looked at.
        let brandsMax = 64
        let size = bytes.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // A box of size 0 goes to the end; 8 bytes are its head, and the version comes after the major brand.
        let box = bytes.prefix(size == 0 ? bytes.count : Int(clamping: size))
        let content = box.dropFirst(8).prefix(4 * (brandsMax + 2))
        var formats: [Self] = []
        for index in 0..<(content.count / 4) where index != 1 {
            if let format = Self(brand: content.dropFirst(4 * index).prefix(4)) { formats.append(format) }
        }
        guard let format = formats.first(where: { $0 != .heif }) ?? formats.first else { return nil }
        self = format
    }

    private init?(brand: Data) {
        switch String(decoding: brand, as: UTF8.self) {
        case "avif", "avis": self = .avif
        case "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs": self = .heic
        case "mif1", "mif2", "msf1": self = .heif
        default: return nil
        }
    }
}

extension ResponseImage: Redacted {
    /// Format and length: `image/png, 12 bytes`.
    public var description: String { "\(format.mediaType), \(bytes.count) bytes" }
}
