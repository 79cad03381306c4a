#if os(Linux)
import Foundation
import HikyakuWire
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

/// RFC 8305 on sockets: a host's addresses are tried one after the other, until one answers.
@Suite(.timeLimit(.minutes(5)))
struct AttemptTests {
    private func transport(_ addresses: [String]) -> WireTransport {
        var options = WireOptions()
        options.hostAddresses = ["many.example": addresses]
        return WireTransport(options: options)
    }

    private func url(_ port: Int) throws -> URL { try #require(URL(string: "http://many.example:\(port)/")) }

    /// Both ends of each connection to a port that hasn't been answered yet, by the system's own table.
    private func unanswered(_ port: Int) throws -> Set<String> {
        // Such a file has no size, and is read piece by piece.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/net/tcp"))
        var bytes = Data()
        while let piece = try file.read(upToCount: 65_536), !piece.isEmpty { bytes += piece }
        let ending = ":" + String(format: "%04X", port)
        var ends: Set<String> = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.count > 3, words[2].hasSuffix(ending), words[3] == "02" { ends.insert("\(words[1]) \(words[2])") }
        }
        return ends
    }

    /// Waits until `count` connections to a port are unanswered beside those that were before.
    private func waitForAttempts(_ count: Int, _ port: Int, beside before: Set<String>) async throws {
        var last: Set<String> = []
        let isSo = try await holds {
            last = ((try? unanswered(port)) ?? []).subtracting(before)
            return last.count == count
        }
        #expect(isSo, "\(last)")
    }

    @Test func anAddressThatDoesNotAnswerIsOutrunByTheNext() async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let full = try FullListener(lastByte: 2, port: server.port)
        defer { withExtendedLifetime(full) {} }
        let transport = transport(["127.0.0.2", "127.0.0.1"])
        let before = try unanswered(server.port)
        let begin = ContinuousClock.now
        #expect(try await transport.get(try url(server.port)).text() == "hi")
        #expect(ContinuousClock.now - begin > .milliseconds(240))
        // The loser is closed, and the winner carries what follows.
        try await waitForAttempts(0, server.port, beside: before)
        for _ in 0..<5 { #expect(try await transport.get(try url(server.port)).text() == "hi") }
        #expect(server.connectionCount == 1)
    }

    @Test func anAddressThatRefusesTheConnectionIsNotWaitedFor() async throws {
        let server = try MockServer { _ in .text("hi") }
        defer { server.stop() }
        let addresses = (2...20).map { "127.0.0.\($0)" } + ["127.0.0.1"]
        var times: [Duration] = []
        // On a busy machine, everything takes long; one time in five has to be far shorter than one wait for each.
        while times.count < 5, times.min() ?? .seconds(60) > .seconds(2) {
            let begin = ContinuousClock.now
            #expect(try await transport(addresses).get(try url(server.port)).text() == "hi")
            times.append(ContinuousClock.now - begin)
            #expect(server.connectionCount == times.count)
        }
        #expect(times.contains { $0 < .seconds(4) }, "\(times)")
    }

    @Test func severalAreOpenedAtOnceAndAllClosedWithTheCall() async throws {
        let first = try FullListener()
        let port = Int(first.port)
        let others = try (2...4).map { try FullListener(lastByte: $0, port: port) }
        defer { withExtendedLifetime(others) {} }
        let transport = transport((1...4).map { "127.0.0.\($0)" })
        let before = try unanswered(port)
        let request = HTTPRequest(url: try url(port))
        let task = Task { try await transport.send(request, options: TransportOptions()) }
        try await waitForAttempts(4, port, beside: before)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await waitForAttempts(0, port, beside: before)
        let options = TransportOptions(timeouts: TransportTimeouts(connect: .milliseconds(600)))
        let error = try await transportError { try await transport.send(request, options: options) }
        #expect(error.reason == .connectTimeout)
        try await waitForAttempts(0, port, beside: before)
        let last = Task { try await transport.send(request, options: TransportOptions()) }
        try await waitForAttempts(4, port, beside: before)
        await transport.shutdown(within: .zero)
        #expect(try await transportError { try await last.value }.reason == .shutDown)
        #expect(try unanswered(port).subtracting(before).isEmpty)
    }

    @Test func theErrorNamesTheAttemptThatCameNearest() async throws {
        let error = try await transportError { try await transport(["127.0.0.2", "127.0.0.3"]).get(try url(1)) }
        #expect(error.reason == .connectionRefused)
        #expect(error.message.contains("2 addresses were tried"))
        #expect((error.underlyingError as? WireError)?.systemErrorNumber == 111)
    }
}
#endif
