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
