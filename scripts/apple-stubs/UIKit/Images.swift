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
        /// https://developer.apple.com/documentation/uikit/uiimage/orientation/upmirrored
        case upMirrored = 4
        /// https://developer.apple.com/documentation/uikit/uiimage/orientation/downmirrored
        case downMirrored = 5
        /// https://developer.apple.com/documentation/uikit/uiimage/orientation/leftmirrored
        case leftMirrored = 6
        /// https://developer.apple.com/documentation/uikit/uiimage/orientation/rightmirrored
        case rightMirrored = 7
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
    /// https://developer.apple.com/documentation/uikit/uiimage/imageorientation
    open var imageOrientation: UIImage.Orientation { fatalError() }

    /// https://developer.apple.com/documentation/uikit/uiimage/pngdata()
    open func pngData() -> Data? { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/jpegdata(compressionquality:)
    open func jpegData(compressionQuality: CGFloat) -> Data? { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/preparingfordisplay()
    @available(iOS 15.0, tvOS 15.0, *)
    @available(watchOS, unavailable)
    open func preparingForDisplay() -> UIImage? { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/preparefordisplay(completionhandler:)
    @available(iOS 15.0, tvOS 15.0, *)
    @available(watchOS, unavailable)
    open func prepareForDisplay(completionHandler: @escaping @Sendable (UIImage?) -> Void) {}
    /// https://developer.apple.com/documentation/uikit/uiimage/bypreparingfordisplay()
    @available(iOS 15.0, tvOS 15.0, *)
    @available(watchOS, unavailable)
    open func byPreparingForDisplay() async -> UIImage? { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/preparingthumbnail(of:)
    @available(iOS 15.0, tvOS 15.0, *)
    @available(watchOS, unavailable)
    open func preparingThumbnail(of size: CGSize) -> UIImage? { fatalError() }
    /// https://developer.apple.com/documentation/uikit/uiimage/bypreparingthumbnail(ofsize:)
    @available(iOS 15.0, tvOS 15.0, *)
    @available(watchOS, unavailable)
    open func byPreparingThumbnail(ofSize size: CGSize) async -> UIImage? { fatalError() }
}
