#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Plans by their types, for all threads.
final class PlanStore: Sendable {
    // The compiler can't see that the plans are touched between lock and unlock alone, and that neither is ever freed:
    // the only store lives as long as the process. `Mutex` would do, but the thread sanitizer doesn't know it on Linux.
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private nonisolated(unsafe) let plans: UnsafeMutablePointer<[ObjectIdentifier: AnyObject]>

    init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        plans = .allocate(capacity: 1)
        plans.initialize(to: [:])
    }

    subscript(type: ObjectIdentifier) -> AnyObject? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return plans.pointee[type]
    }

    /// Keeps a plan, if there is none yet; gives the one that is kept.
    func add(_ plan: AnyObject, for type: ObjectIdentifier) -> AnyObject {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let other = plans.pointee[type] { return other }
        plans.pointee[type] = plan
        return plan
    }
}
