import Hikyaku

/// A requirement on every implementation of a seam, as an async function that throws if it isn't met.
///
/// ```swift
/// struct TooSlow: Error { let time: Duration }
///
/// let endsSoon = ConformanceCheck<any HTTPTransport>("shutdown.soon", why: "an app must not hang when it ends") {
///     let transport = try $0()
///     let time = await ContinuousClock().measure { await transport.shutdown(within: .seconds(1)) }
///     guard time < .seconds(2) else { throw TooSlow(time: time) }
/// }
/// let report = await ConformanceRunner(TransportConformance.checks + [endsSoon]).run { MyTransport() }
/// ```
/// It doesn't depend on a test framework: run it in any, alone or through a ``ConformanceRunner``.
public struct ConformanceCheck<Subject: Sendable>: Sendable {
    /// The name in exemptions and reports: `framing.shortBody`.
    public let name: String
    /// The requirement: a section of an RFC, or the seam's own contract.
    public let why: String
    private let body: @Sendable (_ make: @escaping @Sendable () throws -> Subject) async throws -> Void

    /// Makes a check, in addition to the provided ones.
    ///
    /// - Parameters:
    ///   - name: The name, which is unique in its list.
    ///   - why: The requirement.
    ///   - body: Checks the subject that `make` returns; throws any error if the subject fails.
    public init(
        _ name: String,
        why: String,
        body: @escaping @Sendable (_ make: @escaping @Sendable () throws -> Subject) async throws -> Void,
    ) {
        self.name = name
        self.why = why
        self.body = body
    }

    /// Runs the check on a new subject, without a time limit.
    ///
    /// - Parameter make: Makes the subject; called once for each check.
    /// - Throws: ``ConformanceFailure`` with what was expected and what was found; `CancellationError` if the task was
    ///   cancelled.
    public func run(_ make: @escaping @Sendable () throws -> Subject) async throws {
        do {
            try await body(make)
        } catch let unmet as UnmetExpectation {
            throw ConformanceFailure(check: name, expectation: unmet.expectation, found: unmet.found)
        } catch {
            if Task.isCancelled { throw error }
            throw ConformanceFailure(check: name, expectation: "no error", found: "\(error)")
        }
    }
}

/// The error of a check: what was expected, and what was found.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The check's name.
    public let check: String
    /// What was expected.
    public let expectation: String
    /// What was found instead.
    public let found: String

    /// The check, what was expected, and what was found, in one line.
    public var description: String { "\(check): expected \(expectation); found \(found)" }
}

/// What a check's body throws; the check adds its name.
struct UnmetExpectation: Error {
    let expectation: String
    let found: String
}

func expect(
    _ condition: Bool,
    _ expectation: @autoclosure () -> String,
    found: @autoclosure () -> String = "otherwise",
) throws {
    if !condition { throw UnmetExpectation(expectation: expectation(), found: found()) }
}

/// Compares strings by bytes: Swift's equality ignores a change of the Unicode normalization.
func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
    let isMet =
        if let foundText = found as? String, let expectedText = expected as? String {
            foundText.hasSameBytes(as: expectedText)
        } else {
            found == expected
        }
    if !isMet { throw UnmetExpectation(expectation: "\(what()) to be \(expected)", found: "\(found)") }
}

/// Polls for a condition that another thread meets.
func expectSoon(
    _ expectation: String,
    within limit: Duration = .seconds(5),
    _ condition: @Sendable () async -> Bool,
) async throws {
    let end = ContinuousClock.now + limit
    while await !condition() {
        guard ContinuousClock.now < end else {
            throw UnmetExpectation(expectation: expectation, found: "not within \(limit)")
        }
        try await Task.sleep(for: .milliseconds(2))
    }
}
