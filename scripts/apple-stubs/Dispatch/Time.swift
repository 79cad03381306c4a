// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval
public enum DispatchTimeInterval: Equatable, Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval/seconds(_:)
    case seconds(Int)
    /// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval/milliseconds(_:)
    case milliseconds(Int)
    /// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval/microseconds(_:)
    case microseconds(Int)
    /// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval/nanoseconds(_:)
    case nanoseconds(Int)
    /// https://developer.apple.com/documentation/dispatch/dispatchtimeinterval/never
    case never
}

/// https://developer.apple.com/documentation/dispatch/dispatchtimeoutresult
public enum DispatchTimeoutResult: Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchtimeoutresult/success
    case success
    /// https://developer.apple.com/documentation/dispatch/dispatchtimeoutresult/timedout
    case timedOut
}

/// https://developer.apple.com/documentation/dispatch/dispatchtime
public struct DispatchTime: Comparable, Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchtime/distantfuture
    public static let distantFuture = DispatchTime(uptimeNanoseconds: UInt64.max)

    /// https://developer.apple.com/documentation/dispatch/dispatchtime/now()
    public static func now() -> DispatchTime { fatalError() }

    /// https://developer.apple.com/documentation/dispatch/dispatchtime/rawvalue
    public let rawValue: UInt64

    /// https://developer.apple.com/documentation/dispatch/dispatchtime/init(uptimenanoseconds:)
    public init(uptimeNanoseconds: UInt64) { fatalError() }

    /// https://developer.apple.com/documentation/dispatch/dispatchtime
    public static func < (a: DispatchTime, b: DispatchTime) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchtime/distance(to:)
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
    public func distance(to other: DispatchTime) -> DispatchTimeInterval { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchtime/advanced(by:)
    @available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
    public func advanced(by n: DispatchTimeInterval) -> DispatchTime { fatalError() }
}

/// https://developer.apple.com/documentation/dispatch/dispatchwalltime
public struct DispatchWallTime: Comparable, Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchwalltime/distantfuture
    public static let distantFuture = DispatchWallTime()

    /// https://developer.apple.com/documentation/dispatch/dispatchwalltime/now()
    public static func now() -> DispatchWallTime { fatalError() }

    /// https://developer.apple.com/documentation/dispatch/dispatchwalltime
    public static func < (a: DispatchWallTime, b: DispatchWallTime) -> Bool { fatalError() }
}

/// https://developer.apple.com/documentation/dispatch/dispatchtime
public func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime { fatalError() }
/// https://developer.apple.com/documentation/dispatch/dispatchtime
public func + (time: DispatchTime, seconds: Double) -> DispatchTime { fatalError() }
/// https://developer.apple.com/documentation/dispatch/dispatchtime
public func + (time: DispatchWallTime, interval: DispatchTimeInterval) -> DispatchWallTime { fatalError() }
/// https://developer.apple.com/documentation/dispatch/dispatchtime
public func + (time: DispatchWallTime, seconds: Double) -> DispatchWallTime { fatalError() }
