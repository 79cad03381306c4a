// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

@_exported public import Foundation

/// https://developer.apple.com/documentation/cfnetwork/kcferrordomaincfnetwork
public let kCFErrorDomainCFNetwork: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcferrordomainwinsock
public let kCFErrorDomainWinSock: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfnetworkproxieshttpenable
public let kCFNetworkProxiesHTTPEnable: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfnetworkproxieshttpproxy
public let kCFNetworkProxiesHTTPProxy: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfnetworkproxieshttpport
public let kCFNetworkProxiesHTTPPort: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfstreampropertysslpeertrust
public let kCFStreamPropertySSLPeerTrust: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfstreampropertyshouldclosenativesocket
public let kCFStreamPropertyShouldCloseNativeSocket: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfproxyhostnamekey
public let kCFProxyHostNameKey: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfproxyportnumberkey
public let kCFProxyPortNumberKey: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfproxytypekey
public let kCFProxyTypeKey: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfproxytypenone
public let kCFProxyTypeNone: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfproxytypehttp
public let kCFProxyTypeHTTP: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfproxytypehttps
public let kCFProxyTypeHTTPS: CFString = ""
/// https://developer.apple.com/documentation/cfnetwork/kcfproxytypesocks
public let kCFProxyTypeSOCKS: CFString = ""

/// https://developer.apple.com/documentation/cfnetwork/cfnetworkcopysystemproxysettings()
public func CFNetworkCopySystemProxySettings() -> Unmanaged<AnyObject>? { fatalError() }
