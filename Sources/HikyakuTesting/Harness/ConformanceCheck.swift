import Hikyaku

/// One thing that every implementation of a seam must do, as an async function that throws when it doesn't.
///
/// It imports no test framework: run it in whichever, alone or through a ``ConformanceRunner``.
public struct ConformanceCheck<Subject: Sendable>: Sendable {
    /// What exemptions and reports call it: `framing.shortBody`.
    public let name: String
    /// What asks for it: a section of an RFC, or the seam's own contract.
    public let why: String
    private let body: @Sendable (_ make: @escaping @Sendable () throws -> Subject) async throws -> Void

    /// Makes a check of one's own, beside those that come along.
    ///
    /// - Parameters:
    ///   - name: What it is called; no other check of its list has the name.
    ///   - why: What asks for it.
    ///   - body: Does the check on what `make` returns; throws anything when the subject fails it.
    public init(
        _ name: String,
        why: String,
        body: @escaping @Sendable (_ make: @escaping @Sendable () throws -> Subject) async throws -> Void,
    ) {
        self.name = name
        self.why = why
        self.body = body
    }

    /// Runs the check on a subject of its own, without a time limit.
    ///
    /// - Parameter make: Makes the subject; each check asks for a new one.
    /// - Throws: ``ConformanceFailure`` that says what was expected and what came; `CancellationError` when the task
    ///   was cancelled.
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

/// What a check throws: what should have been, and what was.
public struct ConformanceFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The check's name.
    public let check: String
    /// What was expected, in words.
    public let expectation: String
    /// What came instead.
    public let found: String

    /// Check, expectation and finding in one line.
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

/// Compares texts by bytes: Swift would pass over a transport that changes one spelling of a letter to another.
func expect<Value: Equatable>(_ found: Value, is expected: Value, _ what: @autoclosure () -> String) throws {
    let isMet =
        if let foundText = found as? String, let expectedText = expected as? String {
            foundText.hasSameBytes(as: expectedText)
        } else {
            found == expected
        }
    if !isMet { throw UnmetExpectation(expectation: "\(what()) to be \(expected)", found: "\(found)") }
}

/// Polls what another thread brings about.
func expectSoon(
    _ expectation: String,
    within limit: Duration = .seconds(5),
    _ condition: @Sendable () async -> Bool,
) async throws {
    let end = ContinuousClock.now + limit
    while await !condition() {
        guard ContinuousClock.now < end else {
            throw UnmetExpectation(expectation: expectation, found: "not so after \(limit)")
        }
        try await Task.sleep(for: .milliseconds(2))
    }
}
