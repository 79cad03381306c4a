import HikyakuBase
import HikyakuHTTP

extension BufferedResponse {
    /// The pause that the service requests before the next request: the field `Retry-After`; `nil` without a valid one.
    ///
    /// It is a number of seconds, or a date in one of the three formats of HTTP (RFC 9110, section 10.2.3). A date is
    /// compared with the response's own `Date`, since clocks differ, or with the client's clock
    /// (``HTTPClock/date``). A date in the past gives zero.
    public var retryAfter: Duration? { headers.retryAfter(at: reading.clock.unixSeconds) }
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

/// The underlying error of a call that a policy of the client has rejected for some time: its circuit breaker or a
/// limit.
struct PolicyRejection: Error {
    /// The time until the policy allows a call; `nil` if that is unknown.
    let retryAfter: Duration?
}

extension HTTPHeaders {
    /// The value of `Retry-After`, counted from the response's date, or from the client's in seconds since 1970.
    func retryAfter(at now: Int64) -> Duration? {
        // A proxy may have added one: the longest counts, so that neither is undercut.
        values(for: .retryAfter)
            .compactMap { Self.retryAfter($0, date: self["Date"], now: now) }.max()
    }

    /// - Parameters:
    ///   - text: The field's value.
    ///   - date: The value of the response's `Date`.
    ///   - now: The client's time in seconds since 1970.
    /// - Returns: The time to wait; `nil` if the value is neither a number of seconds nor a date.
    static func retryAfter(_ text: String, date: String?, now: Int64) -> Duration? {
        let text = String(text.trimmingSpaces)
        if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            // A number that nothing can hold is as good as never.
            return Swift.min(.seconds(Int64(text) ?? .max), .farFuture)
        }
        guard let end = HTTPDate.seconds(in: text, now: now) else { return nil }
        let start = date.flatMap { HTTPDate.seconds(in: String($0.trimmingSpaces), now: now) } ?? now
        return Swift.min(.seconds(Swift.max(0, end - start)), .farFuture)
    }
}
