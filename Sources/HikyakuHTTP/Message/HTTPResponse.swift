/// One HTTP response as a value: what a transport brings back, whatever its status.
///
/// [RFC 9110, section 3.9](https://www.rfc-editor.org/rfc/rfc9110#section-3.9)
public struct HTTPResponse: Sendable {
    /// What became of the request.
    public var status: HTTPStatus
    /// The fields in the order in which they came.
    public var headers: HTTPHeaders
    /// The content.
    public var body: HTTPBody
    /// Whether the framing said where the content ends, rather than the connection's end; `nil` where the transport
    /// doesn't know, so that the fields have to say it.
    package var isEndStated: Bool?
    /// Which attempt of its call has brought it, counted from 1; 0 where that isn't known.
    package var attempt = 0

    /// Makes a response, for transports, middleware and tests.
    public init(status: HTTPStatus, headers: HTTPHeaders = [:], body: HTTPBody = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
