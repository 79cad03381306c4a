#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// Requests that come so quickly one after the other that their callers wait on their own threads.
///
/// One test at a time: a thread that drives is one less for all others.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DrivingTests {
    /// What a slow machine takes for an exchange is quick here, too.
    private func makeTransport() -> WireTransport { WireTransport(patience: .seconds(10)) }

    private func makeWire() throws -> Wire {
        try Wire(transport: makeTransport()) { request in
            request.path == "/slow" ? .raw([.stall]) : .text("\(request.path) \(request.bodyText)")
        }
    }

    /// Lets the transport find out that the server is quick.
    private func warmUp(_ wire: borrowing Wire) async throws {
        for number in 0..<50 {
            #expect(try await wire.send(.get, "/warm/\(number)").text() == "/warm/\(number) ")
        }
    }

    @Test func aCallerDrivesWhileTheServerIsQuickAndNotBefore() async throws {
        let wire = try Wire(transport: makeTransport()) { _ in .text("hi") }
        // The first opens the connection, and only the second shows how quick the server is over a kept one.
        for _ in 0..<2 { try await wire.send() }
        #expect(wire.transport.carriedCount == 0)
        for _ in 0..<1000 { try await wire.send() }
        #expect(wire.transport.carriedCount > 0)
    }

    /// Requests that a server does not answer delay no other requests.
    @Test func aCallerDrivesBesideSilentRequests() async throws {
        let wire = try makeWire()
        let slow = try wire.request(.get, "/slow")
        let tasks = (0..<3).map { _ in
            Task { [transport = wire.transport] in try await transport.send(slow, options: TransportOptions()) }
        }
        try #require(await holds { wire.server.requests.count { $0.path == "/slow" } == 3 })
        try await warmUp(wire)
        #expect(wire.transport.carriedCount > 0)
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    }

    @Test func manyInARowGetTheirOwnAnswersOverOneConnection() async throws {
        let wire = try makeWire()
        for number in 0..<1000 {
            let response = try await wire.send(.post, "/\(number)", body: HTTPBody("body \(number)"))
            #expect(try await response.text() == "/\(number) body \(number)")
        }
        #expect(wire.server.connectionCount == 1)
    }

    @Test(arguments: [2, 3, 8])
    func severalTasksInARowGetTheirOwnAnswers(_ width: Int) async throws {
        let wire = try makeWire()
        try await withThrowingTaskGroup { group in
            for task in 0..<width {
                let requests = try (0..<200).map { try wire.request(.get, "/\(task)/\($0)") }
                group.addTask { [transport = wire.transport] in
                    for request in requests {
                        let response = try await transport.send(request, options: TransportOptions())
                        #expect(try await response.text() == "\(request.url.path) ")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(wire.server.requests.count == width * 200)
        #expect(wire.server.connectionCount <= width)
    }

    /// The caller's thread is released while the request goes on: else, as many stalls as there are threads would keep
    /// this test's own tasks from running.
    @Test func aStallAfterQuickAnswersReleasesTheThreadAndCanBeCancelled() async throws {
        let wire = try makeWire()
        for _ in 0..<5 {
            try await warmUp(wire)
            let slow = try wire.request(.get, "/slow")
            let tasks = (0..<16).map { _ in
                Task { [transport = wire.transport] in try await transport.send(slow, options: TransportOptions()) }
            }
            #expect(try await wire.send(.get, "/quick").text() == "/quick ")
            for task in tasks { task.cancel() }
            for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
        }
    }

    @Test func aCancelWhileTheCallerDrivesIsObeyed() async throws {
        let wire = try makeWire()
        for _ in 0..<50 {
            try await warmUp(wire)
            let slow = try wire.request(.get, "/slow")
            let before = wire.server.requests.count
            let task = Task { [transport = wire.transport] in
                try await transport.send(slow, options: TransportOptions())
            }
            // Without a pause, so that the window isn't over.
            try #require(try await holds { wire.server.requests.count != before })
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test(arguments: [0, 20])
    func aShutdownWhileTheCallerDrivesEndsWithItsGrace(_ milliseconds: Int) async throws {
        for _ in 0..<10 {
            let wire = try makeWire()
            try await warmUp(wire)
            let slow = try wire.request(.get, "/slow")
            let before = wire.server.requests.count
            let task = Task { [transport = wire.transport] in
                try await transport.send(slow, options: TransportOptions())
            }
            try #require(try await holds { wire.server.requests.count != before })
            await wire.transport.shutdown(within: .milliseconds(milliseconds))
            #expect(try await transportError { try await task.value }.reason == .shutDown)
            try await wire.server.waitForOpenConnections(0, within: .seconds(20))
        }
    }

    @Test func aConnectionThatDiedWhileNothingWasInFlightIsReplaced() async throws {
        let wire = try makeWire()
        for round in 1...10 {
            try await warmUp(wire)
            wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), .close]))
            #expect(try await wire.send(.post).text() == "hi")
            try await wire.server.waitForOpenConnections(0, within: .seconds(20))
            #expect(try await wire.send(.post, "/next").text() == "/next ")
            #expect(wire.server.connectionCount == round + 1)
        }
    }

    /// What came while a caller wrote is read by the caller, and the loop isn't woken for it.
    @Test(arguments: ["/kept", "/closed"])
    func aCallerReadsWhatCameWhileItWrote(_ path: String) async throws {
        let wire = try Wire(transport: WireTransport(patience: .zero)) { request in
            guard request.path == "/closed" else { return .text("hi") }
            return .raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), .close])
        }
        for _ in 0..<2 { try await wire.send() }
        let exchange = try Exchange(try wire.request(.get, path), TransportOptions())
        let engine = wire.transport.engine
        let caller = CallerDriver(engine)
        guard case .begun(let connection, false) = caller.attempt(exchange) else {
            Issue.record("no connection is idle")
            return
        }
        try #require(await holds { engine.state.withLock { _ in connection.use == .callerWithEvent } })
        if path == "/closed" { try await wire.server.waitForOpenConnections(0, within: .seconds(20)) }
        let isOverAtOnce = Lock(false)
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Void, any Error>) in
            exchange.wait(with: continuation)
            caller.handOver(exchange, connection, mustAttend: false)
            let isOver = engine.state.withLock { _ in if case .over = exchange.phase { true } else { false } }
            isOverAtOnce.withLock { $0 = isOver }
        }
        #expect(isOverAtOnce.withLock { $0 })
        #expect(exchange.takeResponse()?.status == .ok)
        #expect(try await wire.send(.post).text() == "hi")
        #expect(wire.server.connectionCount == (path == "/kept" ? 1 : 2))
    }

    @Test func theLastReferenceEndsAParkedLoop() async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let url = try server.url("/")
        for _ in 0..<10 {
            let transport = makeTransport()
            for _ in 0..<50 { #expect(try await transport.get(url).status == .ok) }
        }
        try await server.waitForOpenConnections(0, within: .seconds(20))
    }
}

extension WireTransport {
    /// How many exchanges were carried by their callers alone.
    var carriedCount: Int { engine.state.withLock(\.carriedCount) }
}
#endif
