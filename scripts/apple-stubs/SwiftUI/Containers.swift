// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/swiftui/horizontalalignment
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct HorizontalAlignment: Equatable, Sendable {
    /// https://developer.apple.com/documentation/swiftui/horizontalalignment/center
    public static let center = HorizontalAlignment()
    /// https://developer.apple.com/documentation/swiftui/horizontalalignment/leading
    public static let leading = HorizontalAlignment()
}

/// https://developer.apple.com/documentation/swiftui/vstack
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct VStack<Content: View>: View {
    /// https://developer.apple.com/documentation/swiftui/vstack/init(alignment:spacing:content:)
    public nonisolated init(
        alignment: HorizontalAlignment = .center,
        spacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content,
    ) { fatalError() }

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/foreach
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {}

/// https://developer.apple.com/documentation/swiftui/foreach
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension ForEach: View where Content: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/list
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public struct List<SelectionValue: Hashable, Content: View>: View {
    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/list
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension List where SelectionValue == Never {
    /// https://developer.apple.com/documentation/swiftui/list/init(_:rowcontent:)
    public nonisolated init<Data: RandomAccessCollection, RowContent: View>(
        _ data: Data,
        @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent,
    ) where Content == ForEach<Data, Data.Element.ID, RowContent>, Data.Element: Identifiable { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/contentunavailableview
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
public struct ContentUnavailableView<Label: View, Description: View, Actions: View>: View {
    /// https://developer.apple.com/documentation/swiftui/contentunavailableview/init(label:description:actions:)
    public nonisolated init(
        @ViewBuilder label: () -> Label,
        @ViewBuilder description: () -> Description,
        @ViewBuilder actions: () -> Actions,
    ) { fatalError() }

    /// https://developer.apple.com/documentation/swiftui/view/body-8kl5o
    public var body: Never { fatalError() }
}
