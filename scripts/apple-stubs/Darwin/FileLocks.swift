// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/flock.2.html
public var LOCK_EX: Int32 { 0x02 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/flock.2.html
public var LOCK_NB: Int32 { 0x04 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/open.2.html
public var O_NOFOLLOW: Int32 { 0x0100 }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/intro.2.html
public var ECANCELED: Int32 { 89 }

// The structure of this name is left out: in Swift the two would collide.
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/flock.2.html
public func flock(_: Int32, _: Int32) -> Int32 { fatalError() }
