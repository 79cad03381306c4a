public import Hikyaku
import HikyakuBase

/// Which faults a ``FaultTransport`` injects, by probability.
///
/// ```swift
/// let plan = FaultPlan(delays: 0.2, failures: 0.1, statuses: 0.1)
/// ```
/// Each probability is that of one exchange. An exchange has at most one of a failure, a status, a truncated body, a
/// corrupt body and a wrong content type; a delay and a pause of the body may be added to it.
public struct FaultPlan: Sendable {
    private let decide: @Sendable (HTTPRequest, inout SplitMix64) -> [Fault]

    /// Makes a plan of probabilities from 0 to 1; each is 0 by default.
    ///
    /// - Parameters:
    ///   - delays: That of a delay of the response.
    ///   - failures: That of one of ``transientFailures``.
    ///   - statuses: That of a status of a gateway: 429, 500, 502, 503 or 504, half of them with `Retry-After`.
    ///   - truncatedBodies: That of a body that ends early.
    ///   - corruptBodies: That of a body with a changed byte.
    ///   - contentTypes: That of a wrong content type.
    ///   - pausedBodies: That of a body that pauses.
    ///   - delayMax: The longest delay and pause; short ones are more frequent.
    ///   - retryAfterMax: The longest `Retry-After`.
    public init(
        delays: Double = 0,
        failures: Double = 0,
        statuses: Double = 0,
        truncatedBodies: Double = 0,
        corruptBodies: Double = 0,
        contentTypes: Double = 0,
        pausedBodies: Double = 0,
        delayMax: Duration = .seconds(90),
        retryAfterMax: Duration = .seconds(30),
    ) {
        let choices: [(rate: Double, make: @Sendable (inout SplitMix64) -> Fault)] = [
            (failures, { $0.element(of: Self.transientFailures) ?? .truncatedBody() }),
            (statuses, { Self.status(&$0, retryAfterMax) }),
            (truncatedBodies, { .truncatedBody(at: $0.fraction()) }),
            (corruptBodies, { .corruptBody(at: $0.fraction()) }),
            (contentTypes, { .contentType($0.element(of: Self.wrongTypes) ?? "text/html") }),
        ]
        decide = { _, generator in
            var faults: [Fault] = []
            if generator.unit() < delays { faults.append(.delay(Self.duration(&generator, delayMax))) }
            var number = generator.unit()
            for choice in choices {
                if number < choice.rate {
                    faults.append(choice.make(&generator))
                    break
                }
                number -= max(0, choice.rate)
            }
            if generator.unit() < pausedBodies {
                faults.append(.pausedBody(Self.duration(&generator, delayMax), at: generator.fraction()))
            }
            return faults
        }
    }

    /// Makes a plan by a closure, for faults that depend on the request.
    ///
    /// ```swift
    /// let plan = FaultPlan { request, random in
    ///     guard request.method == .post, random.next() % 4 == 0 else { return [] }
    ///     return [.failure(.connectionReset, reachesService: true)]
    /// }
    /// ```
    /// - Parameter faults: Returns the faults of one exchange; a function of its parameters, so that a seed gives the
    ///   same faults again. Called once for each exchange, on any thread.
    public init(_ faults: @escaping @Sendable (HTTPRequest, inout any RandomNumberGenerator) -> [Fault]) {
        decide = { request, generator in
            var random: any RandomNumberGenerator = generator
            return faults(request, &random)
        }
    }

    /// No faults.
    public static let none = FaultPlan()

    /// Faults of all kinds, in half of the exchanges: many more than in any network, so that few calls find much.
    public static let standard = FaultPlan(
        delays: 0.2,
        failures: 0.15,
        statuses: 0.1,
        truncatedBodies: 0.05,
        corruptBodies: 0.05,
        contentTypes: 0.03,
        pausedBodies: 0.05,
    )

    /// The failures of an exchange that may be over a moment later, before or after the service.
    public static let transientFailures: [Fault] = [
        .failure(.hostNotFound, reachesService: false),
        .failure(.connectionRefused, reachesService: false),
        .failure(.networkUnreachable, reachesService: false),
        .failure(.connectionFailed, reachesService: false),
        .failure(.connectTimeout, reachesService: false),
        .failure(.proxyFailed, reachesService: false),
        .failure(.connectionReset, reachesService: false),
        .failure(.connectionReset, reachesService: true),
        .failure(.connectionClosed, reachesService: false),
        .failure(.connectionClosed, reachesService: true),
        .failure(.truncatedHeaders, reachesService: true),
        .failure(.firstByteTimeout, reachesService: false),
        .failure(.firstByteTimeout, reachesService: true),
        .failure(.idleTimeout, reachesService: true),
    ]

    /// The faults of one exchange.
    func faults(for request: HTTPRequest, using generator: inout SplitMix64) -> [Fault] {
        decide(request, &generator)
    }
}

extension FaultPlan {
    private static let wrongTypes = ["text/html", "application/octet-stream", "application/json; charset=x", "/"]
    private static let statuses: [HTTPStatus] = [429, 500, 502, 503, 504]

    private static func status(_ generator: inout SplitMix64, _ retryAfterMax: Duration) -> Fault {
        let status = generator.element(of: statuses) ?? 503
        let hasRetryAfter = generator.next() % 2 == 0
        // A rejection by a rate limit comes before the work; the other statuses may come at any moment.
        let reachesService = status != .tooManyRequests && generator.next() % 2 == 0
        let seconds = Double(retryAfterMax.wholeSeconds) * generator.unit()
        let retryAfter = hasRetryAfter ? Duration.seconds(Int64(seconds)) : nil
        return .status(status, retryAfter: retryAfter, reachesService: reachesService)
    }

    /// A duration in whole milliseconds, of which half are shorter than a sixteenth of the longest.
    private static func duration(_ generator: inout SplitMix64, _ longest: Duration) -> Duration {
        let unit = generator.unit()
        let millisecondsMax = max(.zero, min(longest, .farFuture)) / .milliseconds(1)
        return .milliseconds(Int64(millisecondsMax * unit * unit * unit * unit))
    }
}

extension SplitMix64 {
    /// A part of a body, in thousandths, so that it is short in a report.
    fileprivate mutating func fraction() -> Double { Double(next() % 1000) / 1000 }

    fileprivate mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(next() % UInt64(elements.count))]
    }
}
