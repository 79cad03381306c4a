import Observation

/// Waits until the screens' models fulfil a condition, for tests and programs without a user interface.
///
/// - Parameter condition: Evaluated now, and again after each change of a property that it has read.
@MainActor
public func waitUntil(_ condition: @MainActor () -> Bool) async {
    while true {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
        let isFulfilled = withObservationTracking {
            condition()
        } onChange: {
            continuation.finish()
        }
        if isFulfilled || Task.isCancelled { return }
        // `onChange` is called before the change. After the suspension, the property has its new value.
        for await _ in changes {}
    }
}
