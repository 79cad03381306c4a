// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/dispatch/dispatchobject
open class DispatchObject: @unchecked Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchobject/init()
    init() {}

    /// https://developer.apple.com/documentation/dispatch/dispatchobject/activate()
    open func activate() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchobject/suspend()
    open func suspend() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchobject/resume()
    open func resume() {}
}

/// https://developer.apple.com/documentation/dispatch/dispatchqos
public struct DispatchQoS: Equatable, Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass
    public enum QoSClass: Sendable {
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/background
        case background
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/default
        case `default`
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/userinitiated
        case userInitiated
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/unspecified
        case unspecified
    }

    /// https://developer.apple.com/documentation/dispatch/dispatchqos/background
    public static let background = DispatchQoS(qosClass: .background, relativePriority: 0)
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/default
    public static let `default` = DispatchQoS(qosClass: .default, relativePriority: 0)
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/userinitiated
    public static let userInitiated = DispatchQoS(qosClass: .userInitiated, relativePriority: 0)
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/unspecified
    public static let unspecified = DispatchQoS(qosClass: .unspecified, relativePriority: 0)

    /// https://developer.apple.com/documentation/dispatch/dispatchqos/init(qosclass:relativepriority:)
    public init(qosClass: DispatchQoS.QoSClass, relativePriority: Int) { fatalError() }
}

/// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags
public struct DispatchWorkItemFlags: OptionSet, RawRepresentable, Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/rawvalue
    public let rawValue: UInt
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/detached
    public static let detached = DispatchWorkItemFlags(rawValue: 0x2)

    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/init(rawvalue:)
    public init(rawValue: UInt) { fatalError() }
}

// Not Sendable in the SDK.
/// https://developer.apple.com/documentation/dispatch/dispatchworkitem
public class DispatchWorkItem {
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitem/init(qos:flags:block:)
    public init(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        block: @escaping @convention(block) () -> Void,
    ) {}

    /// https://developer.apple.com/documentation/dispatch/dispatchworkitem/iscancelled
    public var isCancelled: Bool { fatalError() }

    /// https://developer.apple.com/documentation/dispatch/dispatchworkitem/perform()
    public func perform() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitem/wait()
    public func wait() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitem/wait(timeout:)
    public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitem/cancel()
    public func cancel() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitem/notify(queue:execute:)
    public func notify(queue: DispatchQueue, execute: DispatchWorkItem) {}
}

/// https://developer.apple.com/documentation/dispatch/dispatchspecifickey
public final class DispatchSpecificKey<T>: @unchecked Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchspecifickey/init()
    public init() {}
}

/// https://developer.apple.com/documentation/dispatch/dispatchqueue
open class DispatchQueue: DispatchObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes
    public struct Attributes: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes/rawvalue
        public let rawValue: UInt64

        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes/concurrent
        public static let concurrent = DispatchQueue.Attributes(rawValue: 1 << 1)

        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes/init(rawvalue:)
        public init(rawValue: UInt64) { fatalError() }
    }

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/autoreleasefrequency
    public enum AutoreleaseFrequency: Sendable {
        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/autoreleasefrequency/inherit
        case inherit
        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/autoreleasefrequency/never
        case never
    }

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/main
    public class var main: DispatchQueue { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/global(qos:)
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/init(label:qos:attributes:autoreleasefrequency:target:)
    public convenience init(
        label: String,
        qos: DispatchQoS = .unspecified,
        attributes: DispatchQueue.Attributes = [],
        autoreleaseFrequency: DispatchQueue.AutoreleaseFrequency = .inherit,
        target: DispatchQueue? = nil,
    ) { fatalError() }

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/label
    public var label: String { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/qos
    public var qos: DispatchQoS { fatalError() }

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue
    public func sync(execute workItem: DispatchWorkItem) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue
    public func sync<T>(execute work: () throws -> T) rethrows -> T { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/sync(flags:execute:)
    public func sync<T>(flags: DispatchWorkItemFlags, execute work: () throws -> T) rethrows -> T { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/async(execute:)
    public func async(execute workItem: DispatchWorkItem) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/async(group:execute:)
    public func async(group: DispatchGroup, execute workItem: DispatchWorkItem) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/async(group:qos:flags:execute:)
    @preconcurrency
    public func async(
        group: DispatchGroup? = nil,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void,
    ) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue
    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/setspecific(key:value:)
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
}
