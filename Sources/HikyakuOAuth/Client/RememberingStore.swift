import Hikyaku
import HikyakuBase

/// A store that knows which tokens the server has issued and nobody uses any more: what signing out has to revoke.
final class RememberingStore: TokenStore {
    private struct State {
        /// What went through last.
        var used: IssuedToken?
        /// What was issued and isn't in the store: it is on its way there, or another process was first.
        var unsaved: [IssuedToken] = []
        var removed: [IssuedToken] = []
    }

    /// Where another process is always first, what was issued so often has mostly ended.
    private static let unsavedMax = 8

    private let inner: (any TokenStore)?
    private let state = Lock(State())

    init(_ inner: (any TokenStore)?) {
        self.inner = inner
    }

    /// Remembers a token before anything can come between it and the store.
    func noteIssued(_ token: IssuedToken) {
        state.withLock { state in
            if state.unsaved.count == Self.unsavedMax { state.unsaved.removeFirst() }
            state.unsaved.append(token)
        }
    }

    /// The tokens that nobody uses any more, once.
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

    /// Removes the token that is in use, and the one that is kept, where another process has put that there, or the one
    /// in use couldn't be saved.
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
    /// All that a server tells apart, in their order; a store may keep dates less precisely.
    fileprivate var withoutRepetitions: [IssuedToken] {
        reduce(into: []) { tokens, token in
            if !tokens.contains(where: { $0.token == token.token && $0.refreshToken == token.refreshToken }) {
                tokens.append(token)
            }
        }
    }
}
