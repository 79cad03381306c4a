#if os(Linux)
import CCurl
import Glibc

/// Which protocol the two sides have agreed on, before a response tells it.
///
/// libcurl says it only of a response. The TLS library knows it earlier, where that is OpenSSL; it is found in the
/// process by name, since libcurl may be built with another.
enum NegotiatedProtocol {
    /// The protocol's name in ALPN (RFC 7301) on the handle's connection; `http/1.1` where none was negotiated.
    static func name(of easy: UnsafeMutableRawPointer?) -> String {
        guard let session = hikyaku_curl_openssl_session(easy), let selected else { return "http/1.1" }
        var start: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        selected(session, &start, &count)
        guard let start, count > 0 else { return "http/1.1" }
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    private typealias Selected =
        @convention(c) (
            UnsafeMutableRawPointer, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<UInt32>
        ) -> Void

    private static let selected: Selected? = dlsym(nil, "SSL_get0_alpn_selected").map {
        unsafeBitCast($0, to: Selected.self)
    }
}
#endif
