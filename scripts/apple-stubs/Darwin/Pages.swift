// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/sysconf.3.html
public var _SC_PAGESIZE: Int32 { 29 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
public var PROT_NONE: Int32 { 0x00 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
public var PROT_READ: Int32 { 0x01 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
public var PROT_WRITE: Int32 { 0x02 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
public var MAP_PRIVATE: Int32 { 0x0002 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
public var MAP_ANON: Int32 { 0x1000 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
public var MAP_FAILED: UnsafeMutableRawPointer! { nil }

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/sysconf.3.html
public func sysconf(_: Int32) -> Int { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mmap.2.html
public func mmap(
    _: UnsafeMutableRawPointer!,
    _: Int,
    _: Int32,
    _: Int32,
    _: Int32,
    _: off_t,
) -> UnsafeMutableRawPointer! { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/munmap.2.html
@discardableResult
public func munmap(_: UnsafeMutableRawPointer!, _: Int) -> Int32 { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/mprotect.2.html
@discardableResult
public func mprotect(_: UnsafeMutableRawPointer!, _: Int, _: Int32) -> Int32 { fatalError() }
