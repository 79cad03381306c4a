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
