#if os(Linux)
import CCurl
import Glibc

/// Whether a server has said over TLS that nothing follows, as it does before it closes the connection (RFC 8446,
/// section 6.1).
///
/// A body that ends with its connection could otherwise be cut off by whoever can close that. As of 7.88, libcurl takes
/// any end of a connection for one that was meant. OpenSSL is found in the process by name, since libcurl may be built
/// with another library; GnuTLS makes an error of it by itself.
enum TLSEnd {
    /// Lets the transfer's progress be told, at whose end it is looked, and OpenSSL not take any end for the real one.
    static func expect(on easy: UnsafeMutableRawPointer) {
        _ = hikyaku_curl_set_long(easy, CURLOPT_NOPROGRESS, 0)
        guard let session = hikyaku_curl_openssl_session(easy), let clearOptions else { return }
        _ = clearOptions(session, ignoreUnexpectedEnd)
    }

    /// Whether the end was said by now; `nil` where that can't be seen.
    static func wasSaid(on easy: UnsafeMutableRawPointer) -> Bool? {
        guard let session = hikyaku_curl_openssl_session(easy), let shutdownState else { return nil }
        return shutdownState(session) & receivedShutdown != 0
    }

    /// `SSL_OP_IGNORE_UNEXPECTED_EOF`.
    private static let ignoreUnexpectedEnd: UInt64 = 1 << 7
    /// `SSL_RECEIVED_SHUTDOWN`.
    private static let receivedShutdown: Int32 = 2

    private typealias ClearOptions = @convention(c) (UnsafeMutableRawPointer, UInt64) -> UInt64
    private typealias ShutdownState = @convention(c) (UnsafeMutableRawPointer) -> Int32

    private static let clearOptions: ClearOptions? = dlsym(nil, "SSL_clear_options").map {
        unsafeBitCast($0, to: ClearOptions.self)
    }
    private static let shutdownState: ShutdownState? = dlsym(nil, "SSL_get_shutdown").map {
        unsafeBitCast($0, to: ShutdownState.self)
    }
}
#endif
