/// What is known of one call while it is on its way, shared by all steps.
///
/// A step leaves a note for the others under a key, which is a type:
/// ```swift
/// enum TraceID: RequestContextKey { static let defaultValue = "" }
/// context[TraceID.self] = "4bf92f"
/// ```
public final class RequestContext: Sendable {
    /// The type of the request as it was sent, proxies and all.
    private let sentType: any Any.Type
    /// Where the service is, after a substitution by the client.
    public let environment: APIEnvironment
    /// The level that the request asks for.
    let access: any AccessLevel.Type
    /// Whether a credential goes with the request.
    let authorizationNeed: AuthorizationNeed
    /// What a token has to be good for.
    let requiredScopes: Set<String>
    /// The one origin that the request may go to, since it brings a token of its own.
    let ownTokenOrigin: HTTPOrigin?
    /// Whether the response's body is a stream that the caller reads, rather than collected.
    public let streamsBody: Bool
    /// Whether a status means success to the request.
    let accepts: @Sendable (HTTPStatus) -> Bool
    /// Whether equal requests in flight share one exchange.
    let sharesExchange: Bool
    /// When the call began.
    public let start: ContinuousClock.Instant
    /// When the call has to be over; `nil` for never.
    public let deadline: ContinuousClock.Instant?

    /// The time by which the call is measured.
    public let clock: any HTTPClock
    /// Who hears what happens on the wire in this call.
    let observer: (any EventObserver)?
    /// What ends the call before its time.
    let race: Race<HTTPResponse>
    /// Who is told when the call is ended before its time, where it runs in a task of its own.
    let overtaken: Overtaken?

    typealias Overtaken = @Sendable (any Error, HTTPRequest, RequestContext) -> Void

    /// What the call shares with its attempts.
    private let state: Lock<State>
    /// The attempt that the context is of; `nil` for that of the call as a whole.
    private let own: Attempt?

    private struct State: Sendable {
        var notes: [ObjectIdentifier: any Sendable] = [:]
        /// The latest; what goes on in one that isn't among them any more, its own context knows.
        var attempts: [Attempt] = []
        var begunCount = 0
        var sentCount = 0
        /// The attempt that speaks for the call.
        var speaker: Attempt?
        /// The moment of the client's hub at which the service was asked; `nil` without a hub.
        var asked: Int?
    }

    private static let attemptsKeptMax = 32

    init(
        requestType: any Any.Type,
        environment: APIEnvironment,
        access: any AccessLevel.Type = Public.self,
        authorizationNeed: AuthorizationNeed = .none,
        requiredScopes: Set<String> = [],
        ownTokenOrigin: HTTPOrigin? = nil,
        streamsBody: Bool = false,
        accepts: @escaping @Sendable (HTTPStatus) -> Bool = { $0.isSuccess },
        sharesExchange: Bool = false,
        timeout: Duration?,
        clock: any HTTPClock,
        observer: (any EventObserver)? = nil,
        overtaken: Overtaken? = nil,
    ) {
        sentType = requestType
        self.environment = environment
        self.access = access
        self.authorizationNeed = authorizationNeed
        self.requiredScopes = requiredScopes
        self.ownTokenOrigin = ownTokenOrigin
        self.streamsBody = streamsBody
        self.accepts = accepts
        self.sharesExchange = sharesExchange
        race = Race()
        self.overtaken = overtaken
        self.clock = clock
        self.observer = observer
        state = Lock(State())
        own = nil
        let start = clock.now
        self.start = start
        // A timeout that is far enough away stands for none; an instant that far can't be reckoned with.
        let own = timeout.flatMap { $0 < .farFuture ? start.advanced(by: max($0, .zero)) : nil }
        deadline = [own, CallDeadline.current].compactMap(\.self).min()
    }

    private init(_ attempt: Attempt, of call: RequestContext) {
        sentType = call.sentType
        environment = call.environment
        access = call.access
        authorizationNeed = call.authorizationNeed
        requiredScopes = call.requiredScopes
        ownTokenOrigin = call.ownTokenOrigin
        streamsBody = call.streamsBody
        accepts = call.accepts
        sharesExchange = call.sharesExchange
        race = call.race
        overtaken = call.overtaken
        clock = call.clock
        observer = call.observer
        start = call.start
        deadline = call.deadline
        state = call.state
        own = attempt
    }

    /// Makes a context of a public request to nowhere, to test a middleware with.
    public convenience init() {
        self.init(
            requestType: Never.self,
            environment: "http://localhost",
            timeout: nil,
            clock: SystemClock(),
        )
    }

    /// The type of the request, `Qiita.Items` say; of one in proxies, the innermost's.
    public var requestType: any Any.Type { innermostRequest(of: sentType) }

    /// Whether the request needs a credential.
    public var requiresAuthorization: Bool { authorizationNeed == .required }

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
    public var attempt: Int { state.withLock { $0.sentCount } }
}

// MARK: - Attempts

/// What is known of one attempt.
private final class Attempt: Sendable {
    struct State: Sendable {
        /// The redirects that were followed in it.
        var hops: [RedirectHop] = []
        /// What of it was last handed to the transport.
        var sent: HTTPRequest?
    }

    /// Counted from 1.
    let number: Int
    let state = Lock(State())

    init(number: Int) {
        self.number = number
    }
}

extension RequestContext {
    /// The context of a new attempt, with redirects of its own: attempts may run side by side.
    ///
    /// It speaks for the call until another begins or brings a response, or until ``settle(on:)``.
    func beginAttempt() -> RequestContext {
        let attempt = state.withLock { state in
            state.begunCount += 1
            let attempt = Attempt(number: state.begunCount)
            if state.attempts.count == Self.attemptsKeptMax { state.attempts.removeFirst() }
            state.attempts.append(attempt)
            state.speaker = attempt
            return attempt
        }
        return RequestContext(attempt, of: self)
    }

    /// The attempt itself, or the one that speaks for the call.
    private var present: Attempt? { own ?? state.withLock(\.speaker) }

    /// The redirects that were followed in the attempt.
    var redirects: [RedirectHop] { present?.state.withLock(\.hops) ?? [] }

    /// The request that was last handed to the transport.
    var sent: HTTPRequest? { present?.state.withLock(\.sent) }

    /// Notes what is handed to the transport.
    func willSend(_ request: HTTPRequest) {
        let isFirst = present?.state.withLock { attempt in
            defer { attempt.sent = request }
            return attempt.sent == nil
        }
        if isFirst == true { state.withLock { $0.sentCount += 1 } }
    }

    /// The redirects that led to a response, in the attempt that brought it.
    func redirects(to response: HTTPResponse) -> [RedirectHop] {
        let attempt = state.withLock { state in state.attempts.last { $0.number == response.attempt } }
        return attempt?.state.withLock(\.hops) ?? redirects
    }

    /// Says that what is sent next follows redirects.
    func follow(_ hops: [RedirectHop]) {
        present?.state.withLock { $0.hops = hops }
    }

    /// Marks a response as the attempt's.
    func answered(by response: HTTPResponse) -> HTTPResponse {
        guard let own else { return response }
        state.withLock { $0.speaker = own }
        var response = response
        response.attempt = own.number
        return response
    }

    /// Takes over what another call's context knows of the exchange that both have waited for.
    func adopt(_ other: RequestContext) {
        guard other !== self else { return }
        let known = other.state.withLock(\.self)
        state.withLock { state in
            state.attempts = known.attempts
            state.begunCount = max(state.begunCount, known.begunCount)
            state.sentCount += known.sentCount
            state.speaker = known.speaker
        }
    }

    /// The moment of the client's hub at which the service was asked; `nil` without a hub.
    var asked: Int? { state.withLock(\.asked) }

    /// Notes when the service was asked.
    ///
    /// Of several moments the earliest holds: a middleware outside may take the answer to any of the questions.
    func wasAsked(at moment: Int?) {
        guard let moment else { return }
        state.withLock { $0.asked = min($0.asked ?? moment, moment) }
    }

    /// Lets that attempt speak for the call whose response the steps outside have chosen.
    func settle(on response: HTTPResponse) {
        guard response.attempt > 0 else { return }
        state.withLock { state in
            state.speaker = state.attempts.last { $0.number == response.attempt } ?? state.speaker
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
