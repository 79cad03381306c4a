public var STDOUT_FILENO: Int32 { 1 }
public var STDERR_FILENO: Int32 { 2 }

public func isatty(_: Int32) -> Int32 { fatalError() }

public struct winsize {
    public var ws_row: UInt16 = 0
    public var ws_col: UInt16 = 0
    public init() {}
}

public var TIOCGWINSZ: UInt { 0x4008_7468 }
public func ioctl(_: Int32, _: UInt, _: UnsafeMutableRawPointer) -> Int32 { fatalError() }
