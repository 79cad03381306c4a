import Foundation

/// Lets one reader of options at a time at the variables that C's library keeps for all.
enum OptionLock {
    private static let lock = NSLock()

    static func withLock<Value>(_ action: () -> Value) -> Value {
        lock.withLock(action)
    }
}
