#if os(Linux)
import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuWire
import TestSupport
import Testing

/// A thousand calls over a real wire, of whose attempts 30 % fail in different ways.
@Suite(.timeLimit(.minutes(10)))
struct RetryServiceTests {
    private struct Echo: APIRequest {
        typealias Definition = TextResponse
        var environment: APIEnvironment
        var number: Int
        var method: HTTPMethod = .get
        var path: RequestPath { "/\(number)" }
    }

    private enum Outcome: Equatable {
        case body(isOwn: Bool)
        case failure(RetryEnd?)
    }

    private static let callsCount = 1000

    /// A service with faults, which counts the requests by number.
    private final class Service: Sendable {
        let counts = Lock<[String: Int]>([:])
        private let random: Lock<SeededGenerator>

        init(seed: UInt64) {
            random = Lock(SeededGenerator(seed: seed))
        }

        func answer(_ path: String) -> MockAnswer {
            counts.withLock { $0[path, default: 0] += 1 }
            switch random.withLock({ Int.random(in: 0..<100, using: &$0) }) {
            case 0..<8: return MockAnswer(status: 503)
            case 8..<14: return MockAnswer(status: 500)
            case 14..<18: return MockAnswer(status: 429)
            case 18..<24: return .raw([.write("HTTP/1.1 20"), .close])
            case 24..<30: return .raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"), .close])
            default: return .text(path)
            }
        }
    }

    private func run(
        _ policy: RetryPolicy,
        method: HTTPMethod = .get,
    ) async throws -> (service: Service, outcomes: [Outcome]) {
        let seed = testSeed()
        print("seed of the service with faults: \(seed)")
        let service = Service(seed: seed)
        let server = try MockServer { service.answer($0.path) }
        defer { server.stop() }
        let client = APIClient(transport: WireTransport(), options: ClientOptions(retryPolicy: policy))
        let environment = APIEnvironment(baseURL: server.baseURL)
        let outcomes = await withTaskGroup(of: [Outcome].self) { group in
            for first in 0..<16 {
                group.addTask {
                    var outcomes: [Outcome] = []
                    for number in stride(from: first, to: Self.callsCount, by: 16) {
                        outcomes.append(
                            await outcome(
                                of: Echo(environment: environment, number: number, method: method),
                                by: client,
                            )
                        )
                    }
                    return outcomes
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        return (service, outcomes)
    }

    private func outcome(of call: Echo, by client: APIClient<Public>) async -> Outcome {
        do {
            return .body(isOwn: try await client.send(call) == "/\(call.number)")
        } catch {
            return .failure(error.context.retryEnd)
        }
    }

    @Test func withFiveRetriesNearlyAllCallsSucceedWithTheirOwnBody() async throws {
        var policy = RetryPolicy(attemptsMax: 6, delay: .milliseconds(1))
        policy.budget = nil
        let (service, outcomes) = try await run(policy)
        let succeeded = outcomes.count { $0 == .body(isOwn: true) }
        #expect(succeeded >= Self.callsCount * 995 / 1000)
        #expect(!outcomes.contains(.body(isOwn: false)))
        #expect(service.counts.withLock { $0.values.allSatisfy { $0 <= 6 } })
    }

    @Test func theDefaultBudgetBoundsTheLoad() async throws {
        let (service, outcomes) = try await run(RetryPolicy(delay: .milliseconds(1)))
        let attempts = service.counts.withLock { $0.values.reduce(0, +) }
        #expect(attempts <= Self.callsCount * 12 / 10)
        #expect(outcomes.contains(.failure(.budget)))
        #expect(!outcomes.contains(.body(isOwn: false)))
    }

    @Test func noUnsafeRequestIsSentTwice() async throws {
        let (service, outcomes) = try await run(RetryPolicy(attemptsMax: 6, delay: .zero, budget: nil), method: .post)
        #expect(outcomes.count == Self.callsCount)
        #expect(service.counts.withLock { $0.values.allSatisfy { $0 == 1 } })
    }
}
#endif
