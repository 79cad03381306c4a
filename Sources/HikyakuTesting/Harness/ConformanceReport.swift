/// A check that a subject is known not to pass, and why; part of what its users are told.
public struct ConformanceExemption: Sendable, Hashable {
    /// The name of the check.
    public let check: String
    /// Why the subject doesn't pass it.
    public let reason: String
    /// Whether the check is run all the same, to see that it still fails.
    public let isRun: Bool

    /// Exempts a check that is run and must fail, so that a list of exemptions stays true.
    public static func fails(_ check: String, _ reason: String) -> ConformanceExemption {
        ConformanceExemption(check: check, reason: reason, isRun: true)
    }

    /// Exempts a check that isn't run, since it would stop the process or depends on chance.
    public static func isNotRun(_ check: String, _ reason: String) -> ConformanceExemption {
        ConformanceExemption(check: check, reason: reason, isRun: false)
    }
}

/// What came of each check of a list.
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// What came of one check.
    public struct Result: Sendable {
        /// The check's name; that of an exemption for which there is no check.
        public let check: String
        /// What asks for it.
        public let why: String
        /// What came of it.
        public let outcome: Outcome
        /// How long it took.
        public let duration: Duration
    }

    /// How a check can end.
    public enum Outcome: Sendable, Hashable {
        /// The subject does what it must.
        case passed
        /// It doesn't, and nothing exempts it.
        case failed(ConformanceFailure)
        /// It doesn't, as was known; the failure is `nil` where the check wasn't run.
        case exempt(reason: String, ConformanceFailure?)
        /// It does although it is exempt, or no check has the exemption's name: the list of exemptions isn't true.
        case wronglyExempt(reason: String)
    }

    /// One result for each check, in the order of the list, and one for each exemption without a check.
    public let results: [Result]

    /// Whether every check passed or is rightly exempt.
    public var isConformant: Bool { problems.isEmpty }

    /// The results that keep the subject from being conformant.
    public var problems: [Result] {
        results.filter { result in
            switch result.outcome {
            case .passed, .exempt: false
            case .failed, .wronglyExempt: true
            }
        }
    }

    /// A line for each check, and the counts at the end.
    public var description: String {
        let exemptCount = results.count { if case .exempt = $0.outcome { true } else { false } }
        let passedCount = results.count { $0.outcome == .passed }
        let total = "\(passedCount) passed, \(exemptCount) exempt, \(problems.count) failed"
        return (results.map(\.line) + [total]).joined(separator: "\n")
    }
}

extension ConformanceReport.Result {
    /// The result in one line.
    var line: String {
        switch outcome {
        case .passed: "passed  \(check)"
        case .failed(let failure): "FAILED  \(failure) [\(why)]"
        case .exempt(let reason, let failure):
            "exempt  \(check): \(reason)" + (failure.map { " (found \($0.found))" } ?? " (not run)")
        case .wronglyExempt(let reason): "FAILED  \(check): passes or isn't there, but is listed as exempt: \(reason)"
        }
    }
}
