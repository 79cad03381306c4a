import Hikyaku
import HikyakuTesting
import Synchronization

/// What happened in one second.
struct Bucket: Sendable {
    /// The calls that began in it.
    var callCount = 0
    /// How many of them succeeded.
    var successCount = 0
    /// The requests that arrived at the service in it.
    var requestCount = 0
    /// How long the successful calls took that began in it, in seconds.
    var durations: [Double] = []

    /// The part of the calls that succeeded.
    var successRate: Double { callCount == 0 ? 1 : Double(successCount) / Double(callCount) }

    /// The requests for each call.
    var load: Double { Double(requestCount) / Double(max(1, callCount)) }

    /// The duration that a part of the successful calls doesn't exceed; `nil` for too few of them.
    func duration(quantile: Double) -> Double? {
        guard durations.count >= 5 else { return nil }
        let sorted = durations.sorted()
        return sorted[min(sorted.count - 1, Int(quantile * Double(sorted.count)))]
    }

    /// Several together.
    static func sum(_ buckets: some Sequence<Bucket>) -> Bucket {
        buckets.reduce(into: Bucket()) { sum, bucket in
            sum.callCount += bucket.callCount
            sum.successCount += bucket.successCount
            sum.requestCount += bucket.requestCount
            sum.durations += bucket.durations
        }
    }
}

/// The result of one policy in one world.
struct Run: Sendable {
    let policy: Policy
    let world: World
    let buckets: [Bucket]

    /// Simulates it.
    ///
    /// - Throws: `VirtualTimeError` if it doesn't end.
    static func simulated(_ policy: Policy, in world: World, seed: UInt64) async throws -> Run {
        try await VirtualTime.run(seed: seed) { time in
            var generator: any RandomNumberGenerator & Sendable = time.makeGenerator()
            let arrivals = world.arrivals(using: &generator)
            let service = ModelService(world, time, generator)
            let options = time.options(policy.options)
            let clients = (0..<world.clientCount).map {
                APIClient(transport: service.transport(for: $0), options: options)
            }
            let tally = Tally(world)
            try await withThrowingDiscardingTaskGroup { group in
                for arrival in arrivals {
                    try await time.sleep(for: .seconds(arrival.second) - time.elapsed)
                    group.addTask {
                        let hasSucceeded = await policy.succeeds(by: clients[arrival.client])
                        tally.add(hasSucceeded, from: arrival.second, to: time.elapsed / .seconds(1))
                    }
                }
            }
            precondition(time.outsideEventCount == 0, "another run would differ")
            return Run(policy: policy, world: world, buckets: tally.buckets(with: service.arrivalCounts))
        }
    }

    /// The seconds of the outage together.
    var outage: Bucket { .sum(buckets[world.service.outage]) }

    /// From the end of the outage until at least 99 % of the calls succeed for ten seconds; `nil` if they never do.
    var secondsToRecover: Int? {
        let end = world.service.outage.upperBound
        return (end...max(end, buckets.count - 10)).first {
            Bucket.sum(buckets[$0..<min($0 + 10, buckets.count)]).successRate >= 0.99
        }.map { $0 - end }
    }
}

/// The calls so far.
private final class Tally: Sendable {
    private let buckets: Mutex<[Bucket]>

    init(_ world: World) {
        buckets = Mutex(Array(repeating: Bucket(), count: world.seconds))
    }

    func add(_ hasSucceeded: Bool, from start: Double, to end: Double) {
        buckets.withLock { buckets in
            guard buckets.indices.contains(Int(start)) else { return }
            buckets[Int(start)].callCount += 1
            guard hasSucceeded else { return }
            buckets[Int(start)].successCount += 1
            buckets[Int(start)].durations.append(end - start)
        }
    }

    func buckets(with requestCounts: [Int]) -> [Bucket] {
        buckets.withLock { buckets in
            zip(buckets, requestCounts).map { bucket, count in
                var bucket = bucket
                bucket.requestCount = count
                return bucket
            }
        }
    }
}
