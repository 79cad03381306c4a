import HikyakuBase

/// A request that wraps another one, and changes only some of its properties.
///
/// Everything is forwarded by default, so a proxy implements only the properties that it changes:
/// ```swift
/// struct FromThisDevice<Base: APIRequest>: RequestProxy {
///     var request: Base
///     var headers: HTTPHeaders { request.headers.replacing(with: ["X-Device": Device.name]) }
/// }
/// let items = try await client.send(FromThisDevice(request: Qiita.Items()))
/// ```
/// Proxies can be nested. A proxy that changes ``APIRequest/Access``, ``APIRequest/Failure`` or ``APIRequest/Response``
/// sets the other type; for the response also the ``APIRequest/Definition``, which then reads it.
public protocol RequestProxy: APIRequest {
    /// The request inside.
    associatedtype Base: APIRequest
    associatedtype Response = Base.Response
    associatedtype Definition = Base.Definition
    associatedtype Access = Base.Access
    associatedtype Failure = Base.Failure

    /// The request inside.
    var request: Base { get }
}

/// The type of the request inside a type of proxies, or the type itself if it is not a proxy.
func innermostRequest(of type: any Any.Type) -> any Any.Type {
    var type = type
    while let proxy = type as? any RequestProxy.Type { type = proxy.base }
    return type
}

extension RequestProxy {
    fileprivate static var base: any Any.Type { Base.self }
    fileprivate var innerTokenOrigin: HTTPOrigin? { ownTokenOrigin(of: request) }
}

/// A proxy that adds its own token to the request.
private protocol TokenCarrying {
    /// The origin that the token may be sent to; `nil` without a token.
    var tokenOrigin: HTTPOrigin? { get }
}

/// The origin that the request may be sent to if a proxy inside has its own token; otherwise `nil`.
func ownTokenOrigin<R: APIRequest>(of request: R) -> HTTPOrigin? {
    guard let proxy = request as? any RequestProxy else { return nil }
    return (proxy as? any TokenCarrying)?.tokenOrigin ?? proxy.innerTokenOrigin
}

extension RequestProxy {
    /// The property of the request inside.
    public var environment: APIEnvironment { request.environment }
    /// The property of the request inside.
    public var path: RequestPath { request.path }
    /// The property of the request inside.
    public var diagnosisDetail: DiagnosisDetail { request.diagnosisDetail }
    /// The property of the request inside.
    public var sharesExchange: Bool { request.sharesExchange }
    /// The property of the request inside.
    public var isIdempotent: Bool { request.isIdempotent }
    /// The property of the request inside.
    public var idempotencyKey: IdempotencyKey { request.idempotencyKey }
    /// The property of the request inside.
    public var requiredScopes: Set<String> { request.requiredScopes }

    /// Calls `prepare(_:)` of the request inside.
    public func prepare(_ httpRequest: inout HTTPRequest) throws { try request.prepare(&httpRequest) }

    /// As the request inside.
    public func accepts(_ status: HTTPStatus) -> Bool { request.accepts(status) }
}

// The converted properties of the request inside, unless the proxy itself has one of another type.
extension RequestProxy {
    /// The property of the request inside.
    public var method: HTTPMethod { _WrittenMethod.self == HTTPMethod.self ? request.writtenMethod : writtenMethod }
    /// The property of the request inside.
    public var query: RequestQuery { _WrittenQuery.self == RequestQuery.self ? request.writtenQuery : writtenQuery }
    /// The property of the request inside.
    public var parameters: RequestQuery {
        _WrittenParameters.self == RequestQuery.self ? request.writtenParameters : writtenParameters
    }
    /// The property of the request inside.
    public var headers: HTTPHeaders {
        _WrittenHeaders.self == HTTPHeaders.self ? request.writtenHeaders : writtenHeaders
    }
    /// The property of the request inside.
    public var body: RequestBody? { _WrittenBody.self == RequestBody?.self ? request.writtenBody : writtenBody }
    /// The property of the request inside.
    public var decoder: any ResponseDecoder {
        _WrittenDecoder.self == (any ResponseDecoder).self ? request.writtenDecoder : writtenDecoder
    }
    /// The property of the request inside.
    public var encoder: any RequestEncoder {
        _WrittenEncoder.self == (any RequestEncoder).self ? request.writtenEncoder : writtenEncoder
    }
    /// The property of the request inside.
    public var timeout: Duration? { _WrittenTimeout.self == Duration?.self ? request.writtenTimeout : writtenTimeout }
    /// The property of the request inside.
    public var timeouts: TransportTimeouts? {
        _WrittenTimeouts.self == TransportTimeouts?.self ? request.writtenTimeouts : writtenTimeouts
    }
    /// The property of the request inside.
    public var redirectPolicy: RedirectPolicy? {
        _WrittenRedirectPolicy.self == RedirectPolicy?.self ? request.writtenRedirectPolicy : writtenRedirectPolicy
    }
    /// The property of the request inside.
    public var limitGroup: LimitGroup {
        _WrittenLimitGroup.self == LimitGroup.self ? request.writtenLimitGroup : writtenLimitGroup
    }
}

extension RequestProxy where Access == Base.Access {
    /// As the request inside.
    public var requiresAuthorization: Bool { request.requiresAuthorization }
}

extension RequestProxy where Failure == Base.Failure {
    /// As the request inside.
    public func failure(in response: BufferedResponse) -> Failure? { request.failure(in: response) }
}

extension RequestProxy where Response == Base.Response, Failure == Base.Failure {
    /// As the request inside.
    public func fallback(for error: APIError<Failure>) -> Response? { request.fallback(for: error) }
}

extension RequestProxy where Response == Base.Response, Definition == Base.Definition {
    /// Read by the request inside, with this one's decoder.
    public func response(from response: BufferedResponse) async throws -> Response {
        let context = ownContext(of: response.reading).reading(byInner: Base.self)
        return try await request.response(from: response.with(context))
    }

    /// Read by the request inside, with this one's decoder.
    public func response(streaming response: HTTPResponse, context: ResponseContext) async throws -> Response {
        let context = ownContext(of: context).reading(byInner: Base.self)
        return try await request.response(streaming: response, context: context)
    }
}

/// A request with its own token, so that several accounts can use one client.
///
/// ```swift
/// // One client, and the account that each request belongs to:
/// for account in accounts {
///     let token = AccessToken(account.token)
///     show(account.name, try await client.send(Shop.MyOrders().authorized(by: token)))
/// }
/// ```
/// It is ``Public``: any client can send it, and adds no credential. The token is sent only to the origin of one
/// environment, and not along a redirect to another origin.
public struct AuthorizedRequestProxy<Base: APIRequest>: RequestProxy {
    /// No client needs to be authorized for it.
    public typealias Access = Public

    /// The request inside.
    public internal(set) var request: Base
    /// The token that it is sent with.
    public let token: AccessToken<Ready>
    private let tokenEnvironment: APIEnvironment

    /// Wraps a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - token: The token that it is sent with; an empty-handed one adds nothing.
    ///   - environment: The environment that the token may be sent to; `nil` for the request's own. A client that
    ///     substitutes that environment rejects the request, unless the token is given for the substitute.
    public init(request: Base, token: AccessToken<Ready>, for environment: APIEnvironment? = nil) {
        self.request = request
        self.token = token
        tokenEnvironment = environment ?? request.environment
    }

    /// Adds the token to the request that the inner request has built, which keeps its own fields.
    ///
    /// - Throws: `TransportError` with ``FailureReason/otherOrigin`` for a request to another origin, and with
    ///   ``FailureReason/insecureOrigin`` if the token would be sent unencrypted; ``TokenError`` if the token was made
    ///   ready for a request that needs less.
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
    /// The request with its own token.
    ///
    /// ```swift
    /// let token = AccessToken(try await keychain.load())
    /// let items = try await client.send(Qiita.MyItems().authorized(by: token))
    /// ```
    /// - Parameters:
    ///   - token: The token that it is sent with, if it needs authorization.
    ///   - environment: The environment that the token may be sent to; `nil` for the request's own. Set it if the
    ///     request's environment comes from a response, such as a link.
    /// - Returns: A request that any client can send.
    /// - Throws: ``TokenError`` if the token isn't sufficient for the request.
    public func authorized(
        by token: AccessToken<NotReady>,
        for environment: APIEnvironment? = nil,
    ) throws(TokenError) -> AuthorizedRequestProxy<Self> {
        AuthorizedRequestProxy(request: self, token: try token.ready(for: self), for: environment)
    }

    /// The request with its own token, which is already ready.
    ///
    /// - Parameters:
    ///   - token: The token that it is sent with.
    ///   - environment: The environment that the token may be sent to; `nil` for the request's own.
    /// - Returns: A request that any client can send.
    public func authorized(
        by token: AccessToken<Ready>,
        for environment: APIEnvironment? = nil,
    ) -> AuthorizedRequestProxy<Self> {
        AuthorizedRequestProxy(request: self, token: token, for: environment)
    }
}
