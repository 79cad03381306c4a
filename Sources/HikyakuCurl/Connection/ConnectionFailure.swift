#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

extension EasyHandle {
    /// Why there was no connection that could be trusted; `nil` where the fault isn't the connection's.
    func connectionReason(for code: CURLcode) -> FailureReason? {
        if isProxysFault(code) { return .proxyFailed }
        switch code {
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: return .certificatePinMismatch
        case CURLE_PEER_FAILED_VERIFICATION:
            return CertificateFault(number(CURLINFO_SSL_VERIFYRESULT), failureText).reason
        // By TLS 1.3, a server refuses the client's certificate when the client takes the handshake for done.
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return failureText.contains("alert") ? .tlsFailed : nil
        case CURLE_BAD_FUNCTION_ARGUMENT where isClientKeyUnusable: return .tlsFailed
        case let code where isLossBeforeAnswer(code): return .connectionClosed
        default: return nil
        }
    }

    /// What to say of a failure instead of libcurl's words or before them.
    func connectionText(for code: CURLcode, _ text: String) -> String {
        let status = number(CURLINFO_HTTP_CONNECTCODE)
        if status != 0, isProxysFault(code) { return "the proxy answered CONNECT with \(status)" }
        switch code {
        case CURLE_COULDNT_CONNECT: return connection.rules.unixSocket.map { "\(text), by the socket \($0)" } ?? text
        case CURLE_BAD_FUNCTION_ARGUMENT where isClientKeyUnusable:
            return "TLSOptions.clientCertificates: \(connection.rules.certificate?.keyFile ?? "") can't be read"
        case CURLE_SSL_CERTPROBLEM: return "TLSOptions.clientCertificates: \(text)"
        case CURLE_SSL_CACERT_BADFILE: return "TLSOptions.trustedAuthorities: \(text)"
        default: return text
        }
    }

    /// What newer versions of libcurl mean by a bad argument before anything is sent.
    private var isClientKeyUnusable: Bool { connection.rules.certificate != nil && transfer.pointee.sendCount == 0 }

    // MARK: - Connections of HTTP/2 that get lost

    /// The exchange, if it is to be sent once more because a connection of HTTP/2 was lost before an answer.
    ///
    /// Over HTTP/1.1, libcurl sees to that by itself. Here, too, only idempotent requests go twice.
    func exchangeToRepeat(after code: CURLcode) -> Exchange? {
        guard isLossBeforeAnswer(code), let exchange = transfer.pointee.exchange, exchange.isWaiting,
            !exchange.isRepeated, exchange.request.method.isIdempotent,
            exchange.request.body?.bytes != nil || exchange.request.body == nil
        else { return nil }
        return exchange
    }

    /// Whether the connection of a stream ended, or the server said that it goes away, before a byte of the response.
    private func isLossBeforeAnswer(_ code: CURLcode) -> Bool {
        guard code == CURLE_HTTP2 || code == CURLE_PARTIAL_FILE else { return false }
        return transfer.pointee.sendCount > 0 && !transfer.pointee.head.hasBegun
    }

    // MARK: - Proxies

    private func isProxysFault(_ code: CURLcode) -> Bool {
        if code == CURLE_PROXY || code == CURLE_COULDNT_RESOLVE_PROXY { return true }
        let status = number(CURLINFO_HTTP_CONNECTCODE)
        if status != 0, !(200..<300 ~= status) { return true }
        guard let scheme = connection.rules.proxy?.scheme else { return false }
        switch code {
        case CURLE_COULDNT_CONNECT:
            return true
        case CURLE_COULDNT_RESOLVE_HOST:
            // It is the proxy that looks up the host. Newer versions of libcurl call the proxy the host that isn't
            // found when it is to be asked for a tunnel.
            return scheme != .socks4 && scheme != .socks5WithAddresses
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            // The tunnel wasn't there yet: else, TLS would have failed with a code of its own.
            return status == 0 && transfer.pointee.sendCount == 0
        case let code where CurlError.tlsCodes.contains(code):
            return scheme == .https && status == 0
        default:
            return false
        }
    }
}

/// What is wrong with a server's certificate.
private struct CertificateFault {
    let reason: FailureReason

    /// - Parameters:
    ///   - result: OpenSSL's `X509_V_ERR_…` where libcurl stands on it.
    ///   - text: libcurl's words.
    init(_ result: Int, _ text: String) {
        let known = CurlLibrary.standsOnOpenSSL ? Self.reasons[result] : nil
        reason = known ?? Self.texts.first { text.contains($0.text) }?.reason ?? .tlsFailed
    }

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

    /// libcurl compares names by itself; the last two are GnuTLS's.
    private static let texts: [(text: String, reason: FailureReason)] = [
        ("matches target", .certificateHostMismatch), ("match target", .certificateHostMismatch),
        ("expiration date has passed", .certificateExpired), ("not activated yet", .certificateExpired),
    ]
}

extension CurlLibrary {
    /// Whether a transfer over HTTP/2 whose response is whole before the request is out never ends.
    static let missesEarlyEnds = version < 0x08_01_00

    /// Whether codes of verification are OpenSSL's or those of a library that kept them.
    fileprivate static let standsOnOpenSSL: Bool = {
        guard let name = curl_version_info(CURLVERSION_SEVENTH)?.pointee.ssl_version else { return false }
        let known = ["OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls"]
        return known.contains { String(cString: name).hasPrefix($0) }
    }()
}
#endif
