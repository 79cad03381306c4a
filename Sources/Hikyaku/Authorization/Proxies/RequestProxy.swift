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
protocol TokenCarrying {
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
