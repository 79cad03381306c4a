#if os(Linux)
import CCurl
import Glibc

/// Which socket each of the loop's connections has, so that one on which something came unasked is not used again.
///
/// Until 8.1, libcurl sends the next request over a kept connection even when bytes wait there that no request asked
/// for, and takes them for the answer. It doesn't say which socket it is about to use, but both ends' addresses, which
/// no two open connections share. A connection over TLS that has anything to read counts as well, as it does to later
/// versions. Connections without addresses, those to Unix domain sockets, can't be told apart and aren't looked at.
///
/// Used by the loop's driver alone.
final class KeptConnections {
    /// What libcurl says of a connection before it sends a request over it.
    struct Address {
        var remote: UnsafePointer<CChar>?
        var local: UnsafePointer<CChar>?
        var remotePort: Int32
        var localPort: Int32

        fileprivate var key: Int {
            var hasher = Hasher()
            if let remote { hasher.combine(bytes: UnsafeRawBufferPointer(start: remote, count: strlen(remote))) }
            if let local { hasher.combine(bytes: UnsafeRawBufferPointer(start: local, count: strlen(local))) }
            hasher.combine(remotePort)
            hasher.combine(localPort)
            return hasher.finalize()
        }
    }

    private struct Entry {
        var key: Int
        /// Whether nothing may come over the connection between two requests: so it is with HTTP/1, but not HTTP/2.
        var isSilent = false
    }

    /// Whether libcurl doesn't look by itself.
    static let areNeeded = curl_version_info(CURLVERSION_FIRST).map { $0.pointee.version_num < 0x08_01_00 } ?? true

    /// By the descriptor, so that there are never more than may be open: a new connection replaces the one before it.
    private var entries: [Entry?] = []
    private var sockets: [Int: curl_socket_t] = [:]

    /// Finds the socket of a connection; one that was opened for it is remembered.
    ///
    /// - Parameters:
    ///   - address: What libcurl says of the connection.
    ///   - opened: The sockets that were opened since the transfer was last asked, of which one may be the connection's.
    /// - Returns: `nil` for one that was never seen.
    func socket(of address: Address, opened: [curl_socket_t]) -> curl_socket_t? {
        guard address.localPort > 0 else { return nil }
        let key = address.key
        for socket in opened where Self.localPort(of: socket) == address.localPort {
            remember(socket, Entry(key: key))
        }
        return sockets[key]
    }

    private func remember(_ socket: curl_socket_t, _ entry: Entry) {
        let missingCount = Int(socket) + 1 - entries.count
        if missingCount > 0 { entries += Array(repeating: nil, count: missingCount) }
        if let former = entries[Int(socket)] { sockets[former.key] = nil }
        entries[Int(socket)] = entry
        sockets[entry.key] = socket
    }

    /// Notes that the connection speaks HTTP/1.
    func expectSilence(on socket: curl_socket_t) {
        entries[Int(socket)]?.isSilent = true
    }

    /// Whether something came over the connection that nobody asked for, its end included.
    func isDisturbed(_ socket: curl_socket_t) -> Bool {
        guard entries[Int(socket)]?.isSilent == true else { return false }
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
    }

    private static func localPort(of socket: curl_socket_t) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer -> Int32? in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> Int32? in
                guard getsockname(socket, generic, &length) == 0 else { return nil }
                // The port has the same place in the addresses of both families.
                return generic.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    Int32(UInt16(bigEndian: $0.pointee.sin_port))
                }
            }
        }
    }
}
#endif
