extension FailureCause {
    /// The error of this cause that ends a call which was settled before.
    func error<Failure: ServiceFailure>(_ message: String, _ context: CallContext) -> APIError<Failure> {
        let facts = facts
        var context = context
        context.hint = facts.hint
        return APIError(facts.reason, message, context)
    }
}
