/// The status code of a response.
///
/// ```swift
/// struct RemoveDish: Shop.Request {
///     typealias Definition = EmptyResponse
///     var id: Int
///     var method: HTTPMethod { .delete }
///     var path: RequestPath { "/dishes/\(id)" }
///
///     // A dish that was removed before is removed, too:
///     func accepts(_ status: HTTPStatus) -> Bool { status.isSuccess || status == .notFound || status == 410 }
/// }
/// ```
/// A peer may send a number that no class has, such as 999: it is handled as one of 5xx, as the RFC advises clients.
///
/// [RFC 9110, section 15](https://www.rfc-editor.org/rfc/rfc9110#section-15)
public struct HTTPStatus: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    /// The number, 200 for "OK".
    public let code: Int

    /// Makes a status of any number.
    public init(_ code: Int) {
        self.code = code
    }

    /// Makes a status of a literal: `response.status == 404`.
    public init(integerLiteral value: Int) {
        code = value
    }

    /// Orders statuses by number, so that ranges of them work: `HTTPStatus(500)...`.
    public static func < (left: Self, right: Self) -> Bool {
        left.code < right.code
    }

    /// 1xx: a response before the final one.
    public var isInformational: Bool { 100..<200 ~= code }
    /// 2xx: the request was understood and accepted.
    public var isSuccess: Bool { 200..<300 ~= code }
    /// 3xx: the client has to do more, usually send a request to another URL.
    public var isRedirection: Bool { 300..<400 ~= code }
    /// 4xx: the request is wrong.
    public var isClientError: Bool { 400..<500 ~= code }
    /// 5xx, and each number that no class has: the server has failed.
    public var isServerError: Bool { !(100..<500 ~= code) }

    /// 200: the request succeeded.
    public static let ok = HTTPStatus(200)
    /// 201: a resource was created; `Location` is its URL.
    public static let created = HTTPStatus(201)
    /// 202: accepted to be processed later.
    public static let accepted = HTTPStatus(202)
    /// 204: succeeded, and there is no body.
    public static let noContent = HTTPStatus(204)
    /// 304: the client's stored response is still valid.
    public static let notModified = HTTPStatus(304)
    /// 400: the server can't understand the request.
    public static let badRequest = HTTPStatus(400)
    /// 401: credentials are missing or invalid.
    public static let unauthorized = HTTPStatus(401)
    /// 403: understood, and refused.
    public static let forbidden = HTTPStatus(403)
    /// 404: there is no such resource.
    public static let notFound = HTTPStatus(404)
    /// 409: the request conflicts with the resource's state.
    public static let conflict = HTTPStatus(409)
    /// 422: the content is well formed, but invalid.
    public static let unprocessableContent = HTTPStatus(422)
    /// 429: too many requests; `Retry-After` may state how long to wait (RFC 6585, section 4).
    public static let tooManyRequests = HTTPStatus(429)
    /// 500: the server failed in an unexpected way.
    public static let internalServerError = HTTPStatus(500)
    /// 502: an upstream server sent no valid response.
    public static let badGateway = HTTPStatus(502)
    /// 503: temporarily unavailable; `Retry-After` may state for how long.
    public static let serviceUnavailable = HTTPStatus(503)
    /// 504: an upstream server was too slow.
    public static let gatewayTimeout = HTTPStatus(504)
}

extension HTTPStatus: CustomStringConvertible {
    /// The number with its reason phrase: `404 Not Found`.
    public var description: String {
        guard let phrase = reasonPhrase else { return String(code) }
        return "\(code) \(phrase)"
    }

    /// The reason phrase in IANA's registry; `nil` for an unregistered number.
    package var reasonPhrase: String? { Self.phrases[code] }

    private static let phrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        305: "Use Proxy", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates",
        507: "Insufficient Storage", 508: "Loop Detected", 511: "Network Authentication Required",
    ]
}
