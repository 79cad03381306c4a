/// The causes of errors of an environment.
package enum EnvironmentCause: FailureCause {
    case baseURL, insecureOrigin

    package var facts: CauseFacts {
        switch self {
        case .baseURL: CauseFacts(.baseURL)
        case .insecureOrigin: CauseFacts(.insecureOrigin)
        }
    }
}

extension FailureReason {
    /// The credential would be sent over plain `http` to another machine, where an eavesdropper can read it.
    public static let insecureOrigin = FailureReason(
        .unauthorized,
        "insecureOrigin",
        "Your sign-in would be sent without encryption, so nothing was sent.",
        .report,
        hint: "Use https, or allow it: APIEnvironment(baseURL:allowingCredentialsOverPlainHTTP: true).",
    )
}
