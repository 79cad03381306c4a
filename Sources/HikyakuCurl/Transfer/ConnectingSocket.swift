#if os(Linux)
import CCurl
import Glibc

/// A socket over which libcurl connects, and may have closed meanwhile.
struct ConnectingSocket {
    private let descriptor: curl_socket_t
    private let address: [UInt8]

    init(_ descriptor: curl_socket_t, to address: UnsafeMutablePointer<curl_sockaddr>) {
        self.descriptor = descriptor
        // The structure's last member is as long as the address needs.
        let start = UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
        self.address = Array(UnsafeRawBufferPointer(start: start, count: Int(address.pointee.addrlen)))
    }

    /// Whether the other end has answered: the one that was meant, since the descriptor may be another socket's by now.
    var isConnected: Bool {
        var peer = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = withUnsafeMutablePointer(to: &peer) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return status == 0
            && withUnsafeBytes(of: peer) { $0[..<min(Int(length), $0.count)].elementsEqual(address) }
    }
}
#endif
