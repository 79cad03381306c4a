public import HikyakuBase

/// Stores an issued token between launches: the protocol for the keychain, a file, or a vault.
///
/// ```swift
/// actor VaultTokenStore: TokenStore {
///     func save(_ token: IssuedToken) async throws {
///         try await vault.put(token.token.reveal(), under: "shop")
///     }
///
///     func load() async throws -> IssuedToken? {
///         try await vault.get("shop").map { IssuedToken(token: Secret($0)) }
///     }
///
///     func remove() async throws {
///         try await vault.remove("shop")
///     }
/// }
/// let client = APIClient().authorized(by: .stored(in: VaultTokenStore()), for: .shop)
/// ```
/// It is written each time a token is refreshed, before any caller gets the new one. A ``RefreshingToken`` reads it
/// whenever it has no usable token: while no user is signed in, that is once for each call. A ``RefreshingToken`` calls
/// it sequentially, but other users don't: a ``StoredToken`` reads it for each call, and several owners may share a
/// store. So its functions are called concurrently, and a reader must always get a complete token, the old or the new
/// one.
public protocol TokenStore: Sendable, CancellationPromise {
    /// Replaces the stored token.
    ///
    /// - Throws: Anything; the token is used nevertheless.
    func save(_ token: IssuedToken) async throws

    /// The token that was saved last; `nil` if there is none.
    ///
    /// - Throws: Anything; the call that needs the token fails with it.
    func load() async throws -> IssuedToken?

    /// Deletes the token.
    func remove() async throws
}

/// A token in memory: it is lost with the store.
///
/// ```swift
/// let store = MemoryTokenStore()
/// let client = APIClient().authorized(by: .stored(in: store), for: .shop)
/// await store.save(IssuedToken(token: Secret(userToken)))  // from now on, calls have it
/// ```
public final class MemoryTokenStore: TokenStore {
    private let token: Lock<IssuedToken?>

    /// Creates a store.
    ///
    /// - Parameter token: The initial token.
    public init(_ token: IssuedToken? = nil) {
        self.token = Lock(token)
    }

    /// Creates a store with a bearer token, of which nothing else is known.
    ///
    /// - Parameter token: The token's text.
    public convenience init(_ token: String) { self.init(IssuedToken(token: Secret(token))) }

    /// `true`.
    public var endsOnCancellation: Bool { true }

    /// Replaces the stored token.
    public func save(_ token: IssuedToken) async { self.token.withLock { $0 = token } }

    /// The token that was saved last.
    public func load() async -> IssuedToken? { token.withLock { $0 } }

    /// Deletes the token.
    public func remove() async { token.withLock { $0 = nil } }
}

extension MemoryTokenStore: Redacted {
    /// Whether there is a token.
    public var description: String {
        "MemoryTokenStore \(token.withLock { $0 } == nil ? "without a token" : "with a token")"
    }
}
