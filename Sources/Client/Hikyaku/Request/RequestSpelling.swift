/// The members of a request with the names of ``APIRequest``'s requirements, whatever their types.
///
/// A property of another type does not fulfil a requirement that has a default, and Swift does not report it: the
/// request would be sent without it. These protocols have the same names without fixed types, so that each such member
/// is found. Types with a clear meaning are converted: `timeout` as a `Duration`, `headers` as a `[String: String]`, a
/// `body` that isn't Optional. The compiler rejects all others: `let timeout = 0.2` gives "type 'Double' does not
/// conform to protocol 'RequestTimeout'". Only coders are rejected at run time, before anything is sent.
///
/// A function is found by its parameter and return types. What no protocol can find has no effect: a static member, a
/// `lazy` property, one that throws, a function with other labels, one that throws or is `async` where the requirement
/// isn't, and a `response(from:)` with another parameter. `hikyaku catalogue` warns about static properties and about
/// such functions.
///
/// Never make a type conform to a protocol that a message names: the property would compile, and be ignored.
///
/// You don't conform to it directly: every ``APIRequest`` does. The article <doc:CompilerMessages> has the messages and
/// their solutions.
public protocol _RequestSpelling: _TargetSpelling, _ContentSpelling, _CodingSpelling, _HandlingSpelling,
    _AuthorizationSpelling, _SharingSpelling, _RepetitionSpelling, _AcceptanceSpelling, _FailureSpelling
{}

// The compiler's time to find the types doubles with each associated type of one protocol, so there are several.

/// The names of a `_RequestSpelling` for where a request is sent.
public protocol _TargetSpelling: Sendable {
    /// The type of the ``environment`` that was written.
    associatedtype _WrittenEnvironment = APIEnvironment
    /// The type of the ``path`` that was written.
    associatedtype _WrittenPath = RequestPath
    /// The type of the ``query`` that was written.
    associatedtype _WrittenQuery = RequestQuery

    /// The environment as it was written.
    var environment: _WrittenEnvironment { get }
    /// The path as it was written.
    var path: _WrittenPath { get }
    /// The query as it was written.
    var query: _WrittenQuery { get }
}

/// The names of a `_RequestSpelling` for what a request sends.
public protocol _ContentSpelling: Sendable {
    /// The type of the ``method`` that was written.
    associatedtype _WrittenMethod = HTTPMethod
    /// The type of the ``headers`` that was written.
    associatedtype _WrittenHeaders = HTTPHeaders
    /// The type of the ``body`` that was written.
    associatedtype _WrittenBody = RequestBody?

    /// The method as it was written.
    var method: _WrittenMethod { get }
    /// The fields as they were written.
    var headers: _WrittenHeaders { get }
    /// The content as it was written.
    var body: _WrittenBody { get }
}

/// The names of a `_RequestSpelling` for how values are encoded and decoded.
public protocol _CodingSpelling: Sendable {
    /// The type of the ``parameters`` that was written.
    associatedtype _WrittenParameters = RequestQuery
    /// The type of the ``encoder`` that was written.
    associatedtype _WrittenEncoder = any RequestEncoder
    /// The type of the ``decoder`` that was written.
    associatedtype _WrittenDecoder = any ResponseDecoder

    /// The parameters as they were written.
    var parameters: _WrittenParameters { get }
    /// The encoder as it was written.
    var encoder: _WrittenEncoder { get }
    /// The decoder as it was written.
    var decoder: _WrittenDecoder { get }
}

/// The names of a `_RequestSpelling` for what a client does with a call.
public protocol _HandlingSpelling: Sendable {
    /// The type of the ``timeout`` that was written.
    associatedtype _WrittenTimeout = Duration?
    /// The type of the ``timeouts`` that was written.
    associatedtype _WrittenTimeouts = TransportTimeouts?
    /// The type of the ``redirectPolicy`` that was written.
    associatedtype _WrittenRedirectPolicy = RedirectPolicy?
    /// The type of the ``diagnosisDetail`` that was written.
    associatedtype _WrittenDiagnosisDetail = DiagnosisDetail

    /// The timeout as it was written.
    var timeout: _WrittenTimeout { get }
    /// The timeouts of the stages as they were written.
    var timeouts: _WrittenTimeouts { get }
    /// The policy as it was written.
    var redirectPolicy: _WrittenRedirectPolicy { get }
    /// The details as they were written.
    var diagnosisDetail: _WrittenDiagnosisDetail { get }
}

/// The names of a `_RequestSpelling` for the credential of a request.
public protocol _AuthorizationSpelling: Sendable {
    /// The type of the ``requiresAuthorization`` that was written.
    associatedtype _WrittenRequiresAuthorization = Bool
    /// The type of the ``requiredScopes`` that was written.
    associatedtype _WrittenRequiredScopes = Set<String>

    /// Whether the request needs a credential, as it was written.
    var requiresAuthorization: _WrittenRequiresAuthorization { get }
    /// The scopes as they were written.
    var requiredScopes: _WrittenRequiredScopes { get }
}

/// The names of a `_RequestSpelling` for what a request shares with others.
public protocol _SharingSpelling: Sendable {
    /// The type of the ``sharesExchange`` that was written.
    associatedtype _WrittenSharesExchange = Bool
    /// The type of the ``limitGroup`` that was written.
    associatedtype _WrittenLimitGroup = LimitGroup

    /// Whether exchanges are shared, as it was written.
    var sharesExchange: _WrittenSharesExchange { get }
    /// The group as it was written.
    var limitGroup: _WrittenLimitGroup { get }
}

/// The names of a `_RequestSpelling` for the repetition and the last change of a request.
public protocol _RepetitionSpelling: Sendable {
    /// The type of the ``isIdempotent`` that was written.
    associatedtype _WrittenIsIdempotent = Bool
    /// The type of the ``idempotencyKey`` that was written.
    associatedtype _WrittenIdempotencyKey = IdempotencyKey
    /// The parameter type of the `prepare(_:)` that was written.
    associatedtype _WrittenPreparedRequest
    /// The return type of a function that was written as `prepare(_:)` without `inout`.
    associatedtype _WrittenPreparation = NothingWritten

    /// Whether the request may be repeated, as it was written.
    var isIdempotent: _WrittenIsIdempotent { get }
    /// The key as it was written.
    var idempotencyKey: _WrittenIdempotencyKey { get }
    /// The requirement ``APIRequest/prepare(_:)`` as it was written.
    func prepare(_ request: inout _WrittenPreparedRequest) throws
    /// The requirement ``APIRequest/prepare(_:)`` without `inout`.
    func prepare(_ request: HTTPRequest) async throws -> _WrittenPreparation
}

/// The names of a `_RequestSpelling` for the statuses that a request accepts.
public protocol _AcceptanceSpelling: Sendable {
    /// The parameter type of the `accepts(_:)` that was written.
    associatedtype _WrittenStatus
    /// The return type of the `accepts(_:)` that was written.
    associatedtype _WrittenAccepts
    /// The return type of a function that was written as `accepts(status:)`.
    associatedtype _WrittenLabelledAccepts = NothingWritten

    /// The requirement ``APIRequest/accepts(_:)`` as it was written.
    func accepts(_ status: _WrittenStatus) -> _WrittenAccepts
    /// The requirement ``APIRequest/accepts(_:)`` with a wrong argument label.
    func accepts(status: HTTPStatus) -> _WrittenLabelledAccepts
}

/// The names of a `_RequestSpelling` for the failure of a request, and the value in place of an error.
public protocol _FailureSpelling: Sendable {
    /// The parameter type of the `failure(in:)` that was written.
    associatedtype _WrittenFailureSource
    /// The return type of the `failure(in:)` that was written.
    associatedtype _WrittenFailure
    /// The parameter type of the `fallback(for:)` that was written.
    associatedtype _WrittenFallbackError
    /// The return type of the `fallback(for:)` that was written.
    associatedtype _WrittenFallback

    /// The requirement ``APIRequest/failure(in:)`` as it was written.
    func failure(in response: _WrittenFailureSource) -> _WrittenFailure
    /// The requirement ``APIRequest/fallback(for:)`` as it was written.
    func fallback(for error: _WrittenFallbackError) -> _WrittenFallback
}

extension _RepetitionSpelling {
    /// The placeholder for a function that was not written.
    public func prepare(_ request: HTTPRequest) async throws -> NothingWritten { NothingWritten() }
}

extension _AcceptanceSpelling {
    /// The placeholder for a function that was not written.
    public func accepts(status: HTTPStatus) -> NothingWritten { NothingWritten() }
}

/// The return type of a requirement with a wrong label; no function returns it.
///
/// "Type 'Bool' does not conform to protocol 'AcceptsWithoutLabel'" means: write `func accepts(_ status: HTTPStatus) ->
/// Bool`.
public protocol AcceptsWithoutLabel {}

/// The return type of a requirement without `inout`; no function returns it.
///
/// "Type 'HTTPRequest' does not conform to protocol 'PreparesInPlace'" means: write `func prepare(_ request: inout
/// HTTPRequest) throws`, and change the request in place.
public protocol PreparesInPlace {}

/// The placeholder type if nothing was written.
public struct NothingWritten: AcceptsWithoutLabel, PreparesInPlace, Sendable {}

/// The parameter type of a request's ``APIRequest/fallback(for:)``: ``APIError``, and no other.
///
/// "Type 'any Error' does not conform to protocol 'FallbackError'" means: write `func fallback(for error:
/// APIError<Failure>) -> Response?`.
public protocol FallbackError {}

extension APIError: FallbackError {}

/// The return type of a request's ``APIRequest/fallback(for:)`` and ``APIRequest/failure(in:)``: an Optional.
///
/// "Type 'Dish' does not conform to protocol 'OptionalResult'" means: return `Dish?`.
public protocol OptionalResult {}

extension Optional: OptionalResult {}

/// The type of a request's ``APIRequest/environment``: ``APIEnvironment``.
///
/// "Type 'String' does not conform to protocol 'RequestEnvironment'" means: write `let environment: APIEnvironment =
/// "https://staging.shop.example"`.
public protocol RequestEnvironment {}

extension APIEnvironment: RequestEnvironment {}

/// The type of a request's ``APIRequest/path``: ``RequestPath``.
///
/// "Type 'String' does not conform to protocol 'RequestPathContent'" means: write `let path: RequestPath = "/dishes"`.
public protocol RequestPathContent {}

extension RequestPath: RequestPathContent {}

/// The type of a request's ``APIRequest/diagnosisDetail``: ``DiagnosisDetail``.
public protocol RequestDiagnosisDetail {}

extension DiagnosisDetail: RequestDiagnosisDetail {}

/// The type of a request's properties that are true or false, such as ``APIRequest/isIdempotent``, and of what
/// ``APIRequest/accepts(_:)`` returns: `Bool`.
public protocol RequestFlag {}

extension Bool: RequestFlag {}

/// The type of a request's ``APIRequest/requiredScopes``: `Set<String>`.
///
/// "Type '[String]' does not conform to protocol 'RequestScopes'" means: write `let requiredScopes: Set = ["read"]`.
public protocol RequestScopes {}

extension Set: RequestScopes where Element == String {}

/// The type of a request's ``APIRequest/idempotencyKey``: ``IdempotencyKey``.
///
/// "Type 'String' does not conform to protocol 'RequestIdempotencyKey'" means: write `IdempotencyKey(order.number)`, or
/// `IdempotencyKey.random`.
public protocol RequestIdempotencyKey {}

extension IdempotencyKey: RequestIdempotencyKey {}

/// The parameter type of a request's ``APIRequest/prepare(_:)``: `HTTPRequest`.
public protocol PreparedRequest {}

extension HTTPRequest: PreparedRequest {}

/// The parameter type of a request's ``APIRequest/accepts(_:)``: `HTTPStatus`.
///
/// "Type 'Int' does not conform to protocol 'StatusParameter'" means: write `func accepts(_ status: HTTPStatus) ->
/// Bool`.
public protocol StatusParameter {}

extension HTTPStatus: StatusParameter {}

/// The parameter type of a request's ``APIRequest/failure(in:)``: ``BufferedResponse``.
///
/// "Type 'Data' does not conform to protocol 'ResponseParameter'" means: write `func failure(in response:
/// BufferedResponse) -> Failure?`. The response's `body` is the data.
public protocol ResponseParameter {}

extension BufferedResponse: ResponseParameter {}

/// A type for a request's ``APIRequest/method``: `HTTPMethod`, or `String`.
public protocol RequestMethod {
    /// The method.
    var requestMethod: HTTPMethod { get }
}

extension HTTPMethod: RequestMethod {
    /// The method itself.
    public var requestMethod: HTTPMethod { self }
}

extension String: RequestMethod {
    /// The method with this name; a string that is not a token is rejected as ``FailureReason/method``.
    public var requestMethod: HTTPMethod { HTTPMethod(self) }
}

/// A type for a request's ``APIRequest/query`` and ``APIRequest/parameters``: ``RequestQuery``, or a dictionary with
/// one type of ``QueryValue``.
public protocol RequestQueryItems {
    /// The items.
    var requestQuery: RequestQuery { get }
}

extension RequestQuery: RequestQueryItems {
    /// The items themselves.
    public var requestQuery: RequestQuery { self }
}

extension Dictionary: RequestQueryItems where Key == String, Value: QueryValue {
    /// The items ordered by name, since a dictionary has no order.
    public var requestQuery: RequestQuery {
        var query = RequestQuery()
        for (name, value) in sorted(by: { $0.key < $1.key }) { query.append(name, value) }
        return query
    }
}

/// A type for a request's ``APIRequest/headers``: `HTTPHeaders`, or `[String: String]`.
public protocol RequestHeaders {
    /// The fields.
    var requestHeaders: HTTPHeaders { get }
}

extension HTTPHeaders: RequestHeaders {
    /// The fields themselves.
    public var requestHeaders: HTTPHeaders { self }
}

extension Dictionary: RequestHeaders where Key == String, Value: StringProtocol {
    /// The fields ordered by name, since a dictionary has no order.
    public var requestHeaders: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in sorted(by: { $0.key < $1.key }) { headers.append(HTTPHeaderName(name), String(value)) }
        return headers
    }
}

/// A type for a request's ``APIRequest/body``: ``RequestBody``, Optional or not.
public protocol RequestBodyContent {
    /// The content; `nil` for none.
    var requestBody: RequestBody? { get }
}

extension RequestBody: RequestBodyContent {
    /// The content itself.
    public var requestBody: RequestBody? { self }
}

extension Optional: RequestBodyContent where Wrapped == RequestBody {
    /// The content itself.
    public var requestBody: RequestBody? { self }
}

/// The type of a request's ``APIRequest/timeouts``: `TransportTimeouts`, Optional or not.
///
/// "Type 'Duration' does not conform to protocol 'RequestStageTimeouts'" means: write `let timeouts =
/// TransportTimeouts(firstByte: .seconds(5))`, or `timeout` for the whole call.
public protocol RequestStageTimeouts {
    /// The timeouts; `nil` for the client's.
    var requestTimeouts: TransportTimeouts? { get }
}

extension TransportTimeouts: RequestStageTimeouts {
    /// The timeouts themselves.
    public var requestTimeouts: TransportTimeouts? { self }
}

extension Optional: RequestStageTimeouts where Wrapped == TransportTimeouts {
    /// The timeouts themselves.
    public var requestTimeouts: TransportTimeouts? { self }
}

/// A type for a request's ``APIRequest/timeout``: `Duration`, Optional or not.
///
/// A bare number is not one, since its unit is not visible: write `.seconds(0.2)` or `.milliseconds(200)`.
public protocol RequestTimeout {
    /// The timeout; `nil` for the client's.
    var requestTimeout: Duration? { get }
}

extension Duration: RequestTimeout {
    /// The duration itself.
    public var requestTimeout: Duration? { self }
}

extension Optional: RequestTimeout where Wrapped == Duration {
    /// The duration itself.
    public var requestTimeout: Duration? { self }
}

/// A type for a request's ``APIRequest/redirectPolicy``: ``RedirectPolicy``, Optional or not.
public protocol RequestRedirectPolicy {
    /// The policy; `nil` for the client's.
    var requestRedirectPolicy: RedirectPolicy? { get }
}

extension RedirectPolicy: RequestRedirectPolicy {
    /// The policy itself.
    public var requestRedirectPolicy: RedirectPolicy? { self }
}

extension Optional: RequestRedirectPolicy where Wrapped == RedirectPolicy {
    /// The policy itself.
    public var requestRedirectPolicy: RedirectPolicy? { self }
}
