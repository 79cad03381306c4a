#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import Testing

/// RFC 8305 on sockets: a host's addresses are tried one after the other, until one answers.
@Suite(.timeLimit(.minutes(2)))
struct AttemptTests {
    private func transport(_ addresses: [String]) -> WireTransport {
        var options = WireOptions()
        options.hostAddresses = ["many.example": addresses]
        return WireTransport(options: options)
    }

    private func url(_ port: Int) throws -> URL { try #require(URL(string: "http://many.example:\(port)/")) }

    /// How many connections to a port haven't been answered yet, by the system's own table.
    private func unansweredCount(_ port: Int) throws -> Int {
        let text = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
        let ending = ":" + String(format: "%04X", port)
        return text.split(separator: "\n").count { line in
            let words = line.split(separator: " ")
            return words.count > 3 && words[2].hasSuffix(ending) && words[3] == "02"
        }
    }

    @Test func anAddressThatDoesNotAnswerIsOutrunByTheNext() async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let full = try FullListener(lastByte: 2, port: server.port)
        defer { withExtendedLifetime(full) {} }
        let transport = transport(["127.0.0.2", "127.0.0.1"])
        let before = try unansweredCount(server.port)
        let begin = ContinuousClock.now
        #expect(try await transport.get(try url(server.port)).text() == "hi")
        #expect(ContinuousClock.now - begin > .milliseconds(240))
        // The loser is closed, and the winner carries what follows.
        #expect(try await holds { (try? unansweredCount(server.port)) == before })
        for _ in 0..<5 { #expect(try await transport.get(try url(server.port)).text() == "hi") }
        #expect(server.connectionCount == 1)
    }

    @Test func anAddressThatRefusesIsNotWaitedFor() async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let addresses = (2...20).map { "127.0.0.\($0)" } + ["127.0.0.1"]
        let begin = ContinuousClock.now
        #expect(try await transport(addresses).get(try url(server.port)).text() == "hi")
        // Far less than one wait for each.
        #expect(ContinuousClock.now - begin < .seconds(4))
        #expect(server.connectionCount == 1)
    }

    @Test func severalAreOpenedAtOnceAndAllClosedWithTheCall() async throws {
        let first = try FullListener()
        let port = Int(first.port)
        let others = try (2...4).map { try FullListener(lastByte: $0, port: port) }
        defer { withExtendedLifetime(others) {} }
        let transport = transport((1...4).map { "127.0.0.\($0)" })
        let before = try unansweredCount(port)
        let request = HTTPRequest(url: try url(port))
        let task = Task { try await transport.send(request, options: TransportOptions()) }
        #expect(try await holds { (try? unansweredCount(port)) == before + 4 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await holds { (try? unansweredCount(port)) == before })
        let options = TransportOptions(timeouts: TransportTimeouts(connect: .milliseconds(600)))
        let error = try await transportError { try await transport.send(request, options: options) }
        #expect(error.reason == .connectTimeout)
        #expect(try await holds { (try? unansweredCount(port)) == before })
        let last = Task { try await transport.send(request, options: TransportOptions()) }
        #expect(try await holds { (try? unansweredCount(port)) == before + 2 })
        await transport.shutdown(within: .zero)
        #expect(try await transportError { try await last.value }.reason == .shutDown)
        #expect(try unansweredCount(port) == before)
    }

    @Test func theErrorNamesTheAttemptThatCameNearest() async throws {
        let error = try await transportError { try await transport(["127.0.0.2", "127.0.0.3"]).get(try url(1)) }
        #expect(error.reason == .connectionRefused)
        #expect(error.message.contains("2 addresses were tried"))
        #expect((error.underlyingError as? WireError)?.systemErrorNumber == 111)
    }
}
#endif
