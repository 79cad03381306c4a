public struct _opaque_pthread_t {}
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>

public struct pthread_attr_t: Sendable, BitwiseCopyable {
    public init() {}
}

public var PTHREAD_CREATE_DETACHED: Int32 { 2 }

@discardableResult
public func pthread_attr_init(_: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { fatalError() }
@discardableResult
public func pthread_attr_destroy(_: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { fatalError() }
@discardableResult
public func pthread_attr_setdetachstate(_: UnsafeMutablePointer<pthread_attr_t>, _: Int32) -> Int32 { fatalError() }

@discardableResult
public func pthread_create(
    _: UnsafeMutablePointer<pthread_t?>,
    _: UnsafePointer<pthread_attr_t>?,
    _: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _: UnsafeMutableRawPointer?,
) -> Int32 { fatalError() }

@discardableResult
public func pthread_setname_np(_: UnsafePointer<CChar>) -> Int32 { fatalError() }

public typealias sigset_t = UInt32
public var SIG_BLOCK: Int32 { 1 }

@discardableResult
public func sigfillset(_: UnsafeMutablePointer<sigset_t>) -> Int32 { fatalError() }
@discardableResult
public func pthread_sigmask(_: Int32, _: UnsafePointer<sigset_t>?, _: UnsafeMutablePointer<sigset_t>?) -> Int32 {
    fatalError()
}

public struct pthread_mutex_t: Sendable, BitwiseCopyable {
    public var __sig: Int
    public var __opaque: Int

    public init() { fatalError() }
}

public struct pthread_mutexattr_t: Sendable, BitwiseCopyable {
    public init() { fatalError() }
}

@discardableResult
public func pthread_mutex_init(
    _: UnsafeMutablePointer<pthread_mutex_t>,
    _: UnsafePointer<pthread_mutexattr_t>?
) -> Int32 { fatalError() }

@discardableResult
public func pthread_mutex_lock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { fatalError() }

@discardableResult
public func pthread_mutex_unlock(_: UnsafeMutablePointer<pthread_mutex_t>) -> Int32 { fatalError() }
