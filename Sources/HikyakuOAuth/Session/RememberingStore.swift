import Hikyaku

/// A store that knows what went through it last: the token to revoke, even where it couldn't be saved.
final class RememberingStore: TokenStore {
    private let inner: (any TokenStore)?
    private let token = Lock<IssuedToken?>(nil)

    init(_ inner: (any TokenStore)?) {
        self.inner = inner
    }

    /// The token that is in use, and the one that is kept, where another process has put that there, or the one in use
    /// couldn't be saved.
    func tokens() async -> [IssuedToken] {
        let used = token.withLock(\.self)
        let kept = try? await inner?.load()
        let isSame = used?.token == kept?.token && used?.refreshToken == kept?.refreshToken
        return [used, isSame ? nil : kept].compactMap(\.self)
    }

    func save(_ token: IssuedToken) async throws {
        self.token.withLock { $0 = token }
        try await inner?.save(token)
    }

    func load() async throws -> IssuedToken? {
        guard let inner else { return token.withLock(\.self) }
        let loaded = try await inner.load()
        if let loaded { token.withLock { $0 = loaded } }
        return loaded
    }

    func remove() async throws {
        token.withLock { $0 = nil }
        try await inner?.remove()
    }
}
