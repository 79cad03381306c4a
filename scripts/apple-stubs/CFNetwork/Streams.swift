// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

@_exported public import Foundation

/// https://developer.apple.com/documentation/cfnetwork/kcferrordomaincfnetwork
public let kCFErrorDomainCFNetwork: CFString = ""
