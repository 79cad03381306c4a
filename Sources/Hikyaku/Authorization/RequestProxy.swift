/// A request that wraps another, and is like it but for what it says itself.
///
/// Everything is forwarded by default, so that a proxy writes the properties that it changes and no others:
/// ```swift
/// struct FromThisDevice<Base: APIRequest>: RequestProxy {
///     var request: Base
///     var headers: HTTPHeaders { request.headers.replacing(with: ["X-Device": Device.name]) }
/// }
/// ```
/// Proxies nest. One that changes ``APIRequest/Access``, ``APIRequest/Failure`` or ``APIRequest/Response`` names the
/// other type; for the response, the ``APIRequest/Definition`` too, and then it is read by that one.
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

/// The type of the request that a type of proxies has inside, or the type itself where it is none.
func innermostRequest(of type: any Any.Type) -> any Any.Type {
    var type = type
    while let proxy = type as? any RequestProxy.Type { type = proxy.base }
    return type
}

extension RequestProxy {
    fileprivate static var base: any Any.Type { Base.self }
    fileprivate var innerTokenOrigin: HTTPOrigin? { ownTokenOrigin(of: request) }
}

/// A proxy that puts a token of its own into the request.
private protocol TokenCarrying {
    /// Where the token may go; `nil` where it is empty-handed.
    var tokenOrigin: HTTPOrigin? { get }
}

/// Where the request may go, since a proxy in it has a token of its own; `nil` where none has.
func ownTokenOrigin<R: APIRequest>(of request: R) -> HTTPOrigin? {
    guard let proxy = request as? any RequestProxy else { return nil }
    return (proxy as? any TokenCarrying)?.tokenOrigin ?? proxy.innerTokenOrigin
}

extension RequestProxy {
    /// That of the request inside.
    public var environment: APIEnvironment { request.environment }
    /// That of the request inside.
    public var path: RequestPath { request.path }
    /// That of the request inside.
    public var diagnosisDetail: DiagnosisDetail { request.diagnosisDetail }
    /// As the request inside.
    public var sharesExchange: Bool { request.sharesExchange }
    /// Those of the request inside.
    public var requiredScopes: Set<String> { request.requiredScopes }

    /// The request inside has its say.
    public func prepare(_ httpRequest: inout HTTPRequest) throws { try request.prepare(&httpRequest) }

    /// As the request inside.
    public func accepts(_ status: HTTPStatus) -> Bool { request.accepts(status) }
}

// What the request inside has written, converted, unless the proxy itself has written something of another type.
extension RequestProxy {
    /// That of the request inside.
    public var method: HTTPMethod { WrittenMethod.self == HTTPMethod.self ? request.writtenMethod : writtenMethod }
    /// That of the request inside.
    public var query: RequestQuery { WrittenQuery.self == RequestQuery.self ? request.writtenQuery : writtenQuery }
    /// That of the request inside.
    public var parameters: RequestQuery {
        WrittenParameters.self == RequestQuery.self ? request.writtenParameters : writtenParameters
    }
    /// Those of the request inside.
    public var headers: HTTPHeaders {
        WrittenHeaders.self == HTTPHeaders.self ? request.writtenHeaders : writtenHeaders
    }
    /// That of the request inside.
    public var body: RequestBody? { WrittenBody.self == RequestBody?.self ? request.writtenBody : writtenBody }
    /// That of the request inside.
    public var decoder: any ResponseDecoder {
        WrittenDecoder.self == (any ResponseDecoder).self ? request.writtenDecoder : writtenDecoder
    }
    /// That of the request inside.
    public var encoder: any RequestEncoder {
        WrittenEncoder.self == (any RequestEncoder).self ? request.writtenEncoder : writtenEncoder
    }
    /// That of the request inside.
    public var timeout: Duration? { WrittenTimeout.self == Duration?.self ? request.writtenTimeout : writtenTimeout }
    /// That of the request inside.
    public var redirectPolicy: RedirectPolicy? {
        WrittenRedirectPolicy.self == RedirectPolicy?.self ? request.writtenRedirectPolicy : writtenRedirectPolicy
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
