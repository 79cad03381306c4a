#if os(Linux)
import CSSL
import Glibc

/// Keeps all threads away from OpenSSL once the process ends.
///
/// `exit` undoes OpenSSL's state while other threads go on; one that is inside of OpenSSL then crashes. So each call
/// goes through the gate, and it is shut before OpenSSL is undone.
enum ExitGate {
    // A lock is made to be used by several threads at once, which the compiler can't see; it is never freed.
    private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        lock.initialize(to: pthread_rwlock_t())
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// Has the gate shut at the end of the process.
    ///
    /// OpenSSL asks for its own turn there first, since what is asked for
    /// last comes first.
    private static let isInstalled: Bool = {
        _ = lock
        OPENSSL_init_ssl(0, nil)
        return atexit {
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            // A thread that doesn't come out in that time, or that ended the process itself, is not waited for.
            end.tv_sec += 1
            pthread_rwlock_timedwrlock(ExitGate.lock, &end)
        } == 0
    }()

    static func install() { _ = isInstalled }

    /// Runs what calls OpenSSL; waits for ever when the process ends.
    @inline(__always)
    static func passing<Value>(_ body: () -> Value) -> Value {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return body()
    }

    /// Drops what OpenSSL keeps for a thread that ends, which goes with the thread otherwise, and so perhaps too late.
    static func dropThreadState() {
        passing { OPENSSL_thread_stop() }
    }
}
#endif
