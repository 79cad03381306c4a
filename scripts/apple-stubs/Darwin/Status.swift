public struct stat {
    public var st_mode: UInt16 = 0
    public var st_uid: UInt32 = 0
    public var st_size: Int64 = 0
    public init() {}
}

public func fstat(_: Int32, _: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }

public func geteuid() -> UInt32 { fatalError() }

public var S_IFMT: UInt16 { 0o170000 }
public var S_IFREG: UInt16 { 0o100000 }
public var O_RDONLY: Int32 { 0x0000 }
public var O_CLOEXEC: Int32 { 0x0100_0000 }
