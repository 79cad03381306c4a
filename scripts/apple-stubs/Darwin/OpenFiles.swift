public var O_WRONLY: Int32 { 0x0001 }
public var O_CREAT: Int32 { 0x0200 }
public var O_EXCL: Int32 { 0x0800 }
public var ENOENT: Int32 { 2 }
public var EIO: Int32 { 5 }

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: UInt16) -> Int32 { fatalError() }
@discardableResult
public func fsync(_: Int32) -> Int32 { fatalError() }
@discardableResult
public func rename(_ from: UnsafePointer<CChar>!, _ to: UnsafePointer<CChar>!) -> Int32 { fatalError() }
@discardableResult
public func unlink(_: UnsafePointer<CChar>!) -> Int32 { fatalError() }
public func getpid() -> Int32 { fatalError() }
