/// What a request wrote under the names of ``APIRequest``'s requirements, whatever its types.
///
/// A property of another type doesn't fulfil a requirement that has a default, and Swift doesn't mention it: the
/// request would go out without it. This protocol has the same names and no types, so that each such property is seen.
/// Types that clearly mean the same are converted and sent: `timeout` as a `Duration`, `headers` as a `[String:
/// String]`, a `body` that isn't Optional. The compiler refuses all others, but for coders, which are refused before
/// anything is sent: `let timeout = 0.2` says "type 'Double' does not conform to protocol 'RequestTimeout'".
///
/// You don't conform to it: every ``APIRequest`` does. The article <doc:CompilerMessages> has the messages and their
/// cures.
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
    /// What a function returns that was written as `accepts(status:)`.
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
    /// The requirement ``APIRequest/accepts(_:)`` with a label that it doesn't have.
    func accepts(status: HTTPStatus) -> WrittenAccepts
}

extension RequestSpelling {
    /// Holds the place of a function that nobody wrote.
    public func accepts(status: HTTPStatus) -> NothingWritten { NothingWritten() }
}

/// What a requirement with a wrong label would have to return, which is nothing that a function returns.
///
/// "Type 'Bool' does not conform to protocol 'AcceptsWithoutLabel'" means: write `func accepts(_ status: HTTPStatus) ->
/// Bool`.
public protocol AcceptsWithoutLabel {}

/// What stands where nothing was written.
public struct NothingWritten: AcceptsWithoutLabel, Sendable {}

/// A type in which a request can write its ``APIRequest/method``: `HTTPMethod`, or `String`.
public protocol RequestMethod {
    /// The method that is meant.
    var requestMethod: HTTPMethod { get }
}

extension HTTPMethod: RequestMethod {
    /// The method itself.
    public var requestMethod: HTTPMethod { self }
}

extension String: RequestMethod {
    /// The method of this word; one that is no token is refused as ``FailureReason/method``.
    public var requestMethod: HTTPMethod { HTTPMethod(self) }
}

/// A type in which a request can write its ``APIRequest/query`` and ``APIRequest/parameters``: ``RequestQuery``, or a
/// dictionary of one type of ``QueryValue``.
public protocol RequestQueryItems {
    /// The items that are meant.
    var requestQuery: RequestQuery { get }
}

extension RequestQuery: RequestQueryItems {
    /// The items themselves.
    public var requestQuery: RequestQuery { self }
}

extension Dictionary: RequestQueryItems where Key == String, Value: QueryValue {
    /// The items in the order of their names, since a dictionary has none of its own.
    public var requestQuery: RequestQuery {
        var query = RequestQuery()
        for (name, value) in sorted(by: { $0.key < $1.key }) { query.append(name, value) }
        return query
    }
}

/// A type in which a request can write its ``APIRequest/headers``: `HTTPHeaders`, or `[String: String]`.
public protocol RequestHeaders {
    /// The fields that are meant.
    var requestHeaders: HTTPHeaders { get }
}

extension HTTPHeaders: RequestHeaders {
    /// The fields themselves.
    public var requestHeaders: HTTPHeaders { self }
}

extension Dictionary: RequestHeaders where Key == String, Value: StringProtocol {
    /// The fields in the order of their names, since a dictionary has none of its own.
    public var requestHeaders: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in sorted(by: { $0.key < $1.key }) { headers.append(HTTPHeaderName(name), String(value)) }
        return headers
    }
}

/// A type in which a request can write its ``APIRequest/body``: ``RequestBody``, Optional or not.
public protocol RequestBodyContent {
    /// The content that is meant; `nil` for none.
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

/// A type in which a request can write its ``APIRequest/timeout``: `Duration`, Optional or not.
///
/// A bare number isn't one, since nobody sees whether it means seconds: write `.seconds(0.2)` or `.milliseconds(200)`.
public protocol RequestTimeout {
    /// The timeout that is meant; `nil` for the client's.
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

/// A type in which a request can write its ``APIRequest/redirectPolicy``: ``RedirectPolicy``, Optional or not.
public protocol RequestRedirectPolicy {
    /// The policy that is meant; `nil` for the client's.
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
