public import HikyakuBase

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Provides the token of a credential: the protocol for an app's own storage of tokens.
///
/// It is called for each attempt just before the request is sent, concurrently. Its token is sent only with requests
/// that need authorization, and only to the origin of the provider's environment.
///
/// ```swift
/// struct KeychainToken: TokenProvider {
///     func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
///         AccessToken(try await keychain.load())
///     }
/// }
/// let client = APIClient().authorized(by: KeychainToken(), for: .qiita)
/// ```
/// For a token that has to be refreshed, use ``RefreshingToken``, which refreshes it single-flight for all calls that
/// wait.
public protocol TokenProvider: Sendable, CancellationPromise {
    /// The token for an environment; with a missing or an empty one the call fails as `.unauthorized` before it is
    /// sent.
    ///
    /// - Parameter environment: The provider's environment.
    /// - Returns: The token, not ready yet.
    /// - Throws: Anything; a ``TokenError`` ends the call as `.unauthorized`, any other error as `.other`, and nothing
    ///   is sent.
    func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady>

    /// Another token after the service has rejected this one (``isRejection(_:)``); the call is sent once more with it.
    ///
    /// Called at most once per call. A call with a one-shot body that is already consumed can't be sent again: it ends
    /// with its response, whatever is returned or thrown, and the next call has the other token.
    ///
    /// Default: the token of ``token(for:)``, if it differs by then.
    ///
    /// - Parameters:
    ///   - rejected: The token that was rejected.
    ///   - environment: The provider's environment.
    /// - Returns: The token for the second attempt; with `nil` the caller gets the response.
    /// - Throws: Anything, as ``token(for:)``.
    func token(
        replacing rejected: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>?

    /// Whether a response says that its token is rejected. Default: the status is 401.
    ///
    /// For a service that says it in another way: by 400, 403 or 419, by a field, or by 200 and a body. The body is
    /// empty for a response that is read as a stream.
    ///
    /// - Parameter response: The response to a request with the token.
    /// - Returns: Whether it rejects the token.
    func isRejection(_ response: HTTPResponse) -> Bool

    /// Deletes the token and everything that was stored for it. Default: does nothing.
    ///
    /// - Throws: An error if it can't be deleted.
    func signOut() async throws
}

extension TokenProvider {
    /// The token of ``token(for:)``, if it differs by then.
    public func token(
        replacing rejected: AccessToken<Ready>,
        for environment: APIEnvironment,
    ) async throws -> AccessToken<NotReady>? {
        let present = try await token(for: environment)
        return rejected.isSame(as: present) ? nil : present
    }

    /// The status is 401.
    public func isRejection(_ response: HTTPResponse) -> Bool { response.status == .unauthorized }

    /// Does nothing.
    public func signOut() async throws {}
}

/// A token that a closure returns each time: `AskedToken { try await keychain.load() }`.
///
/// ```swift
/// let client = APIClient().authorized(by: AskedToken { try await keychain.load() }, for: .shop)
/// ```
/// Signing out deletes nothing here: the app has to do that where the closure reads the token.
public struct AskedToken: TokenProvider, PlacedTokenProvider {
    package let placement: CredentialPlacement
    private let load: @Sendable () async throws -> String?

    /// Stores a closure; it is called for each attempt, concurrently.
    ///
    /// - Parameters:
    ///   - placement: The placement in a request.
    ///   - load: Returns the token, without a scheme; `nil` for none.
    public init(in placement: CredentialPlacement = .bearer, _ load: @escaping @Sendable () async throws -> String?) {
        self.placement = placement
        self.load = load
    }

    /// The token of the closure.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        AccessToken(try await load(), in: placement)
    }
}

/// A token in a store, without refresh: `.stored(in: FileTokenStore(path: …))`.
///
/// ```swift
/// let client = APIClient().authorized(by: .stored(in: tokenStore), for: .shop)
/// try await client.signOut(of: .shop)  // removes the token from the store
/// ```
/// The store is read for each attempt, so a call has the token that was saved last. ``RefreshingToken`` refreshes a
/// token, and reads the store only once.
public struct StoredToken: TokenProvider {
    private let store: any TokenStore

    /// Creates a provider from a store.
    package init(in store: any TokenStore) {
        self.store = store
    }

    /// The promise of the store.
    public var endsOnCancellation: Bool { store.endsOnCancellation }

    /// The token of the store, expired or not; a missing one if the store is empty.
    ///
    /// - Throws: The error of the store.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        try await store.load()?.accessToken ?? AccessToken(String?.none)
    }

    /// Removes the token from the store.
    public func signOut() async throws {
        try await store.remove()
    }
}

extension StoredToken: Redacted {
    /// A description without the token.
    public var description: String { "StoredToken in a store of type \(type(of: store))" }
}

extension TokenProvider where Self == StoredToken {
    /// A token in a store.
    public static func stored(in store: any TokenStore) -> StoredToken { StoredToken(in: store) }
}

/// A token in an environment variable of the process: `.environmentVariable("QIITA_TOKEN")`.
///
/// ```swift
/// let client = APIClient().authorized(by: .environmentVariable("QIITA_TOKEN"), for: .qiita)
/// let user = try await client.send(Qiita.AuthenticatedUser())
/// ```
/// It is read for each attempt. A variable that isn't set is a missing token, an empty one an empty token. Signing out
/// deletes nothing here: the process keeps its variables.
public struct EnvironmentVariableToken: TokenProvider, FixedTokenProvider, PlacedTokenProvider {
    /// The variable's name.
    public let name: String
    package let placement: CredentialPlacement

    /// Creates a provider for a variable.
    ///
    /// - Parameters:
    ///   - name: The variable's name.
    ///   - placement: The placement in a request.
    package init(_ name: String, in placement: CredentialPlacement = .bearer) {
        self.name = name
        self.placement = placement
    }

    /// `true`: it waits for nothing.
    public var endsOnCancellation: Bool { true }

    /// The variable's current value.
    ///
    /// - Throws: ``TokenError`` that names the variable if it isn't set, is empty, has a control character, or begins
    ///   with its scheme, such as `Bearer`.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        guard let value = unsafe getenv(name) else {
            throw TokenError(reason: .missingToken, message: "the environment variable \(name) is not set")
        }
        let token = unsafe AccessToken(String(cString: value), in: placement)
        guard let problem = token.problem([]) else { return token }
        throw TokenError(reason: problem.reason, message: "the environment variable \(name): \(problem.message)")
    }
}

extension TokenProvider where Self == EnvironmentVariableToken {
    /// A token in an environment variable.
    public static func environmentVariable(
        _ name: String,
        in placement: CredentialPlacement = .bearer,
    ) -> EnvironmentVariableToken {
        EnvironmentVariableToken(name, in: placement)
    }
}
