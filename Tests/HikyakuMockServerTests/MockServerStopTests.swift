import Testing

@testable import HikyakuMockServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

@Suite struct MockServerStopTests {
    @Test(arguments: [MockAnswer.raw([.stall]), .raw([.pause(.seconds(60))]), .status(.ok).delayed(by: .seconds(60))])
    func stopsPromptlyWhileAConnectionWaits(_ answer: MockAnswer) async throws {
        let server = try MockServer { _ in answer }
        let client = try RawClient(server)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try await server.waitForRequests(1)
        let start = ContinuousClock.now
        server.stop()
        // Far below the pauses. A thread that doesn't end by itself is given up sooner, and its connection stays open.
        #expect(.now - start < .seconds(30))
        #expect(server.openConnectionCount == 0)
        #expect(try client.readToEnd() == "")
    }

    @Test func refusesConnectionsAfterStopAndKeepsItsRecord() throws {
        let server = try MockServer { _ in .status(.ok) }
        _ = try RawClient(server).get("/")
        server.stop()
        server.stop()
        #expect(throws: RawClient.Failure(step: "connect", code: ECONNREFUSED)) { try RawClient(server) }
        #expect(server.requests.count == 1)
    }

    @Test func stopsWithItsLastReference() async throws {
        var server: MockServer? = try MockServer { _ in .raw([.stall]) }
        let client = try RawClient(try #require(server))
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try await server?.waitForRequests(1)
        server = nil
        #expect(try client.readToEnd() == "")
    }

    /// A handler that waited for its own thread would be given up after five seconds.
    ///
    /// On a busy machine everything is late, so that one time in five has to be faster than that.
    @Test func canBeStoppedByItsOwnHandler() async throws {
        var durations: [Duration] = []
        for _ in 1...5 where durations.allSatisfy({ $0 >= .seconds(4) }) {
            let server = try MockServer()
            server.route(.get, "/") { [server] _ in
                server.stop()
                return .status(.ok)
            }
            let client = try RawClient(server)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            let start = ContinuousClock.now
            _ = try client.readToEnd()
            durations.append(.now - start)
        }
        #expect(durations.contains { $0 < .seconds(4) }, "\(durations)")
    }

    @Test func endsAWaitInTime() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let error = await #expect(throws: MockServerError.self) {
            try await server.waitForRequests(1, within: .milliseconds(10))
        }
        #expect(error?.reason == .waitTimedOut)
        let text = "waited 0.01 seconds for 1 requests; there were 0 requests, 0 connections, 0 of them open"
        #expect(error?.description == text)
    }

    @Test func endsAWaitThatIsCancelled() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let wait = Task { try await server.waitForRequests(1, within: .seconds(60)) }
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
    }

    #if os(Linux)
    @Test func givesAllDescriptorsBack() throws {
        // Other tests open and close some meanwhile, so a leak is looked for that grows with each round.
        let rounds = 1000
        let before = try descriptorCount()
        var clients: [RawClient] = []
        for _ in 0..<rounds {
            let server = try MockServer { _ in .raw([.stall]) }
            let client = try RawClient(server)
            client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            clients.append(client)
            server.stop()
            client.close()
        }
        #expect(try descriptorCount() - before < rounds / 2)
    }

    private func descriptorCount() throws -> Int {
        let folder = try #require(opendir("/proc/self/fd"))
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
    #endif
}
