import CCurl
import Glibc

/// libcurl's multi handle with its pool of connections, and the poller that waits for them.
///
/// Whoever wakes the loop holds a reference meanwhile, so that the descriptor can't go under its hands.
///
/// `@unchecked`: the compiler can't see that the pointer is used on the loop's thread alone; `deinit` runs when nobody else
/// holds it.
final class MultiHandle: @unchecked Sendable {
    let poller: SocketPoller
    private let pointer: UnsafeMutableRawPointer

    init?() {
        guard CurlLibrary.isReady, let poller = SocketPoller(), let pointer = curl_multi_init() else { return nil }
        self.poller = poller
        self.pointer = pointer
        let context = Unmanaged.passUnretained(poller).toOpaque()
        let watch:
            @convention(c) (
                UnsafeMutableRawPointer?, curl_socket_t, Int32, UnsafeMutableRawPointer?,
                UnsafeMutableRawPointer?
            ) -> Int32 = { _, socket, what, context, _ in
                SocketPoller.from(context)?.watch(socket, what)
                // Any other answer would make the multi handle useless for good.
                return 0
            }
        guard hikyaku_curl_multi_set_socket_callback(pointer, watch, context) == CURLM_OK else { return nil }
    }

    deinit {
        curl_multi_cleanup(pointer)
    }

    /// Says how many connections there may be before one is closed at the end of a transfer, those in use included.
    ///
    /// Without a number, libcurl takes four for each transfer in flight, and so closes nearly all whenever a burst ends.
    func keepConnections(_ count: Int) {
        _ = hikyaku_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, count)
    }

    func add(_ handle: EasyHandle) -> CURLMcode {
        curl_multi_add_handle(pointer, handle.pointer)
    }

    /// Closes the transfer's connection unless the transfer was over.
    func remove(_ handle: EasyHandle) {
        curl_multi_remove_handle(pointer, handle.pointer)
    }

    /// Lets libcurl go on with what waits for a socket, or, with `CURL_SOCKET_TIMEOUT`, for a time that has come.
    func act(on socket: curl_socket_t, mask: Int32) -> CURLMcode {
        var runningCount: Int32 = 0
        return curl_multi_socket_action(pointer, socket, mask, &runningCount)
    }

    /// How long libcurl wants to wait at most; `nil` when no time matters to it.
    var timeoutMilliseconds: Int? {
        var milliseconds = -1
        return curl_multi_timeout(pointer, &milliseconds) == CURLM_OK && milliseconds >= 0 ? milliseconds : nil
    }

    /// The next transfer that is over.
    func nextFinished() -> (EasyHandle, CURLcode)? {
        var pointer: UnsafeMutableRawPointer?
        var code = CURLE_OK
        guard hikyaku_curl_next_finished(self.pointer, &pointer, &code) != 0 else { return nil }
        var own: UnsafeMutableRawPointer?
        _ = hikyaku_curl_get_pointer(pointer, CURLINFO_PRIVATE, &own)
        return EasyHandle.from(own).map { ($0, code) }
    }
}

extension SocketPoller {
    static func from(_ pointer: UnsafeMutableRawPointer?) -> SocketPoller? {
        pointer.map { Unmanaged<SocketPoller>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// libcurl's process-wide part.
enum CurlLibrary {
    /// Whether the library could set itself up; done once, and never undone, since others may use it too.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// Whether the environment names a proxy, as it was when the first handle was made.
    static let hasProxyInEnvironment: Bool = {
        let names: [String] = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return names.contains { getenv($0) != nil }
    }()
}
