import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

/// A small service and its client under faults, as a user's test has them.
@Suite(.timeLimit(.minutes(20))) struct FaultTrialTests {
    private struct Order: Codable, Sendable, Equatable {
        var id: Int
        var text: String
    }

    fileprivate enum Shop {
        protocol Request: APIRequest {}
    }

    private struct OrderByID: Shop.Request {
        typealias Response = Order
        var id: Int
        var path: RequestPath { "/orders/\(id)" }
    }

    private struct AddOrder: Shop.Request {
        typealias Response = Order
        var order: Order
        var key: IdempotencyKey = .none
        var method: HTTPMethod { .post }
        var path: RequestPath { "/orders" }
        var body: RequestBody? { .json(order) }
        var idempotencyKey: IdempotencyKey { key }
    }

    /// The orders that a service has received, by the field `Idempotency-Key` or one after the other.
    private final class Service: Sendable {
        private let orders = Lock<[(key: String?, order: Order)]>([])

        /// How often an order was added.
        func count(of id: Int) -> Int { orders.withLock { orders in orders.count { $0.order.id == id } } }

        func respond(to request: HTTPRequest) async throws -> HTTPResponse {
            guard let body = request.body else {
                let id = request.url.lastPathComponent
                return .json(#"{"id": \#(id), "text": "order \#(id)"}"#)
            }
            let bytes = try await body.collect()
            let order = try JSONDecoder().decode(Order.self, from: bytes)
            let key = request.headers["Idempotency-Key"]
            orders.withLock { orders in
                guard key == nil || !orders.contains(where: { $0.key == key }) else { return }
                orders.append((key, order))
            }
            return HTTPResponse(status: .created, headers: [.contentType: "application/json"], body: HTTPBody(bytes))
        }
    }

    private struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    private static let limit = Duration.seconds(120)

    /// Sends several calls at once, and throws if one has a result that is not its own, or takes longer than allowed.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private static func tryCalls(_ trial: FaultTrial, count: Int, _ log: Lock<[String]>? = nil) async throws {
        let service = Service()
        let transport = trial.transport { try await service.respond(to: $0) }
        let options = ClientOptions(timeout: limit, retryPolicy: .standard)
        let client = APIClient(transport: transport, options: trial.options(options))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for id in 0..<count {
                group.addTask {
                    let expected = Order(id: id, text: "order \(id)")
                    let outcome: String
                    do {
                        let order =
                            switch id % 3 {
                            case 0: try await client.send(AddOrder(order: expected))
                            case 1: try await client.send(AddOrder(order: expected, key: IdempotencyKey("k\(id)")))
                            default: try await client.send(OrderByID(id: id))
                            }
                        guard order == expected else { throw Wrong(description: "\(order) is not \(expected)") }
                        outcome = "ok"
                    } catch let failure as any APIFailure {
                        outcome = "\(failure)"
                    }
                    log?.withLock { $0.append("\(id) at \(trial.time.elapsed): \(outcome)") }
                    guard trial.time.elapsed <= limit else { throw Wrong(description: "\(id) took too long") }
                }
            }
            try await group.waitForAll()
        }
        try check(trial, service, count: count)
        log?.withLock { $0.append(trial.description) }
    }

    /// Throws if the service has received an order twice, or one without a key was sent again after it was received.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private static func check(_ trial: FaultTrial, _ service: Service, count: Int) throws {
        for id in 0..<count where service.count(of: id) > 1 { throw Wrong(description: "order \(id) was added twice") }
        let unsafe = trial.records.filter { $0.request.method == .post && $0.request.headers["Idempotency-Key"] == nil }
        // Without a connection, nothing was sent.
        let unsent: Set<FailureReason> = [
            .hostNotFound, .connectionRefused, .networkUnreachable, .connectionFailed, .connectTimeout, .proxyFailed,
        ]
        let sent = unsafe.filter { record in
            if case .failure(let reason) = record.outcome { !unsent.contains(reason) } else { true }
        }
        guard unsafe.count >= (count + 2) / 3, sent.count <= (count + 2) / 3 else {
            throw Wrong(description: "an unsafe request was sent again")
        }
        guard trial.time.outsideEventCount == 0 else { throw Wrong(description: "not all was in virtual time") }
    }

    /// `scripts/nightly tests` tries ten thousand.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func noSeedFindsAnything() async throws {
        let count = UInt64(Effort.isFull ? 10_000 : 1000)
        let summary = try await FaultTrial.run(seeds: 0..<count) { try await Self.tryCalls($0, count: 3) }
        #expect(summary.seedCount == Int(count))
        #expect(summary.exchangeCount > summary.seedCount * 3 && summary.faultCount > summary.seedCount)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aSeedIsRepeatedExactly() async throws {
        var all: Set<[String]> = []
        for seed in 100..<130 as Range<UInt64> {
            let logs = [Lock<[String]>([]), Lock<[String]>([])]
            for log in logs {
                try await FaultTrial.run(seeds: [seed]) { try await Self.tryCalls($0, count: 16, log) }
            }
            let lines = logs.map { $0.withLock(\.self) }
            #expect(lines[0] == lines[1] && lines[0].count == 17)
            all.insert(lines[0])
        }
        #expect(all.count == 30)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aFailingSeedIsReportedAndRepeated() async throws {
        @Sendable func test(_ trial: FaultTrial) async throws {
            let plan = FaultPlan(failures: 0.1)
            let client = APIClient(
                transport: trial.transport(plan: plan) { try await Service().respond(to: $0) },
                options: trial.options(),
            )
            for id in 0..<3 { _ = try await client.send(OrderByID(id: id)) }
        }
        let failure = try #require(
            await #expect(throws: FaultTrial.Failure.self) { try await FaultTrial.run(seeds: 0..<1000, test) }
        )
        #expect(failure.underlyingError is any APIFailure && failure.outsideEventCount == 0)
        #expect(failure.transcript.contains("before the service") || failure.transcript.contains("after the service"))
        let text = failure.description
        #expect(text.hasPrefix("seed \(failure.seed) failed: "))
        #expect(text.hasSuffix("repeat it by FaultTrial.run(seeds: [\(failure.seed)])"))
        let again = await #expect(throws: FaultTrial.Failure.self) {
            try await FaultTrial.run(seeds: [failure.seed], test)
        }
        #expect(again?.description == text)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aTrialThatStallsFails() async throws {
        let failure = await #expect(throws: FaultTrial.Failure.self) {
            try await FaultTrial.run(seeds: [3], limits: VirtualTime.Limits(patience: .milliseconds(10))) { _ in
                for await _ in AsyncStream<Int>.makeStream().stream {}
            }
        }
        #expect(failure?.seed == 3 && (failure?.underlyingError as? VirtualTimeError)?.kind == .stalled)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func cancellingEndsTheTrials() async throws {
        let count = Lock(0)
        let task = Task {
            try await FaultTrial.run(seeds: 0..<UInt64.max) { _ in count.withLock { $0 += 1 } }
        }
        while count.withLock(\.self) < 3 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

extension FaultTrialTests.Shop.Request {
    var environment: APIEnvironment { "https://shop.example" }
}
