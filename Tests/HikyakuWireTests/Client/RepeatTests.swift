#if os(Linux)
import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// How often requests are sent, by the transport and by the client's retries together.
@Suite(.timeLimit(.minutes(5)))
struct RepeatTests {
    private struct Call: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment
        var method: HTTPMethod = .get
        var path: RequestPath { "/" }
    }

    private struct Counts {
        var successes = 0
        var failures: [FailureReason] = []
    }

    /// What becomes of `count` calls, of which some are made at once.
    private func outcomes(_ call: Call, count: Int, atOnce: Int = 1, by client: APIClient<Public>) async -> Counts {
        let counts = Lock(Counts())
        await withTaskGroup { group in
            for first in 0..<atOnce {
                group.addTask {
                    for _ in stride(from: first, to: count, by: atOnce) {
                        do throws(APIError<ProblemDetails>) {
                            _ = try await client.bind(call).response()
                            counts.withLock { $0.successes += 1 }
                        } catch {
                            counts.withLock { $0.failures.append(error.reason) }
                        }
                    }
                }
            }
        }
        return counts.withLock(\.self)
    }

    // MARK: - HTTP/1.1

    /// A server whose connections die with every second request: one for each call would be sent twice.
    @Test(arguments: [RetryPolicy.standard, .never], [1, 16])
    func connectionsThatDieAgainAndAgainAreNotKept(_ policy: RetryPolicy, _ atOnce: Int) async throws {
        let known = Lock<Set<Int>>([])
        let server = try MockServer { request in
            let isFirst = known.withLock { $0.insert(request.connectionNumber).inserted }
            return isFirst ? .text("hi") : .raw([.close])
        }
        defer { server.stop() }
        let repeats = Lock(0)
        let client = APIClient(transport: WireTransport(), options: ClientOptions(retryPolicy: policy))
            .observing { event in
                if case .resending(.connectionClosed) = event.kind { repeats.withLock { $0 += 1 } }
            }
        let call = Call(environment: APIEnvironment(baseURL: server.baseURL))
        let counts = await outcomes(call, count: 500, atOnce: atOnce, by: client)
        #expect(counts.successes == 500 && counts.failures.isEmpty)
        #expect(server.requests.count <= 600, "\(server.requests.count) requests")
        #expect(server.requests.count == 500 + repeats.withLock(\.self))
    }

    /// The retries have none of their own, whatever connections were kept.
    @Test func aCallHasOneRepeatOfTheTransport() async throws {
        let warmCount = Lock(0)
        let server = try MockServer { request in
            guard request.path == "/warm" else { return .raw([.close]) }
            warmCount.withLock { $0 += 1 }
            // So that each of them needs a connection of its own.
            _ = holdsBlocking { warmCount.withLock(\.self) == 6 }
            return .text("warm")
        }
        defer { server.stop() }
        let transport = WireTransport()
        let url = try server.url("/warm")
        try await withThrowingTaskGroup { group in
            for _ in 0..<6 { group.addTask { _ = try await transport.get(url) } }
            try await group.waitForAll()
        }
        let options = ClientOptions(retryPolicy: RetryPolicy(attemptsMax: 3, delay: .zero))
        let client = APIClient(transport: transport, options: options)
        let counts = await outcomes(
            Call(environment: APIEnvironment(baseURL: server.baseURL)),
            count: 1,
            by: client,
        )
        #expect(counts.failures == [.connectionClosed])
        #expect(server.requests.count { $0.path == "/" } == 4)
    }

    @Test func aRepeatIsLogged() async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        server.enqueue(.text("hi"), .raw([.close]))
        let log = Lock<[String]>([])
        let client = APIClient(transport: WireTransport(), options: ClientOptions(retryPolicy: .never))
            .logging(.headers) { text in log.withLock { $0.append(text) } }
        let call = Call(environment: APIEnvironment(baseURL: server.baseURL))
        let counts = await outcomes(call, count: 2, by: client)
        #expect(counts.successes == 2 && server.requests.count == 3)
        let text = "#2 > sent once more after transport.connectionClosed"
        #expect(log.withLock { $0.contains(text) }, "\(log.withLock(\.self))")
    }

    // MARK: - HTTP/2

    /// Calls to a server that refuses each stream, or goes away before each request.
    @Test(.enabled(if: Certificates.isPossible), arguments: ["refuse", "goaway"], [HTTPMethod.get, .post])
    func refusedRequestsAreRetriedWithinTheBudget(_ refusal: String, _ method: HTTPMethod) async throws {
        for (policy, most) in [(RetryPolicy.standard, 202), (.never, 200)] {
            let server = try await TLSServer.speakingHTTP2(refusal)
            let sent = Lock(0)
            let options = ClientOptions(retryPolicy: policy)
            let client = APIClient(transport: try await WireTransport.trusting(Certificates.shared), options: options)
                .observing { event in if case .ready = event.kind { sent.withLock { $0 += 1 } } }
            let environment = APIEnvironment(baseURL: try server.url("127.0.0.1", "").absoluteString)
            let counts = await outcomes(Call(environment: environment, method: method), count: 200, by: client)
            #expect(counts.failures.count == 200 && Set(counts.failures) == [.notProcessed])
            #expect(sent.withLock(\.self) == most, "\(policy.attemptsMax) attempts")
        }
    }

    /// Its limit falls below what was sent, and the next connection has the old one: two requests for each call.
    @Test(.enabled(if: Certificates.isPossible)) func aLimitThatMovesUpAndDownCausesFewRepeats() async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2"]
            listener.script = Array(repeating: ["revoke", "answer"], count: 100).flatMap(\.self)
        }
        let (sent, repeats) = (Lock(0), Lock(0))
        let transport = try await WireTransport.trusting(Certificates.shared)
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
            .observing { event in
                switch event.kind {
                case .ready: sent.withLock { $0 += 1 }
                case .resending(.notProcessed): repeats.withLock { $0 += 1 }
                default: return
                }
            }
        let environment = APIEnvironment(baseURL: try server.url("127.0.0.1", "").absoluteString)
        let counts = await outcomes(Call(environment: environment), count: 100, by: client)
        let repeatCount = repeats.withLock(\.self)
        #expect(1...(2 + counts.successes / 10) ~= repeatCount)
        #expect(sent.withLock(\.self) == 100 + repeatCount)
        #expect(Set(counts.failures) == [.notProcessed] && counts.successes + counts.failures.count == 100)
    }

    /// The first losses use up what an origin may have.
    @Test(.enabled(if: Certificates.isPossible)) func refusedRequestsEarnNoRepeat() async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2"]
            listener.script = ["answer", "close", "answer", "close", "answer"]
            listener.script? += Array(repeating: "refuse", count: 10) + ["close", "answer"]
        }
        let transport = try await WireTransport.trusting(Certificates.shared)
        let client = APIClient(transport: transport, options: ClientOptions(retryPolicy: .never))
        let environment = APIEnvironment(baseURL: try server.url("127.0.0.1", "").absoluteString)
        let counts = await outcomes(Call(environment: environment), count: 14, by: client)
        #expect(counts.successes == 3)
        #expect(counts.failures == Array(repeating: .notProcessed, count: 10) + [.connectionClosed])
    }

    /// The retries have none of the transport, though the server has said how it processes them.
    @Test(
        .enabled(if: Certificates.isPossible),
        arguments: [(["http11", "answer"], 1, 0), (["refuse", "http11", "answer"], 0, 2)],
    )
    func aRepeatOverHTTP1IsSeen(_ script: [String], _ repeatCount: Int, _ retryCount: Int) async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2", "http/1.1"]
            listener.script = script
        }
        let events = Lock<[String]>([])
        let log = Lock<[String]>([])
        let options = ClientOptions(retryPolicy: RetryPolicy(attemptsMax: 3, delay: .zero))
        let client = APIClient(transport: try await WireTransport.trusting(Certificates.shared), options: options)
            .logging(.headers) { text in log.withLock { $0.append(text) } }
            .observing { event in
                switch event.kind {
                case .resending(let reason): events.withLock { $0.append("resending \(reason)") }
                case .retrying(let reason, _): events.withLock { $0.append("retrying \(reason)") }
                default: return
                }
            }
        let environment = APIEnvironment(baseURL: try server.url("127.0.0.1", "").absoluteString)
        let counts = await outcomes(Call(environment: environment, method: .post), count: 1, by: client)
        #expect(counts.successes == 1)
        let repeats = Array(repeating: "resending transport.notProcessed", count: repeatCount)
        let retries = Array(repeating: "retrying transport.notProcessed", count: retryCount)
        #expect(events.withLock(\.self) == repeats + retries)
        let lines = log.withLock { $0.count { $0.hasSuffix("sent once more after transport.notProcessed") } }
        #expect(lines == repeatCount)
    }

    @Test(.enabled(if: Certificates.isPossible), arguments: [HTTPMethod.get, .post])
    func aRefusedRequestIsSentAgainWhateverItsMethod(_ method: HTTPMethod) async throws {
        let server = try await TLSServer.speakingHTTP2("refuse", "answer")
        let retries = Lock<[FailureReason]>([])
        let client = APIClient(transport: try await WireTransport.trusting(Certificates.shared))
            .observing { event in
                if case .retrying(let reason, _) = event.kind { retries.withLock { $0.append(reason) } }
            }
        let environment = APIEnvironment(baseURL: try server.url("127.0.0.1", "").absoluteString)
        let counts = await outcomes(Call(environment: environment, method: method), count: 1, by: client)
        #expect(counts.successes == 1 && retries.withLock(\.self) == [.notProcessed])
    }

    /// The second failure doesn't say that the request was not processed.
    @Test(.enabled(if: Certificates.isPossible))
    func aPostIsNotSentAgainOnceItMayHaveBeenProcessed() async throws {
        let server = try await TLSServer.speakingHTTP2("refuse", "internal", "answer")
        let sent = Lock(0)
        let client = APIClient(transport: try await WireTransport.trusting(Certificates.shared))
            .observing { event in if case .ready = event.kind { sent.withLock { $0 += 1 } } }
        let environment = APIEnvironment(baseURL: try server.url("127.0.0.1", "").absoluteString)
        let counts = await outcomes(Call(environment: environment, method: .post), count: 1, by: client)
        #expect(counts.failures == [.connectionReset] && sent.withLock(\.self) == 2)
    }
}
#endif
