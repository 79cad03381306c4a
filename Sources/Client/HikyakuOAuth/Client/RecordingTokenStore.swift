import Hikyaku
import HikyakuBase

/// A store that records the tokens that were issued and are no longer used: signing out has to revoke them.
final class RecordingTokenStore: TokenStore {
    private struct State {
        /// The token that was last saved or loaded.
        var used: IssuedToken?
        /// Tokens that were issued and aren't in the store: they are being saved, or another process was first.
        var unsaved: [IssuedToken] = []
        var removed: [IssuedToken] = []
    }

    /// If another process is always first, most of this many earlier tokens have already expired.
    private static let unsavedMax = 8

    private let inner: (any TokenStore)?
    private let state = Lock(State())

    init(_ inner: (any TokenStore)?) {
        self.inner = inner
    }

    /// Records a token before the store can fail.
    func noteIssued(_ token: IssuedToken) {
        state.withLock { state in
            if state.unsaved.count == Self.unsavedMax { state.unsaved.removeFirst() }
            state.unsaved.append(token)
        }
    }

    /// Removes and returns the unused tokens, each once.
    func takeUnused() -> [IssuedToken] {
        state.withLock { state in
            defer { (state.removed, state.unsaved) = ([], []) }
            return (state.removed + state.unsaved).withoutRepetitions
        }
    }

    func save(_ token: IssuedToken) async throws {
        state.withLock { state in
            state.used = token
            state.unsaved.removeAll { $0.token == token.token }
        }
        try await inner?.save(token)
    }

    func load() async throws -> IssuedToken? {
        guard let inner else { return state.withLock(\.used) }
        let loaded = try await inner.load()
        if let loaded { state.withLock { $0.used = loaded } }
        return loaded
    }

    /// Removes the token in use, and the stored one, if another process has stored it, or the token in use couldn't be
    /// saved.
    func remove() async throws {
        let kept = try? await inner?.load()
        state.withLock { state in
            state.removed += [state.used, kept].compactMap(\.self)
            state.used = nil
        }
        try await inner?.remove()
    }
}

extension [IssuedToken] {
    /// All tokens that differ for a server, in order; a store may keep dates less precisely.
    fileprivate var withoutRepetitions: [IssuedToken] {
        reduce(into: []) { tokens, token in
            if !tokens.contains(where: { $0.token == token.token && $0.refreshToken == token.refreshToken }) {
                tokens.append(token)
            }
        }
    }
}
