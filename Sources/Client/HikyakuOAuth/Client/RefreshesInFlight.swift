import Hikyaku
import HikyakuBase

/// The refreshes in flight: a token that they get after a sign-out must be revoked.
///
/// An abandoned refresh is cancelled, unless a sign-out is running: the server may already have issued a token, which
/// is only in its response. Then the refresh continues, and the sign-out waits for it.
final class RefreshesInFlight: Sendable {
    typealias Refresh = Task<IssuedToken, any Error>

    private struct ID: Hashable {
        let owner: ObjectIdentifier
        let number: Int
    }

    private struct State {
        var lastNumber = 0
        var tasks: [Int: Refresh] = [:]
        /// The number of sign-outs in progress.
        var signOutCount = 0
        /// The refreshes that were abandoned meanwhile.
        var abandoned: [Int: Refresh] = [:]
        /// The refreshes that no sign-out can wait for.
        var orphans: Set<Int> = []
    }

    /// The refreshes that this task is a part of.
    @TaskLocal private static var current: Set<ID> = []

    private let state = Lock(State())
    private let noteIssued: @Sendable (IssuedToken) -> Void
    private let revoke: @Sendable (IssuedToken) async -> Void

    /// - Parameters:
    ///   - noteIssued: Called with each token, before the refresh counts as ended.
    ///   - revoke: Revokes a token that no caller gets.
    init(
        noteIssued: @escaping @Sendable (IssuedToken) -> Void,
        revoke: @escaping @Sendable (IssuedToken) async -> Void,
    ) {
        self.noteIssued = noteIssued
        self.revoke = revoke
    }

    /// Runs a refresh, unless the task is cancelled before it has started.
    func run(_ refresh: @escaping @Sendable () async throws -> IssuedToken) async throws -> IssuedToken {
        try Task.checkCancellation()
        let number = begin(refresh)
        return try await withTaskCancellationHandler {
            defer { end(number) }
            guard let task = task(number) else { throw CancellationError() }
            let token = try await task.value
            // A later sign-out finds the token there, and an earlier one has the task.
            if self.task(number) != nil { noteIssued(token) }
            return token
        } onCancel: {
            abandon(number)?.cancel()
        }
    }

    /// From here on, abandoned refreshes continue.
    func beginSigningOut() {
        state.withLock { $0.signOutCount += 1 }
    }

    /// The refreshes that were abandoned since, except one that the caller is a part of: it would wait for itself, and
    /// its token is revoked separately.
    func endSigningOut() -> [Refresh] {
        let current = Self.current
        return state.withLock { state in
            state.signOutCount -= 1
            defer { state.abandoned = [:] }
            let own = state.abandoned.keys.filter { current.contains(ID(owner: ObjectIdentifier(self), number: $0)) }
            state.orphans.formUnion(own)
            return state.abandoned.sorted { $0.key < $1.key }.filter { !own.contains($0.key) }.map(\.value)
        }
    }

    private func begin(_ refresh: @escaping @Sendable () async throws -> IssuedToken) -> Int {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        let current = Self.current.union([ID(owner: ObjectIdentifier(self), number: number)])
        let task = UnstructuredTask.startThrowing { [self] in
            defer { _ = isOrphan(number) }
            let token = try await Self.$current.withValue(current, operation: refresh)
            if isOrphan(number) { await revoke(token) }
            return token
        }
        state.withLock { $0.tasks[number] = task }
        return number
    }

    private func isOrphan(_ number: Int) -> Bool {
        state.withLock { $0.orphans.remove(number) } != nil
    }

    private func task(_ number: Int) -> Refresh? {
        state.withLock { $0.tasks[number] }
    }

    private func end(_ number: Int) {
        state.withLock { $0.tasks[number] = nil }
    }

    /// The refresh to cancel.
    private func abandon(_ number: Int) -> Refresh? {
        state.withLock { state in
            guard let task = state.tasks.removeValue(forKey: number) else { return nil }
            guard state.signOutCount > 0 else { return task }
            state.abandoned[number] = task
            return nil
        }
    }
}
