#if os(Linux)
import Foundation
import Testing

/// A listener on `[::1]` or a Unix domain socket that responds to each request with the request itself.
///
/// `@unchecked`: the descriptor is written in init alone, and closed when the thread that reads it has ended.
final class PlainListener: @unchecked Sendable {
    let port: Int
    private let descriptor: Int32
    private let ended = DispatchSemaphore(value: 0)

    static func onIPv6(port: Int = 0) throws -> PlainListener {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = in_port_t(port).bigEndian
        address.sin6_addr = in6addr_loopback
        return try PlainListener(AF_INET6, &address)
    }

    /// Listens on a socket of the file system where `backlog` connections may wait to be accepted.
    static func onUnixSocket(_ path: String, backlog: Int32 = 16) throws -> PlainListener {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return try PlainListener(AF_UNIX, &address, backlog: backlog)
    }

    private init<Address>(_ family: Int32, _ address: inout Address, backlog: Int32 = 16) throws {
        let descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        var length = socklen_t(MemoryLayout<Address>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.descriptor = descriptor
        port = ((address as Any) as? sockaddr_in6).map { Int(UInt16(bigEndian: $0.sin6_port)) } ?? 0
        try #require(isListening)
        Thread.detachNewThread { [descriptor, ended] in
            // Ends when the listener is shut down.
            while case let client = uninterrupted({ accept(descriptor, nil, nil) }), client >= 0 { Self.serve(client) }
            ended.signal()
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        ended.wait()
        close(descriptor)
    }

    private static func serve(_ client: Int32) {
        defer { close(client) }
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while head.suffix(4) != [13, 10, 13, 10], head.count < 65_536 {
            guard uninterrupted({ read(client, &byte, 1) }) == 1 else { return }
            head.append(byte)
        }
        let answer = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(head.count)\r\n\r\n"
        let bytes = Array(answer.utf8) + head
        _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
#endif
