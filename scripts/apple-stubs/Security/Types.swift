// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

@_exported public import CoreFoundation
public import Darwin
public import Dispatch

// None of these classes is Sendable in the SDK. A cast to one of them by `as?` is an error there, which isn't found
// here: `as!` always succeeds.
/// https://developer.apple.com/documentation/security/sectrust
public class SecTrust {
    /// https://developer.apple.com/documentation/security/sectrust/init()
    init() {}
}

/// https://developer.apple.com/documentation/security/seccertificate
public class SecCertificate {
    /// https://developer.apple.com/documentation/security/seccertificate/init()
    init() {}
}

/// https://developer.apple.com/documentation/security/secidentity
public class SecIdentity {
    /// https://developer.apple.com/documentation/security/secidentity/init()
    init() {}
}

/// https://developer.apple.com/documentation/security/tls_protocol_version_t
public enum tls_protocol_version_t: UInt16, Sendable {
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/tlsv12
    case TLSv12 = 0x0303
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/tlsv13
    case TLSv13 = 0x0304
}
/// https://developer.apple.com/documentation/security/secidentitygettypeid()
public func SecIdentityGetTypeID() -> CFTypeID { fatalError() }
