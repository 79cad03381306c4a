#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What gives the token of a credential: the seam to wherever an app keeps it.
///
/// It is asked for each attempt just before the request is sent, concurrently. Its token goes with requests that need
/// authorization alone, and only towards the origin of the environment that the provider was given for.
///
/// ```swift
/// struct KeychainToken: TokenProvider {
///     func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
///         AccessToken(try await keychain.load())
///     }
/// }
/// ```
/// One that has to refresh its token is best made of ``RefreshingToken``, which does it once for all calls that wait.
public protocol TokenProvider: Sendable, CancellationPromise {
    /// The token for an environment; a missing or an empty one ends the call as `.unauthorized` before it is sent.
    ///
    /// - Parameter environment: The environment that the provider was given for.
    /// - Returns: The token, not yet looked at.
    /// - Throws: Anything; a ``TokenError`` ends the call as `.unauthorized`, any other error as `.other`, and nothing
    ///   is sent.
    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady>

    /// Another token, when the service has answered 401 to a call with this one; the call is sent once more with it.
    ///
    /// Asked at most once in a call. A call whose body is a stream that is gone can't be sent again: it ends with its
    /// 401, whatever is returned or thrown, and the next call has the other token.
    ///
    /// Default: what ``token(for:)`` gives, if that is another one by now.
    ///
    /// - Parameters:
    ///   - refused: What the call was sent with.
    ///   - environment: The environment that the provider was given for.
    /// - Returns: What to send the call with once more; `nil` lets the caller have the response.
    /// - Throws: Anything, as ``token(for:)``.
    func token(
        replacing refused: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>?

    /// Forgets the token and whatever was kept for it. Default: does nothing.
    ///
    /// - Throws: What keeps it from being forgotten.
    func signOut() async throws
}

extension TokenProvider {
    /// What ``token(for:)`` gives, if that is another one by now.
    public func token(
        replacing refused: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>? {
        let present = try await token(for: environment)
        return refused.isSame(as: present) ? nil : present
    }

    /// Does nothing.
    public func signOut() async throws {}
}

/// A token that a closure gives each time: `AskedToken { try await keychain.load() }`.
///
/// Signing out forgets nothing here: what the closure asks has to.
public struct AskedToken: TokenProvider {
    private let placement: CredentialPlacement
    private let ask: @Sendable () async throws -> String?

    /// Keeps a closure; it is called for each attempt, concurrently.
    ///
    /// - Parameters:
    ///   - placement: Where the token goes.
    ///   - ask: Gives the token, without a scheme; `nil` for none.
    public init(in placement: CredentialPlacement = .bearer, _ ask: @escaping @Sendable () async throws -> String?) {
        self.placement = placement
        self.ask = ask
    }

    /// What the closure gives.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        AccessToken(try await ask(), in: placement)
    }
}

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

/// A token that an environment variable of the process holds: `.environmentVariable("QIITA_TOKEN")`.
///
/// It is looked up for each attempt. One that isn't set is a missing token, one without content an empty token. Signing
/// out forgets nothing here: the process keeps its variables.
public struct EnvironmentVariableToken: TokenProvider {
    /// The variable's name.
    public let name: String
    private let placement: CredentialPlacement

    /// Names a variable.
    ///
    /// - Parameters:
    ///   - name: The variable's name.
    ///   - placement: Where the token goes.
    public init(_ name: String, in placement: CredentialPlacement = .bearer) {
        self.name = name
        self.placement = placement
    }

    /// Nothing is waited for.
    public var endsOnCancellation: Bool { true }

    /// The variable's present value.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        unsafe AccessToken(getenv(name).map { unsafe String(cString: $0) }, in: placement)
    }
}

extension TokenProvider where Self == EnvironmentVariableToken {
    /// A token that an environment variable holds.
    public static func environmentVariable(
        _ name: String,
        in placement: CredentialPlacement = .bearer,
    ) -> EnvironmentVariableToken {
        EnvironmentVariableToken(name, in: placement)
    }
}
