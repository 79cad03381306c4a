#if canImport(Darwin)
import os
#else
import Synchronization
#endif

/// State that several threads share, behind a lock.
///
/// On Apple's platforms it is not a `Mutex`, which needs macOS 15.
nonisolated final class Guarded<Value: Sendable>: Sendable {
    #if canImport(Darwin)
    private let state: OSAllocatedUnfairLock<Value>

    init(_ value: Value) {
        state = OSAllocatedUnfairLock(uncheckedState: value)
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try state.withLockUnchecked(body)
    }
    #else
    private let state: Mutex<Value>

    init(_ value: Value) {
        state = Mutex(value)
    }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try state.withLock { try body(&$0) }
    }
    #endif
}
