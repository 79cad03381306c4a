#if os(Linux)
import HikyakuBase
import CSSL
import Glibc
import HikyakuHTTP

/// A client's certificate, the intermediate certificates, and its private key, as objects of OpenSSL.
///
/// `@unchecked`: the compiler can't see that OpenSSL counts the references to each of them, and that none is changed.
final class ClientIdentity: @unchecked Sendable {
    /// Differs for other content of the same files.
    let number: Int
    private let certificates: [OpaquePointer]
    private let key: OpaquePointer?
    fileprivate let digests: [[UInt8]]

    /// Takes over what was read, and checks that the key belongs to the certificate.
    fileprivate init(
        _ parts: (certificates: [OpaquePointer], key: OpaquePointer?),
        digests: [[UInt8]],
        number: Int,
        problems: (certificate: String, key: String),
    ) throws(TransportError) {
        (self.number, self.digests, certificates, key) = (number, digests, parts.certificates, parts.key)
        // From here on, `deinit` frees them.
        let fits = ExitGate.passing {
            defer { ERR_clear_error() }
            guard let first = parts.certificates.first, let key = parts.key else { return false }
            return X509_check_private_key(first, key) == 1
        }
        guard !fits else { return }
        throw Self.problem(certificates.isEmpty ? problems.certificate : problems.key)
    }

    deinit {
        ExitGate.passing {
            for certificate in certificates { X509_free(certificate) }
            EVP_PKEY_free(key)
        }
    }

    /// Has a connection send the certificate to a server that requests one; called inside of ``ExitGate``.
    ///
    /// - Returns: The error if OpenSSL rejects it, for example for a key that is too short for its settings.
    func use(in ssl: OpaquePointer) -> TransportError? {
        ERR_clear_error()
        defer { ERR_clear_error() }
        var isUsed = SSL_use_certificate(ssl, certificates[0]) == 1
        for certificate in certificates.dropFirst() where isUsed {
            // With 1, OpenSSL takes its own reference.
            isUsed = SSL_ctrl(ssl, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate)) == 1
        }
        if isUsed, SSL_use_PrivateKey(ssl, key) == 1 { return nil }
        let reason = ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) } ?? "no reason is known"
        return Self.problem("OpenSSL rejected the certificate: \(reason)")
    }

    fileprivate static func problem(_ text: String) -> TransportError {
        WireCause.tlsOption.error("TLSOptions.clientCertificates: \(text)")
    }

    /// The certificates and the key in PEM files; called inside of ``ExitGate``.
    fileprivate static func parts(
        certificate: [UInt8],
        key: [UInt8],
        password: Secret<String>?,
    ) -> ([OpaquePointer], OpaquePointer?) {
        let certificates = certificate.withUnsafeBytes { Self.certificates(in: $0) }
        return (certificates, key.withUnsafeBytes { Self.key(in: $0, password: password) })
    }

    /// The certificates and the key in a PKCS#12 file, the key's certificate first; called inside of ``ExitGate``.
    fileprivate static func parts(pkcs12 bytes: [UInt8], password: String) -> ([OpaquePointer], OpaquePointer?) {
        defer { ERR_clear_error() }
        let file = bytes.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return d2i_PKCS12(nil, &next, bytes.count)
        }
        guard let file else { return ([], nil) }
        defer { PKCS12_free(file) }
        var (key, first, others) = (OpaquePointer?.none, OpaquePointer?.none, OpaquePointer?.none)
        guard PKCS12_parse(file, password, &key, &first, &others) == 1 else { return ([], nil) }
        var certificates = first.map { [$0] } ?? []
        while let others, let next = hikyaku_ssl_pop_certificate(others) { certificates.append(next) }
        if let others { hikyaku_ssl_free_certificates(others) }
        // Without the key's certificate, the others are not a chain.
        guard first != nil else {
            for certificate in certificates { X509_free(certificate) }
            EVP_PKEY_free(key)
            return ([], nil)
        }
        return (certificates, key)
    }

    /// The certificates in a file; none if one of them can't be read.
    private static func certificates(in bytes: UnsafeRawBufferPointer) -> [OpaquePointer] {
        guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return [] }
        ERR_clear_error()
        defer {
            ERR_clear_error()
            BIO_free(bio)
        }
        guard let first = PEM_read_bio_X509_AUX(bio, nil, givePassword, nil) else { return [] }
        var certificates = [first]
        while let next = PEM_read_bio_X509(bio, nil, givePassword, nil) { certificates.append(next) }
        let end = ERR_peek_last_error()
        let isEnd =
            hikyaku_ssl_error_library(end) == ERR_LIB_PEM && hikyaku_ssl_error_reason(end) == PEM_R_NO_START_LINE
        if isEnd { return certificates }
        for certificate in certificates { X509_free(certificate) }
        return []
    }

    private static func key(in bytes: UnsafeRawBufferPointer, password: Secret<String>?) -> OpaquePointer? {
        guard let bio = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
        defer {
            ERR_clear_error()
            BIO_free(bio)
        }
        return (password?.reveal() ?? "").withCString { text in
            PEM_read_bio_PrivateKey(bio, nil, givePassword, UnsafeMutableRawPointer(mutating: text))
        }
    }
}

/// Gives OpenSSL the password, so that it does not prompt at the terminal.
private func givePassword(
    _ room: UnsafeMutablePointer<CChar>?,
    _ size: Int32,
    _: Int32,
    _ password: UnsafeMutableRawPointer?,
) -> Int32 {
    guard let room, let password else { return 0 }
    let text = password.assumingMemoryBound(to: CChar.self)
    let count = strlen(text)
    guard count <= Int(size) else { return 0 }
    memcpy(room, text, count)
    return Int32(count)
}

/// One client's certificate: its files are read for each handshake, and parsed again when they have changed.
final class ClientIdentityFiles: Sendable {
    /// A certificate chain has about a hundredth of that.
    private static let bytesMax = 1 << 20

    private let certificate: TLSOptions.ClientCertificate
    private let latest = Lock<(identity: ClientIdentity?, number: Int)>((nil, 0))

    init(_ certificate: TLSOptions.ClientCertificate) {
        self.certificate = certificate
    }

    /// Reads the files, which blocks.
    ///
    /// - Throws: An error that names the file that can't be used.
    func read() throws(TransportError) -> ClientIdentity {
        switch certificate.source {
        case .files(let certificate, let key, let password):
            let bytes = try Self.content(certificate, key)
            let problems = (
                certificate: "\(certificate) contains no certificate",
                key: "\(key) contains no key that matches the certificate and the password",
            )
            return try identity(of: [bytes.certificate, bytes.key], problems) {
                ClientIdentity.parts(certificate: bytes.certificate, key: bytes.key, password: password)
            }
        case .pkcs12(let bytes, let password):
            let bytes = [UInt8](bytes.reveal())
            let problem =
                "the PKCS#12 data can't be read, has no certificate with its key, another password, or an old cipher (RC2)"
            return try identity(of: [bytes], (problem, problem)) {
                ClientIdentity.parts(pkcs12: bytes, password: password.reveal())
            }
        case .keychain:
            throw ClientIdentity.problem(
                "only Apple's platforms have a keychain; use PKCS#12 or files in the PEM format"
            )
        }
    }

    private static func content(
        _ certificateFile: String,
        _ keyFile: String,
    ) throws(TransportError) -> (certificate: [UInt8], key: [UInt8]) {
        guard let certificate = FileKind.content(of: certificateFile, upTo: bytesMax) else {
            throw ClientIdentity.problem("\(certificateFile) can't be read")
        }
        // A file with both is read once, so that it can't change between the certificate and its key.
        let isOneFile = keyFile.hasSameBytes(as: certificateFile)
        guard let key = isOneFile ? certificate : FileKind.content(of: keyFile, upTo: bytesMax) else {
            throw ClientIdentity.problem("\(keyFile) can't be read")
        }
        return (certificate, key)
    }

    /// The identity in these bytes: the latest one, unless they have changed.
    private func identity(
        of bytes: [[UInt8]],
        _ problems: (certificate: String, key: String),
        parts: () -> ([OpaquePointer], OpaquePointer?),
    ) throws(TransportError) -> ClientIdentity {
        defer { ExitGate.dropThreadState() }
        let digests = ExitGate.passing { bytes.map { Self.digest(of: $0) } }
        let (known, number) = latest.withLock { latest in
            latest.number += 1
            return latest
        }
        if let known, known.digests == digests { return known }
        let identity = try ClientIdentity(
            ExitGate.passing(parts),
            digests: digests,
            number: number,
            problems: problems,
        )
        latest.withLock { $0.identity = identity }
        return identity
    }

    private static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil)
        return digest
    }
}

extension ClientIdentityFiles: Hashable {
    static func == (first: ClientIdentityFiles, second: ClientIdentityFiles) -> Bool { first === second }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// Reads clients' certificates on other threads, so that a slow disk doesn't delay the loop.
typealias ClientIdentityReads = BlockingCalls<ClientIdentityFiles, Result<ClientIdentity, TransportError>>

extension ClientIdentityReads {
    convenience init() {
        let error = WireCause.thread.error("the system could not start a thread")
        self.init(threadName: "hikyaku-files", outcomeWithoutThread: .failure(error)) { files in
            Result { () throws(TransportError) in try files.read() }
        }
    }
}
#endif
