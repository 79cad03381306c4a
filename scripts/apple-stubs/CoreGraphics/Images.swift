// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

@_exported public import CoreFoundation

// Sendable since the SDK of 2023.
/// https://developer.apple.com/documentation/coregraphics/cgimage
public final class CGImage: @unchecked Sendable {
    /// https://developer.apple.com/documentation/coregraphics/cgimage/init()
    init() {}

    /// https://developer.apple.com/documentation/coregraphics/cgimage/width
    public var width: Int { fatalError() }
    /// https://developer.apple.com/documentation/coregraphics/cgimage/height
    public var height: Int { fatalError() }
}
