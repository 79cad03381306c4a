import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

/// A run with a seed gives the same bytes at the same instants, whenever it runs: no date is the machine's, and no
/// random number is the system's.
@Suite(.timeLimit(.minutes(10))) struct ReplayTests {
    private struct Pay: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://a.example" }
        var method: HTTPMethod { .post }
        var path: RequestPath { "/payments/\(number)" }
        var idempotencyKey: IdempotencyKey { .random }
        var number: Int
    }

    private static let options = ClientOptions(
        timeout: .seconds(120),
        limits: [.origin: CallLimit(inFlightMax: 2)],
    )

    private static func line(_ request: HTTPRequest, _ start: Duration) -> String {
        "\(request.url.path) \(start) \(request.headers["Idempotency-Key"] ?? "-")"
    }

    /// Two payments: at first, the service asks for a pause of 7 s, by a date, and then allows none for 30 s, by a
    /// date in seconds since 1970.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    private static func sent(seed: UInt64) async throws -> [String] {
        try await VirtualTime.run(seed: seed) { time in
            let lines = Lock<[String]>([])
            let transport = MockTransport(clock: time.clock) { request in
                let count = lines.withLock { lines in
                    lines.append(line(request, time.elapsed))
                    return lines.count
                }
                let now = Int64(time.date.timeIntervalSince1970.rounded(.up))
                guard count > 1 else {
                    return HTTPResponse(status: 503, headers: ["Retry-After": HTTPDate.text(of: now + 7) ?? ""])
                }
                let quota = ["X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0"]
                var response = HTTPResponse(status: 200, body: "{}")
                for (name, value) in quota { response.headers[HTTPHeaderName(name)] = value }
                response.headers["X-RateLimit-Reset"] = "\(now + 30)"
                return response
            }
            let client = APIClient(transport: transport, options: time.options(options))
            for number in 1...2 { _ = try await client.send(Pay(number: number)) }
            #expect(time.outsideEventCount == 0)
            return lines.withLock(\.self)
        }
    }

    /// The text is that of any day, process and machine.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aSeedGivesTheSameBytesOnAnyDay() async throws {
        let sent = try await Self.sent(seed: 11)
        let keys = ["0CB7743E-122D-488F-99D3-4479B0AEF510", "35EEB037-0324-4100-B412-1B02B65699D9"]
        // The first payment is sent again after the pause, and the second one when the quota is available again.
        let expected = [
            "/payments/1 0.0 seconds \(keys[0])",
            "/payments/1 7.153204108962842 seconds \(keys[0])",
            "/payments/2 38.15320410896284 seconds \(keys[1])",
        ]
        #expect(sent == expected)
        #expect(try await Self.sent(seed: 12) != sent)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func theRetryAfterOfAnErrorIsInVirtualTime() async throws {
        try await VirtualTime.run { time in
            let transport = MockTransport(clock: time.clock) { _ in
                let end = Int64(time.date.timeIntervalSince1970) + 90
                return HTTPResponse(status: 503, headers: ["Retry-After": HTTPDate.text(of: end) ?? ""])
            }
            let client = APIClient(transport: transport, options: time.options(ClientOptions(retryPolicy: .never)))
            let error = await #expect(throws: (any Error).self) { try await client.send(Pay(number: 1)) }
            #expect((error as? any APIFailure)?.retryAfter == .seconds(90))
        }
    }

    /// The exchanges of several trials, with all faults, and with twelve calls at once.
    private static func transcripts() async throws -> [String] {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return [] }
        let transcripts = Lock<[String]>([])
        try await FaultTrial.run(seeds: 0..<20) { trial in
            let transport = trial.transport { _ in
                let now = Int64(trial.time.date.timeIntervalSince1970)
                let reset = HTTPResponse(status: 200, headers: ["X-RateLimit-Reset": "\(now + 9)"], body: "{}")
                var response = trial.seed % 2 == 0 ? reset : HTTPResponse(status: 200, body: "{}")
                response.headers["X-RateLimit-Remaining"] = "1"
                return response
            }
            let client = APIClient(transport: transport, options: trial.options(options))
            await withTaskGroup(of: Void.self) { group in
                for number in 1...12 { group.addTask { _ = try? await client.send(Pay(number: number)) } }
            }
            let lines = transport.records.map { "\(line($0.request, $0.start)) \($0)" }
            transcripts.withLock { $0.append(lines.joined(separator: "\n")) }
        }
        return transcripts.withLock(\.self)
    }

    @Test func faultsAndConcurrentCallsReplayToo() async throws {
        let first = try await Self.transcripts()
        #expect(first == (try await Self.transcripts()))
        #expect(Set(first).count == first.count, "each seed gives another run")
    }
}
