#if os(Linux)
import Foundation
import HikyakuBase
@testable import HikyakuWire
import HikyakuHTTP
import TestSupport
import Testing

/// Name lookups can take longer than their caller waits, and can't be stopped.
@Suite(.timeLimit(.minutes(5)))
struct LookUpTests {
    private static var lookUpCount: Int {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = threads.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.count { $0 == "hikyaku-names\n" }
    }

    private func request(_ url: String) throws -> HTTPRequest { HTTPRequest(url: try #require(URL(string: url))) }

    private static func options(connect: Duration) -> TransportOptions {
        TransportOptions(timeouts: TransportTimeouts(connect: connect))
    }

    @Test func timeoutsDoNotMakeThreadsPileUp() async throws {
        guard try await SlowNames.areInEffect(for: "timeoutsDoNotMakeThreadsPileUp") else { return }
        let transport = WireTransport()
        let request = try request("http://timeout.slow.invalid/")
        for _ in 0..<20 {
            let error = try await transportError {
                try await transport.send(request, options: Self.options(connect: .milliseconds(50)))
            }
            #expect(error.reason == .connectTimeout)
            #expect(error.message.hasSuffix(": the name was not found within 0.05 seconds"))
            #expect(Self.lookUpCount <= 2)
        }
        #expect(Self.lookUpCount == 2)
        try SlowNames.letGo()
        #expect(try await holds { Self.lookUpCount == 0 })
    }

    @Test func oneMoreLookUpIsBegunForANameThatTakesLong() async throws {
        guard try await SlowNames.areInEffect(for: "oneMoreLookUpIsBegunForANameThatTakesLong") else { return }
        let transport = WireTransport()
        let request = try request("https://stuck.slow.invalid/")
        _ = try await transportError {
            try await transport.send(request, options: Self.options(connect: .milliseconds(300)))
        }
        let isOver = Lock(false)
        let second = Task {
            defer { isOver.withLock { $0 = true } }
            return try await transport.send(request, options: Self.options(connect: .seconds(60)))
        }
        #expect(try await holds { Self.lookUpCount == 2 })
        // Two have begun for each call: further ones would wait for the same look-ups, and then connect all at once.
        var newest: UInt64 = 0
        let begin = ContinuousClock.now
        var isHeld = true
        let hasEnded = try await holds {
            // Further ones would have begun by then, one after each 250 ms.
            if isHeld, ContinuousClock.now - begin > .seconds(2) {
                try SlowNames.letGo()
                isHeld = false
            }
            newest = max(newest, transport.engine.state.withLock { $0.pool.newestShared(of: 0) } ?? 0)
            return isOver.withLock { $0 }
        }
        #expect(hasEnded)
        #expect(1...4 ~= newest, "\(newest)")
        #expect(try await transportError { try await second.value }.reason == .hostNotFound)
    }

    @Test func cancellingDoesNotMakeThreadsPileUp() async throws {
        guard try await SlowNames.areInEffect(for: "cancellingDoesNotMakeThreadsPileUp") else { return }
        let transport = WireTransport()
        let tasks = try (0..<60).map { number in
            let request = try request("http://\(number).slow.invalid/")
            return Task { try await transport.send(request, options: Self.options(connect: .seconds(60))) }
        }
        #expect(try await holds { Self.lookUpCount == NameLookUps.threadsMax })
        for task in tasks {
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        // Those that no thread has begun aren't done.
        #expect(Self.lookUpCount <= NameLookUps.threadsMax)
        try SlowNames.letGo()
        #expect(try await holds { Self.lookUpCount == 0 })
    }
}
#endif
