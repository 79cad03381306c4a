#if canImport(Darwin)
import os
#else
import Glibc
#endif

/// Short synchronous state behind a lock; all copies share one state.
///
/// Nothing that waits, calls back or logs belongs inside ``withLock(_:)``.
///
/// `Mutex` of the standard library would do, but on Linux the thread sanitizer can't see it and reports races that
/// aren't there.
package struct Lock<Value>: Sendable {
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
    // The compiler can't see that the value is touched only between lock and unlock, or, while no other reference
    // exists, in init and deinit. Can go when the sanitizer knows `Mutex`.
    private nonisolated(unsafe) let storage: ManagedBuffer<Value, pthread_mutex_t>

    package init(_ value: sending Value) {
        storage = LockStorage.create(minimumCapacity: 1) { _ in value }
        storage.withUnsafeMutablePointerToElements { mutex in
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }
    }

    @inline(__always)
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try storage.withUnsafeMutablePointers { value, mutex throws(Failure) in
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            return try body(&value.pointee)
        }
    }
    #endif
}

#if !canImport(Darwin)
/// The value and its mutex in one allocation.
private final class LockStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
    deinit {
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}
#endif
