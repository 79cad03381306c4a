#if os(Linux)
import CCurl
import Glibc

/// libcurl's multi handle with its pool of connections; it is freed with its last reference.
///
/// Whoever wakes the loop holds a reference meanwhile, so that the handle can't go under its hands.
///
/// `@unchecked`: the compiler can't see that the pointer is used only by who has the mailbox's driver role, except for
/// ``wakeUp()``, which libcurl allows on any thread at any time, and for `deinit`, when nobody else holds it.
final class MultiHandle: @unchecked Sendable {
    private let pointer: UnsafeMutableRawPointer

    init?() {
        guard CurlLibrary.isReady, let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
    }

    deinit {
        curl_multi_cleanup(pointer)
    }

    /// Ends the present or else the next ``wait(milliseconds:)``; can be called on any thread.
    func wakeUp() {
        curl_multi_wakeup(pointer)
    }

    /// Waits until a transfer can go on, or the time is up.
    func wait(milliseconds: Int32) {
        let code = curl_multi_poll(pointer, nil, 0, milliseconds, nil)
        // As a rule for want of memory: don't spin until there is some again.
        if code != CURLM_OK { usleep(10_000) }
    }

    /// Whether a transfer can go on.
    var isReady: Bool {
        var readyCount: Int32 = 0
        return curl_multi_poll(pointer, nil, 0, 0, &readyCount) != CURLM_OK || readyCount > 0
    }

    /// Lets all transfers go on as far as they can without waiting.
    func perform() -> CURLMcode {
        var runningCount: Int32 = 0
        return curl_multi_perform(pointer, &runningCount)
    }

    /// Says how many connections there may be before one is closed at the end of a transfer, those in use included.
    ///
    /// Without a number, libcurl takes four for each transfer in flight, and so closes nearly all whenever a burst
    /// ends.
    func keepConnections(_ count: Int) {
        _ = hikyaku_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, count)
    }

    /// Says how many connections there may be to one host; more transfers wait inside of libcurl.
    func limitConnections(perHost count: Int) {
        _ = hikyaku_curl_multi_set_long(pointer, CURLMOPT_MAX_HOST_CONNECTIONS, count)
    }

    func add(_ handle: EasyHandle) -> CURLMcode {
        curl_multi_add_handle(pointer, handle.pointer)
    }

    /// Closes the transfer's connection unless the transfer was over.
    func remove(_ handle: EasyHandle) {
        curl_multi_remove_handle(pointer, handle.pointer)
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

/// libcurl's process-wide part.
enum CurlLibrary {
    /// Whether the library could set itself up; done once, and never undone, since others may use it too.
    static let isReady: Bool = {
        defer { ExitGate.install() }
        return curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
    }()

    /// Whether the environment names a proxy, as it was when the first handle was made.
    static let hasProxyInEnvironment: Bool = {
        let names: [String] = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        return names.contains { getenv($0) != nil }
    }()
}
#endif
