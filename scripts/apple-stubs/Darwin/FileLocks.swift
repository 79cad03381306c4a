/// The name of the function is this structure's too.
public struct flock {
    public var l_start: Int64 = 0
    public var l_len: Int64 = 0
    public var l_pid: pid_t = 0
    public var l_type: Int16 = 0
    public var l_whence: Int16 = 0
    public init() {}
}

public var LOCK_EX: Int32 { 0x02 }
public var LOCK_NB: Int32 { 0x04 }
public var O_NOFOLLOW: Int32 { 0x0100 }
public var ECANCELED: Int32 { 89 }

public func flock(_: Int32, _: Int32) -> Int32 { fatalError() }
