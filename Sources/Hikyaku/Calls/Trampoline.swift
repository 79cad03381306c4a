#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs work that comes of other work behind it, and not inside of it: so a chain of any length needs no more stack
/// than one link.
enum Trampoline {
    /// What is still to be run on a thread.
    private final class Pending {
        var work: [@Sendable () -> Void] = []
    }

    /// Finds a thread's ``Pending`` while its first work runs. (A task-local would be inherited by the tasks that work
    /// starts.)
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Runs the work now, or on the same thread behind what is running.
    static func run(_ work: @escaping @Sendable () -> Void) {
        if let running = pthread_getspecific(key) {
            Unmanaged<Pending>.fromOpaque(running).takeUnretainedValue().work.append(work)
            return
        }
        let pending = Pending()
        withExtendedLifetime(pending) {
            pthread_setspecific(key, Unmanaged.passUnretained(pending).toOpaque())
            work()
            while !pending.work.isEmpty {
                let round = pending.work
                pending.work = []
                for work in round { work() }
            }
            pthread_setspecific(key, nil)
        }
    }
}
