// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/nslocking
public protocol NSLocking {
    /// https://developer.apple.com/documentation/foundation/nslocking/lock()
    func lock()
    /// https://developer.apple.com/documentation/foundation/nslocking/unlock()
    func unlock()
}

/// https://developer.apple.com/documentation/foundation/nslocking
extension NSLocking {
    /// https://developer.apple.com/documentation/foundation/nslocking/withlock(_:)
    @available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/nslock
open class NSLock: NSObject, NSLocking, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/nslock/name
    open var name: String? {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/nslock/lock()
    @available(*, noasync, message: "Use async-safe scoped locking instead")
    open func lock() {}
    /// https://developer.apple.com/documentation/foundation/nslock/unlock()
    @available(*, noasync, message: "Use async-safe scoped locking instead")
    open func unlock() {}
    /// https://developer.apple.com/documentation/foundation/nslock/try()
    @available(*, noasync, message: "Use async-safe scoped locking instead")
    open func `try`() -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nslock/lock(before:)
    @available(*, noasync, message: "Use async-safe scoped locking instead")
    open func lock(before limit: Date) -> Bool { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/thread
open class Thread: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/thread/current
    @available(*, noasync)
    open class var current: Thread { fatalError() }
    /// https://developer.apple.com/documentation/foundation/thread/main
    open class var main: Thread { fatalError() }
    /// https://developer.apple.com/documentation/foundation/thread/detachnewthread(_:)
    open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {}
    /// https://developer.apple.com/documentation/foundation/thread/sleep(until:)
    @available(*, noasync)
    open class func sleep(until date: Date) {}
    /// https://developer.apple.com/documentation/foundation/thread/sleep(fortimeinterval:)
    @available(*, noasync)
    open class func sleep(forTimeInterval ti: TimeInterval) {}
    /// https://developer.apple.com/documentation/foundation/thread/exit()
    @available(*, noasync)
    open class func exit() {}

    /// https://developer.apple.com/documentation/foundation/thread/init()
    public override init() {}
    /// https://developer.apple.com/documentation/foundation/thread/init(block:)
    public convenience init(block: @escaping @Sendable () -> Void) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/thread/name
    open var name: String? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/thread/stacksize
    open var stackSize: Int {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/thread/isfinished
    open var isFinished: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/thread/iscancelled
    open var isCancelled: Bool { fatalError() }

    /// https://developer.apple.com/documentation/foundation/thread/cancel()
    open func cancel() {}
    /// https://developer.apple.com/documentation/foundation/thread/start()
    open func start() {}
    /// https://developer.apple.com/documentation/foundation/thread/main()
    open func main() {}
}

/// https://developer.apple.com/documentation/foundation/runloop
open class RunLoop: NSObject {
    /// https://developer.apple.com/documentation/foundation/runloop/mode
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/foundation/runloop/mode/rawvalue
        public let rawValue: String

        /// https://developer.apple.com/documentation/foundation/runloop/mode/default
        public static let `default` = RunLoop.Mode(rawValue: "")
        /// https://developer.apple.com/documentation/foundation/runloop/mode/common
        public static let common = RunLoop.Mode(rawValue: "")

        /// https://developer.apple.com/documentation/foundation/runloop/mode/init(_:)
        public init(_ rawValue: String) { fatalError() }
        /// https://developer.apple.com/documentation/foundation/runloop/mode/init(rawvalue:)
        public init(rawValue: String) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/runloop/current
    @available(*, noasync)
    open class var current: RunLoop { fatalError() }
    /// https://developer.apple.com/documentation/foundation/runloop/main
    open class var main: RunLoop { fatalError() }
    /// https://developer.apple.com/documentation/foundation/runloop/add(_:formode:)
    open func add(_ timer: Timer, forMode mode: RunLoop.Mode) {}
    /// https://developer.apple.com/documentation/foundation/runloop/run()
    @available(*, noasync)
    open func run() {}
    /// https://developer.apple.com/documentation/foundation/runloop/run(until:)
    @available(*, noasync)
    open func run(until limitDate: Date) {}
    /// https://developer.apple.com/documentation/foundation/runloop/run(mode:before:)
    @available(*, noasync)
    open func run(mode: RunLoop.Mode, before limitDate: Date) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/runloop/perform(_:)
    @preconcurrency
    open func perform(_ block: @escaping @Sendable () -> Void) {}
}

/// https://developer.apple.com/documentation/foundation/runloop
@available(*, unavailable)
extension RunLoop: Sendable {}

/// https://developer.apple.com/documentation/foundation/timer
open class Timer: NSObject {
    /// https://developer.apple.com/documentation/foundation/timer/init(timeinterval:repeats:block:)
    public init(timeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void) {}
    /// https://developer.apple.com/documentation/foundation/timer/tolerance
    open var tolerance: TimeInterval {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/timer/isvalid
    open var isValid: Bool { fatalError() }

    /// https://developer.apple.com/documentation/foundation/timer/fire()
    open func fire() {}
    /// https://developer.apple.com/documentation/foundation/timer/invalidate()
    open func invalidate() {}
}

/// https://developer.apple.com/documentation/foundation/timer
@available(*, unavailable)
extension Timer: Sendable {}

/// https://developer.apple.com/documentation/foundation/operation
open class Operation: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/operation/iscancelled
    open var isCancelled: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/operation/isfinished
    open var isFinished: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/operation/name
    open var name: String? {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/operation/start()
    open func start() {}
    /// https://developer.apple.com/documentation/foundation/operation/main()
    open func main() {}
    /// https://developer.apple.com/documentation/foundation/operation/cancel()
    open func cancel() {}
}

/// https://developer.apple.com/documentation/foundation/operationqueue
open class OperationQueue: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/operationqueue/current
    open class var current: OperationQueue? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/operationqueue/main
    open class var main: OperationQueue { fatalError() }

    /// https://developer.apple.com/documentation/foundation/operationqueue/maxconcurrentoperationcount
    open var maxConcurrentOperationCount: Int {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/operationqueue/name
    open var name: String? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/operationqueue/issuspended
    open var isSuspended: Bool {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/operationqueue
    open func addOperation(_ op: Operation) {}
    /// https://developer.apple.com/documentation/foundation/operationqueue
    @preconcurrency
    open func addOperation(_ block: @escaping @Sendable () -> Void) {}
}
