import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What is known of one call while it is on its way, shared by all steps.
///
/// A step stores a value for other steps under a key, which is a type:
/// ```swift
/// enum TraceID: RequestContextKey { static let defaultValue = "" }
///
/// struct Tracing: HTTPMiddleware {
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
    private let own: CallInformation.Attempt?

    package init(_ call: CallInformation) {
        self.call = call
        own = nil
    }

    private init(_ attempt: CallInformation.Attempt, of call: CallInformation) {
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
                source: state.source,
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
            state.source = outcome.source
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
            if state.thrower?.error != kind { state.thrower = CallInformation.Thrower(name: name, error: kind) }
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
    fileprivate let thrower: CallInformation.Thrower?
    fileprivate let source: ResponseSource?
}
