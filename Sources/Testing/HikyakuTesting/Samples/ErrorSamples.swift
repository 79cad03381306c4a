public import Hikyaku

// What only the client makes, for tests of what an app does with it.

extension CallFailure {
    /// A failure, for a test of error handling: `APIError<ShopError>.transport(.sample(.connectionRefused))`.
    ///
    /// - Parameters:
    ///   - reason: Why the call failed.
    ///   - message: The details in one line.
    ///   - context: The call that failed.
    /// - Returns: The failure.
    public static func sample(
        _ reason: FailureReason,
        message: String = "",
        context: CallContext = .sample(),
    ) -> CallFailure {
        CallFailure(reason, message: message, context: context)
    }
}

extension DecodingFailure {
    /// A failure, for a test of error handling.
    ///
    /// - Parameters:
    ///   - diagnosis: Where the body differs from the model.
    ///   - response: The response with the body.
    /// - Returns: The failure.
    public static func sample(_ diagnosis: DecodingDiagnosis, of response: BufferedResponse) -> DecodingFailure {
        DecodingFailure(diagnosis: diagnosis, response: response)
    }
}

extension CallContext {
    /// The context of a call, for a test of error handling.
    ///
    /// - Parameters:
    ///   - requestType: The name of the request's type.
    ///   - method: The method, which says whether the request may be sent again.
    ///   - url: The URL without secrets.
    ///   - attempt: The number of attempts.
    ///   - elapsed: How long the call took.
    ///   - earlierAttempts: The attempts before the last one.
    ///   - retryEnd: Why no attempt followed the last one.
    ///   - spending: How the time of a call that reached its deadline was divided.
    /// - Returns: The context.
    public static func sample(
        requestType: String = "",
        method: HTTPMethod = .get,
        url: String? = nil,
        attempt: Int = 1,
        elapsed: Duration = .zero,
        earlierAttempts: [EarlierAttempt] = [],
        retryEnd: RetryEnd? = nil,
        spending: DeadlineSpending? = nil,
    ) -> CallContext {
        CallContext(
            requestType: requestType,
            method: method,
            url: url,
            attempt: attempt,
            elapsed: elapsed,
            earlierAttempts: earlierAttempts,
            retryEnd: retryEnd,
            spending: spending,
        )
    }
}

extension EarlierAttempt {
    /// An attempt, for a test of error handling.
    ///
    /// - Parameters:
    ///   - number: Its number, counted from 1.
    ///   - reason: Why it failed.
    ///   - status: The status of its response, if there was one.
    ///   - elapsed: How long it took.
    /// - Returns: The attempt.
    public static func sample(
        _ number: Int,
        _ reason: FailureReason,
        status: HTTPStatus? = nil,
        elapsed: Duration = .zero,
    ) -> EarlierAttempt {
        EarlierAttempt(number: number, reason: reason, status: status, elapsed: elapsed)
    }
}

extension DeadlineSpending {
    /// How a call spent its time, for a test of error handling.
    ///
    /// - Parameters:
    ///   - times: The time of each phase.
    ///   - attempts: The number of attempts.
    /// - Returns: The times.
    public static func sample(_ times: [Phase: Duration], attempts: Int = 1) -> DeadlineSpending {
        DeadlineSpending(times.map { Part($0.key, $0.value) }, attempts: attempts)
    }
}

extension CallProgress {
    /// A progress, for a test or a preview of what shows it.
    ///
    /// - Parameters:
    ///   - direction: Whether bytes are sent or received.
    ///   - bytesDone: The number of bytes so far.
    ///   - bytesTotal: The number of all; `nil` if it is unknown.
    ///   - bytesPerSecond: The speed; `nil` if it is unknown.
    /// - Returns: The progress.
    public static func sample(
        _ direction: Direction,
        bytesDone: Int,
        bytesTotal: Int? = nil,
        bytesPerSecond: Double? = nil,
    ) -> CallProgress {
        CallProgress(
            direction: direction,
            bytesDone: bytesDone,
            bytesTotal: bytesTotal,
            bytesPerSecond: bytesPerSecond,
        )
    }
}
