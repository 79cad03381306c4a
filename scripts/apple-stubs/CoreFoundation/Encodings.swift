// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/corefoundation/cfstringencoding
public typealias CFStringEncoding = UInt32
/// https://developer.apple.com/documentation/corefoundation/kcfstringencodinginvalidid
public var kCFStringEncodingInvalidId: UInt32 { 0xffffffff }
/// https://developer.apple.com/documentation/corefoundation/cfstringconvertianacharsetnametoencoding(_:)
public func CFStringConvertIANACharSetNameToEncoding(_ theString: CFString!) -> CFStringEncoding { fatalError() }
/// https://developer.apple.com/documentation/corefoundation/cfstringconvertencodingtonsstringencoding(_:)
public func CFStringConvertEncodingToNSStringEncoding(_ encoding: CFStringEncoding) -> UInt { fatalError() }
