// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/swiftui/state
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
@propertyWrapper
public struct State<Value> {
    /// https://developer.apple.com/documentation/swiftui/state/init(wrappedvalue:)
    public init(wrappedValue value: Value) { fatalError() }
    /// https://developer.apple.com/documentation/swiftui/state/init(initialvalue:)
    public init(initialValue value: Value) { fatalError() }

    /// https://developer.apple.com/documentation/swiftui/state/wrappedvalue
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set { fatalError() }
    }
}

/// https://developer.apple.com/documentation/swiftui/state
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
extension State: Sendable where Value: Sendable {}

/// https://developer.apple.com/documentation/swiftui/scene
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
@MainActor
@preconcurrency
public protocol Scene {
    /// https://developer.apple.com/documentation/swiftui/scene/body-swift.associatedtype
    associatedtype Body: Scene

    /// https://developer.apple.com/documentation/swiftui/scene/body-swift.property
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

/// https://developer.apple.com/documentation/swift/never
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
extension Never: Scene {}

/// https://developer.apple.com/documentation/swiftui/scenebuilder
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
@resultBuilder
public struct SceneBuilder {
    /// https://developer.apple.com/documentation/swiftui/scenebuilder/buildblock(_:)
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/windowgroup
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct WindowGroup<Content: View>: Scene {
    /// https://developer.apple.com/documentation/swiftui/windowgroup/init(content:)
    public nonisolated init(@ViewBuilder content: () -> Content) { fatalError() }

    /// https://developer.apple.com/documentation/swiftui/scene/body-swift.property
    public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/app
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
@MainActor
@preconcurrency
public protocol App {
    /// https://developer.apple.com/documentation/swiftui/app/body-swift.associatedtype
    associatedtype Body: Scene

    /// https://developer.apple.com/documentation/swiftui/app/body-swift.property
    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }

    /// https://developer.apple.com/documentation/swiftui/app/init()
    @MainActor @preconcurrency init()
}
