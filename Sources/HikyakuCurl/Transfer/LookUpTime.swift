#if os(Linux)
import CCurl
import HikyakuHTTP

/// Keeps libcurl from giving up the look-up of a name by itself.
///
/// A look-up runs on a thread of its own, in a function of the system that nothing can stop. When its time is up,
/// libcurl detaches the thread, and nobody knows any more that there is one. So libcurl gets more time than it is to
/// take while a name is looked up, and the loop ends the exchange in time, but keeps the transfer until the thread is
/// through.
enum LookUpTime {
    /// A timeout as libcurl takes it: at most a day, since its number may have 32 bits.
    static func milliseconds(_ timeout: Duration) -> Int {
        let milliseconds = (max(min(timeout, .seconds(86_400)), .zero) / .milliseconds(1)).rounded(.up)
        return max(Int(milliseconds), 1)
    }

    /// A look-up begins: libcurl's own time for the connection is made so long that the loop has ended it before.
    ///
    /// It is not made longer than that, since libcurl shares it out among the host's addresses.
    static func give(_ timeout: Duration, on easy: UnsafeMutableRawPointer) {
        let own = milliseconds(timeout)
        set(own + max(own / 4, 250), on: easy)
    }

    /// The look-up is over, and the connection has the time that is left; all of it when it is made for others than who
    /// began it.
    static func end(_ timeout: Duration, isWanted: Bool, on easy: UnsafeMutableRawPointer) {
        var microseconds: curl_off_t = 0
        if !isWanted { _ = hikyaku_curl_get_offset(easy, CURLINFO_NAMELOOKUP_TIME_T, &microseconds) }
        set(milliseconds(timeout) + Int(microseconds / 1000), on: easy)
    }

    /// Nobody waits for the look-up any more.
    static func leave(_ handle: EasyHandle) {
        set(milliseconds(.seconds(86_400)), on: handle.pointer)
    }

    /// Whether nobody waits for the look-up any more, and it takes longer than anybody would have waited.
    static func isLeftAndLate(_ handle: EasyHandle) -> Bool {
        let transfer = handle.transfer
        guard transfer.pointee.isLookingUp, transfer.pointee.exchange?.isWaiting != true else { return false }
        return transfer.pointee.timer.isConnectOver(at: transfer.pointee.now)
    }

    private static func set(_ milliseconds: Int, on easy: UnsafeMutableRawPointer) {
        _ = hikyaku_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds)
    }
}
#endif
