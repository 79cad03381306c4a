import Observation

/// Waits until what screens show fulfils a condition, for tests and programs without a user interface.
///
/// - Parameter condition: Is asked now, and again whenever something changes that it has looked at.
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
        // It is told before the change; behind the suspension, the change is there.
        for await _ in changes {}
    }
}
