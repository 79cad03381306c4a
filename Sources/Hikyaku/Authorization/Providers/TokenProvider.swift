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
