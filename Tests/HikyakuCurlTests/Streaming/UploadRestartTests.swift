#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuCurl

/// What the callbacks do when a kept connection turned out to be dead, and the next one can't be trusted.
@Suite(.enabled(if: CurlLibrary.missesEarlyEnds), .timeLimit(.minutes(1)))
struct UploadRestartTests {
    /// Connections of which one can't be told from another, so that it isn't used.
    private func makeConnections(_ ports: KeptConnections.Ports) throws -> KeptConnections {
        let connections = KeptConnections()
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        for socket in sockets { connections.add(ports, opened: [socket]) }
        try #require(!connections.isUsable(ports))
        for socket in sockets { close(socket) }
        return connections
    }

    @Test(arguments: [true, false])
    func aBodyThatWasBegunIsReadFromItsBeginning(_ isReplayable: Bool) async throws {
        let twin = KeptConnections.Ports(local: 0, remote: 1)
        let connections = try makeConnections(twin)
        let options = CurlOptions()
        let handle = try #require(EasyHandle(options, ConnectionSettings(options), connections, TLSSessions()))
        let source = TestSource("content")
        let url = try #require(URL(string: "http://127.0.0.1/"))
        let body = HTTPBody(source, isReplayable: isReplayable)
        let exchange = Exchange(request: HTTPRequest(method: .put, url: url, body: body), options: TransportOptions())
        exchange.prepareStreams(over: CurlTransport())
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { room.deallocate() }
        await #expect(throws: CancellationError.self) {
            _ = try await withUnsafeThrowingContinuation { continuation in
                exchange.wait(with: continuation)
                handle.transfer.pointee.begin(exchange)
                let isSent = handle.transfer.pointee.mayBeSent(over: KeptConnections.Ports(local: 2, remote: 3))
                _ = handle.transfer.pointee.sendBody(into: room)
                let isSentAgain = handle.transfer.pointee.mayBeSent(over: twin)
                #expect(isSent && !isSentAgain)
                let (mustStartAfresh, failure) =
                    (handle.transfer.pointee.mustStartAfresh, handle.transfer.pointee.failure)
                #expect(mustStartAfresh == isReplayable)
                #expect(failure?.reason == (isReplayable ? nil : .connectionClosed))
                exchange.finish(with: .failure(CancellationError()))
            }
        }
    }
}
#endif
