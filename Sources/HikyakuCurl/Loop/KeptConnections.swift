#if os(Linux)
import CCurl
import Glibc

/// Which socket each of the loop's connections has, so that one over which something came unasked is not used again.
///
/// Until 8.1, libcurl sends the next request over a kept connection even when bytes wait there that no request asked
/// for, and takes them for the answer; later versions look too early to see all of them. libcurl doesn't say which
/// socket it is about to use, but the ports of both ends. A connection over TLS that has anything to read counts as
/// well. Connections without ports, those to Unix domain sockets, can't be told apart and aren't looked at.
///
/// Used by the loop's driver alone.
final class KeptConnections {
    /// The ports of both ends.
    struct Ports: Hashable {
        let local: UInt16
        let remote: UInt16

        init(local: Int32, remote: Int32) {
            self.local = UInt16(truncatingIfNeeded: local)
            self.remote = UInt16(truncatingIfNeeded: remote)
        }
    }

    private struct Connection {
        /// `nil` for two connections that differ in nothing but the other end's host, so that neither can be told.
        let socket: curl_socket_t?
        /// Whether nothing may come over it between two requests: so it is with HTTP/1, but not with HTTP/2.
        var isSilent = false
    }

    @OwnPlace private var connections: [Ports: Connection] = [:]
    /// What each descriptor was last used for, so that there are never more connections than descriptors.
    private var ports: [curl_socket_t: Ports] = [:]

    deinit {
        _connections.free()
    }

    /// Takes note of a connection that was just made.
    ///
    /// - Parameters:
    ///   - ports: What libcurl says of it.
    ///   - opened: The sockets that were opened for it: one for each address that was tried.
    func add(_ ports: Ports, opened: [curl_socket_t]) {
        for socket in opened where Self.localPort(of: socket) == ports.local {
            let former = connections[ports]?.socket
            let isTwin = former.map { $0 != socket && Self.localPort(of: $0) == ports.local } ?? false
            let replaced = self.ports.updateValue(ports, forKey: socket)
            // A later connection with the same ports may have come meanwhile, over another socket.
            if let replaced, connections[replaced]?.socket == socket { connections[replaced] = nil }
            connections[ports] = Connection(socket: isTwin ? nil : socket)
        }
    }

    /// Notes that a connection speaks HTTP/1.
    func expectSilence(on ports: Ports) {
        connections[ports]?.isSilent = true
    }

    /// Whether a connection is known to speak HTTP/1.
    func isSilent(_ ports: Ports) -> Bool { connections[ports]?.isSilent == true }

    /// Whether a request may be sent over a kept connection: it may not where something came that nobody asked for,
    /// its end included.
    func isUsable(_ ports: Ports) -> Bool {
        guard let connection = connections[ports] else { return true }
        guard let socket = connection.socket else { return false }
        guard connection.isSilent else { return true }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
    }

    /// The socket of a connection; `nil` where it isn't known.
    func socket(of ports: Ports) -> curl_socket_t? { connections[ports]?.socket }

    private static func localPort(of socket: curl_socket_t) -> UInt16? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer -> UInt16? in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> UInt16? in
                guard getsockname(socket, generic, &length) == 0 else { return nil }
                // The port has the same place in the addresses of both families.
                return generic.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }
    }
}
#endif
