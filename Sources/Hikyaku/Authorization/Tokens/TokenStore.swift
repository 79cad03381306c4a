import HikyakuBase

/// What keeps an issued token between launches: the seam to the keychain, a file, or a vault.
///
/// It is written each time that a token is refreshed, before anyone gets the new one, and read by a ``RefreshingToken``
/// whenever that has no usable token: while nobody is signed in, that is once for each call. A ``RefreshingToken`` does
/// one thing after the other, but nobody else waits for that: a ``StoredToken`` reads for each call, and several owners
/// may share a store. So its functions are called concurrently, and who reads must find a whole token, the old or the
/// new.
public protocol TokenStore: Sendable, CancellationPromise {
    /// Keeps a token in the place of the one before.
    ///
    /// - Throws: Anything; the token is used nevertheless.
    func save(_ token: IssuedToken) async throws

    /// The token that was kept last; `nil` where there is none.
    ///
    /// - Throws: Anything; the call that needs the token ends with it.
    func load() async throws -> IssuedToken?

    /// Forgets the token.
    func remove() async throws
}

/// A token in memory: it ends with the store.
public final class MemoryTokenStore: TokenStore {
    private let token: Lock<IssuedToken?>

    /// Makes a store.
    ///
    /// - Parameter token: What it holds at first.
    public init(_ token: IssuedToken? = nil) {
        self.token = Lock(token)
    }

    /// `true`.
    public var endsOnCancellation: Bool { true }

    /// Keeps a token in the place of the one before.
    public func save(_ token: IssuedToken) async { self.token.withLock { $0 = token } }

    /// The token that was kept last.
    public func load() async -> IssuedToken? { token.withLock { $0 } }

    /// Forgets the token.
    public func remove() async { token.withLock { $0 = nil } }
}

extension MemoryTokenStore: CustomStringConvertible, CustomReflectable {
    /// Whether there is a token.
    public var description: String {
        "MemoryTokenStore \(token.withLock { $0 } == nil ? "without a token" : "with a token")"
    }

    /// What ``description`` shows, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["store": description]) }
}
