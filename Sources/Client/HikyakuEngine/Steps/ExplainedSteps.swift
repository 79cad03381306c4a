/// What the steps of a client say of a call.
package struct ExplainedSteps {
    /// When it is explained.
    package let now: ContinuousClock.Instant
    /// Whether anything was sent.
    package let isSent: Bool
    /// The fields whose values are known only when the request is sent.
    package var added: [CallExplanation.Field] = []
    package var access = CallExplanation.Access.none
    package var limits: [CallExplanation.Limit] = []
    package var circuit: CircuitChange?
    package var retries = CallExplanation.Retries.none
    package var redirects = CallExplanation.Redirects.none
    /// The types of the app's middleware.
    package var middleware: [String] = []
    /// Further lines, in the order of the chain: `cache: stored 3 s ago`.
    package var notes: [String] = []

    init(at now: ContinuousClock.Instant, isSent: Bool) {
        (self.now, self.isSent) = (now, isSent)
    }
}

// What is said if no step says anything.
extension CallExplanation.Access {
    fileprivate static let none = Self(
        level: "\(Public.self)",
        isRequired: false,
        credential: nil,
        origin: nil,
        placement: nil,
        scopes: [],
        problem: nil,
    )
}

extension CallExplanation.Retries {
    fileprivate static let none = Self(attemptsMax: 1, mayRepeat: false, why: "", budgetLeft: nil, end: nil)
}

extension CallExplanation.Redirects {
    fileprivate static let none = Self(limit: 0, allowsDowngrade: false, areDecidedByApp: false, followed: [])
}
