import Foundation
import HikyakuHTTP

#if canImport(Security)
import CryptoKit
import Security
#endif

/// A transport's ``TLSOptions``, checked and prepared once.
struct TLSRules: Sendable {
    /// What a transport answers when the system leaves it the decision whether to trust a server.
    enum Decision {
        /// The system decides, as it does without options.
        case system
        case accept
        case reject(TransportError)
    }

    private let pins: HostTable<Set<Data>>
    private let unverifiedHosts: HostTable<Bool>
    /// The trusted authorities in their binary form; `nil` for the system's alone.
    private let authorities: [Data]?
    private let includesSystem: Bool
    #if canImport(Security)
    private let credentials: HostTable<URLCredential>
    #endif

    /// Reads the files, which blocks.
    ///
    /// - Throws: An error that names the option that can't be used; no weaker option is used instead.
    init(_ options: TLSOptions) throws(TransportError) {
        var hashes: [String: Set<Data>] = [:]
        for (host, pins) in options.pins { hashes[host] = try PublicKeyPins.hashes(pins).get() }
        pins = HostTable(hashes)
        unverifiedHosts = HostTable(Dictionary(options.unverifiedHosts.map { ($0, true) }) { first, _ in first })
        includesSystem = options.trustedAuthorities.includesSystem
        authorities = try options.trustedAuthorities.file.map { path throws(TransportError) in try Self.read(path) }
        let certificates = HostTable(options.clientCertificates)
        for (name, key) in [
            ("pins", pins.unusableKey), ("clientCertificates", certificates.unusableKey),
            ("a host that isn't verified", unverifiedHosts.unusableKey),
        ] {
            guard let key else { continue }
            let text = "is not a host name, an IP address or a pattern such as *.example.com"
            throw SessionCause.tlsOption.error("TLSOptions: \(name): \"\(key.prefix(100))\" \(text)")
        }
        #if canImport(Security)
        _ = try Self.anchors(of: authorities ?? [])
        credentials = HostTable(try Self.credentials(of: options.clientCertificates))
        #endif
    }

    /// Whether the system decides about every server.
    var isDefault: Bool { pins.isEmpty && unverifiedHosts.isEmpty && authorities == nil }

    /// Decides about a server.
    ///
    /// - Parameters:
    ///   - host: The host that the connection is for.
    ///   - verify: Verifies the server's certificate against the authorities and the host's name.
    ///   - certificate: The server's own certificate in its binary form.
    ///   - hash: The SHA-256 digest of bytes.
    /// - Returns: The decision.
    func decision(
        for host: String,
        verify: () -> TransportError?,
        certificate: () -> Data?,
        hash: (Data) -> Data,
    ) -> Decision {
        let (pins, isVerified) = (pins[host], unverifiedHosts[host] == nil)
        guard pins != nil || !isVerified || authorities != nil else { return .system }
        if isVerified, let problem = verify() { return .reject(problem) }
        guard let pins else { return .accept }
        guard let info = certificate().flatMap({ CertificateBytes.publicKeyInfo(of: $0) }), pins.contains(hash(info))
        else { return .reject(PublicKeyPins.mismatch) }
        return .accept
    }

    private static func read(_ path: String) throws(TransportError) -> [Data] {
        let problem = { (text: String) in SessionCause.tlsOption.error("TLSOptions.trustedAuthorities: \(text)") }
        guard !path.utf8.contains(0), let file = FileHandle(forReadingAtPath: path),
            let bytes = try? file.read(upToCount: CertificateBytes.fileBytesMax + 1)
        else { throw problem("the file can't be read") }
        guard bytes.count <= CertificateBytes.fileBytesMax else {
            throw problem("the file has more than \(CertificateBytes.fileBytesMax) bytes")
        }
        guard let certificates = CertificateBytes.pem(String(decoding: bytes, as: UTF8.self)), !certificates.isEmpty
        else { throw problem("\(path) contains no certificate, or one that is damaged") }
        return certificates
    }
}

#if canImport(Security)
extension TLSRules {
    /// The system's answers that have reasons of their own; the others are ``FailureReason/certificateUntrusted``.
    private static let causes: [Int: SessionCause] = [
        -67_818: .certificateExpired,  // errSecCertificateExpired
        -67_819: .certificateExpired,  // errSecCertificateNotValidYet
        -67_602: .certificateHostMismatch,  // errSecHostNameMismatch
    ]

    /// Answers a challenge for a server's trust or a client's certificate, on any thread: the system may load
    /// certificates for it, which blocks.
    ///
    /// - Returns: The answer, its credential, and the error of a server that is rejected.
    func answer(
        _ challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?, TransportError?) {
        let space = challenge.protectionSpace
        if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate {
            // Without a certificate for this host, the handshake goes on without one.
            return (.useCredential, credentials[space.host], nil)
        }
        guard let trust = space.serverTrust else { return (.performDefaultHandling, nil, nil) }
        let decision = decision(for: space.host) {
            verify(trust)
        } certificate: {
            (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first.map { SecCertificateCopyData($0) as Data }
        } hash: { bytes in
            Data(SHA256.hash(data: bytes))
        }
        switch decision {
        case .system: return (.performDefaultHandling, nil, nil)
        case .accept: return (.useCredential, URLCredential(trust: trust), nil)
        case .reject(let error): return (.cancelAuthenticationChallenge, nil, error)
        }
    }

    /// URLSession has set the policy, which contains the host's name.
    private func verify(_ trust: SecTrust) -> TransportError? {
        if let authorities {
            // They were checked when the rules were made. They are made anew, since the compiler can't know whether
            // several threads may use one.
            let anchors = (try? Self.anchors(of: authorities)) ?? []
            SecTrustSetAnchorCertificates(trust, anchors as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, !includesSystem)
        }
        var problem: CFError?
        guard unsafe !SecTrustEvaluateWithError(trust, &problem) else { return nil }
        guard let problem else { return SessionCause.certificateUntrusted.error(Meaning.untrusted.text) }
        let below: any Error = problem
        let code = (below as NSError).code
        let text = "the system does not trust the server's certificate (OSStatus \(code))"
        return (Self.causes[code] ?? .certificateUntrusted).error(text)
    }

    private static func anchors(of authorities: [Data]) throws(TransportError) -> [SecCertificate] {
        var anchors: [SecCertificate] = []
        for bytes in authorities {
            guard let certificate = SecCertificateCreateWithData(nil, bytes as CFData) else {
                throw SessionCause.tlsOption.error("TLSOptions.trustedAuthorities: a certificate is damaged")
            }
            anchors.append(certificate)
        }
        return anchors
    }

    private static func credentials(
        of certificates: [String: TLSOptions.ClientCertificate]
    ) throws(TransportError) -> [String: URLCredential] {
        var credentials: [String: URLCredential] = [:]
        for (host, certificate) in certificates { credentials[host] = try credential(of: certificate) }
        return credentials
    }

    private static func credential(
        of certificate: TLSOptions.ClientCertificate
    ) throws(TransportError) -> URLCredential {
        switch certificate.source {
        case .files: throw problem("URLSession can't use files in the PEM format; use PKCS#12 data or the keychain")
        case .pkcs12(let bytes, let password): try importPKCS12(bytes.reveal(), password.reveal())
        case .keychain(let label): try findIdentity(label)
        }
    }

    private static func importPKCS12(_ bytes: Data, _ password: String) throws(TransportError) -> URLCredential {
        var options: [String: Any] = [kSecImportExportPassphrase as String: password]
        #if os(macOS)
        // Before, macOS adds the identity to the login keychain.
        if #available(macOS 15, *) { options[kSecImportToMemoryOnly as String] = true }
        #endif
        var items: CFArray?
        let status = unsafe SecPKCS12Import(bytes as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess else {
            throw problem("the PKCS#12 data can't be read, or its password is wrong: OSStatus \(status)")
        }
        guard let item = (items as? [[String: Any]])?.first,
            let identity = identity(item[kSecImportItemIdentity as String])
        else { throw problem("the PKCS#12 data contains no certificate with its key") }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        return URLCredential(
            identity: identity,
            certificates: chain.isEmpty ? nil : Array(chain.dropFirst()),
            persistence: .forSession,
        )
    }

    private static func findIdentity(_ label: String) throws(TransportError) -> URLCredential {
        let query: [String: Any] = [
            kSecClass as String: kSecClassIdentity,
            kSecAttrLabel as String: label,
            kSecReturnRef as String: true,
            kSecMatchLimit as String: kSecMatchLimitOne,
        ]
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        guard status == errSecSuccess, let identity = identity(found) else {
            throw problem("the keychain has no identity with the label \"\(label.prefix(100))\": OSStatus \(status)")
        }
        return URLCredential(identity: identity, certificates: nil, persistence: .forSession)
    }

    /// A conditional cast to a type of Core Foundation would always succeed, so its type is compared.
    private static func identity(_ value: Any?) -> SecIdentity? {
        guard let object = value.map({ $0 as AnyObject }), CFGetTypeID(object) == SecIdentityGetTypeID()
        else { return nil }
        return unsafe unsafeDowncast(object, to: SecIdentity.self)
    }

    private static func problem(_ text: String) -> TransportError {
        SessionCause.tlsOption.error("TLSOptions.clientCertificates: \(text)")
    }
}
#endif
