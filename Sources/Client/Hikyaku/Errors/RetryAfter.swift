import HikyakuBase
import HikyakuHTTP

extension BufferedResponse {
    /// The pause that the service requests before the next request: the field `Retry-After`, or a member `retry_after`
    /// of the JSON of a failure; `nil` if it says none.
    ///
    /// A 429 or 403 without either may say in `RateLimit` or `X-RateLimit-*` that nothing is left, and until when.
    ///
    /// It is read leniently: a number of seconds, also with a fraction; a date in one of the three formats of HTTP
    /// (RFC 9110, section 10.2.3) or in ISO 8601; a Unix time; a duration with units, such as `1m30s`. If several are
    /// said, the longest counts. A date is compared with the response's own `Date`, since clocks differ, or with the
    /// client's clock (``HTTPClock/date``). A date in the past gives zero.
    public var retryAfter: Duration? {
        let now = reading.clock.unixSeconds
        let isFailure = status.isClientError || status.isServerError
        let stated = isFailure ? ServiceTime.pause(inJSON: body, from: now) : nil
        return [headers.retryAfter(at: now), stated].compactMap(\.self).max() ?? headers.pauseUntilReset(status, now)
    }
}

extension APIFailure {
    /// The pause before the next request: as the service requests (``BufferedResponse/retryAfter``), or until the
    /// client itself allows one after it has rejected this one (``FailureReason/circuitOpen``,
    /// ``FailureReason/rateLimited``).
    ///
    /// For a call that failed because a token could not be refreshed, it is that of the authorization server.
    public var retryAfter: Duration? {
        if let retryAfter = response?.retryAfter { return retryAfter }
        switch context.underlyingError {
        case let rejection as PolicyRejection: return rejection.retryAfter
        case let inner as any APIFailure: return inner.retryAfter
        default: return nil
        }
    }
}
