#if os(macOS)
import AppKit

extension ResponseImage {
    /// The image for AppKit; `nil` where the system can't decode it.
    public func makeNSImage() -> NSImage? { NSImage(data: bytes) }
}
#elseif canImport(UIKit)
import UIKit

extension ResponseImage {
    /// The image for UIKit.
    ///
    /// - Parameter scale: How many pixels a point has: 1, as a rule, for what comes without a scale of its own.
    /// - Returns: The image; `nil` where the system can't decode it.
    public func makeUIImage(scale: Double = 1) -> UIImage? { UIImage(data: bytes, scale: scale) }
}
#endif
