#if os(Linux)
import Foundation
import Testing

@testable import HikyakuCurl

/// The record of connections alone; sockets of the Unix domain have no port, which reads as 0.
@Suite(.enabled(if: CurlLibrary.missesEarlyEnds))
struct KeptConnectionsTests {
    /// Descriptors that nothing else in the process gets meanwhile.
    private static func descriptor(from socket: Int32) -> Int32 { fcntl(socket, F_DUPFD_CLOEXEC, 900) }

    @Test func portsThatCameAgainAreLookedAtWhateverBecameOfTheirFirstSocket() throws {
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        defer { for socket in sockets { close(socket) } }
        let (first, second) = (
            KeptConnections.Ports(local: 0, remote: 1), KeptConnections.Ports(local: 0, remote: 2),
        )
        let connections = KeptConnections()

        let oldDescriptor = Self.descriptor(from: sockets[0])
        connections.add(first, opened: [oldDescriptor])
        let newDescriptor = Self.descriptor(from: sockets[0])
        defer { close(newDescriptor) }
        close(oldDescriptor)
        connections.add(first, opened: [newDescriptor])
        connections.expectSilence(on: first)
        #expect(connections.socket(of: first) == newDescriptor)

        try #require(Self.descriptor(from: sockets[0]) == oldDescriptor)
        defer { close(oldDescriptor) }
        connections.add(second, opened: [oldDescriptor])
        #expect(connections.isUsable(first))
        try #require(write(sockets[1], "x", 1) == 1)
        #expect(!connections.isUsable(first))
    }
}
#endif
