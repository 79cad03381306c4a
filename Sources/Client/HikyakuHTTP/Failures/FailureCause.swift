/// What makes a call fail, with what is said of it: the only way in which the package makes its errors.
///
/// A reason is what an app switches over, and few are enough for that. What a developer can do, and whether the same
/// call may succeed a moment later, depends on the cause. So each module lists its causes in an enum, and one table is
/// made of all lists (Documentation/Causes.md).
package protocol FailureCause: CaseIterable, Sendable {
    /// What is said of the cause.
    var facts: CauseFacts { get }
}

/// What is said of a cause.
package struct CauseFacts: Sendable {
    /// What an app switches over.
    package let reason: FailureReason
    /// What a developer can do; `nil` for the general hint of the reason.
    package let hint: String?
    /// Whether the cause may be gone a moment later, and what the service has done; `nil` if it will still be there.
    package let transience: Transience?

    /// A cause that passes as those of its reason usually do.
    package init(_ reason: FailureReason, hint: String? = nil) {
        (self.reason, self.hint, transience) = (reason, hint, Transience(reason))
    }

    /// A cause that passes, or doesn't, unlike those of its reason.
    package init(_ reason: FailureReason, hint: String? = nil, transience: Transience?) {
        (self.reason, self.hint, self.transience) = (reason, hint, transience)
    }
}
