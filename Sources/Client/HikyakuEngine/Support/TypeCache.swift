import HikyakuBase

/// A value for each type, created when it is needed first.
package struct TypeCache<Value: Sendable>: Sendable {
    private let values = Lock<[ObjectIdentifier: Value]>([:])

    package init() {}

    @inline(__always)
    package func value(for identifier: ObjectIdentifier, make: () -> Value) -> Value {
        if let value = values.withLock({ $0[identifier] }) { return value }
        // Created outside the lock, since it may run user code, or need the value of another type.
        let made = make()
        return values.withLock { values in
            let value = values[identifier] ?? made
            values[identifier] = value
            return value
        }
    }
}
