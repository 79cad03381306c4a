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
