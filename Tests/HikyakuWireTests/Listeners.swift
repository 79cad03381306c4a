#if os(Linux)
import Foundation
import Testing

/// A socket that listens on loopback, and never accepts its connections.
///
/// The system opens them all the same, and takes what fits into its buffers.
class SilentListener {
    let port: UInt16
    fileprivate let descriptor: Int32
    fileprivate var address: sockaddr_in

    /// Listens on `127.0.0.` with that last byte, at any free port by default.
    init(backlog: Int32 = 16, lastByte: UInt32 = 1, port: Int = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0000 | lastByte).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.port = UInt16(bigEndian: address.sin_port)
        self.address = address
        try #require(isListening)
    }

    deinit {
        close(descriptor)
    }
}

/// A socket that listens, and whose queue of connections is full: the system answers no further one.
final class FullListener: SilentListener {
    private var clients: [Int32] = []

    init(lastByte: UInt32 = 1, port: Int = 0) throws {
        try super.init(backlog: 0, lastByte: lastByte, port: port)
        for _ in 0..<4 {
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
            clients.append(client)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(client, $0, length) }
            }
        }
    }

    deinit {
        for client in clients { close(client) }
    }
}
#endif
