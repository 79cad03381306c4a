// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/pow.3.html
public func pow(_: Double, _: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/sqrt.3.html
public func sqrt(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/exp.3.html
public func exp(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/log.3.html
public func log(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/log.3.html
public func log2(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/log.3.html
public func log10(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/floor.3.html
public func floor(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/ceil.3.html
public func ceil(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/round.3.html
public func round(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/fabs.3.html
public func fabs(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/sin.3.html
public func sin(_: Double) -> Double { fatalError() }
/// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man3/cos.3.html
public func cos(_: Double) -> Double { fatalError() }
