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
    /// The environment's base URL is malformed, has no host, or is not an `http` or `https` URL.
    public static let baseURL = FailureReason(
        .invalidRequest,
        "baseURL",
        "The service's address is invalid.",
        .report,
        hint: "Write the environment's base URL as https://host/path.",
    )
    /// The credential would be sent over plain `http` to another machine, where an eavesdropper can read it.
    public static let insecureOrigin = FailureReason(
        .unauthorized,
        "insecureOrigin",
        "Your sign-in would be sent without encryption, so nothing was sent.",
        .report,
        hint: "Use https, or allow it: APIEnvironment(baseURL:allowingCredentialsOverPlainHTTP: true).",
    )
}
