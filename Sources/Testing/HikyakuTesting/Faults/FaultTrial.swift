public import Hikyaku
import HikyakuBase

/// One run of a test under faults, in virtual time, by one seed.
///
/// ```swift
/// try await FaultTrial.run(seeds: 0..<10_000) { trial in
///     let transport = trial.transport { request in .json(#"{"id": 1, "name": "Ramen"}"#) }
///     let client = APIClient(
///         transport: transport,
///         options: trial.options(ClientOptions(timeout: .seconds(30), retryPolicy: .standard)),
///     )
///     do {
///         let dish = try await client.send(Shop.DishByID(id: 1))
///         #expect(dish.id == 1, "\(trial)")
///     } catch let failure as any APIFailure {
///         #expect(failure.phase != .invalidRequest, "\(trial)")
///     }
/// }
/// ```
/// The seed decides on the faults, the jitter of pauses, and the order of concurrent tasks. If a seed fails, its run is
/// repeated exactly by `FaultTrial.run(seeds: [4711])`: the same faults at the same instants. What ``VirtualTime`` says
/// about events from outside holds here, too.
///
/// It doesn't depend on a test framework. An error that the closure throws ends the trials, and is reported with its
/// seed and faults; an expectation that records its failure instead, like `#expect`, should show the trial.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
public struct FaultTrial: Sendable {
    /// The time of this trial.
    public let time: VirtualTime
    private let transports = Lock<[FaultTransport]>([])

    /// The seed of this trial.
    public var seed: UInt64 { time.seed }

    /// Runs a test once for each seed, one after the other.
    ///
    /// - Parameters:
    ///   - seeds: The seeds: `0..<10_000`, or `[4711]` to repeat one.
    ///   - limits: What ends a trial that does not end by itself.
    ///   - test: The test: makes its client and its service anew, and throws if something is wrong.
    /// - Returns: How much was tried.
    /// - Throws: ``Failure`` for the first seed that failed; `CancellationError` if the task was cancelled.
    @discardableResult
    public static func run(
        seeds: some Sequence<UInt64>,
        limits: VirtualTime.Limits = VirtualTime.Limits(),
        _ test: @escaping @Sendable (FaultTrial) async throws -> Void,
    ) async throws -> Summary {
        var summary = Summary()
        for seed in seeds {
            try Task.checkCancellation()
            let made = Lock<FaultTrial?>(nil)
            do {
                try await VirtualTime.run(seed: seed, limits: limits) { time in
                    let trial = FaultTrial(time: time)
                    made.withLock { $0 = trial }
                    try await test(trial)
                }
            } catch {
                if Task.isCancelled { throw CancellationError() }
                throw Failure(
                    seed: seed,
                    underlyingError: error,
                    transcript: made.withLock(\.self)?.transcript ?? "",
                    outsideEventCount: made.withLock(\.self)?.time.outsideEventCount ?? 0,
                )
            }
            if let trial = made.withLock(\.self) { summary.add(trial) }
        }
        return summary
    }

    /// A transport with faults around another one.
    ///
    /// - Parameters:
    ///   - inner: The transport that sends the requests: a ``MockTransport`` with the clock of ``time``.
    ///   - plan: The faults by probability.
    /// - Returns: The transport; its records are a part of ``transcript``.
    public func transport(_ inner: any HTTPTransport, plan: FaultPlan = .standard) -> FaultTransport {
        let transport = FaultTransport(inner, plan: plan, in: time)
        transports.withLock { $0.append(transport) }
        return transport
    }

    /// A transport with faults around a service that a closure represents.
    ///
    /// - Parameters:
    ///   - plan: The faults by probability.
    ///   - respond: The service: called with each request that reaches it.
    /// - Returns: The transport; its records are a part of ``transcript``.
    public func transport(
        plan: FaultPlan = .standard,
        _ respond: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
    ) -> FaultTransport {
        transport(MockTransport(clock: time.clock, respond), plan: plan)
    }

    /// Options with the clock and the randomness of the trial; see ``VirtualTime/options(_:)``.
    public func options(_ options: ClientOptions = ClientOptions()) -> ClientOptions { time.options(options) }

    /// The exchanges so far of all transports of the trial, in the order in which each transport sent them.
    public var records: [FaultRecord] { transports.withLock(\.self).flatMap(\.records) }

    /// The exchanges as text, one line each.
    public var transcript: String { records.map(\.description).joined(separator: "\n") }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FaultTrial: CustomStringConvertible {
    /// The seed and the exchanges.
    public var description: String { "seed \(seed):\n\(transcript)" }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FaultTrial {
    /// How much was tried.
    public struct Summary: Sendable, Hashable {
        /// The number of seeds.
        public private(set) var seedCount = 0
        /// The number of exchanges, of all transports that trials have made.
        public private(set) var exchangeCount = 0
        /// The number of faults that had an effect.
        public private(set) var faultCount = 0

        fileprivate mutating func add(_ trial: FaultTrial) {
            let records = trial.records
            seedCount += 1
            exchangeCount += records.count
            faultCount += records.reduce(0) { $0 + $1.faults.count }
        }
    }

    /// The error of a trial that failed.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// The seed, which repeats the trial.
        public let seed: UInt64
        /// What the test threw.
        public let underlyingError: any Error
        /// The exchanges up to the failure, with their faults.
        public let transcript: String
        /// ``VirtualTime/outsideEventCount``: if it isn't 0, the seed may not repeat the failure.
        public let outsideEventCount: Int

        /// The seed, the error and the exchanges.
        public var description: String {
            let outside =
                outsideEventCount == 0
                ? "" : "\n\(outsideEventCount) events came from other threads, so the seed may not repeat it"
            return """
                seed \(seed) failed: \(underlyingError)
                \(transcript)\(outside)
                repeat it by FaultTrial.run(seeds: [\(seed)])
                """
        }
    }
}
