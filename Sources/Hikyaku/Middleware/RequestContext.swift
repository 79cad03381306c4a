import HikyakuBase

/// What is known of one call while it is on its way, shared by all steps.
///
/// A step leaves a note for the others under a key, which is a type:
/// ```swift
/// enum TraceID: RequestContextKey { static let defaultValue = "" }
/// context[TraceID.self] = "4bf92f"
/// ```
public struct RequestContext: Sendable {
    /// What is known of the call as a whole.
    let call: CallInformation
    /// The attempt that the context is of; `nil` for that of the call as a whole.
    private let own: Attempt?

    init(_ call: CallInformation) {
        self.call = call
        own = nil
    }

    private init(_ attempt: Attempt, of call: CallInformation) {
        self.call = call
        own = attempt
    }

    /// Makes a context of a public request to nowhere, to test a middleware with.
    public init() {
        self.init(CallInformation())
    }

    /// The type of the request, `Qiita.Items` say; of one in proxies, the innermost's.
    public var requestType: any Any.Type { innermostRequest(of: call.sentType) }
    /// Where the service is, after a substitution by the client.
    public var environment: APIEnvironment { call.environment }
    /// Whether the request needs a credential.
    public var requiresAuthorization: Bool { call.choices.authorizationNeed == .required }
    /// Whether the response's body is a stream that the caller reads, rather than collected.
    public var streamsBody: Bool { call.streamsBody }
    /// When the call began.
    public var start: ContinuousClock.Instant { call.start }
    /// When the call has to be over; `nil` for never.
    public var deadline: ContinuousClock.Instant? { call.deadline }
    /// The time by which the call is measured.
    public var clock: any HTTPClock { call.clock }

    /// The note under a key; its default where none was left.
    ///
    /// Reading and writing are safe at any time, but `+=` is one after the other: attempts that run side by side each
    /// need a key of their own.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get {
            guard let note = call.state.withLock({ $0.notes[ObjectIdentifier(key)] }) else { return Key.defaultValue }
            return note as? Key.Value ?? Key.defaultValue
        }
        nonmutating set {
            // The note before goes after unlocking: what it holds may run code when it does.
            _ = call.state.withLock { $0.notes.updateValue(newValue, forKey: ObjectIdentifier(key)) }
        }
    }

    /// How often the request was handed to the transport so far; what follows a redirect belongs to the attempt that
    /// was redirected.
    public var attempt: Int { call.state.withLock { $0.sentCount } }
}

extension RequestContext {
    /// The context of a new attempt, with redirects of its own: attempts may run side by side.
    ///
    /// It speaks for the call until another begins or brings a response, or until ``settle(on:)``.
    func beginAttempt() -> RequestContext {
        // An attempt that isn't kept any more goes after unlocking: what its request holds may run code when it does.
        let (attempt, _) = call.state.withLock { $0.beginAttempt() }
        return RequestContext(attempt, of: call)
    }

    /// The redirects that were followed in the attempt.
    var redirects: [RedirectHop] { call.state.withLock { (own ?? $0.speaker)?.hops ?? [] } }

    /// The request that was last handed to the transport.
    var sent: HTTPRequest? { call.state.withLock { (own ?? $0.speaker)?.sent } }

    /// Notes what is handed to the transport.
    func willSend(_ request: HTTPRequest) {
        // What was sent before goes after unlocking.
        _ = call.state.withLock { state -> HTTPRequest? in
            guard let attempt = own ?? state.speaker else { return nil }
            if attempt.sent == nil { state.sentCount += 1 }
            defer { attempt.sent = request }
            return attempt.sent
        }
    }

    /// The redirects that led to a response, in the attempt that brought it.
    func redirects(to response: HTTPResponse) -> [RedirectHop] {
        call.state.withLock { state in
            (state.attempt(response.attempt) ?? own ?? state.speaker)?.hops ?? []
        }
    }

    /// Says that what is sent next follows redirects.
    func follow(_ hops: [RedirectHop]) {
        call.state.withLock { (own ?? $0.speaker)?.hops = hops }
    }

    /// Marks a response as the attempt's.
    func answered(by response: HTTPResponse) -> HTTPResponse {
        guard let own else { return response }
        call.state.withLock { $0.speaker = own }
        var response = response
        response.attempt = own.number
        return response
    }

    /// Takes over an attempt of another call that this one has waited for, as an attempt of its own.
    ///
    /// - Parameters:
    ///   - other: The context of the call that made it.
    ///   - response: What came of it; `nil` for an error.
    /// - Returns: The response as that of the attempt.
    @discardableResult
    func adopt(_ other: RequestContext, _ response: HTTPResponse? = nil) -> HTTPResponse? {
        guard other.call !== call else { return response }
        // One after the other, since each call has a lock of its own.
        let (hops, sent) = other.call.state.withLock { state in
            let attempt = state.attempt(response?.attempt) ?? state.speaker
            return (attempt?.hops ?? [], attempt?.sent)
        }
        let (attempt, _) = call.state.withLock { state in
            let (attempt, dropped) = state.beginAttempt()
            (attempt.hops, attempt.sent) = (hops, sent)
            if sent != nil { state.sentCount += 1 }
            return (attempt, dropped)
        }
        var response = response
        response?.attempt = attempt.number
        return response
    }

    /// What the client's ``ResultObserver`` gave when the service was about to be asked; `nil` without one.
    var token: Int? { call.state.withLock(\.token) }

    /// Notes the token of an exchange.
    ///
    /// Of several the earliest holds: a middleware outside may take the response of any of the exchanges.
    func noteToken(_ token: Int?) {
        guard let token else { return }
        call.state.withLock { $0.token = min($0.token ?? token, token) }
    }

    /// Lets that attempt speak for the call whose response the steps outside have chosen.
    func settle(on response: HTTPResponse) {
        guard response.attempt > 0 else { return }
        call.state.withLock { state in
            guard state.speaker?.number != response.attempt else { return }
            state.speaker = state.attempt(response.attempt) ?? state.speaker
        }
    }

    /// Notes that the provider was told of a rejected token, which happens once in a call.
    func noteRejection() {
        call.state.withLock { $0.wasRejected = true }
    }

    /// Whether the provider was told of a rejected token.
    var wasRejected: Bool { call.state.withLock(\.wasRejected) }
}

/// What is known of one attempt.
///
/// `@unchecked`: the compiler can't see that the mutable state is touched under the lock of its call alone.
private final class Attempt: @unchecked Sendable {
    /// Counted from 1.
    let number: Int
    /// The redirects that were followed in it.
    var hops: [RedirectHop] = []
    /// What of it was last handed to the transport.
    var sent: HTTPRequest?

    init(number: Int) {
        self.number = number
    }
}

/// What is known of one call as a whole, and what ends it before its time.
final class CallInformation: Sendable {
    /// The request as it was sent, proxies and all; `nil` in tests of a middleware.
    let request: (any APIRequest)?
    /// What is known of the request's type.
    let traits: RequestTraits
    /// The type of that request.
    fileprivate let sentType: any Any.Type
    let environment: APIEnvironment
    /// What moves the bytes: the environment's own transport, or the client's.
    let transport: any HTTPTransport
    /// How the request wants to be sent and read.
    let choices: RequestChoices
    /// The level that the request asks for.
    let access: any AccessLevel.Type
    /// The one origin that the request may go to, since it brings a token of its own.
    let ownTokenOrigin: HTTPOrigin?
    fileprivate let streamsBody: Bool
    let start: ContinuousClock.Instant
    let deadline: ContinuousClock.Instant?
    let clock: any HTTPClock
    /// Who hears what happens on the wire in this call.
    let observer: (any EventObserver)?
    /// What makes timings of the call; one of those that hear of it.
    let recorder: TimingsRecorder?
    /// What writes of the call as it is sent and received; `nil` where nothing is logged.
    let log: CallLog?
    /// Ends the call before its time.
    let stop = CallStop()

    fileprivate let state = Lock(State())

    fileprivate struct State {
        var notes: [ObjectIdentifier: any Sendable] = [:]
        /// The attempts before the last one, as far as they are kept; what goes on in one that isn't among them any
        /// more, its own context knows.
        var earlier: [Attempt] = []
        var last: Attempt?
        var begunCount = 0
        var sentCount = 0
        /// The attempt that speaks for the call.
        var speaker: Attempt?
        /// What the client's ``ResultObserver`` gave when the service was about to be asked.
        var token: Int?
        var wasRejected = false

        private static let earlierMax = 31

        /// - Returns: The attempt, and what isn't kept any more.
        mutating func beginAttempt() -> (Attempt, dropped: Attempt?) {
            begunCount += 1
            let attempt = Attempt(number: begunCount)
            let dropped = earlier.count == Self.earlierMax ? earlier.removeFirst() : nil
            if let last { earlier.append(last) }
            (last, speaker) = (attempt, attempt)
            return (attempt, dropped)
        }

        /// The attempt of a number, if it is kept.
        func attempt(_ number: Int?) -> Attempt? {
            guard let number else { return nil }
            return last?.number == number ? last : earlier.last { $0.number == number }
        }
    }

    /// The call of a request by a client.
    init<R: APIRequest>(
        of request: R,
        by core: ClientCore,
        observer: (any EventObserver)?,
        recorder: TimingsRecorder?,
    ) {
        traits = core.traits(of: R.self)
        self.request = request
        sentType = R.self
        environment = core.environment(for: request.environment)
        transport = environment.ownTransport?.transport ?? core.transport
        choices = RequestChoices(of: request)
        access = R.Access.self
        ownTokenOrigin = traits.isProxy ? Hikyaku.ownTokenOrigin(of: request) : nil
        streamsBody = R.Definition.streamsBody
        clock = core.parts.options.clock
        self.observer = observer
        self.recorder = recorder
        log = core.parts.logging.map { CallLog($0) }
        start = clock.now
        deadline = Self.deadline(after: start, choices.timeout ?? core.parts.options.timeout)
    }

    /// The nearer one of a call's own deadline and of that which it shares with others.
    private static func deadline(
        after start: ContinuousClock.Instant,
        _ timeout: Duration?,
    ) -> ContinuousClock.Instant? {
        // A timeout that is far enough away means none: such an instant can't be represented.
        guard let timeout, timeout < .farFuture else { return CallDeadline.current }
        let own = start.advanced(by: max(timeout, .zero))
        guard let shared = CallDeadline.current else { return own }
        return min(shared, own)
    }

    /// A call of nothing, to test a middleware with.
    fileprivate init() {
        request = nil
        traits = .none
        sentType = Never.self
        environment = "http://localhost"
        transport = DefaultTransport.shared
        choices = .none
        access = Public.self
        ownTokenOrigin = nil
        streamsBody = false
        clock = SystemClock()
        observer = nil
        recorder = nil
        log = nil
        start = clock.now
        deadline = nil
    }

    /// Tells an observer of the drift that was counted.
    func tell(_ drift: DriftTally, to observer: (any EventObserver)?) {
        if let observer { drift.tell(observer, exchange: recorder?.exchange ?? 0) }
    }

    /// Whether a status means success to the request.
    func accepts(_ status: HTTPStatus) -> Bool {
        request?.accepts(status) ?? status.isSuccess
    }

    /// The error of a call that has reached its deadline.
    var deadlineError: TransportError {
        let allowed = deadline.map { start.duration(to: $0) } ?? .zero
        return TransportError(.deadline, "the call took longer than \(allowed)")
    }
}

/// What is known of a type of requests by itself.
final class RequestTraits: Sendable {
    /// Whether it has another request inside.
    fileprivate let isProxy: Bool
    /// Why nothing can be read in its shape.
    let definitionProblem: String?
    /// The fields that a client adds to each of its requests, where the client's decoder reads the response.
    let headers: HTTPHeaders
    /// Whether a GET request with these fields alone keeps the rules of the wire.
    let headersAreChecked: Bool
    /// Shared by all clients that know the type.
    private let reads: Lock<Bool>

    private static let readsByType = Lock<[ObjectIdentifier: Lock<Bool>]>([:])

    /// Whether its responses are read from memory without waiting for anything.
    ///
    /// That is so where the default of ``APIRequest/response(from:)`` reads them. A function of the request's own may
    /// stand in its place, which shows only when it is called; so the first call finds it out.
    var readsAtOnce: Bool { reads.withLock(\.self) }

    /// Notes that the default has read a response of the type.
    func noteDefaultReading() {
        reads.withLock { $0 = true }
    }

    /// Of no type.
    static let none = RequestTraits()

    private init() {
        (isProxy, definitionProblem, headers, headersAreChecked) = (false, nil, [:], false)
        reads = Lock(false)
    }

    init<R: APIRequest>(_ request: R.Type, _ options: ClientOptions) {
        isProxy = R.self is any RequestProxy.Type
        reads = Self.readsByType.withLock { known in
            let reads = known[ObjectIdentifier(request)] ?? Lock(false)
            known[ObjectIdentifier(request)] = reads
            return reads
        }
        definitionProblem = R.Definition.definitionProblem
        headers = [
            .accept: R.Definition.acceptedMediaTypes ?? options.decoder.mediaType, .userAgent: options.userAgent,
        ]
        let request = HTTPRequest(method: .get, urlText: "", headers: headers)
        headersAreChecked = (try? request.checkForWire()) != nil
    }
}

/// The calls that a client, and those that come from the same one, have in flight.
final class CallsInFlight: Sendable {
    private struct State: Sendable {
        var calls = SlotTable<CallInformation>()
        /// When deadlines are looked at next; `nil` where nothing is planned.
        var wake: ContinuousClock.Instant?
        /// What looks at them then.
        var timer: HTTPClockTimer?
    }

    private let state = Lock(State())

    deinit {
        state.withLock(\.timer)?.cancel()
    }

    /// Notes a call until ``end(_:)``, and stops it at its deadline.
    ///
    /// One timer, for the earliest deadline, serves all calls, since few reach theirs. When that call is over by then,
    /// the timer is set to the earliest deadline that is left.
    func begin(_ call: CallInformation) -> SlotTable<CallInformation>.Key {
        let (key, isEarliest) = state.withLock { state in
            let key = state.calls.insert(call)
            guard let deadline = call.deadline, state.wake.map({ deadline < $0 }) ?? true else { return (key, false) }
            state.wake = deadline
            return (key, true)
        }
        if isEarliest, let deadline = call.deadline { wake(at: deadline, by: call.clock) }
        return key
    }

    func end(_ key: SlotTable<CallInformation>.Key) {
        // The request goes after unlocking: what it holds may run code when it does.
        _ = state.withLock { $0.calls.remove(key) }
    }

    private func wake(at instant: ContinuousClock.Instant, by clock: any HTTPClock) {
        let timer = clock.schedule(at: instant) { [weak self] in self?.stopLate(at: instant, by: clock) }
        let stale: HTTPClockTimer? = state.withLock { state in
            // It has fired by now, or an earlier one has come.
            guard state.wake == instant else { return timer }
            defer { state.timer = timer }
            return state.timer
        }
        stale?.cancel()
    }

    /// Stops the calls whose deadline has come.
    private func stopLate(at wake: ContinuousClock.Instant, by clock: any HTTPClock) {
        let now = clock.now
        let (late, next) = state.withLock { state -> ([CallInformation], ContinuousClock.Instant?) in
            // An earlier one has taken the place of this one.
            guard state.wake == wake else { return ([], nil) }
            let late = state.calls.removeAll { $0.deadline.map { $0 <= now } ?? false }
            (state.wake, state.timer) = (nil, nil)
            state.calls.forEach { call in
                if let deadline = call.deadline { state.wake = min(state.wake ?? deadline, deadline) }
            }
            return (late, state.wake)
        }
        for call in late { call.stop.stop(with: call.deadlineError) }
        if let next { self.wake(at: next, by: clock) }
    }

    /// Cancels the calls that a condition holds for, those that began first before the others.
    ///
    /// - Returns: How many.
    func cancel(where condition: (any APIRequest) -> Bool) -> Int {
        state.withLock(\.calls.values).filter { $0.request.map(condition) ?? false }
            .count { $0.stop.stop(with: CancellationError()) }
    }

    var count: Int { state.withLock(\.calls.count) }
}

/// A kind of note in a ``RequestContext``.
public protocol RequestContextKey {
    /// What the note holds.
    associatedtype Value: Sendable
    /// What is read where no note was left.
    static var defaultValue: Value { get }
}
