/// The causes of errors of a redirect.
package enum RedirectCause: FailureCause {
    case tooManyRedirects, redirectLoop, redirectInvalid, redirectBody, redirectInsecure, redirectedBody

    package var facts: CauseFacts {
        switch self {
        case .tooManyRedirects: CauseFacts(.tooManyRedirects)
        case .redirectLoop: CauseFacts(.redirectLoop)
        case .redirectInvalid: CauseFacts(.redirectInvalid)
        case .redirectBody: CauseFacts(.redirectInvalid, hint: Self.redirectBodyHint)
        case .redirectInsecure: CauseFacts(.redirectInsecure)
        case .redirectedBody:
            CauseFacts(.url, hint: "Send the body to the origin of the environment, or let redirectPolicy allow it.")
        }
    }
}

extension RedirectCause {
    private static let redirectBodyHint =
        "Give the request a body that can be read again, such as a file, hold the body back by .expectingContinue(), "
        + "or make the final address the base URL. Another origin gets a body only by the redirectPolicy."
}

extension FailureReason {
    /// Redirects form a loop.
    public static let redirectLoop = FailureReason(
        .transport,
        "redirectLoop",
        "The service points back to the same address again and again.",
        .reportToService,
        hint: "If the service sets a cookie on the way, give the client a cookie store.",
    )
    /// A redirect leads from `https` to `http`, which has to be allowed.
    public static let redirectInsecure = FailureReason(
        .transport,
        "redirectInsecure",
        "The service points to an address without encryption.",
        .reportToService,
        hint: "If you trust the network, allow it: redirectPolicy .follow(allowingDowngrade: true).",
    )
}
