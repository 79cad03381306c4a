import Hikyaku
import HikyakuBase
import HikyakuBroadcast
import HikyakuTesting
import Observation
import Testing

/// Answers one request after the other, when the test says so.
final class HeldAnswers: Sendable {
    private struct State: Sendable {
        var waiting: [CheckedContinuation<HTTPResponse, any Error>] = []
        var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?
        var receivedCount = 0
    }

    private let state = Lock(State())

    var transport: MockTransport {
        MockTransport { [self] _ in
            try await withCheckedThrowingContinuation { continuation in
                let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
                    state.waiting.append(continuation)
                    state.receivedCount += 1
                    guard let waiter = state.waiter, state.receivedCount >= waiter.count else { return nil }
                    state.waiter = nil
                    return waiter.continuation
                }
                waiter?.resume()
            }
        }
    }

    /// How many requests came so far.
    var receivedCount: Int { state.withLock(\.receivedCount) }

    /// Waits until `count` requests have come in all.
    func received(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.receivedCount >= count { return true }
                state.waiter = (count, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Answers the request that has waited longest.
    func answer(_ response: HTTPResponse) {
        state.withLock { $0.waiting.removeFirst() }.resume(returning: response)
    }

    func answer(_ json: String, status: HTTPStatus = .ok) {
        answer(.json(json, status: status))
    }
}

/// The changes that are reported for one reading of the properties.
@MainActor
final class Changes {
    private(set) var count = 0

    func track(_ read: () -> Void) {
        withObservationTracking(read) { [self] in MainActor.assumeIsolated { count += 1 } }
    }
}
