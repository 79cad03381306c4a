import HikyakuBase

/// A number that several threads add to.
final class Counter: Sendable {
    private let number = Lock(0)

    var value: Int { number.withLock(\.self) }

    /// Adds one, and returns the new number.
    func increment() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}
