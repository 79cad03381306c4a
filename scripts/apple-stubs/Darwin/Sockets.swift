// Imported C structures are Sendable and BitwiseCopyable without a word; here it has to be said.

public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32

public struct sockaddr: Sendable, BitwiseCopyable {
    public var sa_len: UInt8 = 0
    public var sa_family: sa_family_t = 0
    public init() {}
}

public struct in_addr: Sendable, BitwiseCopyable {
    public var s_addr: in_addr_t = 0
    public init() {}
    public init(s_addr: in_addr_t) {}
}

public struct sockaddr_in: Sendable, BitwiseCopyable {
    public var sin_len: UInt8 = 0
    public var sin_family: sa_family_t = 0
    public var sin_port: in_port_t = 0
    public var sin_addr = in_addr()
    public init() {}
}

public struct linger: Sendable, BitwiseCopyable {
    public init() {}
    public init(l_onoff: Int32, l_linger: Int32) {}
}

public var AF_INET: Int32 { 2 }
public var SOCK_STREAM: Int32 { 1 }
public var SOL_SOCKET: Int32 { 0xFFFF }
public var SO_REUSEADDR: Int32 { 0x0004 }
public var SO_LINGER: Int32 { 0x0080 }
public var SO_NOSIGPIPE: Int32 { 0x1022 }
public var SOMAXCONN: Int32 { 128 }
public var SHUT_WR: Int32 { 1 }
public var IPPROTO_TCP: Int32 { 6 }
public var TCP_NODELAY: Int32 { 1 }

@discardableResult
public func socket(_: Int32, _: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult
public func listen(_: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult
public func bind(_: Int32, _: UnsafePointer<sockaddr>!, _: socklen_t) -> Int32 { fatalError() }
@discardableResult
public func accept(
    _: Int32,
    _: UnsafeMutablePointer<sockaddr>!,
    _: UnsafeMutablePointer<socklen_t>!,
) -> Int32 { fatalError() }
@discardableResult
public func getsockname(
    _: Int32,
    _: UnsafeMutablePointer<sockaddr>!,
    _: UnsafeMutablePointer<socklen_t>!,
) -> Int32 { fatalError() }
@discardableResult
public func setsockopt(_: Int32, _: Int32, _: Int32, _: UnsafeRawPointer!, _: socklen_t) -> Int32 { fatalError() }
@discardableResult
public func shutdown(_: Int32, _: Int32) -> Int32 { fatalError() }
@discardableResult
public func send(_: Int32, _: UnsafeRawPointer!, _: Int, _: Int32) -> Int { fatalError() }
@discardableResult
public func recv(_: Int32, _: UnsafeMutableRawPointer!, _: Int, _: Int32) -> Int { fatalError() }
