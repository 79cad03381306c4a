/// Ends a call when its time is over or its caller gives up, whatever the steps inside are doing.
///
/// The steps inside run in a task of their own, a call's or one that is made here, which is cancelled then. The caller isn't kept waiting until they have
/// noticed: a step that doesn't look for cancellation can't hold up a deadline or a cancelled caller.
struct DeadlineStep: HTTPMiddleware {
    func intercept(
        _ request: HTTPRequest,
        context: RequestContext,
        next: MiddlewareNext,
    ) async throws -> HTTPResponse {
        let race = context.race
        var timer: HTTPClockTimer?
        if let deadline = context.deadline {
            let allowed = context.start.duration(to: deadline)
            let passed = TransportError(.deadline, "the call took longer than \(allowed)")
            guard context.clock.now < deadline else { throw passed }
            timer = context.clock.schedule(at: deadline) { race.finish(with: .failure(passed)) }
        }
        defer { timer?.cancel() }
        guard let overtaken = context.overtaken else { return try await race.run { try await next(request) } }
        return try await race.runHere {
            try await next(request)
        } overtaken: { error in
            overtaken(error, request, context)
        }
    }
}
