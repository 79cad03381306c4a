/// Signs requests, which authenticates them to a service: the protocol for HMAC, AWS Signature Version 4, HTTP Message
/// Signatures.
///
/// ```swift
/// struct KeyAndTime: RequestSigner {
///     let key: Secret<String>
///
///     func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws {
///         let time = "\(Int(Date().timeIntervalSince1970))"
///         request.headers["X-Time"] = time
///         request.headers.setSecret("X-Signature", signature(of: request.url.path() + time, by: key))
///     }
/// }
/// let client = APIClient().authorized(by: KeyAndTime(key: Secret(shopKey)), for: .shop)
/// ```
/// A client is authorized with a signer as with a token: `client.authorized(by: signer, for: .shop)`. The signer is
/// called for each request that needs authorization, each attempt and each hop of a redirect within the origin. It is
/// called just before the request is sent: it sees the final request, except for `Host` and the body's framing, which
/// the transport adds. If the fields that it adds are secrets, mark them (``HTTPHeaders/setSecret(_:_:)``).
public protocol RequestSigner: Sendable, CancellationPromise {
    /// Adds the signature.
    ///
    /// - Parameters:
    ///   - request: The request that is about to be sent; its URL must keep its origin.
    ///   - environment: The environment that the signer was given for.
    /// - Throws: Anything; a ``TokenError`` ends the call as `.unauthorized`, any other error as `.other`, and nothing
    ///   is sent.
    func sign(_ request: inout HTTPRequest, for environment: APIEnvironment) async throws

    /// Deletes the key and everything that was stored for it. Default: does nothing.
    ///
    /// - Throws: An error if it can't be deleted.
    func signOut() async throws
}

extension RequestSigner {
    /// Does nothing.
    public func signOut() async throws {}
}
