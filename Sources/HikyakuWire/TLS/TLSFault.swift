#if os(Linux)
import CSSL
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// Translates OpenSSL's errors into the package's.
///
/// Its functions are called right after the failure, on the same thread and inside of ``ExitGate``: OpenSSL keeps its
/// errors per thread.
enum TLSFault {
    /// Why a handshake failed.
    static func handshakeError(
        _ ssl: OpaquePointer,
        _ error: Int32,
        _ systemError: Int32,
        hasEnded: Bool,
    ) -> TransportError {
        let result = SSL_get_verify_result(ssl)
        let isPlain = error == SSL_ERROR_SSL && plainPeerReasons.contains(ERR_GET_REASON(ERR_peek_error()))
        let fault = fault(error, systemError)
        guard !isPlain else {
            return TransportError(
                .tlsFailed,
                "this port does not speak TLS (\(fault.text))",
                underlyingError: fault.error,
                hint: "Use http instead of https if the service is meant to be plain, or check the port.",
            )
        }
        guard error == SSL_ERROR_SSL, result != Int(X509_V_OK) else {
            let text =
                hasEnded ? "the connection closed during the handshake" : fault.text
            return TransportError(.tlsFailed, "TLS handshake: \(text)", underlyingError: fault.error)
        }
        let text = X509_verify_cert_error_string(result).map { String(cString: $0) } ?? "certificate error \(result)"
        let below = WireError(systemErrorNumber: nil, certificateErrorNumber: result, text: text)
        return TransportError(reasons[result] ?? .tlsFailed, text, underlyingError: below)
    }

    /// Why reading or writing failed.
    static func fault(_ error: Int32, _ systemError: Int32) -> IOFault {
        defer { ERR_clear_error() }
        if error == SSL_ERROR_SYSCALL { return IOFault(systemError: systemError == 0 ? ECONNRESET : systemError) }
        let code = ERR_peek_error()
        let text = code == 0 ? nil : ERR_reason_error_string(code).map { String(cString: $0) }
        return IOFault(systemError: EPROTO, tlsText: text ?? "TLS protocol error")
    }

    /// The reasons that OpenSSL gives if the first bytes of the peer are no TLS record: a wrong version number, a plain
    /// HTTP request, or a length that no record has.
    private static let plainPeerReasons: Set<Int32> = [
        SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG,
    ]

    /// By OpenSSL's `X509_V_ERR_…`.
    private static let reasons: [Int: FailureReason] = [
        2: .certificateUntrusted,  // UNABLE_TO_GET_ISSUER_CERT
        9: .certificateExpired,  // CERT_NOT_YET_VALID
        10: .certificateExpired,  // CERT_HAS_EXPIRED
        18: .certificateSelfSigned,  // DEPTH_ZERO_SELF_SIGNED_CERT
        19: .certificateUntrusted,  // SELF_SIGNED_CERT_IN_CHAIN: a root that isn't trusted
        20: .certificateUntrusted,  // UNABLE_TO_GET_ISSUER_CERT_LOCALLY
        21: .certificateUntrusted,  // UNABLE_TO_VERIFY_LEAF_SIGNATURE
        27: .certificateUntrusted,  // CERT_UNTRUSTED
        62: .certificateHostMismatch,  // HOSTNAME_MISMATCH
        64: .certificateHostMismatch,  // IP_ADDRESS_MISMATCH
    ]
}

extension PublicKeyPins {
    /// The hash of a certificate's SubjectPublicKeyInfo; called inside of ``ExitGate``.
    static func hash(of certificate: OpaquePointer) -> Data? {
        let key = X509_get_X509_PUBKEY(certificate)
        let count = i2d_X509_PUBKEY(key, nil)
        guard count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        var hash = [UInt8](repeating: 0, count: 32)
        let written = bytes.withUnsafeMutableBufferPointer { room in
            var next = room.baseAddress
            return i2d_X509_PUBKEY(key, &next)
        }
        guard written == count else { return nil }
        var length: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &hash, &length, EVP_sha256(), nil) == 1, length == 32 else { return nil }
        return Data(hash)
    }
}
#endif
