/// A model together with the response that it came in.
public struct APIResponse<Value: Sendable>: Sendable {
    /// The model: what `send` returns.
    public let value: Value
    /// The response's status.
    public let status: HTTPStatus
    /// The response's fields.
    public let headers: HTTPHeaders
    /// How long it took.
    public let timings: CallTimings
    /// Where the value came from.
    public let source: ResponseSource
}

/// How long the parts of a call took.
public struct CallTimings: Sendable, Hashable {
    /// From the call to the decoded value.
    public let total: Duration
}

/// Where a value came from.
public enum ResponseSource: Sendable, Hashable {
    /// A transport brought it.
    case network
    /// A stub of the client made it.
    case stub
}
