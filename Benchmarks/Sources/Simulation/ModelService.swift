import Hikyaku
import HikyakuTesting
import Synchronization

/// The modelled service, whose requests arrive over the transports of all clients.
///
/// A request waits for those before it. It is processed even if its client has given up, since no service learns of
/// that in time. A rejection costs the service nothing, which favors policies that send much.
final class ModelService: Sendable {
    fileprivate enum Verdict {
        case served(after: Double)
        case rejected
        case failed
    }

    fileprivate struct State {
        var generator: any RandomNumberGenerator & Sendable
        /// The work that waits or is processed, in requests of average size.
        var backlog = 0.0
        /// When the backlog was computed.
        var updated = 0.0
        var arrivalCounts: [Int]
        /// For each client, its window of time and the requests in it.
        var windows: [(number: Int, count: Int)]
    }

    private let world: World
    private let time: VirtualTime
    private let state: Mutex<State>

    init(_ world: World, _ time: VirtualTime, _ generator: any RandomNumberGenerator & Sendable) {
        self.world = world
        self.time = time
        state = Mutex(
            State(
                generator: generator,
                arrivalCounts: Array(repeating: 0, count: world.seconds),
                windows: Array(repeating: (0, 0), count: world.clientCount),
            )
        )
    }

    /// The requests that have arrived in each second.
    var arrivalCounts: [Int] { state.withLock(\.arrivalCounts) }

    /// The transport of one client.
    func transport(for client: Int) -> MockTransport {
        MockTransport(clock: time.clock) { [self] _ in try await response(to: client) }
    }

    private func response(to client: Int) async throws -> HTTPResponse {
        let now = time.elapsed / .seconds(1)
        let (verdict, headers) = state.withLock { state in
            (state.arrive(at: now, world), state.quotaFields(for: client, at: now, world))
        }
        guard case .served(let delay) = verdict else {
            try await time.sleep(for: .seconds(world.service.latency))
            guard case .rejected = verdict else { return HTTPResponse(status: .internalServerError, headers: headers) }
            return HTTPResponse(
                status: .serviceUnavailable,
                headers: headers.replacing(with: ["Retry-After": "\(world.service.retryAfter)"]),
            )
        }
        try await time.sleep(for: .seconds(delay + world.service.latency))
        return .json("1", headers: headers)
    }
}

extension ModelService.State {
    fileprivate mutating func arrive(at now: Double, _ world: World) -> ModelService.Verdict {
        let service = world.service
        if arrivalCounts.indices.contains(Int(now)) { arrivalCounts[Int(now)] += 1 }
        let isOutage = service.outage.contains(Int(now))
        if isOutage, case .error = service.fault { return .failed }
        backlog = max(0, backlog - service.work(from: updated, to: now))
        updated = now
        guard backlog < service.queueMax else { return .rejected }
        backlog += generator.exponential()
        return .served(after: service.time(for: backlog, from: now))
    }

    /// What the service says about the quota of a client; it is advice, and nothing is rejected by it.
    fileprivate mutating func quotaFields(for client: Int, at now: Double, _ world: World) -> HTTPHeaders {
        let service = world.service
        let quota = service.outage.contains(Int(now)) ? service.outageQuota : service.quota
        let number = Int(now) / service.quotaWindow
        if windows[client].number != number { windows[client] = (number, 0) }
        windows[client].count += 1
        let remaining = max(0, quota - windows[client].count)
        let reset = (number + 1) * service.quotaWindow - Int(now)
        return [
            "RateLimit-Policy": "\"app\";q=\(quota);w=\(service.quotaWindow)",
            "RateLimit": "\"app\";r=\(remaining);t=\(reset)",
        ]
    }
}

extension World.Service {
    private func capacity(at second: Double) -> Double {
        if case .capacity(let less) = fault, second >= Double(outage.lowerBound), second < Double(outage.upperBound) {
            return less
        }
        return capacity
    }

    /// The next instant at which the capacity changes.
    private func change(after second: Double) -> Double {
        [outage.lowerBound, outage.upperBound].map(Double.init).first { $0 > second } ?? .infinity
    }

    /// What is processed between two instants.
    fileprivate func work(from start: Double, to end: Double) -> Double {
        var (second, sum) = (start, 0.0)
        while second < end {
            let next = min(change(after: second), end)
            sum += (next - second) * capacity(at: second)
            second = next
        }
        return sum
    }

    /// How long processing an amount of work takes from an instant on.
    fileprivate func time(for work: Double, from start: Double) -> Double {
        var (second, rest) = (start, work)
        while true {
            let next = change(after: second)
            let possible = (next - second) * capacity(at: second)
            guard possible < rest else { return second + rest / capacity(at: second) - start }
            rest -= possible
            second = next
        }
    }
}
