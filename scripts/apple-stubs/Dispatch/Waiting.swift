// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/dispatch/dispatchgroup
open class DispatchGroup: DispatchObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchgroup/init()
    public override init() {}

    /// https://developer.apple.com/documentation/dispatch/dispatchgroup/enter()
    open func enter() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchgroup/leave()
    open func leave() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchgroup/wait()
    @available(*, noasync, message: "Await a Task handle instead")
    open func wait() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchgroup/wait(timeout:)
    @available(*, noasync, message: "Await a Task handle instead")
    open func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchgroup/wait(walltimeout:)
    @available(*, noasync, message: "Await a Task handle instead")
    open func wait(wallTimeout timeout: DispatchWallTime) -> DispatchTimeoutResult { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchgroup/notify(qos:flags:queue:execute:)
    @preconcurrency
    open func notify(
        qos: DispatchQoS = .unspecified,
        flags: DispatchWorkItemFlags = [],
        queue: DispatchQueue,
        execute work: @escaping @Sendable @convention(block) () -> Void,
    ) {}
}

/// https://developer.apple.com/documentation/dispatch/dispatchsemaphore
open class DispatchSemaphore: DispatchObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/dispatch/dispatchsemaphore/init(value:)
    public init(value: Int) {}

    /// https://developer.apple.com/documentation/dispatch/dispatchsemaphore/wait()
    @available(*, noasync, message: "Await a Task handle instead")
    open func wait() {}
    /// https://developer.apple.com/documentation/dispatch/dispatchsemaphore/wait(timeout:)
    @available(*, noasync, message: "Await a Task handle instead")
    open func wait(timeout: DispatchTime) -> DispatchTimeoutResult { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchsemaphore/wait(walltimeout:)
    @available(*, noasync, message: "Await a Task handle instead")
    open func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult { fatalError() }
    /// https://developer.apple.com/documentation/dispatch/dispatchsemaphore/signal()
    @discardableResult
    open func signal() -> Int { fatalError() }
}
