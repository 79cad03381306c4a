import HikyakuBase
import HikyakuHTTP

// What a call does after it has failed: it goes to the mirrors of its environment, and then to the request's own value.
extension Call {
    /// What a call returns.
    typealias Returned<R: APIRequest> = (value: R.Response, response: HTTPResponse, source: ResponseSource)

    /// Continues a call that has failed after it was built.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - sent: The request as it was built.
    ///   - error: What was thrown.
    ///   - onEarlyEnd: As for ``run(_:onEarlyEnd:)``.
    /// - Returns: The outcome of a mirror, or the request's own value.
    /// - Throws: ``Settled`` with the call's error.
    @inline(never)
    nonisolated(nonsending) func fallback<R: APIRequest>(
        of request: R,
        _ sent: HTTPRequest,
        after error: any Error,
        _ onEarlyEnd: EarlyEnd<R.Failure>?,
    ) async throws -> Returned<R> {
        let failure = self.error(error, of: request, sent)
        guard mayContinue, !isOfAnotherService(error) else { return try fallback(of: request, for: failure) }
        switch await continued(request, sent, after: failure, onEarlyEnd) {
        case .success(let outcome): return outcome
        case .failure(let last): return try fallback(of: request, for: last)
        }
    }

    /// The request's own value for a call that has failed.
    ///
    /// - Throws: ``Settled`` with the error if there is no value.
    @inline(never)
    func fallback<R: APIRequest>(of request: R, for error: APIError<R.Failure>) throws -> Returned<R> {
        // The call that it continues has the last word. After an early end, nothing uses what this call returns.
        guard !context.call.isContinued, !error.isCancelled, context.claimEnd(),
            let value = ownValue(of: request, for: error)
        else { throw Settled(error: error) }
        let response = HTTPResponse(
            status: error.response?.status ?? .gatewayTimeout,
            headers: error.response?.headers ?? [:],
        )
        return (value, response, .fallback)
    }

    /// The outcome of a call that is ended while a step that ignores it still runs; `nil` if the call ends by itself at
    /// the same moment.
    func earlyOutcome<R: APIRequest>(
        of request: R,
        _ error: APIError<R.Failure>,
    ) -> Result<R.Response, APIError<R.Failure>>? {
        guard !error.isCancelled else { return .failure(error) }
        guard context.claimEnd() else { return nil }
        return ownValue(of: request, for: error).map { .success($0) } ?? .failure(error)
    }

    private func ownValue<R: APIRequest>(of request: R, for error: APIError<R.Failure>) -> R.Response? {
        guard let value = request.fallback(for: error) else { return nil }
        report(error, to: nil)
        return value
    }

    /// Tells the observer and the log that the call falls back.
    private func report(_ error: some APIFailure, to environment: APIEnvironment?) {
        let kind = TransportEvent.Kind.fallingBack(error.reason, to: environment.map { "\($0)" })
        context.call.emit(kind, at: context.clock.now)
        context.call.log?.fallsBack(error.context.requestType, after: error.reason, to: environment)
    }
}

// MARK: - Mirrors

extension Call {
    /// Whether the client may send the call to another environment.
    private var mayContinue: Bool {
        !core.parts.mirrors.isEmpty && !context.call.isContinued && !CallCancellation.isCancelled
    }

    /// Whether a credential or another call failed, which says nothing about the environment.
    private func isOfAnotherService(_ error: any Error) -> Bool {
        error is any APIFailure || (error as? TransportError)?.isOfCredential == true
    }

    /// Sends the request to the mirrors, one after the other, until one of them gives a response.
    ///
    /// - Returns: The outcome, or the error of the last environment to which something was sent.
    nonisolated(nonsending) private func continued<R: APIRequest>(
        _ request: R,
        _ sent: HTTPRequest,
        after failure: APIError<R.Failure>,
        _ onEarlyEnd: EarlyEnd<R.Failure>?,
    ) async -> Result<Returned<R>, APIError<R.Failure>> {
        var (last, failure) = (self, failure)
        for mirror in core.mirrors(of: context.environment) {
            guard last.mayFallBack(request, sent, after: failure) else { break }
            guard core.haveCredential(for: context.call, in: mirror) else { continue }
            report(failure, to: mirror)
            let next = last.continuing(sent, in: mirror, after: failure)
            do {
                var outcome = try await next.run(request, onEarlyEnd: onEarlyEnd)
                let wasSent = next.context.attempt > failure.context.attempt
                if outcome.source == .network, !wasSent { outcome.source = .middleware }
                // The redirects of the response are those of the attempt.
                let shared = next.context.outcome(of: .success(outcome.response), since: context.progress)
                outcome.response = try context.adopt(shared)
                return .success(outcome)
            } catch {
                let other = APIError<R.Failure>(settled: error)
                let wasSent = other.context.attempt > failure.context.attempt
                // Why nothing could be sent to a mirror is not why the call failed.
                guard wasSent || other.isCancelled || other.reason == .deadline else { continue }
                (last, failure) = (next, other)
            }
        }
        return .failure(failure)
    }

    /// The same call in another environment.
    private func continuing(
        _ sent: HTTPRequest,
        in environment: APIEnvironment,
        after failure: some APIFailure,
    ) -> Call {
        let (call, attempt) = (context.call, failure.context.attempt)
        var earlier = failure.context.earlierAttempts
        if attempt > (earlier.last?.number ?? 0) {
            earlier.append(
                EarlierAttempt(
                    number: attempt,
                    reason: failure.reason,
                    status: failure.response?.status,
                    elapsed: failure.context.elapsed,
                )
            )
        }
        for index in earlier.indices where earlier[index].environment == nil {
            earlier[index].environment = "\(context.environment)"
        }
        // A random key must not become another one: then the service would not recognize the request.
        let key = call.choices.idempotencyKey == .none ? nil : sent.headers["Idempotency-Key"]
        let information = CallInformation(
            continuing: call,
            in: environment,
            by: core,
            key: key.map { IdempotencyKey($0) } ?? call.choices.idempotencyKey,
            after: earlier,
            sentCount: attempt,
            outcome: failure.outcome,
        )
        return Call(information, by: core)
    }

    /// Whether sending the request to another environment after a failure may help, and does no harm.
    private func mayFallBack<R: APIRequest>(
        _ request: R,
        _ sent: HTTPRequest,
        after failure: APIError<R.Failure>,
    ) -> Bool {
        guard failure.isOfEnvironment, !CallCancellation.isCancelled, core.stub(for: request) == nil else {
            return false
        }
        if let deadline = context.deadline, context.clock.now >= deadline { return false }
        if failure.context.attempt == 0 { return true }
        guard sent.body?.isReplayable != false else { return false }
        guard !failure.context.wasProcessed else { return false }
        if context.call.mayRepeat(context.sent ?? sent) { return true }
        let isOnlyAttempt = failure.context.earlierAttempts.allSatisfy { $0.environment != nil }
        return isOnlyAttempt && failure.isBeforeProcessing
    }
}

extension APIFailure {
    /// How the last attempt ended.
    var outcome: CallJournal.Outcome { response.map { .status($0.status) } ?? .failure(reason) }

    /// Whether another environment may not have the problem: a transient failure, or an open circuit.
    fileprivate var isOfEnvironment: Bool {
        switch reason {
        case .deadline, .queueFull, .rateLimited: false
        default: isTransient
        }
    }

    /// Whether the service can't have processed the request, since there was no connection, or it said so.
    fileprivate var isBeforeProcessing: Bool {
        Transience(self) == .notDone
    }
}

extension ClientCore {
    /// No call goes to more environments than this, after its own.
    private static let mirrorsMax = 4

    /// The mirrors of an environment, and theirs, each once.
    func mirrors(of environment: APIEnvironment) -> [APIEnvironment] {
        var mirrors: [APIEnvironment] = []
        var known: Set = [environment.base]
        var base = environment.base
        while mirrors.count < Self.mirrorsMax, let next = parts.mirrors[base].map(self.environment(for:)),
            known.insert(next.base).inserted
        {
            mirrors.append(next)
            base = next.base
        }
        return mirrors
    }

    /// Whether the client can give a call what it needs in an environment; a credential is bound to its own.
    fileprivate func haveCredential(for call: CallInformation, in environment: APIEnvironment) -> Bool {
        if let origin = call.ownTokenOrigin { return origin == environment.base.origin }
        guard call.choices.authorizationNeed == .required else { return true }
        return parts.credentials.credential(for: environment)?.level.includes(call.access) ?? false
    }
}

extension APIClient {
    /// A client whose calls to one environment are sent to another one, such as a mirror in another region, after they
    /// have failed there.
    ///
    /// ```swift
    /// let client = APIClient(options: ClientOptions(retryPolicy: .standard, circuitBreaker: .standard))
    ///     .fallingBack(to: .mirror, for: .shop)
    /// ```
    /// A call falls back if it failed for a transient reason (``RetryPolicy`` lists them) after all its retries, or
    /// since the circuit of its environment is open. Also, sending it twice must do no harm: its request is idempotent
    /// or has an ``APIRequest/idempotencyKey``, or the first environment can't have processed it, since there was no
    /// connection or it responded with 429. So the mirror has to know what the first environment has processed, keys
    /// included.
    ///
    /// The call in the mirror is a new pass through all steps, with retries and a circuit of its own, and with what is
    /// left of the deadline. A middleware sees both. Its error has the attempts in all environments:
    /// ``EarlierAttempt/environment``. If nothing could be sent to the mirror, the call fails with its first error. An
    /// observer receives ``TransportEvent/Kind/fallingBack(_:to:)``, and the log shows it.
    ///
    /// Credentials stay bound to their environments. Authorize the client for the mirror too; a call that needs a
    /// credential isn't sent to a mirror for which the client has none.
    ///
    /// A mirror may have a mirror. A call goes to at most four, and to none twice. Environments are compared by their
    /// base URLs, not by their headers. A substitute (``substituting(_:for:sendingCredentials:)``) has only the mirror
    /// that is given for
    /// it.
    ///
    /// - Parameters:
    ///   - mirror: The other environment.
    ///   - environment: The environment whose calls fall back; a second mirror for it replaces the first.
    /// - Returns: The client that falls back.
    public func fallingBack(to mirror: APIEnvironment, for environment: APIEnvironment) -> APIClient {
        with { $0.mirrors[environment.base] = mirror }
    }
}
