#if canImport(Darwin)
public import os
#else
public import Glibc
#endif

/// Synchronous state that a lock protects; all copies share one state.
///
/// Code inside ``withLock(_:)`` must be short: it must not wait, call back or log.
///
/// The standard library's `Mutex` is not used, since the thread sanitizer on Linux doesn't know it and reports races
/// that don't exist.
public struct Lock<Value>: Sendable {
    #if canImport(Darwin)
    @usableFromInline let storage: OSAllocatedUnfairLock<Value>

    /// Makes a lock that protects a value.
    @inlinable
    public init(_ value: sending Value) {
        storage = OSAllocatedUnfairLock(uncheckedState: value)
    }

    /// Runs a closure on the value; no two closures run at the same time.
    @inlinable
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The lock's own `withLock` rethrows an untyped error, so the outcome is returned as a `Result`.
        let outcome: Swift.Result<Result, Failure> = storage.withLockUnchecked { value in
            do throws(Failure) { return .success(try body(&value)) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
    #else
    // The compiler can't see that both pointers are touched only between lock and unlock, or, while no other reference
    // exists, in init and deinit. It can be removed when the sanitizer knows `Mutex`.
    @usableFromInline nonisolated(unsafe) let storage: LockStorage<Value>
    // Both point into the storage, and are valid as long as it exists. Getting them from the storage each time would
    // access the value without the lock.
    @usableFromInline nonisolated(unsafe) let value: UnsafeMutablePointer<Value>
    @usableFromInline nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Makes a lock that protects a value.
    @inlinable
    public init(_ value: sending Value) {
        storage = unsafeDowncast(
            LockStorage<Value>.create(minimumCapacity: 1) { _ in value },
            to: LockStorage<Value>.self,
        )
        (self.value, mutex) = storage.withUnsafeMutablePointers { ($0, $1) }
        mutex.initialize(to: pthread_mutex_t())
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ADAPTIVE_NP))
        pthread_mutex_init(mutex, &attributes)
        pthread_mutexattr_destroy(&attributes)
    }

    /// Runs a closure on the value; no two closures run at the same time.
    @inlinable @inline(__always)
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_mutex_unlock(mutex)
            withExtendedLifetime(storage) {}
        }
        return try body(&value.pointee)
    }
    #endif
}

#if !canImport(Darwin)
/// The value and its mutex in one allocation.
@usableFromInline
final class LockStorage<Value>: ManagedBuffer<Value, pthread_mutex_t> {
    @inlinable
    deinit {
        _ = withUnsafeMutablePointerToElements { pthread_mutex_destroy($0) }
    }
}
#endif
