#if canImport(Darwin)
public import os
#else
public import Glibc
#endif

/// Short synchronous state behind a lock; all copies share one state.
///
/// Nothing that waits, calls back or logs belongs inside ``withLock(_:)``.
///
/// `Mutex` of the standard library would do, but on Linux the thread sanitizer can't see it and reports races that
/// aren't there.
public struct Lock<Value>: Sendable {
    #if canImport(Darwin)
    @usableFromInline let storage: OSAllocatedUnfairLock<Value>

    /// Makes a lock around a value.
    @inlinable
    public init(_ value: sending Value) {
        storage = OSAllocatedUnfairLock(uncheckedState: value)
    }

    /// Runs a closure on the value, one at a time.
    @inlinable
    public func withLock<Result, Failure: Error>(
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
    @usableFromInline nonisolated(unsafe) let storage: LockStorage<Value>
    // Both lead into the storage, which is why they are unsafe as it is, and valid as long as it is. To ask it for them
    // each time would be an access to the value without the lock.
    @usableFromInline nonisolated(unsafe) let value: UnsafeMutablePointer<Value>
    @usableFromInline nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// Makes a lock around a value.
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

    /// Runs a closure on the value, one at a time.
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
