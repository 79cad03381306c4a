// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

// Apple's numbers, which differ from Linux' above 34.
/// https://developer.apple.com/documentation/foundation/posixerrorcode
public enum POSIXErrorCode: Int32, Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eperm
    case EPERM = 1
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enoent
    case ENOENT = 2
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eintr
    case EINTR = 4
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eio
    case EIO = 5
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enodev
    case ENODEV = 19
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotdir
    case ENOTDIR = 20
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/einval
    case EINVAL = 22
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enfile
    case ENFILE = 23
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/emfile
    case EMFILE = 24
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/efbig
    case EFBIG = 27
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enospc
    case ENOSPC = 28
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/epipe
    case EPIPE = 32
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eagain
    case EAGAIN = 35
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/einprogress
    case EINPROGRESS = 36
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eaddrinuse
    case EADDRINUSE = 48
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eaddrnotavail
    case EADDRNOTAVAIL = 49
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enetdown
    case ENETDOWN = 50
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enetunreach
    case ENETUNREACH = 51
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/econnaborted
    case ECONNABORTED = 53
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/econnreset
    case ECONNRESET = 54
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotconn
    case ENOTCONN = 57
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/etimedout
    case ETIMEDOUT = 60
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/econnrefused
    case ECONNREFUSED = 61
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ehostdown
    case EHOSTDOWN = 64
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ehostunreach
    case EHOSTUNREACH = 65
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/edquot
    case EDQUOT = 69
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ecanceled
    case ECANCELED = 89
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eproto
    case EPROTO = 100
}

/// https://developer.apple.com/documentation/foundation/posixerrorcode
extension POSIXErrorCode {
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ewouldblock
    public static var EWOULDBLOCK: POSIXErrorCode { .EAGAIN }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPERM: Int32 { 1 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENODEV: Int32 { 19 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTDIR: Int32 { 20 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EINVAL: Int32 { 22 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENFILE: Int32 { 23 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EMFILE: Int32 { 24 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPIPE: Int32 { 32 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EINPROGRESS: Int32 { 36 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EADDRINUSE: Int32 { 48 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EADDRNOTAVAIL: Int32 { 49 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENETDOWN: Int32 { 50 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENETUNREACH: Int32 { 51 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ECONNRESET: Int32 { 54 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTCONN: Int32 { 57 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ETIMEDOUT: Int32 { 60 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ECONNREFUSED: Int32 { 61 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EHOSTDOWN: Int32 { 64 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EHOSTUNREACH: Int32 { 65 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPROTO: Int32 { 100 }
