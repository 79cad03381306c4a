import Hikyaku

/// Runs a list of checks one after the other, each with a time limit, so that a check that hangs fails alone.
///
/// ```swift
/// let runner = ConformanceRunner(TransportConformance.checks, timeLimit: .seconds(10))
/// let report = await runner.run { MyTransport() }
/// #expect(report.isConformant, "\(report)")
/// ```
public struct ConformanceRunner<Subject: Sendable>: Sendable {
    private let checks: [ConformanceCheck<Subject>]
    private let exemptions: [ConformanceExemption]
    private let timeLimit: Duration

    /// Makes a runner.
    ///
    /// - Parameters:
    ///   - checks: The checks, in the order in which they run.
    ///   - exemptions: The checks that the subject is known to fail.
    ///   - timeLimit: The time limit for one check; one that takes longer is cancelled and not waited for.
    public init(
        _ checks: [ConformanceCheck<Subject>],
        exempting exemptions: [ConformanceExemption] = [],
        timeLimit: Duration = .seconds(30),
    ) {
        self.checks = checks
        self.exemptions = exemptions
        self.timeLimit = timeLimit
    }

    /// Runs the checks.
    ///
    /// - Parameter make: Makes the subject; called for each check.
    /// - Returns: The result of each check. A failure isn't thrown: see ``ConformanceReport/isConformant``.
    public func run(_ make: @escaping @Sendable () throws -> Subject) async -> ConformanceReport {
        var results: [ConformanceReport.Result] = []
        for check in checks {
            let exemption = exemptions.first { $0.check == check.name }
            let start = ContinuousClock.now
            var failure: ConformanceFailure?
            if exemption?.isRun != false { failure = await self.failure(of: check, make) }
            results.append(
                ConformanceReport.Result(
                    check: check.name,
                    why: check.why,
                    outcome: Self.outcome(failure, exemption),
                    duration: start.duration(to: .now),
                )
            )
        }
        return ConformanceReport(results: results + unknownExemptions)
    }

    private static func outcome(
        _ failure: ConformanceFailure?,
        _ exemption: ConformanceExemption?,
    ) -> ConformanceReport.Outcome {
        guard let exemption else { return failure.map { .failed($0) } ?? .passed }
        let isWrong = exemption.isRun && failure == nil
        return isWrong ? .wronglyExempt(reason: exemption.reason) : .exempt(reason: exemption.reason, failure)
    }

    private func failure(
        of check: ConformanceCheck<Subject>,
        _ make: @escaping @Sendable () throws -> Subject,
    ) async -> ConformanceFailure? {
        // A task group would wait for a check that hangs.
        let race = Race<ConformanceFailure?>()
        let tooLate = ConformanceFailure(check: check.name, expectation: "an end within \(timeLimit)", found: "none")
        let timer = SystemClock().schedule(at: .now + timeLimit) { race.finish(with: .success(tooLate)) }
        defer { timer.cancel() }
        do {
            return try await race.run {
                do {
                    try await check.run(make)
                    return nil
                } catch let failure as ConformanceFailure {
                    return failure
                }
            }
        } catch {
            return ConformanceFailure(check: check.name, expectation: "an end", found: "\(error)")
        }
    }

    private var unknownExemptions: [ConformanceReport.Result] {
        let names = Set(checks.map(\.name))
        return exemptions.filter { !names.contains($0.check) }.map { exemption in
            ConformanceReport.Result(
                check: exemption.check,
                why: "",
                outcome: .wronglyExempt(reason: exemption.reason),
                duration: .zero,
            )
        }
    }
}
