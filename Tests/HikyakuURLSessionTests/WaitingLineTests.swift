import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuURLSession

/// Which requests are in flight, and which wait.
@Suite(.timeLimit(.minutes(1)))
struct WaitingLineTests {
    private final class Request: Sendable, CustomStringConvertible {
        let description: String

        init(_ name: String) { description = name }
    }

    private static let (first, second) = (origin("a.example"), origin("b.example"))

    private static func origin(_ host: String) -> HTTPOrigin { HTTPOrigin(scheme: "https", host: host, port: nil) }

    private static func line(inFlight: Int = 100, perOrigin: Int = 2, waiting: Int = 100) -> WaitingLine<Request> {
        WaitingLine(.init(inFlightMax: inFlight, perOriginMax: perOrigin, waitingMax: waiting))
    }

    @Test func anOriginHasItsNumberOfConnectionsAndOthersDoNotWaitForIt() {
        var line = Self.line()
        let requests = (0..<4).map { Request("\($0)") }
        let entries = requests.map { line.enter($0, origin: Self.first, priority: 1) }
        #expect(entries == [.starts, .starts, .waits, .waits])
        #expect(line.enter(Request("other"), origin: Self.second, priority: 1) == .starts)
        #expect(line.leave(requests[1]).map(\.description) == ["2"])
        #expect(line.leave(requests[3]).isEmpty, "it waited, so nothing is free")
        #expect(line.leave(requests[0]).isEmpty)
        #expect((line.runningCount, line.waitingCount) == (2, 0))
    }

    @Test func theHighestPriorityIsFirstAndEqualOnesKeepTheirOrder() {
        var line = Self.line(perOrigin: 1)
        let running = Request("running")
        #expect(line.enter(running, origin: Self.first, priority: 0) == .starts)
        let waiting = [("low", 5), ("high", 9), ("low too", 5), ("high too", 9)].map { (Request($0), UInt8($1)) }
        for (request, priority) in waiting {
            #expect(line.enter(request, origin: Self.first, priority: priority) == .waits)
        }
        var (order, next) = ([String](), line.leave(running))
        while let request = next.first {
            order.append(request.description)
            next = line.leave(request)
        }
        // Every fourth is the oldest, here the same as by priority.
        #expect(order == ["high", "high too", "low", "low too"])
        #expect(line.isEmpty)
    }

    @Test func requestsThatShareAConnectionDoNotWait() {
        var line = Self.line(perOrigin: 1)
        let requests = (0..<5).map { Request("\($0)") }
        for request in requests { _ = line.enter(request, origin: Self.first, priority: 1) }
        #expect(line.note(isMultiplexed: true, at: Self.first).map(\.description) == ["1", "2", "3", "4"])
        for request in requests { #expect(line.leave(request).isEmpty) }
        // It is remembered.
        for request in requests { #expect(line.enter(request, origin: Self.first, priority: 1) == .starts) }
        _ = line.note(isMultiplexed: false, at: Self.first)
        #expect(line.enter(Request("again"), origin: Self.first, priority: 1) == .waits)
    }

    @Test func allOriginsTogetherHaveALimitAndSoHasTheQueue() {
        var line = Self.line(inFlight: 2, waiting: 2)
        let requests = (0..<4).map { Request("\($0)") }
        let origins = (0..<4).map { Self.origin("host\($0).example") }
        let entries = zip(requests, origins).map { line.enter($0, origin: $1, priority: 1) }
        #expect(entries == [.starts, .starts, .waits, .waits])
        #expect(line.enter(Request("much"), origin: Self.first, priority: 1) == .full)
        #expect(line.leave(requests[0]).count == 1, "an end at one origin lets another one start")
        #expect(line.leave(requests[1]).count == 1)
        #expect((line.runningCount, line.waitingCount) == (2, 0))
        #expect(line.leave(requests[0]).isEmpty, "it has left before")
    }

    /// One origin with thousands of requests does not hold up an urgent one of another origin.
    @Test func aFreePlaceIsForTheHighestPriorityOfAllOrigins() {
        var line = Self.line(inFlight: 2, perOrigin: 2)
        let running = (0..<2).map { Request("running \($0)") }
        for request in running { #expect(line.enter(request, origin: Self.first, priority: 1) == .starts) }
        for number in 0..<10 { _ = line.enter(Request("old \(number)"), origin: Self.first, priority: 1) }
        let urgent = Request("urgent")
        #expect(line.enter(urgent, origin: Self.second, priority: 9) == .waits)
        #expect(line.leave(running[0]).map(\.description) == ["urgent"])
        #expect(line.isRunning(urgent))
    }

    @Test func aLowPriorityDoesNotWaitForEver() {
        var line = Self.line(inFlight: 1)
        var running = Request("running")
        _ = line.enter(running, origin: Self.first, priority: 1)
        let low = Request("low")
        _ = line.enter(low, origin: Self.first, priority: 1)
        for step in 0..<10 where !line.isRunning(low) {
            _ = line.enter(Request("high \(step)"), origin: Self.second, priority: 9)
            running = line.leave(running)[0]
        }
        #expect(line.isRunning(low))
    }

    /// Any order of arrivals, ends and protocols keeps the limits, and lets nobody wait for a place that is free.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func randomArrivalsAndEndsKeepTheLimits(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var line = Self.line(inFlight: 8, perOrigin: 3, waiting: 20)
        let origins = (0..<4).map { Self.origin("host\($0).example") }
        var (running, waiting) = ([(Request, Int)](), [(Request, Int)]())
        var isMultiplexed = [false, false, false, false]
        func begin(_ started: [Request]) {
            for request in started {
                guard let place = waiting.firstIndex(where: { $0.0 === request }) else {
                    Issue.record("started twice")
                    continue
                }
                running.append(waiting.remove(at: place))
            }
        }
        for step in 0..<2_000 {
            let index = Int.random(in: 0..<4, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5:
                let request = Request("\(step)")
                let priority = UInt8.random(in: 0...2, using: &generator)
                switch line.enter(request, origin: origins[index], priority: priority) {
                case .starts: running.append((request, index))
                case .waits: waiting.append((request, index))
                case .full: #expect(waiting.count == 20)
                }
            case 5..<8 where !running.isEmpty:
                begin(line.leave(running.remove(at: Int.random(in: 0..<running.count, using: &generator)).0))
            case 8 where !waiting.isEmpty:
                begin(line.leave(waiting.remove(at: Int.random(in: 0..<waiting.count, using: &generator)).0))
            default:
                // An origin that is idle is not noted.
                guard running.contains(where: { $0.1 == index }) else { continue }
                isMultiplexed[index] = Bool.random(using: &generator)
                begin(line.note(isMultiplexed: isMultiplexed[index], at: origins[index]))
            }
            #expect((line.runningCount, line.waitingCount) == (running.count, waiting.count))
            #expect(running.count <= 8 && waiting.count <= 20)
            for origin in 0..<4 where !running.contains(where: { $0.1 == origin }) {
                // With a free connection and room in all, nothing of this origin waits.
                #expect(running.count == 8 || !waiting.contains { $0.1 == origin })
            }
        }
    }

    // MARK: - In a transport

    private static func transportWithOneConnection() throws -> (MockServer, URLSessionTransport, URL) {
        let server = try MockServer()
        server.route(.get, "/") { _ in .text("ok") }
        let limits = WaitingLine<Exchange>.Limits(perOriginMax: 1)
        let transport = URLSessionTransport(URLSessionTransport.stripped(.ephemeral), rules: nil, limits: limits)
        return (server, transport, try #require(URL(string: server.baseURL + "/")))
    }

    private final class Waiting: ExchangeListener {
        let count = Lock(0)

        func enterQueue() { count.withLock { $0 += 1 } }
        func leaveQueue() {}
        func beginConnecting() {}
        func endConnecting() {}
        func resend(after reason: FailureReason) {}
        func received(_ beginning: HTTPResponse) {}
        func received(more: Data) {}
    }

    @Test func theFirstByteIsNotLateWhileARequestWaitsForAConnection() async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.get, "/") { _ in .text("ok").delayed(by: .milliseconds(300)) }
        let configuration = URLSessionTransport.stripped(.ephemeral)
        let limits = WaitingLine<Exchange>.Limits(perOriginMax: 1)
        let transport = URLSessionTransport(configuration, rules: nil, limits: limits)
        let url = try #require(URL(string: server.baseURL + "/"))
        let events = Lock<[String]>([])
        struct Observer: EventObserver {
            let events: Lock<[String]>
            func observe(_ event: TransportEvent) {
                if case .dequeued = event.kind { events.withLock { $0.append("dequeued") } }
            }
        }
        // The last of five waits for more than a second.
        let options = TransportOptions(
            timeouts: TransportTimeouts(firstByte: .milliseconds(900)),
            observer: Observer(events: events),
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { _ = try await transport.send(HTTPRequest(url: url), options: options) }
            }
            try await group.waitForAll()
        }
        #expect(server.connectionCount == 1)
        #expect(events.withLock(\.count) == 4)
    }

    /// An observer may do anything, such as cancelling another request of the same transport.
    @Test func anObserverMayEndOtherRequestsWhenOneLeavesTheQueue() async throws {
        struct Canceller: EventObserver {
            let tasks: Lock<[Task<HTTPResponse, any Error>]>
            func observe(_ event: TransportEvent) {
                if case .dequeued = event.kind { for task in tasks.withLock({ $0 }) { task.cancel() } }
            }
        }
        let (server, transport, url) = try Self.transportWithOneConnection()
        defer { server.stop() }
        server.enqueue(.raw([.stall]))
        let (waiting, tasks) = (Waiting(), Lock<[Task<HTTPResponse, any Error>]>([]))
        var options = TransportOptions(observer: Canceller(tasks: tasks))
        options.listener = waiting
        let call = { Task { [options] in try await transport.send(HTTPRequest(url: url), options: options) } }
        let first = call()
        try await server.waitForRequests(1)
        let others = (0..<5).map { _ in call() }
        try #require(try await holds { waiting.count.withLock({ $0 >= 5 }) })
        tasks.withLock { $0 = Array(others.dropFirst()) }
        first.cancel()
        for other in others { _ = await other.result }
        #expect(try await transport.send(HTTPRequest(url: url), options: TransportOptions()).status == .ok)
    }

    /// Calls that end at any moment leave no place behind.
    @Test(arguments: 0..<4)
    func requestsThatEndAtOnceLeaveNoPlaceBehind(_ round: Int) async throws {
        let server = try MockServer()
        defer { server.stop() }
        server.route(.get, "/") { _ in .text("ok") }
        let limits = WaitingLine<Exchange>.Limits(perOriginMax: 2)
        let transport = URLSessionTransport(URLSessionTransport.stripped(.ephemeral), rules: nil, limits: limits)
        let url = try #require(URL(string: server.baseURL + "/"))
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let call = Task { try await transport.send(HTTPRequest(url: url), options: TransportOptions()) }
                    for _ in 0..<(number + round) % 7 { await Task.yield() }
                    call.cancel()
                    _ = await call.result
                }
            }
        }
        for _ in 0..<4 {
            #expect(try await transport.send(HTTPRequest(url: url), options: TransportOptions()).status == .ok)
        }
        await transport.shutdown(within: .seconds(30))
    }

    @Test func anExchangeThatEndsBeforeItIsAddedFreesItsPlace() throws {
        let table = ExchangeTable(WaitingLine<Exchange>.Limits(perOriginMax: 1))
        let url = try #require(URL(string: "https://a.example/"))
        for _ in 0..<3 {
            let ended = Exchange(request: HTTPRequest(url: url), options: TransportOptions())
            ended.prepare {
            } leave: {
                table.leave(ended)
            }
            ended.finish(.failure(CancellationError()))
            table.enter(ended, priority: 1)
        }
        let started = Lock(false)
        let next = Exchange(request: HTTPRequest(url: url), options: TransportOptions())
        next.prepare {
            started.withLock { $0 = true }
        } leave: {
        }
        table.enter(next, priority: 1)
        #expect(started.withLock { $0 })
    }

    @Test func cancellingARequestThatWaitsEndsItAndShuttingDownWaitsForTheOthers() async throws {
        let (server, transport, url) = try Self.transportWithOneConnection()
        defer { server.stop() }
        server.enqueue(.raw([.stall]))
        let waiting = Waiting()
        var options = TransportOptions()
        options.listener = waiting
        let call = { Task { [options] in try await transport.send(HTTPRequest(url: url), options: options).status } }
        let first = call()
        try await server.waitForRequests(1)
        // The first one never ends by itself.
        let (second, third) = (call(), call())
        try #require(try await holds { waiting.count.withLock({ $0 >= 2 }) })
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        // The one that still waits was accepted before.
        let end = Task { await transport.shutdown(within: .seconds(60)) }
        first.cancel()
        await end.value
        #expect(try await third.value == .ok)
        #expect(server.requests.count == 2)
        let error = try await transportError {
            try await transport.send(HTTPRequest(url: url), options: TransportOptions())
        }
        #expect(error.reason == .shutDown)
    }
}
