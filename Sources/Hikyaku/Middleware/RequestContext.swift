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
    /// Whether the response's body is a stream that the caller reads, rather than collected.
    public let streamsBody: Bool
    /// When the call began.
    public let start: ContinuousClock.Instant
    /// When the call has to be over; `nil` for never.
    public let deadline: ContinuousClock.Instant?

    /// The time by which the call is measured.
    public let clock: any HTTPClock
    /// Who hears what happens on the wire in this call.
    let observer: (any EventObserver)?

    private let state = Lock(State())

    private struct State: Sendable {
        var notes: [ObjectIdentifier: any Sendable] = [:]
        var attempt = 0
        var sent: HTTPRequest?
        /// Whether what is sent next goes on with an attempt after a redirect.
        var isHop = false
    }

    init(
        requestType: any Any.Type,
        environment: APIEnvironment,
        requiresAuthorization: Bool,
        streamsBody: Bool = false,
        timeout: Duration?,
        clock: any HTTPClock,
        observer: (any EventObserver)? = nil,
    ) {
        self.requestType = requestType
        self.environment = environment
        self.requiresAuthorization = requiresAuthorization
        self.streamsBody = streamsBody
        self.clock = clock
        self.observer = observer
        let start = clock.now
        self.start = start
        // A timeout that is far enough away stands for none; an instant that far can't be reckoned with.
        let own = timeout.flatMap { $0 < .farFuture ? start.advanced(by: max($0, .zero)) : nil }
        deadline = [own, CallDeadline.current].compactMap(\.self).min()
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
    ///
    /// Reading and writing are safe at any time, but `+=` is one after the other: attempts that run side by side each
    /// need a key of their own.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get {
            guard let note = state.withLock({ $0.notes[ObjectIdentifier(key)] }) else { return Key.defaultValue }
            return note as? Key.Value ?? Key.defaultValue
        }
        set {
            // The note before goes after unlocking: what it holds may run code when it does.
            _ = state.withLock { $0.notes.updateValue(newValue, forKey: ObjectIdentifier(key)) }
        }
    }

    /// How often the request was handed to the transport so far; what follows a redirect belongs to the attempt that
    /// was redirected.
    public var attempt: Int { state.withLock { $0.attempt } }

    /// The request that was last handed to the transport.
    var sent: HTTPRequest? { state.withLock { $0.sent } }

    func willSend(_ request: HTTPRequest) {
        state.withLock { state in
            if !state.isHop { state.attempt += 1 }
            state.isHop = false
            state.sent = request
        }
    }

    /// Forgets the redirects of the attempt before.
    func beginAttempt() {
        state.withLock { $0.isHop = false }
        if !self[RedirectChain.self].isEmpty { self[RedirectChain.self] = [] }
    }

    /// Says that what is sent next follows redirects, and belongs to the same attempt.
    func continueAttempt(with hops: [RedirectHop]) {
        self[RedirectChain.self] = hops
        state.withLock { $0.isHop = true }
    }
}

/// A kind of note in a ``RequestContext``.
public protocol RequestContextKey {
    /// What the note holds.
    associatedtype Value: Sendable
    /// What is read where no note was left.
    static var defaultValue: Value { get }
}
