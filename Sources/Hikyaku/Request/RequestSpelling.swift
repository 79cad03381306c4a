/// The properties of a request with the names of ``APIRequest``'s requirements, whatever their types.
///
/// A property of another type does not fulfil a requirement that has a default, and Swift does not report it: the
/// request would be sent without it. This protocol has the same names without fixed types, so that each such property
/// is found. Types with a clear meaning are converted: `timeout` as a `Duration`, `headers` as a `[String: String]`, a
/// `body` that isn't Optional. The compiler rejects all others: `let timeout = 0.2` gives "type 'Double' does not
/// conform to protocol 'RequestTimeout'". Only coders are rejected at run time, before anything is sent.
///
/// You don't conform to it directly: every ``APIRequest`` does. The article <doc:CompilerMessages> has the messages and
/// their solutions.
public protocol RequestSpelling {
    /// The type of the ``method`` that was written.
    associatedtype WrittenMethod = HTTPMethod
    /// The type of the ``query`` that was written.
    associatedtype WrittenQuery = RequestQuery
    /// The type of the ``parameters`` that was written.
    associatedtype WrittenParameters = RequestQuery
    /// The type of the ``headers`` that was written.
    associatedtype WrittenHeaders = HTTPHeaders
    /// The type of the ``body`` that was written.
    associatedtype WrittenBody = RequestBody?
    /// The type of the ``decoder`` that was written.
    associatedtype WrittenDecoder = any ResponseDecoder
    /// The type of the ``encoder`` that was written.
    associatedtype WrittenEncoder = any RequestEncoder
    /// The type of the ``timeout`` that was written.
    associatedtype WrittenTimeout = Duration?
    /// The type of the ``redirectPolicy`` that was written.
    associatedtype WrittenRedirectPolicy = RedirectPolicy?
    /// The type of the ``limitGroup`` that was written.
    associatedtype WrittenLimitGroup = LimitGroup
    /// The parameter type of the ``fallback(for:)`` that was written.
    associatedtype WrittenFallbackError
    /// The return type of the ``fallback(for:)`` that was written.
    associatedtype WrittenFallback
    /// The return type of a function that was written as `accepts(status:)`.
    associatedtype WrittenAccepts = NothingWritten

    /// The method as it was written.
    var method: WrittenMethod { get }
    /// The query as it was written.
    var query: WrittenQuery { get }
    /// The parameters as they were written.
    var parameters: WrittenParameters { get }
    /// The fields as they were written.
    var headers: WrittenHeaders { get }
    /// The content as it was written.
    var body: WrittenBody { get }
    /// The decoder as it was written.
    var decoder: WrittenDecoder { get }
    /// The encoder as it was written.
    var encoder: WrittenEncoder { get }
    /// The timeout as it was written.
    var timeout: WrittenTimeout { get }
    /// The policy as it was written.
    var redirectPolicy: WrittenRedirectPolicy { get }
    /// The group as it was written.
    var limitGroup: WrittenLimitGroup { get }
    /// The requirement ``APIRequest/fallback(for:)`` as it was written.
    func fallback(for error: WrittenFallbackError) -> WrittenFallback
    /// The requirement ``APIRequest/accepts(_:)`` with a wrong argument label.
    func accepts(status: HTTPStatus) -> WrittenAccepts
}

extension RequestSpelling {
    /// The placeholder for a function that was not written.
    public func accepts(status: HTTPStatus) -> NothingWritten { NothingWritten() }
}

/// The return type of a requirement with a wrong label; no function returns it.
///
/// "Type 'Bool' does not conform to protocol 'AcceptsWithoutLabel'" means: write `func accepts(_ status: HTTPStatus) ->
/// Bool`.
public protocol AcceptsWithoutLabel {}

/// The placeholder type if nothing was written.
public struct NothingWritten: AcceptsWithoutLabel, Sendable {}

/// The parameter type of a request's ``APIRequest/fallback(for:)``: ``APIError``, and no other.
///
/// "Type 'any Error' does not conform to protocol 'FallbackError'" means: write `func fallback(for error:
/// APIError<Failure>) -> Response?`.
public protocol FallbackError {}

extension APIError: FallbackError {}

/// The return type of a request's ``APIRequest/fallback(for:)``: an Optional.
///
/// "Type 'Dish' does not conform to protocol 'OptionalFallback'" means: return `Dish?`.
public protocol OptionalFallback {}

extension Optional: OptionalFallback {}

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
