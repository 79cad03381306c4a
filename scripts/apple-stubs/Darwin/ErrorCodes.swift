// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

// Apple's numbers, which differ from Linux' above 34.
/// https://developer.apple.com/documentation/foundation/posixerrorcode
public enum POSIXErrorCode: Int32, Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eperm
    case EPERM = 1
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enoent
    case ENOENT = 2
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/esrch
    case ESRCH = 3
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eintr
    case EINTR = 4
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eio
    case EIO = 5
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enxio
    case ENXIO = 6
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/e2big
    case E2BIG = 7
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enoexec
    case ENOEXEC = 8
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ebadf
    case EBADF = 9
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/echild
    case ECHILD = 10
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/edeadlk
    case EDEADLK = 11
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enomem
    case ENOMEM = 12
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eacces
    case EACCES = 13
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/efault
    case EFAULT = 14
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotblk
    case ENOTBLK = 15
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ebusy
    case EBUSY = 16
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eexist
    case EEXIST = 17
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/exdev
    case EXDEV = 18
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enodev
    case ENODEV = 19
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotdir
    case ENOTDIR = 20
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eisdir
    case EISDIR = 21
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/einval
    case EINVAL = 22
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enfile
    case ENFILE = 23
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/emfile
    case EMFILE = 24
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotty
    case ENOTTY = 25
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/etxtbsy
    case ETXTBSY = 26
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/efbig
    case EFBIG = 27
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enospc
    case ENOSPC = 28
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/espipe
    case ESPIPE = 29
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/erofs
    case EROFS = 30
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/emlink
    case EMLINK = 31
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/epipe
    case EPIPE = 32
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/edom
    case EDOM = 33
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/erange
    case ERANGE = 34
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eagain
    case EAGAIN = 35
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/einprogress
    case EINPROGRESS = 36
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ealready
    case EALREADY = 37
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotsock
    case ENOTSOCK = 38
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/edestaddrreq
    case EDESTADDRREQ = 39
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/emsgsize
    case EMSGSIZE = 40
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eprototype
    case EPROTOTYPE = 41
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enoprotoopt
    case ENOPROTOOPT = 42
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eprotonosupport
    case EPROTONOSUPPORT = 43
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/esocktnosupport
    case ESOCKTNOSUPPORT = 44
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotsup
    case ENOTSUP = 45
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/epfnosupport
    case EPFNOSUPPORT = 46
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eafnosupport
    case EAFNOSUPPORT = 47
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eaddrinuse
    case EADDRINUSE = 48
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eaddrnotavail
    case EADDRNOTAVAIL = 49
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enetdown
    case ENETDOWN = 50
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enetunreach
    case ENETUNREACH = 51
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enetreset
    case ENETRESET = 52
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/econnaborted
    case ECONNABORTED = 53
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/econnreset
    case ECONNRESET = 54
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enobufs
    case ENOBUFS = 55
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eisconn
    case EISCONN = 56
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotconn
    case ENOTCONN = 57
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eshutdown
    case ESHUTDOWN = 58
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/etoomanyrefs
    case ETOOMANYREFS = 59
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/etimedout
    case ETIMEDOUT = 60
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/econnrefused
    case ECONNREFUSED = 61
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eloop
    case ELOOP = 62
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enametoolong
    case ENAMETOOLONG = 63
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ehostdown
    case EHOSTDOWN = 64
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ehostunreach
    case EHOSTUNREACH = 65
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotempty
    case ENOTEMPTY = 66
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eproclim
    case EPROCLIM = 67
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eusers
    case EUSERS = 68
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/edquot
    case EDQUOT = 69
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/estale
    case ESTALE = 70
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eremote
    case EREMOTE = 71
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ebadrpc
    case EBADRPC = 72
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/erpcmismatch
    case ERPCMISMATCH = 73
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eprogunavail
    case EPROGUNAVAIL = 74
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eprogmismatch
    case EPROGMISMATCH = 75
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eprocunavail
    case EPROCUNAVAIL = 76
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enolck
    case ENOLCK = 77
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enosys
    case ENOSYS = 78
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eftype
    case EFTYPE = 79
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eauth
    case EAUTH = 80
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eneedauth
    case ENEEDAUTH = 81
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/epwroff
    case EPWROFF = 82
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/edeverr
    case EDEVERR = 83
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eoverflow
    case EOVERFLOW = 84
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ebadexec
    case EBADEXEC = 85
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ebadarch
    case EBADARCH = 86
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eshlibvers
    case ESHLIBVERS = 87
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ebadmacho
    case EBADMACHO = 88
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ecanceled
    case ECANCELED = 89
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eidrm
    case EIDRM = 90
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enomsg
    case ENOMSG = 91
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eilseq
    case EILSEQ = 92
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enoattr
    case ENOATTR = 93
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ebadmsg
    case EBADMSG = 94
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/emultihop
    case EMULTIHOP = 95
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enodata
    case ENODATA = 96
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enolink
    case ENOLINK = 97
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enosr
    case ENOSR = 98
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enostr
    case ENOSTR = 99
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eproto
    case EPROTO = 100
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/etime
    case ETIME = 101
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eopnotsupp
    case EOPNOTSUPP = 102
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enopolicy
    case ENOPOLICY = 103
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/enotrecoverable
    case ENOTRECOVERABLE = 104
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eownerdead
    case EOWNERDEAD = 105
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/eqfull
    case EQFULL = 106
}

/// https://developer.apple.com/documentation/foundation/posixerrorcode
extension POSIXErrorCode {
    /// https://developer.apple.com/documentation/foundation/posixerrorcode/ewouldblock
    public static var EWOULDBLOCK: POSIXErrorCode { .EAGAIN }
}

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPERM: Int32 { 1 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENXIO: Int32 { 6 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var E2BIG: Int32 { 7 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOEXEC: Int32 { 8 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EBADF: Int32 { 9 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ECHILD: Int32 { 10 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EDEADLK: Int32 { 11 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOMEM: Int32 { 12 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EACCES: Int32 { 13 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EFAULT: Int32 { 14 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTBLK: Int32 { 15 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EBUSY: Int32 { 16 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EEXIST: Int32 { 17 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EXDEV: Int32 { 18 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENODEV: Int32 { 19 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTDIR: Int32 { 20 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EISDIR: Int32 { 21 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EINVAL: Int32 { 22 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENFILE: Int32 { 23 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EMFILE: Int32 { 24 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTTY: Int32 { 25 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ETXTBSY: Int32 { 26 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ESPIPE: Int32 { 29 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EROFS: Int32 { 30 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EMLINK: Int32 { 31 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPIPE: Int32 { 32 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EDOM: Int32 { 33 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ERANGE: Int32 { 34 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EINPROGRESS: Int32 { 36 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EALREADY: Int32 { 37 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTSOCK: Int32 { 38 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EDESTADDRREQ: Int32 { 39 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EMSGSIZE: Int32 { 40 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPROTOTYPE: Int32 { 41 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOPROTOOPT: Int32 { 42 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPROTONOSUPPORT: Int32 { 43 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ESOCKTNOSUPPORT: Int32 { 44 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTSUP: Int32 { 45 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPFNOSUPPORT: Int32 { 46 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EAFNOSUPPORT: Int32 { 47 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EADDRINUSE: Int32 { 48 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EADDRNOTAVAIL: Int32 { 49 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENETDOWN: Int32 { 50 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENETUNREACH: Int32 { 51 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENETRESET: Int32 { 52 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ECONNRESET: Int32 { 54 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOBUFS: Int32 { 55 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EISCONN: Int32 { 56 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTCONN: Int32 { 57 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ESHUTDOWN: Int32 { 58 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ETOOMANYREFS: Int32 { 59 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ETIMEDOUT: Int32 { 60 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ECONNREFUSED: Int32 { 61 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ELOOP: Int32 { 62 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENAMETOOLONG: Int32 { 63 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EHOSTDOWN: Int32 { 64 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EHOSTUNREACH: Int32 { 65 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTEMPTY: Int32 { 66 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPROCLIM: Int32 { 67 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EUSERS: Int32 { 68 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ESTALE: Int32 { 70 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EREMOTE: Int32 { 71 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EBADRPC: Int32 { 72 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ERPCMISMATCH: Int32 { 73 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPROGUNAVAIL: Int32 { 74 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPROGMISMATCH: Int32 { 75 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPROCUNAVAIL: Int32 { 76 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOLCK: Int32 { 77 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOSYS: Int32 { 78 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EFTYPE: Int32 { 79 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EAUTH: Int32 { 80 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENEEDAUTH: Int32 { 81 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPWROFF: Int32 { 82 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EDEVERR: Int32 { 83 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EOVERFLOW: Int32 { 84 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EBADEXEC: Int32 { 85 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EBADARCH: Int32 { 86 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ESHLIBVERS: Int32 { 87 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EBADMACHO: Int32 { 88 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EIDRM: Int32 { 90 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOMSG: Int32 { 91 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EILSEQ: Int32 { 92 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOATTR: Int32 { 93 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EBADMSG: Int32 { 94 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EMULTIHOP: Int32 { 95 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENODATA: Int32 { 96 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOLINK: Int32 { 97 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOSR: Int32 { 98 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOSTR: Int32 { 99 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EPROTO: Int32 { 100 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ETIME: Int32 { 101 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EOPNOTSUPP: Int32 { 102 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOPOLICY: Int32 { 103 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ENOTRECOVERABLE: Int32 { 104 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EOWNERDEAD: Int32 { 105 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var EQFULL: Int32 { 106 }
