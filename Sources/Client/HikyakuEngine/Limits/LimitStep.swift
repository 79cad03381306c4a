/// Holds requests back until the limits of their group and of their origin admit them.
///
/// It is a part of each attempt, so a pause between two attempts holds nothing. It runs inside authorization and
/// sharing: a token is refreshed, and an equal exchange joined, without a place in a limit.
package struct LimitStep: CallStep {
    package let limits: [LimitGroup: CallLimit]
    package let limiters: CallLimiters
    /// Returns a random number from 0 to 1.
    package let random: @Sendable () -> Double

    /// `nil` without limits.
    init?(_ options: ClientOptions, _ limiters: CallLimiters) {
        guard !options.limits.isEmpty else { return nil }
        (limits, self.limiters, random) = (options.limits, limiters, options.random)
    }

    package var stage: CallStage { .attempt }

    nonisolated(nonsending) package func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        let path = limiters(for: context)
        var starts: [UInt64] = []
        do {
            for limiter in path { starts.append(try await limiter.admit(context)) }
        } catch {
            for (limiter, start) in zip(path, starts) { limiter.finish(.notSent(start: start), by: context.clock) }
            throw error
        }
        let sent = context.clock.now
        let result = await Result { try await next(request, context) }
        let response = try? result.get()
        let isElsewhere = context.hasLeftOrigin(with: response)
        // What another service says doesn't concern this one, which has answered with a redirect.
        let report = isElsewhere ? nil : response.flatMap { self.report(of: $0, context) }
        let succeeded = isElsewhere || response.map { $0.status.isSuccess || $0.status.isRedirection } ?? false
        finish(path, with: report, since: sent, succeeded: succeeded, context)
        return try result.get()
    }

    package func explain(_ explanation: inout ExplainedSteps, of request: HTTPRequest, _ context: RequestContext) {
        explanation.limits = limiters.explanations(of: context.call, limits, at: explanation.now)
    }

    /// The limits that a request obeys, in their order.
    private func limiters(for context: RequestContext) -> [Limiter] {
        let now = context.clock.now
        return CallLimiters.keys(of: context.call, limits).map { limiters.limiter(for: $0, $1, at: now) }
    }

    private func report(of response: HTTPResponse, _ context: RequestContext) -> QuotaReport? {
        var report = QuotaReport(response.status, response.headers, now: context.clock.unixSeconds)
        // Many processes may have got the same date.
        if let pause = report?.pause { report?.pause = pause + min(pause / 10, .seconds(5)) * random() }
        return report
    }

    /// Gives the places back, and lets the limits learn: the innermost group from most of a response, and the origin
    /// from what concerns the whole service.
    private func finish(
        _ path: [Limiter],
        with report: QuotaReport?,
        since sent: ContinuousClock.Instant,
        succeeded: Bool,
        _ context: RequestContext,
    ) {
        // The origin first, so that a pause applies to the requests that the group admits then.
        for (index, limiter) in path.enumerated().reversed() {
            var own = limiter.learnsQuota ? report : nil
            if path.count > 1 { own = index == 0 ? own?.ofGroup : own?.ofService }
            if let own { context.call.emit(own, by: limiter) }
            limiter.finish(.sent(own, since: sent, succeeded: succeeded), by: context.clock)
        }
    }
}

extension QuotaReport {
    /// The part for the limit of a group.
    fileprivate var ofGroup: QuotaReport {
        var part = self
        if concernsService { (part.pause, part.isConcurrencyRejection) = (nil, false) }
        return part
    }

    /// The part for the limit of the origin, if the group has one of its own.
    fileprivate var ofService: QuotaReport? {
        guard concernsService else { return nil }
        return QuotaReport(pause: pause, concernsService: true, isConcurrencyRejection: isConcurrencyRejection)
    }
}

extension CallInformation {
    /// The requests with which this one shares its limits.
    ///
    /// It is read only for a client with limits.
    var limitGroup: LimitGroup { questions.limitGroup }
}

extension CallInformation {
    /// Sends what a limit has learned from a response to the observer.
    fileprivate func emit(_ report: QuotaReport, by limiter: Limiter) {
        if let pause = report.pause {
            return emit(.quotaLearned(limiter.name, remaining: 0, limit: nil, resetsIn: pause))
        }
        for quota in report.quotas {
            guard let resetsIn = quota.resetsIn else { continue }
            emit(.quotaLearned(limiter.name, remaining: quota.remaining, limit: quota.limit, resetsIn: resetsIn))
        }
    }
}
