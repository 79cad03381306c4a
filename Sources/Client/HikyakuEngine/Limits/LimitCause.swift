/// The causes of errors of a limit.
package enum LimitCause: FailureCause {
    case queueFull, rateLimited

    package var facts: CauseFacts {
        switch self {
        case .queueFull: CauseFacts(.queueFull)
        case .rateLimited: CauseFacts(.rateLimited)
        }
    }
}

extension FailureReason {
    /// A limit of the client, or a quota that the service has stated, admits the request only after its deadline.
    public static let rateLimited = FailureReason(
        .limit,
        "rateLimited",
        "Too many requests were sent.",
        .tryLater,
        hint: "A limit admits the request only after its deadline: allow more time, or raise the limit in the "
            + "client's options. If the service's own fields have set it, learnsQuota: false ignores them.",
    )
}
