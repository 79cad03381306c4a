/// Runs a middleware of the app.
struct MiddlewareStep: CallStep {
    private let middleware: any HTTPMiddleware

    init(_ middleware: any HTTPMiddleware) {
        self.middleware = middleware
    }

    var stage: CallStage { .call }
    var endsOnCancellation: Bool { middleware.endsOnCancellation }

    nonisolated(nonsending) func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        _ next: CallNext,
    ) async throws -> HTTPResponse {
        context.recordSpending()
        let rest = MiddlewareNext(next, context, hiding: request.pathSecrets)
        do {
            let response = try await middleware.intercept(request, context: context, next: rest)
            context.forgetThrower()
            // It may have made several attempts, and chosen one.
            context.settle(on: response)
            return response
        } catch {
            context.noteThrower("the middleware", type(of: middleware), of: error)
            throw error
        }
    }

    func explain(_ explanation: inout ExplainedSteps, of request: HTTPRequest, _ context: RequestContext) {
        explanation.middleware.append("\(type(of: middleware))")
    }
}
