// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/swiftui/button
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct Button<Label: View>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/button
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension Button where Label == Text {
    /// https://developer.apple.com/documentation/swiftui/button/init(_:action:)
    public nonisolated init<S: StringProtocol>(_ title: S, action: @escaping @MainActor () -> Void) { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/emptyview
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct EmptyView: View, Sendable {
    /// https://developer.apple.com/documentation/swiftui/emptyview/init()
    public nonisolated init() {}

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/progressview
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct ProgressView<Label: View, CurrentValueLabel: View>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/progressview
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
extension ProgressView where CurrentValueLabel == EmptyView {
    /// https://developer.apple.com/documentation/swiftui/progressview/init()
    public nonisolated init() where Label == EmptyView { fatalError() }
}
