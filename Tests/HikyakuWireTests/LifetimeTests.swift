#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

@Suite(.timeLimit(.minutes(5)))
struct LifetimeTests {
    @Test func requestsInFlightEndWithinTheGrace() async throws {
        let wire = try Wire { _ in .text("done").delayed(by: .milliseconds(200)) }
        let request = try wire.request()
        let task = Task { [transport = wire.transport] in
            try await transport.send(request, options: TransportOptions())
        }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        await wire.transport.shutdown(within: .seconds(20))
        #expect(try await task.value.text() == "done")
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func aLateCallerWaitsForTheWholeShutdown() async throws {
        let wire = try Wire { _ in .raw([.stall]) }
        let request = try wire.request()
        let call = Task { [transport = wire.transport] in
            try await transport.send(request, options: TransportOptions())
        }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        let isOver = Lock(false)
        let transport = wire.transport
        let first = Task { await transport.shutdown(within: .milliseconds(100)) }
        let second = Task {
            await transport.shutdown(within: .zero)
            isOver.withLock { $0 = true }
        }
        #expect(try await transportError { try await call.value }.reason == .shutDown)
        await second.value
        await first.value
        #expect(isOver.withLock { $0 })
        await transport.shutdown(within: .zero)
    }

    @Test func requestsThatOutlastTheGraceAreEnded() async throws {
        let wire = try Wire { _ in .raw([.stall]) }
        let request = try wire.request()
        let task = Task { [transport = wire.transport] in
            try await transport.send(request, options: TransportOptions())
        }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        let begin = ContinuousClock.now
        await wire.transport.shutdown(within: .milliseconds(100))
        // The request itself would take 60 seconds.
        #expect(ContinuousClock.now - begin < .seconds(30))
        #expect(ContinuousClock.now - begin >= .milliseconds(100))
        #expect(try await transportError { try await task.value }.reason == .shutDown)
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func laterRequestsAreRejected() async throws {
        let wire = try Wire { _ in .text("hi") }
        try await wire.send()
        await wire.transport.shutdown(within: .zero)
        #expect(try await transportError { try await wire.send() }.reason == .shutDown)
        await wire.transport.shutdown(within: .seconds(60))
        #expect(wire.server.requests.count == 1)
    }

    @Test func aTransportThatSentNothingCanBeShutDown() async throws {
        let wire = try Wire { _ in .text("hi") }
        await wire.transport.shutdown(within: .seconds(60))
        #expect(try await transportError { try await wire.send() }.reason == .shutDown)
        #expect(wire.server.connectionCount == 0)
    }

    @Test func severalShutdownsAtOnceAllReturn() async throws {
        let wire = try Wire { _ in .text("hi") }
        try await wire.send()
        await withTaskGroup { group in
            for _ in 0..<10 {
                group.addTask { [transport = wire.transport] in await transport.shutdown(within: .milliseconds(10)) }
            }
        }
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
    }

    /// In a process of its own, where no other test has transports.
    @Test func theLastReferenceEndsTheThread() async throws {
        await #expect(processExitsWith: .success) {
            let server = try MockServer { _ in .text("hi") }
            let url = try server.url("/")
            try #require(threadCount == 0)
            var transports = (0..<5).map { _ in WireTransport() }
            for transport in transports { _ = try await transport.get(url) }
            try #require(threadCount == 5)
            await transports.removeLast().shutdown(within: .zero)
            #expect(try await holds { threadCount == 4 })
            transports = []
            #expect(try await holds { threadCount == 0 })
        }
    }

    @Test func theLastReferenceClosesTheSockets() async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let url = try server.url("/")
        for _ in 0..<10 {
            let transport = WireTransport()
            #expect(try await transport.get(url).status == .ok)
        }
        try await server.waitForOpenConnections(0, within: .seconds(20))
    }

    @Test func aRequestInFlightKeepsItsTransport() async throws {
        let server = try MockServer { _ in .text("late").delayed(by: .milliseconds(100)) }
        defer { server.stop() }
        let url = try server.url("/")
        let task = Task { try await WireTransport().get(url) }
        #expect(try await task.value.text() == "late")
        try await server.waitForOpenConnections(0, within: .seconds(20))
    }
}

/// How many threads run a transport's loop.
private var threadCount: Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count { task in
        (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "hikyaku-wire\n"
    }
}
#endif
