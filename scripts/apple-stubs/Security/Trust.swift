// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

public import Darwin
public import Dispatch

/// https://developer.apple.com/documentation/security/sectrustresulttype
public enum SecTrustResultType: UInt32, Sendable {
    /// https://developer.apple.com/documentation/security/sectrustresulttype/invalid
    case invalid = 0
    /// https://developer.apple.com/documentation/security/sectrustresulttype/proceed
    case proceed = 1
    /// https://developer.apple.com/documentation/security/sectrustresulttype/deny
    case deny = 3
    /// https://developer.apple.com/documentation/security/sectrustresulttype/unspecified
    case unspecified = 4
    /// https://developer.apple.com/documentation/security/sectrustresulttype/recoverabletrustfailure
    case recoverableTrustFailure = 5
    /// https://developer.apple.com/documentation/security/sectrustresulttype/fataltrustfailure
    case fatalTrustFailure = 6
    /// https://developer.apple.com/documentation/security/sectrustresulttype/othererror
    case otherError = 7
}

/// https://developer.apple.com/documentation/security/sectrustwitherrorcallback
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// https://developer.apple.com/documentation/security/sectrustcreatewithcertificates(_:_:_:)
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>,
) -> OSStatus { fatalError() }
// Takes a CFTypeRef there: an array, or one certificate.
/// https://developer.apple.com/documentation/security/sectrustcreatewithcertificates(_:_:_:)
public func SecTrustCreateWithCertificates(
    _ certificates: CFArray,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>,
) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustsetpolicies(_:_:)
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { fatalError() }
// Takes a CFTypeRef there: an array, or one policy.
/// https://developer.apple.com/documentation/security/sectrustsetpolicies(_:_:)
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFArray) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustsetanchorcertificates(_:_:)
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    fatalError()
}
/// https://developer.apple.com/documentation/security/sectrustsetanchorcertificatesonly(_:_:)
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    fatalError()
}
/// https://developer.apple.com/documentation/security/sectrustsetnetworkfetchallowed(_:_:)
public func SecTrustSetNetworkFetchAllowed(_ trust: SecTrust, _ allowFetch: Bool) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustsetverifydate(_:_:)
public func SecTrustSetVerifyDate(_ trust: SecTrust, _ verifyDate: CFDate) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustevaluatewitherror(_:_:)
@available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 5.0, *)
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    fatalError()
}
/// https://developer.apple.com/documentation/security/sectrustevaluateasyncwitherror(_:_:_:)
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust,
    _ queue: DispatchQueue,
    _ result: @escaping SecTrustWithErrorCallback,
) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustgettrustresult(_:_:)
public func SecTrustGetTrustResult(
    _ trust: SecTrust,
    _ result: UnsafeMutablePointer<SecTrustResultType>,
) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustgetcertificatecount(_:)
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustcopycertificatechain(_:)
@available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustcopykey(_:)
@available(macOS 11.0, iOS 14.0, tvOS 14.0, watchOS 7.0, *)
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { fatalError() }
/// https://developer.apple.com/documentation/security/sectrustcopyresult(_:)
public func SecTrustCopyResult(_ trust: SecTrust) -> CFDictionary? { fatalError() }

/// https://developer.apple.com/documentation/security/secpolicycreatebasicx509()
public func SecPolicyCreateBasicX509() -> SecPolicy { fatalError() }
/// https://developer.apple.com/documentation/security/secpolicycreatessl(_:_:)
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { fatalError() }

/// https://developer.apple.com/documentation/security/seccertificatecreatewithdata(_:_:)
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { fatalError() }
/// https://developer.apple.com/documentation/security/seccertificatecopydata(_:)
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { fatalError() }
/// https://developer.apple.com/documentation/security/seccertificatecopykey(_:)
@available(macOS 10.14, iOS 12.0, tvOS 12.0, watchOS 5.0, *)
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { fatalError() }
/// https://developer.apple.com/documentation/security/seccertificatecopysubjectsummary(_:)
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? { fatalError() }
/// https://developer.apple.com/documentation/security/seccertificatecopycommonname(_:_:)
public func SecCertificateCopyCommonName(
    _ certificate: SecCertificate,
    _ commonName: UnsafeMutablePointer<CFString?>,
) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/seccertificatecopynormalizedissuersequence(_:)
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? { fatalError() }
/// https://developer.apple.com/documentation/security/seccertificatecopynotvalidafterdate(_:)
@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? { fatalError() }

/// https://developer.apple.com/documentation/security/secidentitycopycertificate(_:_:)
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity,
    _ certificateRef: UnsafeMutablePointer<SecCertificate?>,
) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/secidentitycopyprivatekey(_:_:)
public func SecIdentityCopyPrivateKey(
    _ identityRef: SecIdentity,
    _ privateKeyRef: UnsafeMutablePointer<SecKey?>,
) -> OSStatus { fatalError() }
/// https://developer.apple.com/documentation/security/secidentitycreatewithcertificate(_:_:_:)
@available(macOS 10.7, *)
@available(iOS, unavailable)
@available(tvOS, unavailable)
@available(watchOS, unavailable)
@available(visionOS, unavailable)
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?,
    _ certificateRef: SecCertificate,
    _ identityRef: UnsafeMutablePointer<SecIdentity?>,
) -> OSStatus { fatalError() }

/// https://developer.apple.com/documentation/security/seckeycopyexternalrepresentation(_:_:)
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?,
) -> CFData? { fatalError() }
/// https://developer.apple.com/documentation/security/seckeycopyattributes(_:)
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? { fatalError() }
/// https://developer.apple.com/documentation/security/seckeycopypublickey(_:)
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { fatalError() }
/// https://developer.apple.com/documentation/security/seckeygetblocksize(_:)
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { fatalError() }

/// https://developer.apple.com/documentation/security/secpkcs12import(_:_:_:)
public func SecPKCS12Import(
    _ pkcs12_data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>,
) -> OSStatus { fatalError() }

/// https://developer.apple.com/documentation/security/secrandomref
public typealias SecRandomRef = OpaquePointer

/// https://developer.apple.com/documentation/security/ksecrandomdefault
public var kSecRandomDefault: SecRandomRef? { nil }

/// https://developer.apple.com/documentation/security/secrandomcopybytes(_:_:_:)
public func SecRandomCopyBytes(_ rnd: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
    fatalError()
}
