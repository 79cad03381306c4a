import HikyakuBase

/// Holds up all that wait until it is opened, cancelled or not.
package final class Gate: Sendable {
    private let state = Lock<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

    package init() {}

    package func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    package func waitUntilSomeoneWaits() async {
        // Where nobody comes, the test fails by what it expects then.
        _ = try? await holds { state.withLock { !$0.waiting.isEmpty } }
    }

    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
