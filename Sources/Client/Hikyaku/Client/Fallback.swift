import HikyakuBase
import HikyakuHTTP

// What a call returns after it has failed: the request's own value, if it has one.
extension Call {
    /// What a call returns.
    typealias Returned<R: APIRequest> = (value: R.Response, response: HTTPResponse, source: ResponseSource)

    /// The request's own value for a call that has failed.
    ///
    /// - Throws: ``Settled`` with the error if there is no value.
    @inline(never)
    func fallback<R: APIRequest>(of request: R, for error: APIError<R.Failure>) throws -> Returned<R> {
        // After an early end, nothing uses what this call returns.
        guard !error.isCancelled, context.claimEnd(),
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
        context.call.emit(.fallingBack(error.reason), at: context.clock.now)
        context.call.log?.fallsBack(error.context.requestType, after: error.reason)
        return value
    }
}
