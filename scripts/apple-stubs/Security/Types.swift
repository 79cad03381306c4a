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

/// https://developer.apple.com/documentation/security/seckey
public class SecKey {
    /// https://developer.apple.com/documentation/security/seckey/init()
    init() {}
}

/// https://developer.apple.com/documentation/security/secpolicy
public class SecPolicy {
    /// https://developer.apple.com/documentation/security/secpolicy/init()
    init() {}
}

/// https://developer.apple.com/documentation/security/secaccesscontrol
public class SecAccessControl {
    /// https://developer.apple.com/documentation/security/secaccesscontrol/init()
    init() {}
}

/// https://developer.apple.com/documentation/security/tls_protocol_version_t
public enum tls_protocol_version_t: UInt16, Sendable {
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/tlsv10
    case TLSv10 = 0x0301
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/tlsv11
    case TLSv11 = 0x0302
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/tlsv12
    case TLSv12 = 0x0303
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/tlsv13
    case TLSv13 = 0x0304
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/dtlsv10
    case DTLSv10 = 0xFEFF
    /// https://developer.apple.com/documentation/security/tls_protocol_version_t/dtlsv12
    case DTLSv12 = 0xFEFD
}

/// https://developer.apple.com/documentation/security/tls_ciphersuite_t
public enum tls_ciphersuite_t: UInt16, Sendable {
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/rsa_with_aes_128_gcm_sha256
    case RSA_WITH_AES_128_GCM_SHA256 = 0x009C
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/rsa_with_aes_256_gcm_sha384
    case RSA_WITH_AES_256_GCM_SHA384 = 0x009D
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/aes_128_gcm_sha256
    case AES_128_GCM_SHA256 = 0x1301
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/aes_256_gcm_sha384
    case AES_256_GCM_SHA384 = 0x1302
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/chacha20_poly1305_sha256
    case CHACHA20_POLY1305_SHA256 = 0x1303
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/ecdhe_ecdsa_with_aes_128_gcm_sha256
    case ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 = 0xC02B
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/ecdhe_ecdsa_with_aes_256_gcm_sha384
    case ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 = 0xC02C
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/ecdhe_rsa_with_aes_128_gcm_sha256
    case ECDHE_RSA_WITH_AES_128_GCM_SHA256 = 0xC02F
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/ecdhe_rsa_with_aes_256_gcm_sha384
    case ECDHE_RSA_WITH_AES_256_GCM_SHA384 = 0xC030
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/ecdhe_rsa_with_chacha20_poly1305_sha256
    case ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256 = 0xCCA8
    /// https://developer.apple.com/documentation/security/tls_ciphersuite_t/ecdhe_ecdsa_with_chacha20_poly1305_sha256
    case ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 = 0xCCA9
}

// Not Sendable either; `sec_protocol_options_t` and its like are protocols of Objective-C.
/// https://developer.apple.com/documentation/security/os_sec_protocol_options
public protocol OS_sec_protocol_options: AnyObject {}

/// https://developer.apple.com/documentation/security/sec_protocol_options_t
public typealias sec_protocol_options_t = any OS_sec_protocol_options

/// https://developer.apple.com/documentation/security/os_sec_identity
public protocol OS_sec_identity: AnyObject {}

/// https://developer.apple.com/documentation/security/sec_identity_t
public typealias sec_identity_t = any OS_sec_identity

/// https://developer.apple.com/documentation/security/sec_identity_create(_:)
public func sec_identity_create(_ identity: SecIdentity) -> sec_identity_t? { fatalError() }
/// https://developer.apple.com/documentation/security/sec_protocol_options_set_min_tls_protocol_version(_:_:)
public func sec_protocol_options_set_min_tls_protocol_version(
    _ options: sec_protocol_options_t,
    _ version: tls_protocol_version_t,
) {}
/// https://developer.apple.com/documentation/security/sec_protocol_options_set_local_identity(_:_:)
public func sec_protocol_options_set_local_identity(_ options: sec_protocol_options_t, _ identity: sec_identity_t) {}

/// https://developer.apple.com/documentation/security/sectrustgettypeid()
public func SecTrustGetTypeID() -> CFTypeID { fatalError() }
/// https://developer.apple.com/documentation/security/seccertificategettypeid()
public func SecCertificateGetTypeID() -> CFTypeID { fatalError() }
/// https://developer.apple.com/documentation/security/secidentitygettypeid()
public func SecIdentityGetTypeID() -> CFTypeID { fatalError() }
/// https://developer.apple.com/documentation/security/seckeygettypeid()
public func SecKeyGetTypeID() -> CFTypeID { fatalError() }
/// https://developer.apple.com/documentation/security/secpolicygettypeid()
public func SecPolicyGetTypeID() -> CFTypeID { fatalError() }
