#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// Servers of HTTP/2 that are slow, small or gone at the wrong moment.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(2)))
struct HTTP2FailureTests {
    private func transport(_ change: (inout WireOptions) -> Void = { _ in }) async throws -> WireTransport {
        try await WireTransport.trusting(Certificates.shared, change)
    }

    // MARK: - Handshakes

    /// A second handshake that begins meanwhile doesn't end the first.
    @Test func aHandshakeThatTakesLongIsWaitedFor() async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2", "http/1.1"]
            listener.delays = [0.9]
        }
        let transport = try await transport()
        #expect(try await transport.report(try server.url()).connection == 1)
    }

    // MARK: - Streams that are refused

    /// A new connection takes no more requests at first than the server has allowed on the one before.
    @Test(.enabled(if: Nginx.isInstalled))
    func aServerThatTakesFewStreamsAndIsSlowAnswersAll() async throws {
        let nginx = try await Nginx(
            "http2_max_concurrent_streams 3; location /slow { limit_rate 50k; alias files/big; }"
        )
        try nginx.addFile("big", byteCount: 60_000)
        let transport = try await transport()
        let url = try nginx.url("/slow")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<64 { group.addTask { try await transport.get(url).body.count ?? 0 } }
            for try await count in group { #expect(count == 60_000) }
        }
    }

    // MARK: - The end

    /// What gets a connection in the loop's last round ends, too.
    @Test func eachCallEndsWithTheTransport() async throws {
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2", "http/1.1"]
            listener.settings = [[3, 2]]
        }
        let url = try server.url()
        for round in 0..<60 {
            let transport = try await transport { $0.connectionsPerHostMax = 8 }
            _ = try await transport.get(url)
            let endedCount = Lock(0)
            let calls = (0..<64).map { _ in
                Task {
                    defer { endedCount.withLock { $0 += 1 } }
                    _ = try? await transport.get(url)
                }
            }
            try await Task.sleep(for: .microseconds(300 * round))
            await transport.shutdown(within: .zero)
            let haveEnded = try await holds(within: .seconds(5)) { endedCount.withLock(\.self) == calls.count }
            try #require(haveEnded, "\(endedCount.withLock(\.self)) of \(calls.count) in round \(round)")
        }
    }

    // MARK: - Kept connections

    /// The connection has carried a request, though not to a response.
    @Test func aConnectionIsKeptWhoseFirstStreamFailed() async throws {
        let server = try await TLSServer.speakingHTTP2("internal", "close", "answer")
        let transport = try await transport()
        let url = try server.url()
        await #expect(throws: TransportError.self) { try await transport.get(url) }
        #expect(try await transport.report(url).connection == 2)
    }
}
#endif
