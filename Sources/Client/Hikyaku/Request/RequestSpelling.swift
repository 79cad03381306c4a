/// The members of a request with the names of ``APIRequest``'s requirements, whatever their types.
///
/// A property of another type does not fulfil a requirement that has a default, and Swift does not report it: the
/// request would be sent without it. These protocols have the same names without fixed types, so that each such member
/// is found. Types with a clear meaning are converted: `timeout` as a `Duration`, `headers` as a `[String: String]`, a
/// `body` that isn't Optional. The compiler rejects all others: `let timeout = 0.2` gives "type 'Double' does not
/// conform to protocol '_RequestTimeout'". Only coders are rejected at run time, before anything is sent.
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
    associatedtype _WrittenPreparation = _NothingWritten

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
    associatedtype _WrittenLabelledAccepts = _NothingWritten

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
    public func prepare(_ request: HTTPRequest) async throws -> _NothingWritten { _NothingWritten() }
}

extension _AcceptanceSpelling {
    /// The placeholder for a function that was not written.
    public func accepts(status: HTTPStatus) -> _NothingWritten { _NothingWritten() }
}

/// The return type of a requirement with a wrong label; no function returns it.
///
/// "Type 'Bool' does not conform to protocol '_AcceptsWithoutLabel'" means: write
/// `func accepts(_ status: HTTPStatus) -> Bool`.
public protocol _AcceptsWithoutLabel {}

/// The return type of a requirement without `inout`; no function returns it.
///
/// "Type 'HTTPRequest' does not conform to protocol '_PreparesInPlace'" means: write `func prepare(_ request: inout
/// HTTPRequest) throws`, and change the request in place.
public protocol _PreparesInPlace {}

/// The placeholder type if nothing was written.
public struct _NothingWritten: _AcceptsWithoutLabel, _PreparesInPlace, Sendable {}

/// The parameter type of a request's ``APIRequest/fallback(for:)``: ``APIError``, and no other.
///
/// "Type 'any Error' does not conform to protocol '_FallbackError'" means: write `func fallback(for error:
/// APIError<Failure>) -> Response?`.
public protocol _FallbackError {}

extension APIError: _FallbackError {}

/// The return type of a request's ``APIRequest/fallback(for:)`` and ``APIRequest/failure(in:)``: an Optional.
///
/// "Type 'Dish' does not conform to protocol '_OptionalResult'" means: return `Dish?`.
public protocol _OptionalResult {}

extension Optional: _OptionalResult {}

/// The type of a request's ``APIRequest/environment``: ``APIEnvironment``.
///
/// "Type 'String' does not conform to protocol '_RequestEnvironment'" means: write `let environment: APIEnvironment =
/// "https://staging.shop.example"`.
public protocol _RequestEnvironment {}

extension APIEnvironment: _RequestEnvironment {}

/// The type of a request's ``APIRequest/path``: ``RequestPath``.
///
/// "Type 'String' does not conform to protocol '_RequestPathContent'" means: write `let path: RequestPath = "/dishes"`.
public protocol _RequestPathContent {}

extension RequestPath: _RequestPathContent {}

/// The type of a request's ``APIRequest/diagnosisDetail``: ``DiagnosisDetail``.
public protocol _RequestDiagnosisDetail {}

extension DiagnosisDetail: _RequestDiagnosisDetail {}

/// The type of a request's properties that are true or false, such as ``APIRequest/isIdempotent``, and of what
/// ``APIRequest/accepts(_:)`` returns: `Bool`.
public protocol _RequestFlag {}

extension Bool: _RequestFlag {}

/// The type of a request's ``APIRequest/requiredScopes``: `Set<String>`.
///
/// "Type '[String]' does not conform to protocol '_RequestScopes'" means: write `let requiredScopes: Set = ["read"]`.
public protocol _RequestScopes {}

extension Set: _RequestScopes where Element == String {}

/// The type of a request's ``APIRequest/idempotencyKey``: ``IdempotencyKey``.
///
/// "Type 'String' does not conform to protocol '_RequestIdempotencyKey'" means: write
/// `IdempotencyKey(order.number)`, or `IdempotencyKey.random`.
public protocol _RequestIdempotencyKey {}

extension IdempotencyKey: _RequestIdempotencyKey {}

/// The parameter type of a request's ``APIRequest/prepare(_:)``: `HTTPRequest`.
public protocol _PreparedRequest {}

extension HTTPRequest: _PreparedRequest {}

/// The parameter type of a request's ``APIRequest/accepts(_:)``: `HTTPStatus`.
///
/// "Type 'Int' does not conform to protocol '_StatusParameter'" means: write
/// `func accepts(_ status: HTTPStatus) -> Bool`.
public protocol _StatusParameter {}

extension HTTPStatus: _StatusParameter {}

/// The parameter type of a request's ``APIRequest/failure(in:)``: ``BufferedResponse``.
///
/// "Type 'Data' does not conform to protocol '_ResponseParameter'" means: write `func failure(in response:
/// BufferedResponse) -> Failure?`. The response's `body` is the data.
public protocol _ResponseParameter {}

extension BufferedResponse: _ResponseParameter {}

/// A type for a request's ``APIRequest/method``: `HTTPMethod`, or `String`.
public protocol _RequestMethod {
    /// The method.
    var _requestMethod: HTTPMethod { get }
}

extension HTTPMethod: _RequestMethod {
    /// The method itself.
    public var _requestMethod: HTTPMethod { self }
}

extension String: _RequestMethod {
    /// The method with this name; a string that is not a token is rejected as ``FailureReason/method``.
    public var _requestMethod: HTTPMethod { HTTPMethod(self) }
}

/// A type for a request's ``APIRequest/query`` and ``APIRequest/parameters``: ``RequestQuery``, or a dictionary with
/// one type of ``QueryValue``.
public protocol _RequestQueryItems {
    /// The items.
    var _requestQuery: RequestQuery { get }
}

extension RequestQuery: _RequestQueryItems {
    /// The items themselves.
    public var _requestQuery: RequestQuery { self }
}

extension Dictionary: _RequestQueryItems where Key == String, Value: QueryValue {
    /// The items ordered by name, since a dictionary has no order.
    public var _requestQuery: RequestQuery {
        var query = RequestQuery()
        for (name, value) in sorted(by: { $0.key < $1.key }) { query.append(name, value) }
        return query
    }
}

/// A type for a request's ``APIRequest/headers``: `HTTPHeaders`, or `[String: String]`.
public protocol _RequestHeaders {
    /// The fields.
    var _requestHeaders: HTTPHeaders { get }
}

extension HTTPHeaders: _RequestHeaders {
    /// The fields themselves.
    public var _requestHeaders: HTTPHeaders { self }
}

extension Dictionary: _RequestHeaders where Key == String, Value: StringProtocol {
    /// The fields ordered by name, since a dictionary has no order.
    public var _requestHeaders: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in sorted(by: { $0.key < $1.key }) { headers.append(HTTPHeaderName(name), String(value)) }
        return headers
    }
}

/// A type for a request's ``APIRequest/body``: ``RequestBody``, Optional or not.
public protocol _RequestBodyContent {
    /// The content; `nil` for none.
    var _requestBody: RequestBody? { get }
}

extension RequestBody: _RequestBodyContent {
    /// The content itself.
    public var _requestBody: RequestBody? { self }
}

extension Optional: _RequestBodyContent where Wrapped == RequestBody {
    /// The content itself.
    public var _requestBody: RequestBody? { self }
}

/// The type of a request's ``APIRequest/timeouts``: `TransportTimeouts`, Optional or not.
///
/// "Type 'Duration' does not conform to protocol '_RequestStageTimeouts'" means: write `let timeouts =
/// TransportTimeouts(firstByte: .seconds(5))`, or `timeout` for the whole call.
public protocol _RequestStageTimeouts {
    /// The timeouts; `nil` for the client's.
    var _requestTimeouts: TransportTimeouts? { get }
}

extension TransportTimeouts: _RequestStageTimeouts {
    /// The timeouts themselves.
    public var _requestTimeouts: TransportTimeouts? { self }
}

extension Optional: _RequestStageTimeouts where Wrapped == TransportTimeouts {
    /// The timeouts themselves.
    public var _requestTimeouts: TransportTimeouts? { self }
}

/// A type for a request's ``APIRequest/timeout``: `Duration`, Optional or not.
///
/// A bare number is not one, since its unit is not visible: write `.seconds(0.2)` or `.milliseconds(200)`.
public protocol _RequestTimeout {
    /// The timeout; `nil` for the client's.
    var _requestTimeout: Duration? { get }
}

extension Duration: _RequestTimeout {
    /// The duration itself.
    public var _requestTimeout: Duration? { self }
}

extension Optional: _RequestTimeout where Wrapped == Duration {
    /// The duration itself.
    public var _requestTimeout: Duration? { self }
}

/// A type for a request's ``APIRequest/redirectPolicy``: ``RedirectPolicy``, Optional or not.
public protocol _RequestRedirectPolicy {
    /// The policy; `nil` for the client's.
    var _requestRedirectPolicy: RedirectPolicy? { get }
}

extension RedirectPolicy: _RequestRedirectPolicy {
    /// The policy itself.
    public var _requestRedirectPolicy: RedirectPolicy? { self }
}

extension Optional: _RequestRedirectPolicy where Wrapped == RedirectPolicy {
    /// The policy itself.
    public var _requestRedirectPolicy: RedirectPolicy? { self }
}
