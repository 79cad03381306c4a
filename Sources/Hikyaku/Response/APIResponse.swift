/// A model together with the response that it came in.
public struct APIResponse<Value: Sendable>: Sendable {
    /// The model: what `send` returns.
    public let value: Value
    /// The response's status.
    public let status: HTTPStatus
    /// The response's fields.
    public let headers: HTTPHeaders
    /// The fields that came after the body (RFC 9110, section 6.5), where the transport keeps them; those of a body
    /// that the model streams are ``HTTPBody/trailers``.
    public let trailers: HTTPHeaders
    /// How long it took.
    public let timings: CallTimings
    /// Where the value came from.
    public let source: ResponseSource
    /// The redirects that led to it, in their order.
    public let redirects: [RedirectHop]

    /// Makes a response, for tests of what takes one.
    public init(
        value: Value,
        status: HTTPStatus = .ok,
        headers: HTTPHeaders = [:],
        trailers: HTTPHeaders = [:],
        timings: CallTimings = CallTimings(total: .zero),
        source: ResponseSource = .stub,
        redirects: [RedirectHop] = [],
    ) {
        self.value = value
        self.status = status
        self.headers = headers
        self.trailers = trailers
        self.timings = timings
        self.source = source
        self.redirects = redirects
    }
}

extension APIResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the model's type; the model may hold secrets.
    public var description: String { "\(status), a \(Value.self)" }

    /// What is shown of each part, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["response": description, "headers": headers]) }
}

/// Where a value came from; other sources may come with any version.
public struct ResponseSource: RawRepresentable, Sendable, Hashable {
    /// A stable word for logs and metrics.
    public let rawValue: String

    /// Makes a source of a word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A transport brought it.
    public static let network = ResponseSource(rawValue: "network")
    /// A stub of the client made it.
    public static let stub = ResponseSource(rawValue: "stub")
    /// A middleware answered by itself, and nothing was sent.
    public static let middleware = ResponseSource(rawValue: "middleware")
    /// The app itself made it, before a service knew of it or without one.
    public static let local = ResponseSource(rawValue: "local")
}

extension ResponseSource: CustomStringConvertible {
    /// The word.
    public var description: String { rawValue }
}
