package import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What is known of one call while it is on its way, shared by all steps.
///
/// A step stores a value for other steps under a key, which is a type:
/// ```swift
/// nonisolated enum TraceID: RequestContextKey { static let defaultValue = "" }
///
/// nonisolated struct Tracing: HTTPMiddleware {
///     func intercept(
///         _ request: HTTPRequest, context: RequestContext, next: MiddlewareNext
///     ) async throws -> HTTPResponse {
///         context[TraceID.self] = "4bf92f"
///         return try await next(request)
///     }
/// }
/// ```
public struct RequestContext: Sendable {
    /// The information about the call as a whole.
    package let call: CallInformation
    /// The attempt of this context; `nil` for the context of the call as a whole.
    private let own: Attempt?

    package init(_ call: CallInformation) {
        self.call = call
        own = nil
    }

    private init(_ attempt: Attempt, of call: CallInformation) {
        self.call = call
        own = attempt
    }

    /// Whether this is the context of the call's first attempt, or of the call as a whole.
    var isFirstAttempt: Bool { own.map { $0.number == 1 } ?? true }

    /// Creates a context of a public request without a service, to test a middleware.
    public init() {
        self.init(CallInformation(.ofNoCall, SystemClock(), transport: DefaultTransport.shared))
    }

    /// The type of the request, such as `Qiita.Items`; for a request inside proxies, the innermost type.
    public var requestType: any Any.Type { call.traits.requestType }
    /// The environment of the service, after a substitution by the client.
    public var environment: APIEnvironment { call.environment }
    /// Whether the request needs a credential.
    public var requiresAuthorization: Bool { call.choices.authorizationNeed == .required }
    /// Whether the response's body is a stream that the caller reads, instead of buffered.
    public var streamsBody: Bool { call.traits.streamsBody }
    /// When the call started.
    public var start: ContinuousClock.Instant { call.start }
    /// When the call must end; `nil` for never.
    public var deadline: ContinuousClock.Instant? { call.deadline }
    /// The clock that measures the call.
    public var clock: any HTTPClock { call.clock }

    /// The value for a key; the key's default if none was stored.
    ///
    /// Reading and writing are always safe, but `+=` reads and then writes: concurrent attempts each need their own
    /// key.
    public subscript<Key: RequestContextKey>(key: Key.Type) -> Key.Value {
        get {
            guard let note = call.state.withLock({ $0.notes[ObjectIdentifier(key)] }) else { return Key.defaultValue }
            return note as? Key.Value ?? Key.defaultValue
        }
        nonmutating set {
            // The previous value is released after unlocking: its deinit may run code.
            _ = call.state.withLock { $0.notes.updateValue(newValue, forKey: ObjectIdentifier(key)) }
        }
    }

    /// How often the request was passed to the transport so far; a request that follows a redirect belongs to the
    /// attempt that was redirected.
    public var attempt: Int { call.state.withLock { $0.sentCount } }
}

extension RequestContext {
    /// The context of a new attempt, with its own redirects: attempts may run concurrently.
    ///
    /// It represents the call until another attempt starts or receives a response, or until ``settle(on:)``.
    @inline(never)
    package func beginAttempt() -> RequestContext {
        // An attempt that is dropped is released after unlocking: its request's deinit may run code.
        let (attempt, _, spending) = call.state.withLock { state in
            let (attempt, dropped) = state.beginAttempt()
            return (attempt, dropped, state.spending)
        }
        spending?.beginAttempt(attempt.number, at: call.clock.now)
        return RequestContext(attempt, of: call)
    }

    /// The redirects that were followed in the attempt.
    package var redirects: [RedirectHop] { call.state.withLock { (own ?? $0.representative)?.hops ?? [] } }

    /// Whether redirects have led to another origin, which then gave the response or the error.
    func hasLeftOrigin(with response: HTTPResponse?) -> Bool {
        (response.map(redirects(to:)) ?? redirects).contains(where: \.changesOrigin)
    }

    /// The request that was last passed to the transport.
    package var sent: HTTPRequest? { call.state.withLock { (own ?? $0.representative)?.sent } }

    /// Stores the request that is passed to the transport.
    package func willSend(_ request: HTTPRequest) {
        // The previous request is released after unlocking.
        _ = call.state.withLock { state -> HTTPRequest? in
            guard let attempt = own ?? state.representative else { return nil }
            var request: HTTPRequest? = request
            swap(&attempt.sent, &request)
            if request == nil { state.sentCount += 1 } else { attempt.beginning = nil }
            return request
        }
    }

    /// What came of the response to the request that was sent last, if its body was waited for.
    package var beginning: HTTPResponse? { call.state.withLock { (own ?? $0.representative)?.beginning?.whole } }

    /// The redirects that led to a response, in the attempt that received it.
    package func redirects(to response: HTTPResponse) -> [RedirectHop] {
        call.state.withLock { state in
            (state.attempt(response.attempt) ?? own ?? state.representative)?.hops ?? []
        }
    }

    /// Marks the next request as one that follows redirects.
    func follow(_ hops: [RedirectHop]) {
        call.state.withLock { (own ?? $0.representative)?.hops = hops }
    }

    /// Marks a response as the attempt's.
    @inline(never)
    package func received(_ response: HTTPResponse) -> HTTPResponse {
        guard let own else { return response }
        let (spending, sent) = call.state.withLock { state in
            state.representative = own
            return (state.spending, own.sent)
        }
        spending?.endAttempt(own.number, .status(response.status), at: call.clock.now)
        var response = response
        response.attempt = own.number
        response.requestURLText = sent?.urlTextWithoutCredentials
        return response
    }

    /// Whether an attempt has begun, by which the transport may not have been reached yet.
    var hasBegunAttempt: Bool { call.state.withLock { $0.begunCount > 0 } }

    /// Notes that the attempt ended without a response.
    @inline(never)
    package func failed(_ error: any Error) {
        call.spending?.endAttempt(own?.number, .failure(FailureReason(of: error)), at: call.clock.now)
    }

    /// How much the call has done: to find out later what an exchange has added.
    var progress: (sentCount: Int, failedCount: Int) { call.state.withLock { ($0.sentCount, $0.failed.count) } }

    /// What the calls that share an exchange take over from the call that has made it.
    ///
    /// It is taken before any of them continues: then the call may already make its next attempt.
    func outcome(
        of result: Result<HTTPResponse, any Error>,
        since start: (sentCount: Int, failedCount: Int),
    ) -> SharedOutcome {
        call.state.withLock { state in
            let response = try? result.get()
            let attempt = state.attempt(response?.attempt) ?? state.representative
            return SharedOutcome(
                maker: call,
                result: result,
                hops: attempt?.hops ?? [],
                sent: attempt?.sent,
                sentCount: state.sentCount - start.sentCount,
                failed: Array(state.failed.dropFirst(start.failedCount)),
                retryEnd: state.retryEnd,
                thrower: state.thrower,
            )
        }
    }

    /// Takes over the outcome of an exchange that another call has made, as this call's own attempts.
    ///
    /// - Returns: The response as that of the last attempt.
    /// - Throws: The error of the exchange.
    func adopt(_ outcome: SharedOutcome) throws -> HTTPResponse {
        guard outcome.maker !== call else { return try outcome.result.get() }
        let (attempt, _) = call.state.withLock { state in
            let (attempt, dropped) = state.beginAttempt()
            (attempt.hops, attempt.sent) = (outcome.hops, outcome.sent)
            state.sentCount += outcome.sentCount
            state.failed += outcome.failed
            (state.retryEnd, state.thrower) = (outcome.retryEnd, outcome.thrower)
            return (attempt, dropped)
        }
        var response = try outcome.result.get()
        response.attempt = attempt.number
        return response
    }

    /// When the attempts must end: at the latest deadline of the calls that share the exchange; `nil` for never.
    var attemptsDeadline: ContinuousClock.Instant? {
        guard let deadline else { return nil }
        return call.state.withLock { state in
            state.joinedForever ? nil : max(deadline, state.joinedDeadline ?? deadline)
        }
    }

    /// Records the deadline of a call that waits for this call's exchange.
    func noteJoined(until deadline: ContinuousClock.Instant?) {
        call.state.withLock { state in
            if let deadline {
                state.joinedDeadline = max(state.joinedDeadline ?? deadline, deadline)
            } else {
                state.joinedForever = true
            }
        }
    }

    /// The token that the client's ``ResultObserver`` returned before the exchange started; `nil` without an observer.
    package var token: Int? { call.state.withLock(\.token) }

    /// Stores the token of an exchange.
    ///
    /// The earliest of several is kept: a middleware outside may choose the response of any of the exchanges.
    package func noteToken(_ token: Int?) {
        guard let token else { return }
        call.state.withLock { $0.token = min($0.token ?? token, token) }
    }

    /// Lets the attempt with the response that the steps outside have chosen represent the call.
    package func settle(on response: HTTPResponse) {
        guard response.attempt > 0 else { return }
        call.state.withLock { state in
            guard state.representative?.number != response.attempt else { return }
            state.representative = state.attempt(response.attempt) ?? state.representative
        }
    }

    /// Records an attempt that is followed by another.
    func note(_ attempt: EarlierAttempt) {
        call.state.withLock { $0.failed.append(attempt) }
    }

    /// Records why a transient failure was final.
    func noteRetryEnd(_ end: RetryEnd?) {
        call.state.withLock { $0.retryEnd = end }
    }

    /// The attempts that were followed by another, and why none followed the last.
    package var retries: (earlier: [EarlierAttempt], end: RetryEnd?) {
        call.state.withLock { ($0.failed, $0.retryEnd) }
    }

    /// Marks the call as one that has ended with its error or a fallback.
    ///
    /// - Returns: Whether it was not marked before: a call that was ended early ends a second time, later.
    package func claimEnd() -> Bool {
        call.state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
    }

    /// Records that the provider is informed of a rejected token, which happens once per call.
    func noteRejection(_ status: HTTPStatus) {
        call.state.withLock { $0.wasRejected = true }
        call.recordedSpending().noteEnd(.status(status), at: clock.now)
    }

    /// Whether the provider was informed of a rejected token.
    package var wasRejected: Bool { call.state.withLock(\.wasRejected) }

    /// Records which part of the app threw an error: the innermost one, if others pass it on.
    ///
    /// - Parameters:
    ///   - role: What the part is: `the middleware`.
    ///   - type: Its type; `nil` for a closure.
    ///   - error: The error.
    package func noteThrower(_ role: String, _ type: Any.Type?, of error: any Error) {
        guard !(error is CancellationError || error is TransportError || error is any InnerFailure) else { return }
        let name = type.map { "\(role) \(String(reflecting: $0).withoutModule)" } ?? role
        call.state.withLock { state in
            let kind = ObjectIdentifier(Swift.type(of: error))
            if state.thrower?.error != kind { state.thrower = Thrower(name: name, error: kind) }
        }
    }

    /// Forgets who threw: a step has caught the error and returned a response.
    func forgetThrower() {
        call.state.withLock { $0.thrower = nil }
    }

    /// The part of the app that threw an error: the transport, if no other part did.
    package func thrower(of error: any Error) -> String {
        let noted = call.state.withLock(\.thrower)
        if let noted, noted.error == ObjectIdentifier(type(of: error)) { return noted.name }
        return "the transport \(String(reflecting: type(of: call.transport)).withoutModule)"
    }
}

/// The outcome of a shared exchange, with what is known of the attempts of the call that has made it.
struct SharedOutcome: Sendable {
    fileprivate let maker: CallInformation
    fileprivate let result: Result<HTTPResponse, any Error>
    fileprivate let hops: [RedirectHop]
    fileprivate let sent: HTTPRequest?
    fileprivate let sentCount: Int
    fileprivate let failed: [EarlierAttempt]
    fileprivate let retryEnd: RetryEnd?
    fileprivate let thrower: Thrower?
}

/// The part of the app that threw last, and the type of its error.
private struct Thrower: Sendable {
    let name: String
    let error: ObjectIdentifier
}

/// The state of one attempt.
///
/// `@unchecked`: the compiler can't see that the mutable state is used only under the lock of its call.
/// It can go when a lock can guard the state of several objects.
private final class Attempt: @unchecked Sendable {
    /// Counted from 1.
    let number: Int
    /// The redirects that were followed in this attempt.
    var hops: [RedirectHop] = []
    /// The last request of this attempt that was passed to the transport.
    var sent: HTTPRequest?
    /// What came of the response to it, once its body is waited for.
    var beginning: Beginning?

    init(number: Int) {
        self.number = number
    }

    /// The head of a response, and what came of its body; a reference, since few calls have one.
    final class Beginning {
        private let response: HTTPResponse
        var laterBody = Data()

        init(_ response: HTTPResponse) {
            self.response = response
        }

        var whole: HTTPResponse {
            guard !laterBody.isEmpty else { return response }
            var whole = response
            whole.body = HTTPBody((response.body.bytes ?? Data()) + laterBody)
            return whole
        }
    }
}

/// The state of one call as a whole, and the means to end it early.
package final class CallInformation: Sendable {
    // What the call has chosen, as in its plan; stored by itself, so that nothing has to copy the plan to read it.

    /// The traits of the request's type.
    package let traits: CallTraits
    /// How the request is sent and read.
    package let choices: CallChoices
    /// The request itself, as far as steps ask it something.
    package let questions: any CallQuestions
    /// The environment, after a substitution by the client.
    package let environment: APIEnvironment
    /// The request's own environment, if its substitute shares the credential.
    let credentialOwner: APIEnvironment?
    /// The only origin that the request may be sent to, since it has its own token.
    package let ownTokenOrigin: HTTPOrigin?
    /// The transport: the environment's own, or the client's.
    package let transport: any HTTPTransport
    /// Whether the client has a credential for any environment.
    package let clientHasCredentials: Bool
    package let start: ContinuousClock.Instant
    package let deadline: ContinuousClock.Instant?
    /// The deadline of the body: events may go on after the call's own timeout, which is that of the response's head.
    package let bodyDeadline: ContinuousClock.Instant?
    /// The call's own timeout: the request's, or the client's.
    let timeout: Duration?
    /// The client's texts for errors; `nil` for the English ones.
    package let errorTexts: ErrorTexts?
    package let clock: any HTTPClock
    /// The observer of the events of this call.
    let observer: (any EventObserver)?
    /// Records the timings of the call; one of the observers.
    package let recorder: TimingsRecorder?
    /// Logs the call as it is sent and received; `nil` without logging.
    package let log: CallLog?
    /// Ends the call early.
    package let stop = CallStop()
    /// Whether another call, which ends this one, makes it in its own task.
    package let isNested: Bool

    fileprivate let state = Lock(State())

    fileprivate struct State {
        var notes: [ObjectIdentifier: any Sendable] = [:]
        /// The attempts before the last one, as far as they are kept.
        ///
        /// The state of a dropped attempt is only in its own context.
        var earlier: [Attempt] = []
        var last: Attempt?
        var begunCount = 0
        var sentCount = 0
        /// The attempt that represents the call.
        var representative: Attempt?
        /// The token that the client's ``ResultObserver`` returned before the exchange started.
        var token: Int?
        var wasRejected = false
        /// Whether the request has a URL at another origin than the environment.
        var leavesOrigin = false
        /// The attempts that were followed by another.
        var failed: [EarlierAttempt] = []
        var retryEnd: RetryEnd?
        /// The latest deadline of the calls that have joined this call's exchange.
        var joinedDeadline: ContinuousClock.Instant?
        /// Whether one of them has no deadline.
        var joinedForever = false
        /// Whether it has ended with its error or a fallback.
        var hasEnded = false
        /// How the time is spent; `nil` as long as all of it is the first attempt's.
        var spending: SpendingRecord?
        /// The upload of the body in parts.
        var upload: (any CallUpload)?
        /// The part of the app that threw last.
        var thrower: Thrower?

        private static let earlierMax = 31

        /// - Returns: The attempt, and the attempt that was dropped.
        mutating func beginAttempt() -> (Attempt, dropped: Attempt?) {
            begunCount += 1
            thrower = nil
            let attempt = Attempt(number: begunCount)
            let dropped = earlier.count == Self.earlierMax ? earlier.removeFirst() : nil
            if let last { earlier.append(last) }
            (last, representative) = (attempt, attempt)
            return (attempt, dropped)
        }

        /// The attempt with a number, if it is kept.
        func attempt(_ number: Int?) -> Attempt? {
            guard let number else { return nil }
            return last?.number == number ? last : earlier.last { $0.number == number }
        }
    }

    /// A call by a client.
    ///
    /// - Parameters:
    ///   - plan: What it has chosen.
    ///   - clock: The client's clock.
    ///   - transport: The client's transport.
    ///   - timeout: The client's timeout.
    ///   - errorTexts: The client's texts for errors.
    ///   - hasCredentials: Whether the client has a credential for any environment.
    ///   - log: Logs the call.
    ///   - observer: The observer of the events of this call.
    ///   - recorder: Records the timings of the call; one of the observers.
    @inline(__always)
    init(
        _ plan: consuming CallPlan,
        _ clock: any HTTPClock,
        transport: @autoclosure () -> any HTTPTransport,
        timeout: Duration? = nil,
        errorTexts: ErrorTexts? = nil,
        hasCredentials: Bool = false,
        log: CallLog? = nil,
        observer: (any EventObserver)? = nil,
        recorder: TimingsRecorder? = nil,
    ) {
        traits = plan.traits
        choices = plan.choices
        questions = plan.questions
        environment = plan.environment
        credentialOwner = plan.credentialOwner
        ownTokenOrigin = plan.ownTokenOrigin
        clientHasCredentials = hasCredentials
        self.transport = environment.ownTransport?.transport ?? transport()
        self.clock = clock
        self.observer = observer
        self.recorder = recorder
        self.log = log
        start = clock.now
        let scope = CallCancellation.scope
        isNested = scope?.stop != nil
        self.timeout = choices.timeout ?? timeout
        self.errorTexts = errorTexts
        deadline = CallDeadline.earlier(of: self.timeout, after: start, inside: scope)
        let isEventStream = traits.isEventStream
        bodyDeadline = isEventStream ? CallDeadline.earlier(of: nil, after: start, inside: scope) : deadline
    }

    /// The upload of the body in parts; set when the request is built.
    package var upload: (any CallUpload)? {
        get { state.withLock(\.upload) }
        set { state.withLock { $0.upload = newValue } }
    }

    /// Whether the request has a URL at another origin than the environment.
    package var leavesOrigin: Bool { state.withLock(\.leavesOrigin) }

    /// Keeps what came of the response to the request that was sent last.
    package func received(_ beginning: HTTPResponse) {
        state.withLock { $0.last?.beginning = Attempt.Beginning(beginning) }
    }

    /// Keeps what came of it later.
    package func received(more: Data) { state.withLock { $0.last?.beginning?.laterBody.append(more) } }

    /// Records that the request has a URL at another origin than the environment.
    package func noteLeavingOrigin() {
        state.withLock { $0.leavesOrigin = true }
    }

    /// Whether a status means success to the request.
    package func accepts(_ status: HTTPStatus) -> Bool {
        questions.accepts(status)
    }

    /// The error of a call that ends with the call that has made it.
    package func error(endingWith outer: CallStop?) -> any Error {
        let isLate = (outer?.error as? TransportError)?.reason == .deadline
        guard isLate, let deadline, deadline <= clock.now else { return CancellationError() }
        return deadlineError
    }

    /// How the time is spent; `nil` as long as nothing was recorded.
    package var spending: SpendingRecord? { state.withLock(\.spending) }

    /// How the time is spent, recorded from now on.
    ///
    /// - Parameter phase: The phase of the time so far, if nothing was recorded; by default the attempt's, if there is
    ///   one.
    /// - Returns: The record.
    func recordedSpending(startingIn phase: DeadlineSpending.Phase? = nil) -> SpendingRecord {
        state.withLock { state in
            if let spending = state.spending { return spending }
            let attempt = state.begunCount > 0 ? state.begunCount : nil
            let first = phase ?? (attempt == nil ? .other : .attempt)
            let spending = SpendingRecord(first, since: start, attempt: attempt)
            state.spending = spending
            return spending
        }
    }
}
