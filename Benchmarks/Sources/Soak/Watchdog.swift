import Foundation

/// Ends requests that don't end by themselves.
///
/// A timer for each would do, but one that is cancelled stays in memory until its time has come.
actor Watchdog {
    private var calls: [Int: (call: Task<Outcome, any Error>, end: ContinuousClock.Instant)] = [:]
    private var bitten: Set<Int> = []

    func watch(_ call: Task<Outcome, any Error>, of index: Int, for time: Duration) {
        calls[index] = (call, .now + time)
    }

    /// Whether the request had to be ended.
    func leave(_ index: Int) -> Bool {
        calls[index] = nil
        return bitten.remove(index) != nil
    }

    func run() async {
        while !Task.isCancelled {
            for (index, entry) in calls where entry.end < .now {
                entry.call.cancel()
                bitten.insert(index)
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
