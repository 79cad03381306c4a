#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// Large uploads, several at a time, to servers that change their mind while these are under way.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct HTTP2UploadTests {
    private static let options = TransportOptions(
        timeouts: TransportTimeouts(connect: .seconds(20), firstByte: .seconds(20), idle: .seconds(20))
    )

    /// What becomes of uploads whose requests the server meets by this script, after a good exchange.
    ///
    /// One that was not processed is sent again, `triesMax` times in all.
    private func upload(
        _ count: Int,
        _ byteCount: Int,
        _ script: [String],
        streams: Bool = false,
        triesMax: Int = 1,
    ) async throws -> (answers: [TLSServer.Report], errors: [FailureReason]) {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2"]
            listener.script = ["answer"] + script
        }
        let transport = try await WireTransport.trusting(Certificates.shared)
        let url = try server.url()
        #expect(try await transport.report(url).connection == 1)
        let (answers, errors) = (Lock<[TLSServer.Report]>([]), Lock<[FailureReason]>([]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    for number in 1...triesMax {
                        do {
                            let report = try await Self.send(byteCount, to: url, streams: streams, over: transport)
                            return answers.withLock { $0.append(report) }
                        } catch let error as TransportError {
                            if error.reason == .notProcessed, number < triesMax { continue }
                            return errors.withLock { $0.append(error.reason) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = try await transport.report(url)
        #expect(transport.engine.state.withLock(\.pool.isEmpty))
        return (answers.withLock(\.self), errors.withLock(\.self))
    }

    private static func send(
        _ byteCount: Int,
        to url: URL,
        streams: Bool,
        over transport: WireTransport,
    ) async throws -> TLSServer.Report {
        let piece = Data(repeating: 0x61, count: byteCount / 10)
        let source = TestSource { $0 < 10 ? .piece(piece) : nil }
        let body = streams ? HTTPBody(source) : HTTPBody(Data(repeating: 0x61, count: byteCount))
        let response = try await transport.send(HTTPRequest(method: .post, url: url, body: body), options: options)
        return try JSONDecoder().decode(TLSServer.Report.self, from: try await response.body.collect())
    }

    /// Each time that the windows or the number of streams become smaller, or an answer comes before the body.
    @Test(
        arguments: [
            ["early"], ["earlyReset"], ["narrow"], ["pause", "answer"], ["fewer"], ["none"],
            ["answer", "pause", "early", "narrow", "fewer", "none", "earlyReset", "answer"],
        ],
        [(4, 200_000), (16, 50_000)],
    )
    func uploadsAreAnsweredHoweverTheServerChangesItsMind(
        _ script: [String],
        _ size: (count: Int, byteCount: Int),
    ) async throws {
        for streams in [false, true] {
            let outcome = try await upload(size.count, size.byteCount, script, streams: streams)
            #expect(outcome.answers.count == size.count && outcome.errors.isEmpty)
            let whole = outcome.answers.count { $0.body == "\(size.byteCount)" }
            let hasEarly = script.contains { $0.hasPrefix("early") }
            #expect(hasEarly ? whole < size.count : whole == size.count)
        }
    }

    /// Of the others it isn't known what the server did.
    @Test(arguments: [4, 16]) func aServerThatAnswersOneUploadAndClosesFailsTheOthers(_ count: Int) async throws {
        for streams in [false, true] {
            let outcome = try await upload(count, 100_000, ["earlyClose", "answer"], streams: streams)
            #expect(!outcome.answers.isEmpty && outcome.answers.count + outcome.errors.count == count)
            #expect(Set(outcome.errors).isSubset(of: [.connectionClosed]))
        }
    }

    /// Each connection takes one; what it doesn't take may be sent again (RFC 9113, section 6.8).
    ///
    /// Of four uploads, each fails at most three times: once for each of the others.
    @Test func anUploadThatTheServerLeavesWithoutIsSentAgain() async throws {
        let outcome = try await upload(4, 1_000_000, ["leaveWith"], triesMax: 4)
        #expect(outcome.answers.count == 4 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.answers.allSatisfy { $0.body == "1000000" })
        #expect(Set(outcome.answers.map(\.connection)).count == 4)
    }

    /// Without further tries, all others fail as what they are.
    @Test func anUploadThatTheServerLeavesWithoutWasNotProcessed() async throws {
        let outcome = try await upload(4, 1_000_000, ["leaveWith"])
        // The second connection takes one of those that the first hasn't taken.
        #expect(outcome.answers.count >= 2 && outcome.answers.count + outcome.errors.count == 4)
        #expect(outcome.answers.allSatisfy { $0.body == "1000000" })
        #expect(Set(outcome.answers.map(\.connection)).count == outcome.answers.count)
        #expect(Set(outcome.errors).isSubset(of: [.notProcessed]))
    }

    /// Cancels every other call at any moment: each of the others is whole, and none needs another connection.
    @Test(.enabled(if: Nginx.isInstalled), arguments: [4, 16, 60])
    func cancelledCallsDisturbNoOthers(_ count: Int) async throws {
        let seed = testSeed()
        print("seed of the cancelled calls: \(seed)")
        let nginx = try await Nginx(
            "client_max_body_size 64m; location /put { dav_methods PUT; create_full_put_path on; }"
        )
        let content = variedBytes(1_500_000)
        try nginx.addFile("large", content)
        let transport = try await WireTransport.trusting(Certificates.shared)
        var random = SeededGenerator(seed: seed)
        #expect(try await transport.get(try nginx.url("/1")).text() == "file 1")
        for round in 0..<12 {
            var calls: [(task: Task<Bool, any Error>, yieldCount: Int?)] = []
            for number in 0..<count {
                let (kind, url) = (Int.random(in: 0..<4, using: &random), try nginx.url("/large"))
                let target = try nginx.url("/put/\(round)-\(number)")
                let task = Task {
                    switch kind {
                    case 0: return try await transport.get(url).body.collect() == content
                    case 1:
                        let response = try await transport.send(HTTPRequest(url: url), options: .streaming)
                        var bytes = Data()
                        for try await piece in response.body { bytes += piece }
                        return bytes == content
                    default:
                        let source = TestSource { number in
                            let start = number * 50_000
                            return start < content.count ? .piece(content[start..<(start + 50_000)]) : nil
                        }
                        let body = kind == 2 ? HTTPBody(content) : HTTPBody(source)
                        let request = HTTPRequest(method: .put, url: target, body: body)
                        return try await transport.send(request, options: Self.options).status == .created
                    }
                }
                calls.append((task, number.isMultiple(of: 2) ? Int.random(in: 0...20_000, using: &random) : nil))
            }
            let cancelled = calls.filter { $0.yieldCount != nil }.sorted { $0.yieldCount ?? 0 < $1.yieldCount ?? 0 }
            var yieldedCount = 0
            for call in cancelled {
                // Each at another moment.
                let yieldCount = call.yieldCount ?? 0
                await yieldRepeatedly(yieldCount - yieldedCount)
                yieldedCount = yieldCount
                call.task.cancel()
            }
            for call in calls {
                switch await call.task.result {
                case .success(let isWhole): #expect(isWhole)
                case .failure(let error): #expect(call.yieldCount != nil && error is CancellationError, "\(error)")
                }
            }
        }
        #expect(try await transport.get(try nginx.url("/1")).text() == "file 1")
        #expect(transport.engine.state.withLock(\.pool.isEmpty))
        let log = try await nginx.log(of: 2)
        #expect(Set(log.map { $0[0] }).count == 1)
    }
}
#endif
