import Foundation
import Testing

/// Runs work on a thread of its own, whose stack has a size of choice, and waits for it.
func onThread<Value: Sendable>(stackKilobytes: Int, _ work: @escaping @Sendable () -> Value) throws -> Value {
    let outcome = ThreadOutcome<Value>()
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
        outcome.value = work()
        isDone.signal()
    }
    thread.stackSize = stackKilobytes << 10
    thread.start()
    isDone.wait()
    return try #require(outcome.value)
}

/// Unchecked, since the compiler can't see that a semaphore orders the two accesses.
private final class ThreadOutcome<Value>: @unchecked Sendable {
    var value: Value?
}

/// What one thread hands to another and doesn't touch meanwhile, which the compiler can't see.
struct Handed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
