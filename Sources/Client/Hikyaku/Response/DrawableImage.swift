#if canImport(Darwin)
public import CoreGraphics
public import Foundation
import ImageIO
public import SwiftUI

#if os(macOS)
public import AppKit
#else
public import UIKit
#endif

/// Why the system can't make a drawable image of a ``ResponseImage``.
public struct ImageDecodingError: Error, LocalizedError, Hashable, CustomStringConvertible {
    /// The kinds of reasons; any version may add cases, so a switch needs a `default`.
    public enum Reason: Sendable, Hashable {
        /// This version of the system has no decoder for the format.
        case unsupportedFormat
        /// The file is damaged or incomplete.
        case damaged
        /// The image has more pixels than the limit.
        case tooManyPixels
        /// The task was cancelled before the decoding began.
        case cancelled
    }

    /// Why.
    public let reason: Reason
    /// The image's format and length: `image/avif, 12 bytes`.
    public let image: String

    /// The reason and the image, without its bytes.
    public var description: String {
        switch reason {
        case .unsupportedFormat: "the system can't decode the format of \(image)"
        case .damaged: "the image is damaged: \(image)"
        case .tooManyPixels: "the image has more pixels than allowed: \(image)"
        case .cancelled: "the decoding was cancelled: \(image)"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}

/// A decoded image, which is drawn without further work.
///
/// `@unchecked`: the compiler can't see on each system that a `CGImage` never changes. It can go when the oldest SDK
/// declares that.
public struct DrawableImage: @unchecked Sendable {
    /// The pixels, rotated as the file says.
    public let cgImage: CGImage

    /// The width in pixels.
    public var width: Int { cgImage.width }
    /// The height in pixels.
    public var height: Int { cgImage.height }

    /// The image for SwiftUI, without a text for accessibility.
    ///
    /// - Parameter scale: The number of pixels per point.
    /// - Returns: The image.
    public func makeImage(scale: Double = 1) -> Image { Image(decorative: cgImage, scale: scale) }
}

extension ResponseImage {
    /// Decodes the image outside of the caller's actor, so that drawing it does not stop the main thread.
    ///
    /// ```swift
    /// let avatar = try await client.send(Shop.Avatar()).decoded(maxPixelSize: 120)
    /// ```
    /// The image is rotated as the file says, so width and height may be exchanged. Of an animated one it is the first
    /// picture.
    ///
    /// - Parameters:
    ///   - maxPixelSize: The longer side in pixels, for a smaller image; `nil` for the stored size.
    ///   - pixelsMax: The most pixels that the stored image may have, whatever size is requested: each takes 4 bytes of
    ///     memory or more.
    /// - Returns: The image.
    /// - Throws: ``ImageDecodingError``: also for AVIF and HEIF on a system without a decoder, and if the task is
    ///   cancelled before the decoding begins.
    @concurrent
    public func decoded(
        maxPixelSize: Int? = nil,
        pixelsMax: Int = 100_000_000,
    ) async throws(ImageDecodingError) -> DrawableImage {
        guard !Task.isCancelled else { throw error(.cancelled) }
        let source = CGImageSourceCreateWithData(bytes as CFData, nil)
        guard let source, CGImageSourceGetType(source) != nil else { throw error(.unsupportedFormat) }
        // What ImageIO calls a thumbnail is the only image that it rotates. Without a size it is as large as stored.
        var options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceShouldCacheImmediately: true,
        ]
        if let maxPixelSize { options[kCGImageSourceThumbnailMaxPixelSize] = max(1, maxPixelSize) }
        let index = CGImageSourceGetPrimaryImageIndex(source)
        // They are read from the header: nothing is decoded yet.
        let properties = CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any]
        let sides = [kCGImagePropertyPixelWidth, kCGImagePropertyPixelHeight].map { properties?[$0] as? Int ?? 0 }
        guard sides.allSatisfy({ $0 > 0 }) else { throw error(isSupported ? .damaged : .unsupportedFormat) }
        let (count, overflows) = sides[0].multipliedReportingOverflow(by: sides[1])
        guard !overflows, count <= pixelsMax else { throw error(.tooManyPixels) }
        // Of a file that is cut off, ImageIO makes an image of what is there.
        guard CGImageSourceGetStatusAtIndex(source, index) == .statusComplete,
            let image = CGImageSourceCreateThumbnailAtIndex(source, index, options as CFDictionary)
        else { throw error(isSupported ? .damaged : .unsupportedFormat) }
        return DrawableImage(cgImage: image)
    }

    private func error(_ reason: ImageDecodingError.Reason) -> ImageDecodingError {
        ImageDecodingError(reason: reason, image: description)
    }

    /// Whether the system says that it decodes the format; a WebP or JPEG is decoded by all.
    private var isSupported: Bool {
        let name: String
        switch format {
        case .avif: name = "public.avif"
        case .heic: name = "public.heic"
        case .heif: name = "public.heif"
        case .png, .jpeg, .gif, .webp: return true
        }
        return (CGImageSourceCopyTypeIdentifiers() as? [String] ?? []).contains(name)
    }
}

#if os(macOS)
extension ResponseImage {
    /// The image for AppKit; `nil` if the system can't decode it.
    ///
    /// It is decoded when it is first drawn; ``decoded(maxPixelSize:pixelsMax:)`` does that elsewhere.
    public func makeNSImage() -> NSImage? { NSImage(data: bytes) }

    /// The image for SwiftUI; `nil` if the system can't decode it.
    ///
    /// It is decoded when it is first drawn; ``decoded(maxPixelSize:pixelsMax:)`` does that elsewhere.
    public func makeImage() -> Image? { makeNSImage().map { Image(nsImage: $0) } }
}
#else
extension ResponseImage {
    /// The image for UIKit.
    ///
    /// It is decoded when it is first drawn; ``decoded(maxPixelSize:pixelsMax:)`` does that elsewhere.
    ///
    /// - Parameter scale: The number of pixels per point; usually 1 for an image without its own scale.
    /// - Returns: The image; `nil` if the system can't decode it.
    public func makeUIImage(scale: Double = 1) -> UIImage? { UIImage(data: bytes, scale: scale) }

    /// The image for SwiftUI.
    ///
    /// It is decoded when it is first drawn; ``decoded(maxPixelSize:pixelsMax:)`` does that elsewhere.
    ///
    /// - Parameter scale: The number of pixels per point; usually 1 for an image without its own scale.
    /// - Returns: The image; `nil` if the system can't decode it.
    public func makeImage(scale: Double = 1) -> Image? { makeUIImage(scale: scale).map { Image(uiImage: $0) } }
}
#endif
#endif
