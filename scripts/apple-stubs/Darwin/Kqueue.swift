// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public var EVFILT_VNODE: Int32 { -4 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public var EV_ADD: Int32 { 0x0001 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public var NOTE_DELETE: Int32 { 0x0001 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public var NOTE_WRITE: Int32 { 0x0002 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public var NOTE_EXTEND: Int32 { 0x0004 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public var NOTE_RENAME: Int32 { 0x0020 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public struct kevent64_s: Sendable, BitwiseCopyable {
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public var ident: UInt64 = 0
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public var filter: Int16 = 0
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public var flags: UInt16 = 0
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public var fflags: UInt32 = 0
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public var data: Int64 = 0
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public var udata: UInt64 = 0
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public var ext: (UInt64, UInt64) = (0, 0)
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public init() {}
    /// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
    public init(
        ident: UInt64,
        filter: Int16,
        flags: UInt16,
        fflags: UInt32,
        data: Int64,
        udata: UInt64,
        ext: (UInt64, UInt64),
    ) {}
}
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public func kqueue() -> Int32 { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/kqueue.2.html
public func kevent64(
    _: Int32,
    _: UnsafePointer<kevent64_s>!,
    _: Int32,
    _: UnsafeMutablePointer<kevent64_s>!,
    _: Int32,
    _: UInt32,
    _: UnsafePointer<timespec>!,
) -> Int32 { fatalError() }
