#if os(Linux)
import CSSL
import Glibc
import HikyakuHTTP

/// Translates OpenSSL's errors into the package's.
///
/// Its functions are called right after the failure, on the same thread and inside of ``ExitGate``: OpenSSL keeps its
/// errors per thread.
enum TLSFault {
    /// The cause of a failed handshake, its text, and the error below.
    static func ofHandshake(
        _ ssl: OpaquePointer,
        _ error: Int32,
        _ systemError: Int32,
        hasEnded: Bool,
        hasAuthorities: Bool,
    ) -> (cause: WireCause, text: String, below: WireError) {
        let result = SSL_get_verify_result(ssl)
        let reason = ERR_GET_REASON(ERR_peek_error())
        let fault = fault(error, systemError, ssl)
        if error == SSL_ERROR_SSL, plainPeerReasons.contains(reason) {
            return (.plainPeer, "this port does not speak TLS (\(fault.text))", fault.error)
        }
        guard error == SSL_ERROR_SSL, result != Int(X509_V_OK) else {
            let text = hasEnded ? "the connection closed during the handshake" : fault.text
            let isOver = hasEnded || error == SSL_ERROR_SYSCALL
            let cause: WireCause = isOver ? .handshakeEnded : cause(ofHandshake: reason, ssl)
            return (cause, "TLS handshake: \(text)", fault.error)
        }
        let text = X509_verify_cert_error_string(result).map { String(cString: $0) } ?? "certificate error \(result)"
        let below = WireError(systemErrorNumber: nil, certificateErrorNumber: result, text: text)
        let isAlone = SSL_get_peer_cert_chain(ssl).map { hikyaku_ssl_chain_count($0) == 1 } ?? false
        return (cause(ofCertificate: result, isAlone: isAlone, hasAuthorities: hasAuthorities), text, below)
    }

    private static func cause(ofHandshake reason: Int32, _ ssl: OpaquePointer) -> WireCause {
        if clientCertificateReasons.contains(reason) { return .clientCertificate }
        guard reason == SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE else {
            return versionReasons.contains(reason) ? .handshakeVersions : .handshakeFailed
        }
        // In TLS 1.2, it is also the alert for a missing certificate: then the server has requested one.
        if SSL_get0_peer_CA_list(ssl) != nil { return .clientCertificate }
        return SSL_get_pending_cipher(ssl) == nil ? .handshakeVersions : .handshakeFailed
    }

    /// The cause of a fault after the handshake.
    private static func cause(ofAlert reason: Int32, _ ssl: OpaquePointer) -> WireCause {
        // In TLS 1.3, a server rejects the client's certificate after the client has completed the handshake.
        if clientCertificateReasons.contains(reason) { return .clientCertificate }
        guard reason == SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE else { return .tlsBroken }
        // Before, it is the server's end of a renegotiation that the client has refused (RFC 5246, section 7.4.1.1).
        return SSL_version(ssl) < TLS1_3_VERSION ? .renegotiation : .clientCertificate
    }

    private static let versionReasons: Set<Int32> = [
        SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_NO_PROTOCOLS_AVAILABLE, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION,
        SSL_R_TLSV1_ALERT_INSUFFICIENT_SECURITY,
    ]

    private static let clientCertificateReasons: Set<Int32> = [
        SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, SSL_R_SSLV3_ALERT_NO_CERTIFICATE,
        SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE, SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED,
        SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, SSL_R_TLSV1_ALERT_UNKNOWN_CA,
        SSL_R_TLSV1_ALERT_ACCESS_DENIED,
    ]

    /// By OpenSSL's `X509_V_ERR_…`.
    private static func cause(ofCertificate result: Int, isAlone: Bool, hasAuthorities: Bool) -> WireCause {
        switch result {
        // CERT_NOT_YET_VALID, CERT_HAS_EXPIRED
        case 9, 10: .certificateExpired
        // HOSTNAME_MISMATCH, IP_ADDRESS_MISMATCH
        case 62, 64: .certificateHost
        // DEPTH_ZERO_SELF_SIGNED_CERT
        case 18: .certificateSelfSigned
        // SELF_SIGNED_CERT_IN_CHAIN
        case 19: hasAuthorities ? .certificateRoot : .noAuthorities
        // UNABLE_TO_GET_ISSUER_CERT_LOCALLY, UNABLE_TO_VERIFY_LEAF_SIGNATURE
        case 20, 21: hasAuthorities ? isAlone ? .certificateAlone : .certificateIssuer : .noAuthorities
        // UNABLE_TO_GET_ISSUER_CERT, CERT_UNTRUSTED
        case 2, 27: hasAuthorities ? .certificateIssuer : .noAuthorities
        default: .certificateUnusable
        }
    }

    /// Why reading or writing failed.
    static func fault(_ error: Int32, _ systemError: Int32, _ ssl: OpaquePointer) -> IOFault {
        defer { ERR_clear_error() }
        if error == SSL_ERROR_SYSCALL { return IOFault(systemError: systemError == 0 ? ECONNRESET : systemError) }
        let code = ERR_peek_error()
        let text = code == 0 ? nil : ERR_reason_error_string(code).map { String(cString: $0) }
        return IOFault(
            systemError: EPROTO,
            tlsText: text ?? "TLS protocol error",
            tlsCause: cause(ofAlert: ERR_GET_REASON(code), ssl),
        )
    }

    /// The reasons that OpenSSL gives if the first bytes of the peer are not a TLS record: a wrong version number, a
    /// plain HTTP request, or a length that no record has.
    private static let plainPeerReasons: Set<Int32> = [
        SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_PACKET_LENGTH_TOO_LONG,
    ]
}
#endif
