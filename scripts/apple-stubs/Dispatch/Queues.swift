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
    /// https://developer.apple.com/documentation/dispatch/dispatchobject/settarget(queue:)
    open func setTarget(queue: DispatchQueue?) {}
}

/// https://developer.apple.com/documentation/dispatch/dispatchqos
public struct DispatchQoS: Equatable, Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass
    public enum QoSClass: Sendable {
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/background
        case background
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/utility
        case utility
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/default
        case `default`
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/userinitiated
        case userInitiated
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/userinteractive
        case userInteractive
        /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass/unspecified
        case unspecified
    }

    /// https://developer.apple.com/documentation/dispatch/dispatchqos/qosclass
    public let qosClass: DispatchQoS.QoSClass
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/relativepriority
    public let relativePriority: Int

    /// https://developer.apple.com/documentation/dispatch/dispatchqos/background
    public static let background = DispatchQoS(qosClass: .background, relativePriority: 0)
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/utility
    public static let utility = DispatchQoS(qosClass: .utility, relativePriority: 0)
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/default
    public static let `default` = DispatchQoS(qosClass: .default, relativePriority: 0)
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/userinitiated
    public static let userInitiated = DispatchQoS(qosClass: .userInitiated, relativePriority: 0)
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/userinteractive
    public static let userInteractive = DispatchQoS(qosClass: .userInteractive, relativePriority: 0)
    /// https://developer.apple.com/documentation/dispatch/dispatchqos/unspecified
    public static let unspecified = DispatchQoS(qosClass: .unspecified, relativePriority: 0)

    /// https://developer.apple.com/documentation/dispatch/dispatchqos/init(qosclass:relativepriority:)
    public init(qosClass: DispatchQoS.QoSClass, relativePriority: Int) { fatalError() }
}

/// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags
public struct DispatchWorkItemFlags: OptionSet, RawRepresentable, Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/rawvalue
    public let rawValue: UInt

    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/barrier
    public static let barrier = DispatchWorkItemFlags(rawValue: 0x1)
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/detached
    public static let detached = DispatchWorkItemFlags(rawValue: 0x2)
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/assigncurrentcontext
    public static let assignCurrentContext = DispatchWorkItemFlags(rawValue: 0x4)
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/noqos
    public static let noQoS = DispatchWorkItemFlags(rawValue: 0x8)
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/inheritqos
    public static let inheritQoS = DispatchWorkItemFlags(rawValue: 0x10)
    /// https://developer.apple.com/documentation/dispatch/dispatchworkitemflags/enforceqos
    public static let enforceQoS = DispatchWorkItemFlags(rawValue: 0x20)

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
        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes/initiallyinactive
        public static let initiallyInactive = DispatchQueue.Attributes(rawValue: 1 << 2)

        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/attributes/init(rawvalue:)
        public init(rawValue: UInt64) { fatalError() }
    }

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/autoreleasefrequency
    public enum AutoreleaseFrequency: Sendable {
        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/autoreleasefrequency/inherit
        case inherit
        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/autoreleasefrequency/workitem
        case workItem
        /// https://developer.apple.com/documentation/dispatch/dispatchqueue/autoreleasefrequency/never
        case never
    }

    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/main
    public class var main: DispatchQueue { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/global(qos:)
    public class func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue
    public class func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/concurrentperform(iterations:execute:)
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}

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
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/asyncafter(deadline:execute:)
    public func asyncAfter(deadline: DispatchTime, execute: DispatchWorkItem) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/asyncafter(deadline:qos:flags:execute:)
    @preconcurrency
    public func asyncAfter(
        deadline: DispatchTime,
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        execute work: @escaping @Sendable @convention(block) () -> Void,
    ) {}
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue
    public func getSpecific<T>(key: DispatchSpecificKey<T>) -> T? { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchqueue/setspecific(key:value:)
    public func setSpecific<T>(key: DispatchSpecificKey<T>, value: T?) {}
}

/// https://developer.apple.com/documentation/dispatch/dispatchpredicate
public enum DispatchPredicate: Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchpredicate/onqueue(_:)
    case onQueue(DispatchQueue)
    /// https://developer.apple.com/documentation/dispatch/dispatchpredicate/onqueueasbarrier(_:)
    case onQueueAsBarrier(DispatchQueue)
    /// https://developer.apple.com/documentation/dispatch/dispatchpredicate/notonqueue(_:)
    case notOnQueue(DispatchQueue)
}

/// https://developer.apple.com/documentation/dispatch/dispatchprecondition(condition:)
public func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {}
/// https://developer.apple.com/documentation/dispatch/dispatchmain()
public func dispatchMain() -> Never { fatalError() }
