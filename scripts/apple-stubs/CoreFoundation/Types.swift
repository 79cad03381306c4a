// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

public import Darwin
public import FoundationEssentials

// Core Foundation's types are classes there, to which Swift bridges by `as`. Without Objective-C the nearest is what
// they bridge to. So `as!` from a Swift type to one of these isn't needed here, and a missing `as` isn't found.
/// https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
/// https://developer.apple.com/documentation/corefoundation/cfindex
public typealias CFIndex = Int
/// https://developer.apple.com/documentation/corefoundation/cftimeinterval
public typealias CFTimeInterval = Double
/// https://developer.apple.com/documentation/corefoundation/cfabsolutetime
public typealias CFAbsoluteTime = CFTimeInterval
/// https://developer.apple.com/documentation/corefoundation/cfoptionflags
public typealias CFOptionFlags = UInt
/// https://developer.apple.com/documentation/corefoundation/cftypeid
public typealias CFTypeID = UInt
/// https://developer.apple.com/documentation/corefoundation/cfhashcode
public typealias CFHashCode = UInt
/// https://developer.apple.com/documentation/corefoundation/cfstringencoding
public typealias CFStringEncoding = UInt32
/// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String
/// https://developer.apple.com/documentation/corefoundation/cfarray
public typealias CFArray = [Any]
/// https://developer.apple.com/documentation/corefoundation/cfmutablearray
public typealias CFMutableArray = [Any]
/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = [AnyHashable: Any]
/// https://developer.apple.com/documentation/corefoundation/cfmutabledictionary
public typealias CFMutableDictionary = [AnyHashable: Any]
/// https://developer.apple.com/documentation/corefoundation/cfdata
public typealias CFData = Data
/// https://developer.apple.com/documentation/corefoundation/cfmutabledata
public typealias CFMutableData = Data
/// https://developer.apple.com/documentation/corefoundation/cfdate
public typealias CFDate = Date
/// https://developer.apple.com/documentation/corefoundation/cfurl
public typealias CFURL = URL

/// https://developer.apple.com/documentation/corefoundation/cfallocator
public class CFAllocator {
    /// https://developer.apple.com/documentation/corefoundation/cfallocator/init()
    init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfboolean
public class CFBoolean {
    /// https://developer.apple.com/documentation/corefoundation/cfboolean/init()
    init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfnumber
public class CFNumber {
    /// https://developer.apple.com/documentation/corefoundation/cfnumber/init()
    init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfrunloop
public class CFRunLoop {
    /// https://developer.apple.com/documentation/corefoundation/cfrunloop/init()
    init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfrunloopsource
public class CFRunLoopSource {
    /// https://developer.apple.com/documentation/corefoundation/cfrunloopsource/init()
    init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cfrunloopmode
public struct CFRunLoopMode: RawRepresentable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/corefoundation/cfrunloopmode/rawvalue
    public let rawValue: CFString

    /// https://developer.apple.com/documentation/corefoundation/cfrunloopmode/commonmodes
    public static let commonModes = CFRunLoopMode("" as CFString)
    /// https://developer.apple.com/documentation/corefoundation/cfrunloopmode/defaultmode
    public static let defaultMode = CFRunLoopMode("" as CFString)

    /// https://developer.apple.com/documentation/corefoundation/cfrunloopmode/init(_:)
    public init(_ rawValue: CFString) { fatalError() }
    /// https://developer.apple.com/documentation/corefoundation/cfrunloopmode/init(rawvalue:)
    public init(rawValue: CFString) { fatalError() }
}

/// https://developer.apple.com/documentation/corefoundation/cferror
public class CFError: Error, @unchecked Sendable {
    /// https://developer.apple.com/documentation/corefoundation/cferror/init()
    init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cferrordomain
public typealias CFErrorDomain = CFString

/// https://developer.apple.com/documentation/corefoundation/kcfallocatordefault
public var kCFAllocatorDefault: CFAllocator! { nil }
/// https://developer.apple.com/documentation/corefoundation/kcfbooleantrue
public var kCFBooleanTrue: CFBoolean! { nil }
/// https://developer.apple.com/documentation/corefoundation/kcfbooleanfalse
public var kCFBooleanFalse: CFBoolean! { nil }

/// https://developer.apple.com/documentation/corefoundation/cferrorgetcode(_:)
public func CFErrorGetCode(_ err: CFError!) -> CFIndex { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cferrorgetdomain(_:)
public func CFErrorGetDomain(_ err: CFError!) -> CFErrorDomain! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cferrorcopyuserinfo(_:)
public func CFErrorCopyUserInfo(_ err: CFError!) -> CFDictionary! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cferrorcopydescription(_:)
public func CFErrorCopyDescription(_ err: CFError!) -> CFString! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfgettypeid(_:)
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfequal(_:_:)
public func CFEqual(_ cf1: CFTypeRef!, _ cf2: CFTypeRef!) -> Bool { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfrunloopgetcurrent()
public func CFRunLoopGetCurrent() -> CFRunLoop! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfrunloopgetmain()
public func CFRunLoopGetMain() -> CFRunLoop! { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfrunlooprun()
public func CFRunLoopRun() {}
/// https://developer.apple.com/documentation/corefoundation/cfrunloopstop(_:)
public func CFRunLoopStop(_ rl: CFRunLoop!) {}
/// https://developer.apple.com/documentation/corefoundation/cfabsolutetimegetcurrent()
public func CFAbsoluteTimeGetCurrent() -> CFAbsoluteTime { fatalError() }
