import Hikyaku

/// What a test suite sends to begin a stream.
struct StreamParameters: APIModel, Decodable {
    var streamUrl: String
    var callbackUrl: String
    var tag: String?
    var initialDelayMs: Int?
    var readTimeoutMs: Int?
    var lastEventId: String?
    var headers: [String: String]?
    var method: String?
    var body: String?
}

/// What a test suite wants of a stream that has begun.
struct Command: APIModel, Decodable {
    var command: String
}

/// What the service reports to a test suite about a stream.
struct Message: APIModel, Encodable {
    struct Event: Encodable, Sendable {
        var type: String
        var data: String
        var id: String
    }

    var kind: String
    var event: Event?
    var comment: String?

    static func event(_ event: ServerSentEvent) -> Message {
        Message(kind: "event", event: Event(type: event.name, data: event.data, id: event.id))
    }

    static func error(_ text: String) -> Message { Message(kind: "error", comment: text) }
}

/// The events of any URL, as they are.
struct ContractRequest: EventStreamRequest {
    typealias Event = ServerSentEvent

    let stream: StreamParameters

    var environment: APIEnvironment { APIEnvironment(baseURL: stream.streamUrl) }
    var path: RequestPath { "" }
    var method: HTTPMethod { HTTPMethod(stream.method ?? "GET") }
    var headers: HTTPHeaders {
        var headers = HTTPHeaders()
        for (name, value) in stream.headers ?? [:] { headers[HTTPHeaderName(name)] = value }
        return headers
    }
    var body: RequestBody? { stream.body.map { .text($0) } }
    /// The suites want every stream to be continued, whatever its method.
    var isIdempotent: Bool { true }
    var idleTimeout: Duration? { stream.readTimeoutMs.map { .milliseconds($0) } }
    var reconnection: RetryPolicy {
        RetryPolicy(
            attemptsMax: 1000,
            delay: .milliseconds(stream.initialDelayMs ?? 1000),
            delayMax: .seconds(30),
            budget: nil,
        )
    }
}

/// Sends one message to a test suite.
struct Callback: APIRequest {
    typealias Definition = EmptyResponse

    let url: String
    let number: Int
    let message: Message

    var environment: APIEnvironment { APIEnvironment(baseURL: url) }
    var method: HTTPMethod { .post }
    var path: RequestPath { "/\(number)" }
    var body: RequestBody? { .json(message) }
}
