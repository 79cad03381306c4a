/// A check that a subject is known to fail, and why; for the subject's documentation.
///
/// ```swift
/// let report = await TransportConformance.run(exempting: [
///     .fails("framing.shortBody.reason", "The system reports every short body as a lost connection."),
/// ]) { MyTransport() }
/// ```
public struct ConformanceExemption: Sendable, Hashable {
    /// The name of the check.
    public let check: String
    /// Why the subject fails it.
    public let reason: String
    /// Whether the check is run nevertheless, and must fail.
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

/// The results of a list of checks.
///
/// ```swift
/// let report = await TransportConformance.run { MyTransport() }
/// #expect(report.isConformant, "\(report)")
/// for result in report.problems { print(result.check, result.why) }
/// ```
public struct ConformanceReport: Sendable, CustomStringConvertible {
    /// The result of one check.
    public struct Result: Sendable {
        /// The check's name, or the name in an exemption without a check.
        public let check: String
        /// The requirement that it checks.
        public let why: String
        /// The outcome.
        public let outcome: Outcome
        /// How long it took.
        public let duration: Duration
    }

    /// How a check can end.
    public enum Outcome: Sendable, Hashable {
        /// The subject passes the check.
        case passed
        /// The subject fails the check, and isn't exempt.
        case failed(ConformanceFailure)
        /// The subject is exempt; the failure is `nil` if the check wasn't run.
        case exempt(reason: String, ConformanceFailure?)
        /// The subject passes although it is exempt, or there is no check with the exemption's name.
        case wronglyExempt(reason: String)
    }

    /// One result for each check, in the order of the list, and one for each exemption without a check.
    public let results: [Result]

    /// Whether every check passed or is rightly exempt.
    public var isConformant: Bool { problems.isEmpty }

    /// The results because of which the subject isn't conformant.
    public var problems: [Result] {
        results.filter { result in
            switch result.outcome {
            case .passed, .exempt: false
            case .failed, .wronglyExempt: true
            }
        }
    }

    /// One line for each check, and the counts at the end.
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
        case .wronglyExempt(let reason): "FAILED  \(check): is exempt, but passes or doesn't exist: \(reason)"
        }
    }
}
