#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// Bodies that arrive so fast that the system is to report many bytes at once: no byte may stay unread.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct GatheredDownloadTests {
    private static let burstBytes = 8 << 20

    /// The number of received bytes from which on the system reports a socket as readable.
    private static func lowWater(_ descriptor: Int32?) -> Int32 {
        var count: Int32 = -1
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard let descriptor, getsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, &length) == 0 else { return -1 }
        return count
    }

    private static let gathered: Int32 = 256 * 1024
    private let piece = [UInt8](repeating: 0x61, count: 64 * 1024)
    private let options = TransportOptions(
        streamsBody: true,
        timeouts: TransportTimeouts(firstByte: .seconds(60), idle: .seconds(60)),
    )

    /// What a busy machine takes for a read is quick here, too.
    ///
    /// No caller waits for a response on its own thread, so that the loop reads what the system reports.
    private func makeTransport() -> WireTransport {
        WireTransport(Engine(WireOptions(), patience: 0, gathering: Gathering(quick: 1_000_000_000)))
    }

    /// The server writes many bytes quickly, then a few, and goes on when the reader has all of them.
    @Test(arguments: [1, 100_000]) func aServerThatPausesIsReadToTheLastByteOfEachBurst(_ fewBytes: Int) async throws {
        let (burstCount, allBytes) = (12, Self.burstBytes + fewBytes)
        let received = Lock(0)
        let hasReceived = DispatchSemaphore(value: 0)
        let lowWaterMax = Lock<Int32>(0)
        let server = try ByteServer { [piece] connection in
            let client = connection.clientDescriptor()
            _ = connection.readHead()
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(allBytes * burstCount)\r\n\r\n")
            for number in 1...burstCount {
                for _ in 0..<(Self.burstBytes / piece.count) {
                    guard connection.write(piece) else { return }
                    lowWaterMax.withLock { $0 = max($0, Self.lowWater(client)) }
                }
                connection.write([UInt8](repeating: 0x62, count: fewBytes))
                while received.withLock(\.self) < allBytes * number {
                    guard hasReceived.wait(timeout: .now() + 60) == .success else { return }
                }
            }
        }
        defer { server.stop() }
        let response = try await makeTransport().send(HTTPRequest(url: try server.url), options: options)
        for try await piece in response.body {
            received.withLock { $0 += piece.count }
            hasReceived.signal()
        }
        #expect(lowWaterMax.withLock(\.self) == Self.gathered)
    }

    /// The end of a body comes with many bytes at once, after which a response of a few follows.
    @Test func aKeptConnectionReportsASmallResponse() async throws {
        let count = 48 << 20
        let (client, lowWaterMax) = (Lock<Int32?>(nil), Lock<Int32>(0))
        let server = try ByteServer { [piece] connection in
            let descriptor = connection.clientDescriptor()
            client.withLock { $0 = descriptor }
            while case let head = connection.readHead(), !head.isEmpty {
                guard head.hasPrefix("GET") else {
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
                    continue
                }
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
                for _ in 0..<(count / piece.count) {
                    guard connection.write(piece) else { return }
                    lowWaterMax.withLock { $0 = max($0, Self.lowWater(descriptor)) }
                }
            }
        }
        defer { server.stop() }
        let transport = makeTransport()
        let small = HTTPRequest(method: .post, url: try server.url)
        for _ in 0..<10 {
            let response = try await transport.send(HTTPRequest(url: try server.url), options: options)
            var received = 0
            for try await piece in response.body { received += piece.count }
            #expect(received == count)
            #expect(Self.lowWater(client.withLock(\.self)) == 1)
            #expect(try await transport.send(small, options: options).body.collect() == Data("hi".utf8))
        }
        #expect(lowWaterMax.withLock(\.self) == Self.gathered)
        #expect(server.openConnectionCount == 1)
    }
}
#endif
