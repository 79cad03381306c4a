public var LOCK_EX: Int32 { 0x02 }
public var LOCK_NB: Int32 { 0x04 }
public var O_NOFOLLOW: Int32 { 0x0100 }
public var ECANCELED: Int32 { 89 }

// The structure of this name is left out: in Swift the two would collide.
public func flock(_: Int32, _: Int32) -> Int32 { fatalError() }
