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

/// The TLS sessions of a transport, which all its handles share: a handle that is new can resume one of another's.
final class TLSSessions {
    /// libcurl's share handle; `nil` for want of memory, and then each handle has sessions of its own.
    let pointer: UnsafeMutableRawPointer? = hikyaku_curl_share_tls_sessions()

    deinit {
        curl_share_cleanup(pointer)
    }
}

/// libcurl's process-wide part.
enum CurlLibrary {
    /// Whether the library could set itself up; done once, and never undone, since others may use it too.
    static let isReady: Bool = {
        defer { ExitGate.install() }
        return curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
    }()

    /// The version of the library that is in use: `0x07_58_01` for 7.88.1.
    static let version = curl_version_info(CURLVERSION_SEVENTH)?.pointee.version_num ?? 0

    /// Whether an easy handle can carry a second transfer.
    ///
    /// Before 8.1.1, libcurl keeps a pointer to the last header field of the transfer before, which is freed by then. A
    /// response whose first header line begins with a blank has libcurl write there. `curl_easy_reset` changes nothing.
    static let mayReuseHandles = version >= 0x08_01_01
}
#endif
