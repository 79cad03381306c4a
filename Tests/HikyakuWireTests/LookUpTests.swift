#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import Testing

/// Look-ups of names last longer than who asked for them wants to wait, and can't be stopped.
@Suite(.timeLimit(.minutes(2)))
struct LookUpTests {
    /// libcurl's threads have the name of the one that started them.
    private static var lookUpCount: Int {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        let names = threads.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
        return names.count { $0 == "hikyaku-wire\n" } - 1
    }

    private func request(_ url: String) throws -> HTTPRequest { HTTPRequest(url: try #require(URL(string: url))) }

    private static func options(connect: Duration) -> TransportOptions {
        TransportOptions(timeouts: TransportTimeouts(connect: connect))
    }

    @Test func timeoutsDoNotMakeThreadsPileUp() async throws {
        guard try await SlowNames.areInEffect(for: "timeoutsDoNotMakeThreadsPileUp") else { return }
        let transport = WireTransport(options: WireOptions(connectionsPerHostMax: 2))
        let requests = try ["http", "https"].map { try request("\($0)://timeout.slow.invalid/") }
        let begin = ContinuousClock.now
        for request in requests + requests {
            let error = try await transportError {
                try await transport.send(request, options: Self.options(connect: .milliseconds(50)))
            }
            #expect(error.reason == .connectTimeout)
            #expect(error.message.hasSuffix(": the name wasn't found within 0.05 seconds"))
        }
        #expect(ContinuousClock.now - begin < .seconds(2.9))
        let third = requests.map { request in
            Task { try await transport.send(request, options: Self.options(connect: .milliseconds(50))) }
        }
        // Long after libcurl would have let go of them, the look-ups are those that were begun.
        while ContinuousClock.now - begin < .seconds(2) {
            #expect(Self.lookUpCount == 4)
            try await Task.sleep(for: .milliseconds(20))
        }
        // Newer versions of libcurl remember for a while that there is no such name.
        for task in third {
            let reason = try await transportError { try await task.value }.reason
            #expect([.connectTimeout, .hostNotFound].contains(reason))
        }
        #expect(ContinuousClock.now - begin > .seconds(2.9))
    }

    /// Over TLS, requests wait for the connection of the first one rather than make their own.
    @Test func nobodyWaitsForALookUpThatTookTooLong() async throws {
        guard try await SlowNames.areInEffect(for: "nobodyWaitsForALookUpThatTookTooLong") else { return }
        let transport = WireTransport()
        let request = try request("https://stuck.slow.invalid/")
        _ = try await transportError {
            try await transport.send(request, options: Self.options(connect: .milliseconds(50)))
        }
        let second = Task { try await transport.send(request, options: Self.options(connect: .seconds(20))) }
        #expect(try await holds(within: .seconds(2)) { Self.lookUpCount == 2 })
        _ = await second.result
    }

    @Test func cancellingDoesNotMakeThreadsPileUp() async throws {
        guard try await SlowNames.areInEffect(for: "cancellingDoesNotMakeThreadsPileUp") else { return }
        let transport = WireTransport(options: WireOptions(requestsInFlightMax: 4))
        for number in 0..<30 {
            let request = try request("http://\(number).slow.invalid/")
            let task = Task { try await transport.send(request, options: Self.options(connect: .milliseconds(300))) }
            if number < 4 { #expect(try await holds { Self.lookUpCount == number + 1 }) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        let begin = ContinuousClock.now
        while ContinuousClock.now - begin < .seconds(1.5) {
            #expect(Self.lookUpCount == 4)
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(try await holds(within: .seconds(10)) { Self.lookUpCount == 0 })
    }
}
#endif
