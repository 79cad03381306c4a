#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// Requests at random against a server that fails at random.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(10)))
struct HTTP2SoakTests {
    private static let reasons: Set<FailureReason> = [
        .connectionClosed, .notProcessed, .connectionReset, .truncatedResponse, .truncatedHeaders, .firstByteTimeout,
        .idleTimeout,
    ]

    /// A response that isn't a report, with all that is known of it.
    private struct Unread: Error {
        let text: String
    }

    /// What became of a number of calls.
    private struct Tally {
        var counts: [String: Int] = [:]
        var problems: [String] = []

        mutating func count(_ word: String) { counts[word, default: 0] += 1 }
    }

    @Test(arguments: [(4, Effort.rounds(1500)), (16, Effort.rounds(3000))])
    func eachCallEndsWithItsOwnAnswerOrAnError(_ atOnce: Int, _ count: Int) async throws {
        let seed = testSeed()
        print("seed of the soak: \(seed)")
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2"]
            listener.script = ["random"]
            listener.seed = Int(truncatingIfNeeded: seed)
        }
        let transport = try await WireTransport.trusting(Certificates.shared)
        let url = try server.url()
        let tally = Lock(Tally())
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<atOnce {
                group.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(worker))
                    for number in 0..<(count / atOnce) {
                        await Self.call("\(worker) \(number)", transport, url, &random, tally)
                    }
                }
            }
        }
        let result = tally.withLock { $0 }
        print("HTTP/2: \(count) calls, \(atOnce) at once: \(result.counts.sorted { $0.key < $1.key })")
        #expect(result.problems == [])
        #expect(result.counts["answered", default: 0] > count / 3)
        // A cancelled reader of a stream may end before the loop receives the cancellation.
        #expect(try await holds { transport.engine.state.withLock(\.pool.isEmpty) })
        let begin = ContinuousClock.now
        await transport.shutdown(within: .seconds(60))
        #expect(ContinuousClock.now - begin < .seconds(30))
        #expect(try await holds { Self.openSocketCount(to: server.ports[0]) == 0 })
    }

    private static func call(
        _ text: String,
        _ transport: WireTransport,
        _ url: URL,
        _ random: inout SeededGenerator,
        _ tally: borrowing Lock<Tally>,
    ) async {
        let timeouts = TransportTimeouts(firstByte: .seconds(1), idle: .seconds(1))
        let streams = Bool.random(using: &random)
        let isUpload = Int.random(in: 0..<4, using: &random) == 0
        let method: HTTPMethod = Bool.random(using: &random) ? .put : .post
        let isCancelled = Int.random(in: 0..<12, using: &random) == 0
        let yieldCount = Int.random(in: 0..<2000, using: &random)
        let task = Task {
            let body = isUpload ? HTTPBody(TestSource(text)) : HTTPBody(text)
            let options = TransportOptions(streamsBody: streams, timeouts: timeouts)
            let request = HTTPRequest(method: method, url: url, body: body)
            let response = try await transport.send(request, options: options)
            let bytes = try await response.body.collect()
            // A stream may end without an error when its task is cancelled.
            try Task.checkCancellation()
            do {
                return try JSONDecoder().decode(TLSServer.Report.self, from: bytes)
            } catch {
                let kind = streams ? "stream" : "body"
                throw Unread(
                    text:
                        "a \(kind) of \(bytes.count) bytes, \(response.headers): \(String(decoding: bytes, as: UTF8.self))"
                )
            }
        }
        if isCancelled {
            // Each time at another moment.
            await yieldRepeatedly(yieldCount)
            task.cancel()
        }
        let result = await task.result
        tally.withLock { tally in
            switch result {
            case .success(let report):
                tally.count("answered")
                if report.body != text { tally.problems.append("\(text) got the answer of \(report.body ?? "nobody")") }
            case .failure(let error as TransportError) where reasons.contains(error.reason):
                tally.count("\(error.reason)")
            case .failure(is CancellationError) where isCancelled: tally.count("cancelled")
            case .failure(let error): tally.problems.append("\(text): \(error)")
            }
        }
    }

    /// How many sockets of this process are connected to a port of loopback, or were and aren't closed.
    private static func openSocketCount(to port: Int) -> Int {
        let table = (try? String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)) ?? ""
        let remote = "0100007F:" + String(format: "%04X", port)
        return table.split(separator: "\n").count { line in
            let fields = line.split(separator: " ")
            // ESTABLISHED and CLOSE_WAIT.
            return fields.count > 3 && fields[2] == remote && ["01", "08"].contains(fields[3])
        }
    }
}
#endif
