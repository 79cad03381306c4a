/// A token that a store holds, and that nothing refreshes: `.stored(in: FileTokenStore(path: …))`.
///
/// The store is read for each attempt, so that a call has the token that was saved last. For one that is refreshed, and
/// read once, there is ``RefreshingToken``.
public struct StoredToken: TokenProvider {
    private let store: any TokenStore

    /// Names a store.
    public init(in store: any TokenStore) {
        self.store = store
    }

    /// As the store promises.
    public var endsOnCancellation: Bool { store.endsOnCancellation }

    /// The token of the store, ended or not; a missing one where it holds none.
    ///
    /// - Throws: What the store throws.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        try await store.load()?.accessToken ?? AccessToken(String?.none)
    }

    /// Removes the token from the store.
    public func signOut() async throws {
        try await store.remove()
    }
}

extension StoredToken: CustomStringConvertible, CustomReflectable {
    /// What it is, without a token.
    public var description: String { "StoredToken in a store of type \(type(of: store))" }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["provider": description]) }
}

extension TokenProvider where Self == StoredToken {
    /// A token that a store holds.
    public static func stored(in store: any TokenStore) -> StoredToken { StoredToken(in: store) }
}
