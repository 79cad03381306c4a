#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One call of a web API as a value: what to send, and how to read the response.
///
/// ```swift
/// struct Items: APIRequest {
///     typealias Response = [Item]
///     var page = 1
///     var environment: APIEnvironment { "https://qiita.com/api/v2" }
///     var path: RequestPath { "/items" }
///     var query: RequestQuery { ["page": page] }
/// }
/// let items = try await client.send(Items(page: 2))  // [Item]
/// ```
/// `Response` is what `send` returns. For a `Decodable` type nothing more is needed, and `Void` means an empty
/// response. For anything else, set a ``Definition``, or implement ``response(from:)``.
///
/// The names of the requirements are reserved. A property of another type is converted if its meaning is clear, such as
/// `let timeout = Duration.seconds(2)`. Otherwise it is rejected: a coder before anything is sent, all others, such as
/// `var query: String?`, by the compiler (`_RequestSpelling`). Call a search term `search`, not `query`.
///
/// In a generic request, give the generic parameter another name than `Response`, and alias it:
/// `typealias Response = Model`.
///
/// The requests of one service share their environment, failure and common headers through a protocol that refines this
/// one, and an extension of it. A request sends nothing by itself: a client does.
public protocol APIRequest<Response>: _RequestSpelling, Sendable
where
    _WrittenEnvironment: _RequestEnvironment,
    _WrittenPath: _RequestPathContent,
    _WrittenMethod: _RequestMethod,
    _WrittenQuery: _RequestQueryItems,
    _WrittenParameters: _RequestQueryItems,
    _WrittenHeaders: _RequestHeaders,
    _WrittenBody: _RequestBodyContent,
    _WrittenDiagnosisDetail: _RequestDiagnosisDetail,
    _WrittenTimeout: _RequestTimeout,
    _WrittenTimeouts: _RequestStageTimeouts,
    _WrittenRequiresAuthorization: _RequestFlag,
    _WrittenRequiredScopes: _RequestScopes,
    _WrittenRedirectPolicy: _RequestRedirectPolicy,
    _WrittenSharesExchange: _RequestFlag,
    _WrittenIsIdempotent: _RequestFlag,
    _WrittenIdempotencyKey: _RequestIdempotencyKey,
    _WrittenLimitGroup: _RequestLimitGroup,
    _WrittenPreparedRequest: _PreparedRequest,
    _WrittenPreparation: _PreparesInPlace,
    _WrittenStatus: _StatusParameter,
    _WrittenAccepts: _RequestFlag,
    _WrittenFailureSource: _ResponseParameter,
    _WrittenFailure: _OptionalResult,
    _WrittenFallbackError: _FallbackError,
    _WrittenFallback: _OptionalResult,
    _WrittenLabelledAccepts: _AcceptsWithoutLabel
{
    /// The type that the caller gets.
    associatedtype Response: Sendable
    /// How the response is read; by default it is decoded as a whole.
    associatedtype Definition: ResponseDefinition = Decoded<Response> where Definition.Result == Response
    /// The level of authorization that a client needs to send it; by default none.
    associatedtype Access: AccessLevel = Public
    /// The error in the service's response; by default ``ProblemDetails``.
    associatedtype Failure: ServiceFailure = ProblemDetails

    /// The environment of the service. A client can substitute another one.
    var environment: APIEnvironment { get }
    /// The HTTP method. Default: `.get`.
    var method: HTTPMethod { get }
    /// The path below the environment's base URL.
    var path: RequestPath { get }
    /// The items after the `?`. Default: none.
    var query: RequestQuery { get }
    /// Items that the method places: GET, HEAD and DELETE send them in the query, other methods in a JSON body.
    ///
    /// Default: none. A request with both a `body` and parameters that would become its body is rejected.
    var parameters: RequestQuery { get }
    /// Header fields in addition to those of the client and the environment, which they override. Default: none.
    var headers: HTTPHeaders { get }
    /// The content, for a ``method`` other than GET and HEAD. Default: `nil`, no body.
    var body: RequestBody? { get }
    /// The decoder for the response. Default: the client's.
    ///
    /// Prefer coding keys to a key strategy, so that a diagnosis names the real keys: Foundation's decoder names the
    /// converted keys.
    var decoder: any ResponseDecoder { get }
    /// Details that a decoding failure includes, in addition to the client's. Default: `[]`, none.
    var diagnosisDetail: DiagnosisDetail { get }
    /// The encoder for a `.json` body. Default: the client's.
    var encoder: any RequestEncoder { get }
    /// How long the whole call may take, reading included. Default: `nil`, the client's timeout.
    ///
    /// A hundred years or more mean no timeout. Waiting never delays its end. Running code, such as a model's own
    /// `init(from:)`, is finished first.
    var timeout: Duration? { get }

    /// How long the stages of an exchange may take: until there is a connection, until the first byte of a response,
    /// and without a byte. Default: `nil`, those of the client's options.
    var timeouts: TransportTimeouts? { get }

    /// Whether the request needs a credential. Default: as ``Access`` says.
    ///
    /// Implement it if that is known only at run time. A ``Public`` request that returns `true` fails as
    /// `.unauthorized` on a client without a credential. A request that needs authorization and returns `false` is sent
    /// without a credential.
    var requiresAuthorization: Bool { get }
    /// The scopes that an OAuth token needs; checked if the token's own scopes are known. Default: none.
    var requiredScopes: Set<String> { get }

    /// What the client does with a redirect. Default: `nil`, the client's policy.
    var redirectPolicy: RedirectPolicy? { get }

    /// Whether equal requests in flight share one exchange. Default: `false`.
    ///
    /// Use it for a request that several screens send at once. Requests are equal when they have the same type, and the
    /// same client value sends them with the same method, URL, fields, credential, cookies and environment. Also, no
    /// call to the same origin with an unsafe method (RFC 9110, section 9.2.1) may have started or ended in between.
    /// Such methods, requests with a body, streamed responses and tokens of ``AuthorizedRequestProxy`` are never
    /// shared.
    ///
    /// Each caller has its own deadline, reads the response by itself and cancels on its own. The exchange ends early
    /// when no caller waits for it. Middleware sees each call. Events on the wire go to the observer of the first
    /// caller.
    var sharesExchange: Bool { get }

    /// Whether the service does the same when it gets the request twice as when it gets it once. Default: as
    /// ``method`` says (RFC 9110, section 9.2.2).
    ///
    /// A client repeats only such requests (``RetryPolicy``). Return `true` for a POST that only searches, and `false`
    /// for a GET that counts.
    var isIdempotent: Bool { get }
    /// The key by which the service recognizes a repeated request. Default: none.
    var idempotencyKey: IdempotencyKey { get }
    /// The requests with which the request shares its limits. Default: `.origin`, all requests to its origin.
    var limitGroup: LimitGroup { get }

    /// Changes the final request before it is sent. Default: changes nothing.
    ///
    /// Called once for each call, before middleware and authorization.
    ///
    /// - Throws: Anything; it is reported as `.invalidRequest`, and nothing is sent.
    func prepare(_ request: inout HTTPRequest) throws

    /// Whether a status means success. Default: as ``Definition`` says, usually 200 to 299.
    func accepts(_ status: HTTPStatus) -> Bool

    /// The service's failure, if the response is one. Called before anything is decoded, for every status.
    ///
    /// Default: read from the body if the status isn't accepted. Implement it for a service that responds with 200 and
    /// an error inside. If it returns `nil` and the status isn't accepted, the call fails as `.unacceptableStatus`.
    func failure(in response: BufferedResponse) -> Failure?

    /// Reads the response of a call that succeeded. Default: as ``Definition`` says.
    ///
    /// - Parameter response: The response with its body, and the decoder for it.
    /// - Returns: What the caller gets.
    /// - Throws: Anything; it is reported as `.decoding`, and a thrown ``Failure`` as `.service`.
    func response(from response: BufferedResponse) async throws -> Response

    /// Reads the response of a call that succeeded if ``Definition`` streams the body, as ``FileResponse`` does. Then
    /// it replaces ``response(from:)``. Default: as ``Definition`` says.
    ///
    /// - Parameters:
    ///   - response: The response; its body is a stream.
    ///   - context: The settings of the client and the request for reading.
    /// - Returns: What the caller gets.
    /// - Throws: Anything; it is reported as `.decoding`, and a thrown ``Failure`` as `.service`.
    func response(streaming response: HTTPResponse, context: ResponseContext) async throws -> Response

    /// The value that the caller gets instead of an error: a default, or what the app has stored. Default: `nil`, so
    /// that the caller gets the error.
    ///
    /// Called once, at the end of a call that failed for whatever reason, after all retries, on any thread. It must not
    /// block. A cancelled call has no fallback. The error may be that of a mistake in the request
    /// (``APIError/invalidRequest(_:)``), which a fallback would hide, so return a value only for the errors that you
    /// expect:
    /// ```swift
    /// struct Dishes: Shop.Request {
    ///     typealias Response = [Dish]
    ///     var path: RequestPath { "/dishes" }
    ///
    ///     func fallback(for error: APIError<ShopError>) -> [Dish]? {
    ///         switch error.phase {
    ///         case .transport, .timedOut, .limit: [.sample]
    ///         default: nil
    ///         }
    ///     }
    /// }
    /// ```
    /// The source of such a response is ``ResponseSource/fallback``. Its status and fields are those of the response
    /// that failed, or 504 without fields if there was none. An observer receives
    /// ``TransportEvent/Kind/fallingBack(_:)``, and the log shows it. A hub that the client publishes to does not
    /// get the value, since the service has not sent it. Don't write one for a request that changes something: its
    /// caller could not see that the change was not made.
    ///
    /// - Parameter error: The error of the call.
    /// - Returns: The value; `nil` if the call fails with the error.
    func fallback(for error: APIError<Failure>) -> Response?
}

// These defaults apply if nothing was written, or something of another type, which is then converted.
extension APIRequest {
    /// `.get`.
    public var method: HTTPMethod { _WrittenMethod.self == HTTPMethod.self ? .get : writtenMethod }
    /// No items.
    public var query: RequestQuery { _WrittenQuery.self == RequestQuery.self ? RequestQuery() : writtenQuery }
    /// No items.
    public var parameters: RequestQuery {
        _WrittenParameters.self == RequestQuery.self ? RequestQuery() : writtenParameters
    }
    /// No fields.
    public var headers: HTTPHeaders { _WrittenHeaders.self == HTTPHeaders.self ? HTTPHeaders() : writtenHeaders }
    /// No body.
    public var body: RequestBody? { _WrittenBody.self == RequestBody?.self ? nil : writtenBody }
    /// The client's.
    public var decoder: any ResponseDecoder {
        _WrittenDecoder.self == (any ResponseDecoder).self ? InheritedCoder() : writtenDecoder
    }
    /// The client's.
    public var encoder: any RequestEncoder {
        _WrittenEncoder.self == (any RequestEncoder).self ? InheritedCoder() : writtenEncoder
    }
    /// The client's.
    public var timeout: Duration? { _WrittenTimeout.self == Duration?.self ? nil : writtenTimeout }
    /// The client's.
    public var timeouts: TransportTimeouts? {
        _WrittenTimeouts.self == TransportTimeouts?.self ? nil : writtenTimeouts
    }
    /// The client's.
    public var redirectPolicy: RedirectPolicy? {
        _WrittenRedirectPolicy.self == RedirectPolicy?.self ? nil : writtenRedirectPolicy
    }
    /// All requests to the origin.
    public var limitGroup: LimitGroup { _WrittenLimitGroup.self == LimitGroup.self ? .origin : writtenLimitGroup }
}

// The properties that are sent. The package reads these and never the requirements of the same names, which miss a
// property of another type if an extension of the service's protocol has one of the right type. A value that has the
// requirement's own type, or the default, is read directly, which takes half the time.
extension APIRequest {
    var writtenMethod: HTTPMethod { _WrittenMethod.self == HTTPMethod.self ? method : spelledMethod._requestMethod }
    var writtenQuery: RequestQuery { _WrittenQuery.self == RequestQuery.self ? query : spelledQuery._requestQuery }
    var writtenParameters: RequestQuery {
        _WrittenParameters.self == RequestQuery.self ? parameters : spelledParameters._requestQuery
    }
    var writtenHeaders: HTTPHeaders {
        _WrittenHeaders.self == HTTPHeaders.self ? headers : spelledHeaders._requestHeaders
    }
    var writtenBody: RequestBody? { _WrittenBody.self == RequestBody?.self ? body : spelledBody._requestBody }
    var writtenTimeout: Duration? { _WrittenTimeout.self == Duration?.self ? timeout : spelledTimeout._requestTimeout }
    var writtenTimeouts: TransportTimeouts? {
        _WrittenTimeouts.self == TransportTimeouts?.self ? timeouts : spelledTimeouts._requestTimeouts
    }
    var writtenRedirectPolicy: RedirectPolicy? {
        _WrittenRedirectPolicy.self == RedirectPolicy?.self
            ? redirectPolicy : spelledRedirectPolicy._requestRedirectPolicy
    }
    var writtenLimitGroup: LimitGroup {
        _WrittenLimitGroup.self == LimitGroup.self ? limitGroup : spelledLimitGroup._requestLimitGroup
    }

    /// The decoder.
    ///
    /// If the property has another type, a decoder that always fails, since no constraint on the type could allow
    /// `any ResponseDecoder`.
    var writtenDecoder: any ResponseDecoder {
        if _WrittenDecoder.self == (any ResponseDecoder).self { return decoder }
        if let decoder = spelledDecoder as? any ResponseDecoder { return decoder }
        let cause = "the request's decoder is a \(_WrittenDecoder.self), which is not a ResponseDecoder"
        return InvalidCoder(error: RequestCause.decoder.error(cause))
    }

    /// The encoder.
    ///
    /// If the property has another type, an encoder that always fails, as with the decoder.
    var writtenEncoder: any RequestEncoder {
        if _WrittenEncoder.self == (any RequestEncoder).self { return encoder }
        if let encoder = spelledEncoder as? any RequestEncoder { return encoder }
        let cause = "the request's encoder is a \(_WrittenEncoder.self), which is not a RequestEncoder"
        return InvalidCoder(error: RequestCause.encoder.error(cause))
    }
}

// In an extension of APIRequest the same names refer to APIRequest's own requirements.
extension _RequestSpelling {
    fileprivate var spelledMethod: _WrittenMethod { method }
    fileprivate var spelledQuery: _WrittenQuery { query }
    fileprivate var spelledParameters: _WrittenParameters { parameters }
    fileprivate var spelledHeaders: _WrittenHeaders { headers }
    fileprivate var spelledBody: _WrittenBody { body }
    fileprivate var spelledDecoder: _WrittenDecoder { decoder }
    fileprivate var spelledEncoder: _WrittenEncoder { encoder }
    fileprivate var spelledTimeout: _WrittenTimeout { timeout }
    fileprivate var spelledTimeouts: _WrittenTimeouts { timeouts }
    fileprivate var spelledRedirectPolicy: _WrittenRedirectPolicy { redirectPolicy }
    fileprivate var spelledLimitGroup: _WrittenLimitGroup { limitGroup }
}

extension APIRequest {
    /// Nothing in addition to the client's.
    public var diagnosisDetail: DiagnosisDetail { [] }
    /// As the level of access says.
    public var requiresAuthorization: Bool { Access.self != Public.self && Access.self != AuthorizedIfPossible.self }
    /// Nothing.
    public var requiredScopes: Set<String> { [] }
    /// `false`.
    public var sharesExchange: Bool { false }
    /// As ``method`` says.
    public var isIdempotent: Bool { writtenMethod.isIdempotent }
    /// None.
    public var idempotencyKey: IdempotencyKey { .none }

    /// None.
    public func fallback(for error: APIError<Failure>) -> Response? { nil }

    /// Changes nothing.
    public func prepare(_ request: inout HTTPRequest) throws {}

    /// As the definition says: usually 200 to 299.
    public func accepts(_ status: HTTPStatus) -> Bool { Definition.accepts(status) }

    /// Read from the body when the status isn't accepted.
    public func failure(in response: BufferedResponse) -> Failure? {
        accepts(response.status) ? nil : Failure(response: response)
    }
}

extension APIRequest {
    /// Reads the response as ``Definition`` says.
    @_disfavoredOverload
    public func response(from response: BufferedResponse) async throws -> Response {
        try read(response) { try Definition.read($0) }
    }

    /// Reads the response as ``Definition`` says.
    public func response(streaming response: HTTPResponse, context: ResponseContext) async throws -> Response {
        try await Definition.read(streaming: response, context: ownContext(of: context))
    }
}

extension APIRequest where Response: Decodable, Definition == Decoded<Response> {
    /// Decodes the body as a whole.
    public func response(from response: BufferedResponse) async throws -> Response {
        try read(response) { try $0.decode(Response.self) }
    }
}

extension APIRequest where Response == Void, Definition == Decoded<Void> {
    /// Reads nothing: a `Response` of `Void` is empty, like ``EmptyResponse``.
    public func response(from response: BufferedResponse) async throws { read(response) { _ in } }
}

extension APIRequest where Definition: _ServiceEnvelope, Response: Decodable {
    /// Decodes the value in the envelope.
    public func response(from response: BufferedResponse) async throws -> Response {
        try read(response) { try Definition.read($0) }
    }
}

extension APIRequest where Definition: _ServiceEnvelope, Response == Void {
    /// Reads nothing.
    public func response(from response: BufferedResponse) async throws { read(response) { _ in } }
}

// The compiler chooses these if no other default fits, and then shows their messages. They don't apply to a
// Definition that the request sets: its errors are separate.
extension APIRequest where Definition == Decoded<Response> {
    /// Rejects a `Response` that no Definition can read.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: """
            no Definition can read this Response: make it Decodable, and in its own declaration an APIModel if the \
            module isolates to the main actor; or set a Definition, or write response(from:)
            """
    )
    public func response(from response: BufferedResponse) async throws -> Response {
        throw ResponseCause.definition.error("no Definition can read \(Response.self)")
    }
}

extension APIRequest where Definition: _ServiceEnvelope {
    /// Rejects a `Response` that no Definition can read.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: """
            no Definition can read this Response: make it Decodable, and in its own declaration an APIModel if the \
            module isolates to the main actor; or set a Definition, or write response(from:)
            """
    )
    public func response(from response: BufferedResponse) async throws -> Response {
        throw ResponseCause.definition.error("no Definition can read \(Response.self)")
    }
}

extension APIRequest where Response: ResponseDefinition, Definition == Decoded<Response> {
    /// Rejects a `Response` that is itself a ResponseDefinition.
    @_disfavoredOverload
    @available(
        *,
        unavailable,
        message: "this type is a ResponseDefinition: write typealias Definition = … instead of typealias Response = …"
    )
    public func response(from response: BufferedResponse) async throws -> Response {
        throw ResponseCause.definition.error("\(Response.self) is a ResponseDefinition, not a response")
    }
}

extension APIRequest {
    /// Reads a response like the default of ``response(from:)``, with the request's effective decoder.
    @inline(__always)
    fileprivate func read<Value>(
        _ response: BufferedResponse,
        _ read: (BufferedResponse) throws -> Value,
    ) rethrows -> Value {
        guard response.reading.isOf(Self.self) else {
            return try read(response.with(response.reading.reading(by: self)))
        }
        response.reading.traits?.noteDefaultReading()
        return try read(response)
    }

    /// The context of a call, which has the decoder, unless another request's response is being read.
    func ownContext(of context: ResponseContext) -> ResponseContext {
        context.isOf(Self.self) ? context : context.reading(by: self)
    }
}
