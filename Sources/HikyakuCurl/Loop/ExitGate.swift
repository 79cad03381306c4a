#if os(Linux)
import Glibc

/// Keeps the loops away from libcurl once the process ends.
///
/// `exit` undoes OpenSSL's state while other threads go on; one that is inside of libcurl then crashes. So each loop
/// goes through the gate before it calls libcurl, and it is shut before OpenSSL is undone.
enum ExitGate {
    // A lock is made to be used by several threads at once, which the compiler can't see; it is never freed.
    private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        lock.initialize(to: pthread_rwlock_t())
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// Has the gate shut at the end of the process; called when OpenSSL has asked for its own turn there, since who
    /// asks last comes first.
    static func install() {
        _ = lock
        atexit {
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            // A loop that doesn't come out in that time, or that ended the process itself, is not waited for.
            end.tv_sec += 1
            pthread_rwlock_timedwrlock(ExitGate.lock, &end)
        }
    }

    /// Goes through, for as long as libcurl is called; waits for ever when the process ends.
    static func enter() { pthread_rwlock_rdlock(lock) }

    static func leave() { pthread_rwlock_unlock(lock) }

    /// Leaves for good, on a thread that ends.
    ///
    /// What OpenSSL keeps for a thread goes with it, after the thread has left; so it is dropped before, while OpenSSL
    /// is still there. A libcurl that was built with another library keeps nothing.
    static func leaveForGood() {
        dropThreadState?()
        leave()
    }

    private static let dropThreadState: (@convention(c) () -> Void)? = dlsym(nil, "OPENSSL_thread_stop")
        .map { unsafeBitCast($0, to: (@convention(c) () -> Void).self) }
}
#endif
