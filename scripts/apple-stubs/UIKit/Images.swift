// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

@_exported public import CoreGraphics
@_exported public import Foundation

/// https://developer.apple.com/documentation/uikit/uiimage
open class UIImage: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/uikit/uiimage/orientation
    public enum Orientation: Int, Sendable {
        /// https://developer.apple.com/documentation/uikit/uiimage/orientation/up
        case up = 0
        /// https://developer.apple.com/documentation/uikit/uiimage/orientation/down
        case down = 1
        /// https://developer.apple.com/documentation/uikit/uiimage/orientation/left
        case left = 2
        /// https://developer.apple.com/documentation/uikit/uiimage/orientation/right
        case right = 3
    }

    /// https://developer.apple.com/documentation/uikit/uiimage/init(data:)
    public init?(data: Data) { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/init(data:scale:)
    public init?(data: Data, scale: CGFloat) { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/init(cgimage:)
    public init(cgImage: CGImage) {}
    /// https://developer.apple.com/documentation/uikit/uiimage/init(cgimage:scale:orientation:)
    public init(cgImage: CGImage, scale: CGFloat, orientation: UIImage.Orientation) {}

    /// https://developer.apple.com/documentation/uikit/uiimage/size
    open var size: CGSize { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/scale
    open var scale: CGFloat { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/cgimage
    open var cgImage: CGImage? { fatalError() }
}
