import Hikyaku

/// The refreshes that are under way: what they bring after someone has signed out has to be revoked.
final class RunningRefreshes: Sendable {
    private struct State {
        var lastNumber = 0
        var tasks: [Int: Task<IssuedToken, any Error>] = [:]
    }

    private let state = Lock(State())

    /// Runs a refresh, and cancels it with the task, unless it was taken by then.
    func run(_ refresh: @escaping @Sendable () async throws -> IssuedToken) async throws -> IssuedToken {
        let task = Task { try await refresh() }
        let number = state.withLock { state in
            state.lastNumber += 1
            state.tasks[state.lastNumber] = task
            return state.lastNumber
        }
        return try await withTaskCancellationHandler {
            defer { _ = remove(number) }
            return try await task.value
        } onCancel: {
            remove(number)?.cancel()
        }
    }

    /// All of them, which go on from here on whoever is cancelled.
    func take() -> [Task<IssuedToken, any Error>] {
        state.withLock { state in
            defer { state.tasks = [:] }
            return Array(state.tasks.values)
        }
    }

    private func remove(_ number: Int) -> Task<IssuedToken, any Error>? {
        state.withLock { $0.tasks.removeValue(forKey: number) }
    }
}
