// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

public import Darwin
public import FoundationEssentials

// Core Foundation's types are classes there, to which Swift bridges by `as`. Without Objective-C the nearest is what
// they bridge to. So `as!` from a Swift type to one of these isn't needed here, and a missing `as` isn't found.
/// https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
/// https://developer.apple.com/documentation/corefoundation/cftypeid
public typealias CFTypeID = UInt
/// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = String
/// https://developer.apple.com/documentation/corefoundation/cfarray
public typealias CFArray = [Any]
/// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = [AnyHashable: Any]
/// https://developer.apple.com/documentation/corefoundation/cfdata
public typealias CFData = Data

/// https://developer.apple.com/documentation/corefoundation/cfallocator
public class CFAllocator {
    /// https://developer.apple.com/documentation/corefoundation/cfallocator/init()
    init() {}
}

/// https://developer.apple.com/documentation/corefoundation/cferror
public class CFError: Error, @unchecked Sendable {
    /// https://developer.apple.com/documentation/corefoundation/cferror/init()
    init() {}
}
/// https://developer.apple.com/documentation/corefoundation/cfgettypeid(_:)
public func CFGetTypeID(_ cf: CFTypeRef!) -> CFTypeID { fatalError() }
