#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

/// What libcurl said of a transfer that failed: the `underlyingError` of a ``HikyakuHTTP/TransportError``.
public struct CurlError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of the `CURLcode`; libcurl's manual `libcurl-errors` lists them.
    public let code: Int
    /// The system's `errno` where a call to it failed, such as 111 for a refused connection on Linux.
    public let systemErrorNumber: Int?
    /// libcurl's words, in one line; they name host and port at most, and nothing else of the request.
    public let text: String

    init(_ code: CURLcode, systemErrorNumber: Int32, text: String) {
        self.code = Int(code.rawValue)
        self.systemErrorNumber = systemErrorNumber == 0 ? nil : Int(systemErrorNumber)
        let isShown = !text.isEmpty && !Redaction.mayHoldURL(text)
        let words = isShown ? text : String(cString: curl_easy_strerror(code))
        // A server's certificate has a part in some texts.
        let printable = words.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        self.text = String(String.UnicodeScalarView(printable.prefix(200)))
    }

    /// libcurl's words with the number.
    public var description: String { "\(text) (libcurl \(code))" }
}

extension CurlError {
    /// Whether what libcurl says beyond the code is known to hold nothing of the URL, the fields or the body.
    static func mayShowText(of code: CURLcode) -> Bool {
        connectionCodes.contains(code) || tlsCodes.contains(code)
    }

    private static let connectionCodes: [CURLcode] = [
        CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT, CURLE_OPERATION_TIMEDOUT, CURLE_GOT_NOTHING,
        CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_UNSUPPORTED_PROTOCOL, CURLE_HTTP2,
        CURLE_HTTP2_STREAM, CURLE_WEIRD_SERVER_REPLY,
    ]

    static let tlsCodes: [CURLcode] = [
        CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CERTPROBLEM,
        CURLE_SSL_CIPHER, CURLE_PEER_FAILED_VERIFICATION, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_INITFAILED,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
    ]
}
#endif
