import Foundation

/// A number that several threads add to.
///
/// `@unchecked`: the compiler can't see that the lock guards the number. It can go when the oldest macOS has
/// `Synchronization`; the lock of HikyakuBase is not for this module.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    var value: Int { lock.withLock { number } }

    /// Adds one, and returns the new number.
    func increment() -> Int {
        lock.withLock {
            number += 1
            return number
        }
    }
}
