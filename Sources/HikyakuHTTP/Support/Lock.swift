#if canImport(Darwin)
import os
#else
import Glibc
#endif

/// Short synchronous state behind a lock.
///
/// Nothing that waits, calls back or logs belongs inside ``withLock(_:)``.
///
/// `Mutex` of the standard library would do, but on Linux the thread sanitizer can't see it and reports races that
/// aren't there.
package final class Lock<Value>: Sendable {
    #if canImport(Darwin)
    private let storage: OSAllocatedUnfairLock<Value>

    package init(_ value: sending Value) {
        storage = OSAllocatedUnfairLock(uncheckedState: value)
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The lock's own `withLock` rethrows untyped, so the outcome is carried through it.
        let outcome: Swift.Result<Result, Failure> = storage.withLockUnchecked { value in
            do throws(Failure) { return .success(try body(&value)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
    #else
    // The compiler can't see that both pointers are touched only between lock and unlock, or, while no other reference
    // exists, in init and deinit. Can go when the sanitizer knows `Mutex`.
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private nonisolated(unsafe) let value: UnsafeMutablePointer<Value>

    package init(_ value: sending Value) {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value.pointee)
    }
    #endif
}
