#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@Suite(.casesAtOnce(3), .timeLimit(.minutes(5)))
struct CancellationTests {
    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"])
    func cancellingClosesTheSocketWithinASecond(_ begun: String) async throws {
        let wire = try Wire()
        wire.server.enqueue(.raw([.write(begun), .stall]))
        let request = try wire.request()
        let task = Task { [transport = wire.transport] in
            try await transport.send(request, options: TransportOptions())
        }
        try await wire.server.waitForRequests(1, within: .seconds(20))
        task.cancel()
        // Before the outcome is waited for: how soon this task runs again is not up to the transport.
        try await wire.server.waitForOpenConnections(0, within: .seconds(20))
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let wire = try Wire { _ in .text("hi") }
        let request = try wire.request()
        let task = Task { [transport = wire.transport] in
            while !Task.isCancelled { await Task.yield() }
            return try await transport.send(request, options: TransportOptions())
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(wire.server.connectionCount == 0)
    }

    @Test func cancellingOneLeavesTheOthersAlone() async throws {
        let wire = try Wire { request in
            request.path == "/slow" ? .raw([.stall]) : .text("done").delayed(by: .milliseconds(50))
        }
        let slow = try wire.request(.get, "/slow")
        let quick = try wire.request(.get, "/quick")
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { [transport = wire.transport] in
                    let response = try await transport.send(quick, options: TransportOptions())
                    #expect(try await response.text() == "done")
                }
            }
            let stuck = (0..<8).map { _ in
                Task { [transport = wire.transport] in try await transport.send(slow, options: TransportOptions()) }
            }
            try await wire.server.waitForRequests(16, within: .seconds(20))
            for task in stuck { task.cancel() }
            for task in stuck { await #expect(throws: CancellationError.self) { try await task.value } }
            try await group.waitForAll()
        }
    }

    /// Cancels at any moment: before the request is handed over, while it connects, waits or receives, and afterwards.
    @Test func eachTaskOfManyGetsOneOutcome() async throws {
        let seed = testSeed()
        print("seed of the storm: \(seed)")
        var random = SeededGenerator(seed: seed)
        let wire = try Wire { request in
            .text(String(repeating: "x", count: 2000)).delayed(
                by: .microseconds(request.query["delay"].flatMap(Int.init) ?? 0)
            )
        }
        for _ in 0..<5 {
            let tasks = try (0..<200).map { number in
                let delay = Int.random(in: 0...4000, using: &random)
                let request = try wire.request(number.isMultiple(of: 2) ? .get : .post, "/?delay=\(delay)")
                return Task { [transport = wire.transport] in
                    try await transport.send(request, options: TransportOptions()).body.count
                }
            }
            for task in tasks.shuffled(using: &random) where Bool.random(using: &random) {
                for _ in 0..<Int.random(in: 0...20, using: &random) { await Task.yield() }
                task.cancel()
            }
            for task in tasks {
                switch await task.result {
                case .success(let count): #expect(count == 2000)
                case .failure(let error): #expect(error is CancellationError)
                }
            }
        }
        #expect(try await wire.send().body.count == 2000)
    }
}
#endif
