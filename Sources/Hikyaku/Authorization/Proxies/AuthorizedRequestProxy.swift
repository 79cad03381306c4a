/// A request that brings its own token, so that several accounts can use one client.
///
/// It is ``Public``: any client can send it, and adds no credential of its own. The token goes to the origin of one
/// environment alone, and not on with a redirect to another.
public struct AuthorizedRequestProxy<Base: APIRequest>: RequestProxy {
    /// No client needs to be authorized for it.
    public typealias Access = Public

    /// The request inside.
    public let request: Base
    /// What it is sent with.
    public let token: AccessToken<Ready>
    private let tokenEnvironment: APIEnvironment

    /// Wraps a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - token: What it is sent with; an empty-handed one adds nothing.
    ///   - environment: Where the token may be sent; `nil` for the request's own environment. A client that substitutes
    ///     that one refuses the request, unless the token is given for the substitute.
    public init(request: Base, token: AccessToken<Ready>, for environment: APIEnvironment? = nil) {
        self.request = request
        self.token = token
        tokenEnvironment = environment ?? request.environment
    }

    /// Adds the token to what the request inside has made, which keeps its own fields.
    ///
    /// - Throws: `TransportError` with ``FailureReason/otherOrigin`` where the request goes elsewhere, and with
    ///   ``FailureReason/insecureOrigin`` where all on the way could read the token; ``TokenError`` where the token was
    ///   readied for a request that needs less.
    public func prepare(_ httpRequest: inout HTTPRequest) throws {
        try request.prepare(&httpRequest)
        try token.checkFitness(for: request)
        guard let tokenOrigin else { return }
        try httpRequest.checkOrigin(tokenOrigin)
        try request.environment.checkConfidentiality(or: tokenEnvironment)
        try httpRequest.carry(token, to: tokenOrigin)
    }
}

extension AuthorizedRequestProxy: TokenCarrying {
    var tokenOrigin: HTTPOrigin? { token.isEmptyHanded ? nil : tokenEnvironment.base.origin }
}

extension APIRequest {
    /// The request with a token of its own.
    ///
    /// ```swift
    /// let items = try await client.send(Qiita.MyItems().authorized(by: AccessToken(account.token)))
    /// ```
    /// - Parameters:
    ///   - token: What it is sent with, if it needs authorization.
    ///   - environment: Where the token may be sent; `nil` for the request's own environment. Name it where the
    ///     request's environment comes from what a service has sent, a link say.
    /// - Returns: A request that any client can send.
    /// - Throws: ``TokenError`` where the token won't do for the request.
    public func authorized(
        by token: AccessToken<NotReady>,
        for environment: APIEnvironment? = nil,
    ) throws(TokenError) -> AuthorizedRequestProxy<Self> {
        AuthorizedRequestProxy(request: self, token: try token.ready(for: self), for: environment)
    }

    /// The request with a token of its own that was looked at before.
    ///
    /// - Parameters:
    ///   - token: What it is sent with.
    ///   - environment: Where the token may be sent; `nil` for the request's own environment.
    /// - Returns: A request that any client can send.
    public func authorized(
        by token: AccessToken<Ready>,
        for environment: APIEnvironment? = nil,
    ) -> AuthorizedRequestProxy<Self> {
        AuthorizedRequestProxy(request: self, token: token, for: environment)
    }
}
