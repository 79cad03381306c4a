#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// What becomes of connections if the process has no descriptor left; each in a process of its own.
@Suite(.timeLimit(.minutes(5)))
struct DescriptorTests {
    /// A server whose first answers come at once, so that each is over a connection of its own.
    private static func makeServer(of idleCount: Int) throws -> MockServer {
        let count = Lock(0)
        return try MockServer { request in
            guard request.path == "/warm" else { return .text("hi") }
            count.withLock { $0 += 1 }
            _ = holdsBlocking { count.withLock(\.self) == idleCount }
            return .text("warm")
        }
    }

    /// A transport with `idleCount` idle connections to a server.
    private static func warmTransport(_ base: String, _ idleCount: Int) async throws -> WireTransport {
        var options = WireOptions()
        options.proxy = .none
        let transport = WireTransport(options: options)
        let url = try #require(URL(string: base + "/warm"))
        try await withThrowingTaskGroup { group in
            for _ in 0..<idleCount { group.addTask { _ = try await transport.get(url) } }
            try await group.waitForAll()
        }
        return transport
    }

    /// Takes all descriptors but `count`.
    private static func takeDescriptors(leaving count: Int) throws {
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        limit.rlim_cur = 128
        try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        var taken: [Int32] = []
        while case let descriptor = dup(0), descriptor >= 0 { taken.append(descriptor) }
        try #require(errno == EMFILE && taken.count > count)
        for descriptor in taken.prefix(count) { close(descriptor) }
    }

    @Test(arguments: ["http://127.0.0.1", "http://localhost"], [0, 1, 2])
    func idleConnectionsAreGivenUpForAnotherOrigin(_ origin: String, _ leftCount: Int) async throws {
        let (server, other) = (try Self.makeServer(of: 30), try Self.makeServer(of: 0))
        defer {
            server.stop()
            other.stop()
        }
        let otherURL = "\(origin):\(other.baseURL.split(separator: ":").last ?? "")"
        let base = server.baseURL
        await #expect(processExitsWith: .success) {
            [base = base as String, otherURL = otherURL as String, leftCount = leftCount as Int] in
            let transport = try await Self.warmTransport(base, 30)
            try Self.takeDescriptors(leaving: leftCount)
            let url = try #require(URL(string: otherURL))
            // Several at once, so that each needs one of the others' connections.
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<8 { group.addTask { try await transport.get(url).text() } }
                for try await text in group { #expect(text == "hi") }
            }
            let first = try #require(URL(string: base))
            #expect(try await transport.get(first).text() == "hi")
        }
    }

    @Test func withoutIdleConnectionsTheFaultIsReported() async throws {
        let server = try Self.makeServer(of: 0)
        defer { server.stop() }
        await #expect(processExitsWith: .success) { [base = server.baseURL as String] in
            let transport = try await Self.warmTransport(base, 0)
            let url = try #require(URL(string: base))
            #expect(try await transport.get(url).text() == "hi")
            try Self.takeDescriptors(leaving: 0)
            // The idle connection is used, and not given up for another one.
            #expect(try await transport.get(url).text() == "hi")
            let unused = try #require(URL(string: "http://127.0.0.2:1"))
            let error = try await transportError { try await transport.get(unused) }
            #expect(error.reason == .connectionRefused)
            try Self.takeDescriptors(leaving: 0)
            let next = try await transportError { try await transport.get(unused) }
            #expect(next.reason == .connectionFailed)
            #expect((next.underlyingError as? WireError)?.systemErrorNumber == Int(EMFILE))
        }
    }
}
#endif
