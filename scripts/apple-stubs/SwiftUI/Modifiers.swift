// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/swiftui/view
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension View {
    /// https://developer.apple.com/documentation/swiftui/view/font(_:)
    public nonisolated func font(_ font: Font?) -> some View { fatalError() as Never }

    /// https://developer.apple.com/documentation/swiftui/view/overlay(alignment:content:)
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    public nonisolated func overlay<V: View>(
        alignment: Alignment = .center,
        @ViewBuilder content: () -> V,
    ) -> some View { fatalError() as Never }

    /// https://developer.apple.com/documentation/swiftui/view/task(priority:_:)
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    public nonisolated func task(
        priority: TaskPriority = .userInitiated,
        _ action: @escaping @Sendable () async -> Void,
    ) -> some View { fatalError() as Never }

    /// https://developer.apple.com/documentation/swiftui/view/refreshable(action:)
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
        fatalError() as Never
    }
}

/// https://developer.apple.com/documentation/swiftui/alignment
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct Alignment: Equatable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/alignment/center
    public static let center = Alignment()
}

/// https://developer.apple.com/documentation/swiftui/font
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct Font: Hashable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/font/caption
    public static let caption = Font()
}
