import CCurl

/// libcurl's multi handle with its pool of connections; it is freed with its last reference.
///
/// Whoever wakes the loop holds a reference meanwhile, so that the handle can't go under its hands.
///
/// `@unchecked`: the compiler can't see that the pointer is used on the loop's thread alone, except for ``wakeUp()``,
/// which libcurl allows on any thread, and for `deinit`, when nobody else holds it.
final class MultiHandle: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    /// The most connections that are kept open while nobody uses them.
    private static let idleConnectionsMax = 128

    init?() {
        guard CurlLibrary.isReady, let pointer = curl_multi_init() else { return nil }
        self.pointer = pointer
        // Without a number of its own, libcurl keeps four connections for each transfer in flight, and so closes nearly
        // all of them whenever a burst ends.
        _ = hikyaku_curl_multi_set_long(pointer, CURLMOPT_MAXCONNECTS, Self.idleConnectionsMax)
    }

    deinit {
        curl_multi_cleanup(pointer)
    }

    /// Ends the present `curl_multi_poll`, or else the next one at once.
    func wakeUp() {
        curl_multi_wakeup(pointer)
    }
}

/// libcurl's process-wide part.
enum CurlLibrary {
    /// Whether the library could set itself up; done once, and never undone, since others may use it too.
    static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK
}
