package import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The state of one call as a whole, and the means to end it early.
package final class CallInformation: Sendable {
    // What the call has chosen, as in its plan; stored by itself, so that nothing has to copy the plan to read it.

    /// The traits of the request's type.
    package let traits: CallTraits
    /// How the request is sent and read.
    package let choices: CallChoices
    /// What steps can learn from the request itself.
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

    let state = Lock(State())

    struct State {
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
        /// Where a step has got its own response from.
        var source: ResponseSource?

        private static let earlierMax = 31

        /// - Returns: The attempt, and the attempt that was dropped.
        mutating func beginAttempt() -> (Attempt, dropped: Attempt?) {
            begunCount += 1
            (thrower, source) = (nil, nil)
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

    /// Sends an event to the observer, as one of the last exchange; before the first, it has a number of its own.
    ///
    /// - Parameters:
    ///   - kind: The event, which is made only for an observer.
    ///   - now: The present instant; by default that of the call's clock.
    package func emit(_ kind: @autoclosure () -> TransportEvent.Kind, at now: ContinuousClock.Instant? = nil) {
        guard let observer else { return }
        let last = recorder?.exchange ?? 0
        let exchange = last > 0 ? last : TransportEvent.makeExchange()
        observer.observe(TransportEvent(exchange: exchange, instant: now ?? clock.now, kind: kind()))
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

extension CallInformation {
    /// The part of the app that threw last, and the type of its error.
    struct Thrower: Sendable {
        let name: String
        let error: ObjectIdentifier
    }

    /// The state of one attempt.
    ///
    /// `@unchecked`: the compiler can't see that the mutable state is used only under the lock of its call.
    /// It can go when a lock can guard the state of several objects.
    final class Attempt: @unchecked Sendable {
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
}
