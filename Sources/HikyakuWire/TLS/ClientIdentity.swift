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

    /// Reads the content of files in the PEM form.
    fileprivate init(
        _ bytes: (certificate: [UInt8], key: [UInt8]),
        digests: [[UInt8]],
        number: Int,
        _ files: TLSOptions.ClientCertificate,
    ) throws(TransportError) {
        let (certificates, key, fits) = ExitGate.passing {
            defer { ERR_clear_error() }
            let certificates = bytes.certificate.withUnsafeBytes { Self.certificates(in: $0) }
            let key = bytes.key.withUnsafeBytes { Self.key(in: $0, password: files.keyPassword) }
            guard let first = certificates.first, let key else { return (certificates, key, false) }
            return (certificates, key, X509_check_private_key(first, key) == 1)
        }
        (self.number, self.digests, self.certificates, self.key) = (number, digests, certificates, key)
        // From here on, `deinit` frees them.
        guard !fits else { return }
        throw Self.problem(
            certificates.isEmpty
                ? "\(files.certificateFile) contains no certificate"
                : "\(files.keyFile) contains no key that matches the certificate and the password"
        )
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
        TransportError(.tlsFailed, "TLSOptions.clientCertificates: \(text)")
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

/// The files of one client's certificate, which are read for each handshake, and parsed again when they have changed.
final class ClientIdentityFiles: Sendable {
    /// A certificate chain has about a hundredth of that.
    private static let bytesMax = 1 << 20

    private let files: TLSOptions.ClientCertificate
    private let latest = Lock<(identity: ClientIdentity?, number: Int)>((nil, 0))

    init(_ files: TLSOptions.ClientCertificate) {
        self.files = files
    }

    /// Reads the files, which blocks.
    ///
    /// - Throws: An error that names the file that can't be used.
    fileprivate func read() throws(TransportError) -> ClientIdentity {
        guard let certificate = FileKind.content(of: files.certificateFile, upTo: Self.bytesMax) else {
            throw ClientIdentity.problem("\(files.certificateFile) can't be read")
        }
        // A file with both is read once, so that it can't change between the certificate and its key.
        let isOneFile = files.keyFile.hasSameBytes(as: files.certificateFile)
        guard let key = isOneFile ? certificate : FileKind.content(of: files.keyFile, upTo: Self.bytesMax) else {
            throw ClientIdentity.problem("\(files.keyFile) can't be read")
        }
        defer { ExitGate.dropThreadState() }
        let digests = ExitGate.passing { [Self.digest(of: certificate), Self.digest(of: key)] }
        let (known, number) = latest.withLock { latest in
            latest.number += 1
            return latest
        }
        if let known, known.digests == digests { return known }
        let identity = try ClientIdentity((certificate, key), digests: digests, number: number, files)
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
        let error = TransportError(.transportFailed, "the system could not start a thread")
        self.init(threadName: "hikyaku-files", outcomeWithoutThread: .failure(error)) { files in
            Result { () throws(TransportError) in try files.read() }
        }
    }
}
#endif
