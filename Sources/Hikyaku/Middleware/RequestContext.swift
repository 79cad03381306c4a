/// What is known of one call while it is on its way, shared by all steps.
///
/// A step leaves a note for the others under a key, which is a type:
/// ```swift
/// enum TraceID: RequestContextKey { static let defaultValue = "" }
/// context[TraceID.self] = "4bf92f"
/// ```
public final class RequestContext: Sendable {
    /// The type of the request, `Qiita.Items` say.
    public let requestType: any Any.Type
    /// Where the service is, after a substitution by the client.
    public let environment: APIEnvironment
    /// Whether the request needs a credential.
    public let requiresAuthorization: Bool
    /// When the call began.
    public let start: ContinuousClock.Instant
    /// When the call has to be over; `nil` for never.
    public let deadline: ContinuousClock.Instant?

    let clock: any HTTPClock
    private let state = Lock(State())

    private struct State: Sendable {
        var notes: [ObjectIdentifier: any Sendable] = [:]
        var attempts = 0
        var sent: HTTPRequest?
    }

    init(
        requestType: any Any.Type,
        environment: APIEnvironment,
        requiresAuthorization: Bool,
        timeout: Duration?,
        clock: any HTTPClock,
    ) {
        self.requestType = requestType
        self.environment = environment
        self.requiresAuthorization = requiresAuthorization
        self.clock = clock
        let start = clock.now
        self.start = start
        deadline = timeout.map { start.advanced(by: $0) }
    }

    /// Makes a context of a public request to nowhere, to test a middleware with.
    public convenience init() {
        self.init(
            requestType: Never.self,
            environment: "http://localhost",
            requiresAuthorization: false,
            timeout: nil,
            clock: SystemClock(),
        )
    }

    /// The note under a key; its default where none was left.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get { state.withLock { $0.notes[ObjectIdentifier(key)] as? Key.Value } ?? Key.defaultValue }
        set { state.withLock { $0.notes[ObjectIdentifier(key)] = newValue } }
    }

    /// How often the request was handed to the transport so far.
    public var attempts: Int { state.withLock { $0.attempts } }

    /// The request that was last handed to the transport.
    var sent: HTTPRequest? { state.withLock { $0.sent } }

    func willSend(_ request: HTTPRequest) {
        state.withLock { state in
            state.attempts += 1
            state.sent = request
        }
    }
}

/// A kind of note in a ``RequestContext``.
public protocol RequestContextKey {
    /// What the note holds.
    associatedtype Value: Sendable
    /// What is read where no note was left.
    static var defaultValue: Value { get }
}
