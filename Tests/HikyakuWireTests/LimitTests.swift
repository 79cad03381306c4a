#if os(Linux)
import Dispatch
import Foundation
import HikyakuBase
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

/// The limits on requests in flight over a real wire; every server here answers late or never.
@Suite(.casesAtOnce(3), .timeLimit(.minutes(5)))
struct LimitTests {
    private func tasks(
        _ count: Int,
        _ wire: borrowing Wire,
        _ path: String = "/",
    ) throws -> [Task<HTTPResponse, any Error>] {
        let request = try wire.request(.get, path)
        return (0..<count).map { _ in
            Task { [transport = wire.transport] in try await transport.send(request, options: TransportOptions()) }
        }
    }

    private func end(_ tasks: [Task<HTTPResponse, any Error>]) async {
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    }

    @Test func theDefaultsAreThoseThatAreDocumented() {
        let options = WireOptions()
        #expect(options.connectionsPerHostMax == 64)
        #expect(options.requestsInFlightMax == 1024)
        #expect(options.queuedRequestsMax == 10_000)
    }

    @Test func anOriginGetsNoMoreConnectionsThanTheLimit() async throws {
        let wire = try Wire { _ in .text("hi").delayed(by: .milliseconds(20)) }
        let tasks = try tasks(300, wire)
        for task in tasks { #expect(try await task.value.text() == "hi") }
        // Fewer where they are quicker than further handshakes.
        #expect(2...64 ~= wire.server.connectionCount)
    }

    @Test func aSlowOriginHoldsUpNoOther() async throws {
        let options = WireOptions(connectionsPerHostMax: 2, requestsInFlightMax: 10, queuedRequestsMax: 1000)
        let slow = try Wire(transport: WireTransport(options: options)) { _ in .raw([.stall]) }
        let stuck = try (0..<100).map { try tasks(1, slow, "/\($0)")[0] }
        try await slow.server.waitForRequests(2, within: .seconds(20))
        let quick = try Wire(transport: slow.transport) { _ in .text("quick") }
        for _ in 0..<20 { #expect(try await quick.send().text() == "quick") }
        #expect(slow.server.connectionCount == 2)
        // Those that wait first: else, one would have the turn of another that goes.
        let begun = Set(slow.server.requests.map(\.path))
        await end(stuck.enumerated().filter { !begun.contains("/\($0.offset)") }.map(\.element))
        await end(stuck.enumerated().filter { begun.contains("/\($0.offset)") }.map(\.element))
        #expect(slow.server.requests.count == 2, "what waits and is cancelled never touches the network")
    }

    @Test func theLimitForAllHoldsOverSeveralOrigins() async throws {
        let options = WireOptions(connectionsPerHostMax: 4, requestsInFlightMax: 6)
        let first = try Wire(transport: WireTransport(options: options)) { _ in .raw([.stall]) }
        let second = try Wire(transport: first.transport) { _ in .raw([.stall]) }
        let stuck = try tasks(4, first)
        try await first.server.waitForRequests(4, within: .seconds(20))
        let others = try tasks(4, second)
        try await second.server.waitForRequests(2, within: .seconds(20))
        #expect(second.server.connectionCount == 2)
        await end(stuck)
        try await second.server.waitForRequests(4, within: .seconds(20))
        await end(others)
    }

    @Test func oneMoreThanMayWaitFailsAtOnce() async throws {
        let options = WireOptions(connectionsPerHostMax: 1, queuedRequestsMax: 3)
        let wire = try Wire(transport: WireTransport(options: options)) { _ in .raw([.stall]) }
        let first = try tasks(1, wire)
        try await wire.server.waitForRequests(1, within: .seconds(20))
        // The order of the five is not defined: three wait, and two are rejected.
        let five = try tasks(5, wire)
        let refused = Lock<[TransportError]>([])
        let observers = five.map { task in
            Task {
                guard case .failure(let error as TransportError) = await task.result else { return }
                refused.withLock { $0.append(error) }
            }
        }
        #expect(try await holds(within: .seconds(20)) { refused.withLock { $0.count } == 2 })
        for error in refused.withLock({ $0 }) {
            #expect(error.reason == .queueFull)
            #expect(error.message == "127.0.0.1:\(wire.server.port): 3 requests are already waiting")
        }
        for task in five { task.cancel() }
        for observer in observers { await observer.value }
        await end(first)
        #expect(wire.server.requests.count == 1)
    }

    @Test func cancellingOneThatWaitsMakesRoomForAnother() async throws {
        let options = WireOptions(connectionsPerHostMax: 1, queuedRequestsMax: 1)
        let wire = try Wire(transport: WireTransport(options: options)) { request in
            request.path == "/slow" ? .raw([.stall]) : .text("hi")
        }
        let slow = try tasks(1, wire, "/slow")
        try await wire.server.waitForRequests(1, within: .seconds(20))
        for _ in 0..<10 {
            // One waits, whichever comes first, and the other is rejected.
            let pair = try tasks(2, wire, "/waits")
            let failures = Lock<[any Error]>([])
            let watching = pair.map { task in
                Task {
                    guard case .failure(let error) = await task.result else { return }
                    failures.withLock { $0.append(error) }
                }
            }
            #expect(try await holds(within: .seconds(20)) { failures.withLock { $0.count } == 1 })
            for task in pair { task.cancel() }
            for watcher in watching { await watcher.value }
            let (first, last) = failures.withLock { ($0.first, $0.last) }
            #expect((first as? TransportError)?.reason == .queueFull)
            #expect(last is CancellationError)
        }
        let last = try tasks(1, wire, "/last")
        await end(slow)
        #expect(try await last[0].value.text() == "hi")
        #expect(wire.server.requests.map(\.path) == ["/slow", "/last"])
    }

    @Test func aShutdownLetsThoseThatWaitHaveTheirTurn() async throws {
        let options = WireOptions(connectionsPerHostMax: 1)
        let wire = try Wire(transport: WireTransport(options: options)) { _ in
            .text("hi").delayed(by: .milliseconds(50))
        }
        let tasks = try tasks(4, wire)
        try await wire.server.waitForRequests(1, within: .seconds(20))
        await wire.transport.shutdown(within: .seconds(30))
        for task in tasks { #expect(try await task.value.text() == "hi") }
        #expect(wire.server.connectionCount == 1)
    }

    @Test func aShutdownRejectsQueuedRequestsAfterItsGrace() async throws {
        let options = WireOptions(connectionsPerHostMax: 1)
        let wire = try Wire(transport: WireTransport(options: options)) { _ in .raw([.stall]) }
        let tasks = try tasks(4, wire)
        try await wire.server.waitForRequests(1, within: .seconds(20))
        await wire.transport.shutdown(within: .milliseconds(50))
        for task in tasks { #expect(try await transportError { try await task.value }.reason == .shutDown) }
        #expect(wire.server.requests.count == 1)
    }

    @Test func connectingIsNotTimedWhileTheRequestWaits() async throws {
        let options = WireOptions(connectionsPerHostMax: 1)
        try await withGrowingTimes { factor in
            let wire = try Wire(transport: WireTransport(options: options)) { _ in
                .text("hi").delayed(by: .milliseconds(300) * factor).closingConnection()
            }
            let request = try wire.request()
            let timeouts = TransportTimeouts(connect: .milliseconds(250) * factor)
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask { [transport = wire.transport] in
                        let response = try await transport.send(request, options: TransportOptions(timeouts: timeouts))
                        #expect(try await response.text() == "hi")
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Of 64 requests in flight, the first one ends, and all that are queued go over its connection.
    @Test func aHighPriorityOvertakesQueuedRequests() async throws {
        let (first, others) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        defer { for _ in 0..<64 { others.signal() } }
        let wire = try Wire { request in
            switch request.path {
            case "/first": first.wait()
            case "/other": others.wait()
            default: break
            }
            return .text("hi")
        }
        let held = try tasks(1, wire, "/first") + tasks(63, wire, "/other")
        try await wire.server.waitForRequests(64)
        let queue = QueueCount()
        func queued(_ count: Int, _ path: String, _ priority: TaskPriority) async throws -> [Task<String, any Error>] {
            let before = queue.count
            let request = try wire.request(.get, path)
            let tasks = (0..<count).map { _ in
                Task(priority: priority) { [transport = wire.transport] in
                    var options = TransportOptions()
                    options.listener = queue
                    return try await transport.send(request, options: options).text()
                }
            }
            // Awaiting a task would raise its priority.
            #expect(try await holds { queue.count == before + count })
            return tasks
        }
        let low = try await queued(640, "/low", .background)
        let high = try await queued(4, "/high", .high)
        first.signal()
        for task in low + high { #expect(try await task.value == "hi") }
        let order = wire.server.requests.dropFirst(64).map(\.path)
        #expect(order.prefix(5) == ["/high", "/high", "/high", "/low", "/high"])
        #expect(order.count == 644)
        for _ in 0..<63 { others.signal() }
        for task in held { #expect(try await task.value.text() == "hi") }
    }

    /// A storm of cancels at any moment, through a narrow gate: at its end the transport works as before.
    @Test func countsAreRightAfterAStormOfCancels() async throws {
        let options = WireOptions(connectionsPerHostMax: 2, requestsInFlightMax: 3)
        let wire = try Wire(transport: WireTransport(options: options)) { _ in
            .text("hi").delayed(by: .microseconds(300))
        }
        for round in 0..<10 {
            let tasks = try tasks(60, wire)
            for (number, task) in tasks.enumerated() where (number + round).isMultiple(of: 3) { task.cancel() }
            for task in tasks {
                switch await task.result {
                case .success(let response): #expect(try await response.text() == "hi")
                case .failure(let error): #expect(error is CancellationError)
                }
            }
        }
        for task in try tasks(20, wire) { #expect(try await task.value.text() == "hi") }
    }
}

/// How many requests were queued.
private final class QueueCount: ExchangeListener {
    private let state = Lock(0)

    var count: Int { state.withLock(\.self) }

    func enterQueue() { state.withLock { $0 += 1 } }

    func leaveQueue() {}
    func beginConnecting() {}
    func endConnecting() {}

    func resend(after reason: FailureReason) {}
    func received(_ beginning: HTTPResponse) {}
    func received(more: Data) {}
}
#endif
