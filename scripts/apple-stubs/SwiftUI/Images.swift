// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

// It exports only the one that the platform has; the stub is of all of them.
@_exported public import AppKit
@_exported public import CoreGraphics
@_exported public import Foundation
@_exported public import UIKit

/// https://developer.apple.com/documentation/swiftui/view
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
@MainActor
@preconcurrency
public protocol View {
    /// https://developer.apple.com/documentation/swiftui/view/body
    associatedtype Body: View

    /// https://developer.apple.com/documentation/swiftui/view
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

/// https://developer.apple.com/documentation/swift/never
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension Never: View {
    /// https://developer.apple.com/documentation/swift/never/body
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/viewbuilder
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
@resultBuilder
public enum ViewBuilder {
    /// https://developer.apple.com/documentation/swiftui/viewbuilder/buildexpression(_:)
    public static func buildExpression<Content: View>(_ content: Content) -> Content { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock()
    public static func buildBlock() -> EmptyView { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)
    public static func buildBlock<Content: View>(_ content: Content) -> Content { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<
        (repeat each Content)
    > { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/viewbuilder/buildif(_:)
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(first:)
    public static func buildEither<TrueContent: View, FalseContent: View>(
        first: TrueContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(second:)
    public static func buildEither<TrueContent: View, FalseContent: View>(
        second: FalseContent
    ) -> _ConditionalContent<TrueContent, FalseContent> { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/tupleview
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct TupleView<T>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(first:)
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct _ConditionalContent<TrueContent, FalseContent> {}

/// https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(first:)
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension _ConditionalContent: View where TrueContent: View, FalseContent: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/viewbuilder/buildif(_:)
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension Optional: View where Wrapped: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/image
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct Image: Equatable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/image/orientation
    public enum Orientation: UInt8, CaseIterable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/swiftui/image/orientation/up
        case up
        /// https://developer.apple.com/documentation/swiftui/image/orientation/down
        case down
        /// https://developer.apple.com/documentation/swiftui/image/orientation/left
        case left
        /// https://developer.apple.com/documentation/swiftui/image/orientation/right
        case right
    }

    /// https://developer.apple.com/documentation/swiftui/image/init(_:bundle:)
    public init(_ name: String, bundle: Bundle? = nil) { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/image/init(systemname:)
    @available(macOS 11.0, *)
    public init(systemName: String) { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/image/init(decorative:scale:orientation:)
    public init(decorative cgImage: CGImage, scale: CGFloat, orientation: Image.Orientation = .up) { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/image/init(nsimage:)
    public init(nsImage: NSImage) { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/image/init(uiimage:)
    public init(uiImage: UIImage) { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/image
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension Image: View {
    /// https://developer.apple.com/documentation/swiftui/image/body
    public typealias Body = Never

    /// https://developer.apple.com/documentation/swiftui/image
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/text
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct Text: Equatable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/text/init(_:)
    public init<S: StringProtocol>(_ content: S) { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/text/init(verbatim:)
    public init(verbatim content: String) { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/text
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension Text: View {
    /// https://developer.apple.com/documentation/swiftui/text/body
    public typealias Body = Never

    /// https://developer.apple.com/documentation/swiftui/text
    public var body: Never { fatalError() }
}
