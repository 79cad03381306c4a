import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// What is made of checks that pass, fail and hang: a suite that lets everything through is worse than none.
@Suite(.timeLimit(.minutes(10)))
struct ConformanceRunnerTests {
    private struct Broken: Error, CustomStringConvertible {
        let description = "it broke"
    }

    private static let passes = ConformanceCheck<Int>("passes", why: "reason") { make in _ = try make() }
    private static let fails = ConformanceCheck<Int>("fails", why: "reason") { _ in throw Broken() }
    private static let hangs = ConformanceCheck<Int>("hangs", why: "reason") { _ in
        // Not even a cancellation ends it.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// The report on one check: its line without the counts, and whether it is said to conform.
    private func report(
        on check: ConformanceCheck<Int>,
        _ exemptions: ConformanceExemption...,
    ) async -> (line: String, isConformant: Bool) {
        let report = await ConformanceRunner([check], exempting: exemptions).run { 1 }
        #expect(report.problems.isEmpty == report.isConformant)
        return (report.description.split(separator: "\n").first.map(String.init) ?? "", report.isConformant)
    }

    @Test func whatIsNotHeldIsAProblem() async {
        #expect(await report(on: Self.passes) == ("passed  passes", true))
        let failed = "FAILED  fails: expected no error; found it broke [reason]"
        #expect(await report(on: Self.fails) == (failed, false))
    }

    @Test func aSubjectThatCannotBeMadeIsAProblem() async {
        let report = await ConformanceRunner([Self.passes]).run { throw Broken() }
        #expect(!report.isConformant)
    }

    @Test func aCheckThatHangsFailsAlone() async {
        let report = await ConformanceRunner([Self.hangs, Self.passes], timeLimit: .seconds(2)).run { 1 }
        #expect(report.problems.map(\.check) == ["hangs"])
        #expect(report.results.last?.outcome == .passed)
    }

    @Test func anExemptionHasToBeTrue() async {
        let known = await report(on: Self.fails, .fails("fails", "known"))
        #expect(known == ("exempt  fails: known (found it broke)", true))
        let mended = await report(on: Self.passes, .fails("passes", "known"))
        let untrue = "FAILED  passes: is exempt, but passes or doesn't exist: known"
        #expect(mended == (untrue, false))
        let report = await ConformanceRunner([Self.passes], exempting: [.isNotRun("gone", "known")]).run { 1 }
        #expect(report.results.map(\.outcome) == [.passed, .wronglyExempt(reason: "known")])
        #expect(!report.isConformant)
    }

    @Test func whatIsNotRunIsNotRun() async {
        let runs = Lock(0)
        let check = ConformanceCheck<Int>("counts", why: "reason") { _ in runs.withLock { $0 += 1 } }
        #expect(await report(on: check, .isNotRun("counts", "crash")) == ("exempt  counts: crash (not run)", true))
        #expect(runs.withLock(\.self) == 0)
    }

    @Test func theReportSaysWhatCameOfEachCheck() async {
        let exemptions: [ConformanceExemption] = [.isNotRun("hangs", "crash")]
        let report = await ConformanceRunner([Self.passes, Self.fails, Self.hangs], exempting: exemptions).run { 1 }
        #expect(
            report.description == """
                passed  passes
                FAILED  fails: expected no error; found it broke [reason]
                exempt  hangs: crash (not run)
                1 passed, 1 exempt, 1 failed
                """
        )
    }
}

/// The transport suite itself, run on transports that are not good.
@Suite(.timeLimit(.minutes(10)))
struct TransportConformanceTests {
    /// Has one answer for everything, whatever the server does.
    private struct Careless: HTTPTransport {
        func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
            HTTPResponse(status: .ok, body: "hello")
        }
    }

    /// Refuses everything, for no reason.
    private struct Mute: HTTPTransport {
        func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
            throw TransportError(.transportFailed, "no")
        }
    }

    private static let framing = TransportConformance.checks.filter { $0.name.hasPrefix("framing.") }

    @Test func eachCheckHasANameOfItsOwn() {
        let names = TransportConformance.checks.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func aTransportThatTakesAnythingForASuccessFailsEachCheckOfFraming() async {
        #expect(Self.framing.count > 90)
        let report = await ConformanceRunner(Self.framing).run { Careless() }
        #expect(report.problems.map(\.check) == Self.framing.map(\.name))
    }

    @Test func theSuiteRunsWhatIsNotExempt() async {
        let framing = Set(Self.framing.map(\.name))
        let exemptions = TransportConformance.checks.filter { !framing.contains($0.name) }
            .map { ConformanceExemption.isNotRun($0.name, "later") }
        let report = await TransportConformance.run(exempting: exemptions) { Careless() }
        #expect(report.results.map(\.check) == TransportConformance.checks.map(\.name))
        #expect(Set(report.problems.map(\.check)) == framing)
    }

    @Test func anErrorWithoutAReasonOfItsOwnFailsTheCheckOfReasons() async {
        let report = await ConformanceRunner(Self.framing).run { Mute() }
        #expect(
            report.problems.map(\.check)
                == Self.framing.map(\.name).filter { $0.contains(".reason") || $0.contains(".after") }
        )
    }
}
