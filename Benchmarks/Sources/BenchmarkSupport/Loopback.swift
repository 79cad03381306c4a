import Foundation

/// Sockets of 127.0.0.1.
public enum Loopback {
    /// No socket could be had.
    struct Failure: Error {}

    /// A socket that listens on a port of the system's choice.
    ///
    /// - Parameter backlog: How many connections may wait to be accepted.
    /// - Returns: The socket and its port.
    /// - Throws: An error when there is none to be had.
    public static func listen(backlog: Int32 = 128) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, streamType, 0)
        var address = address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening, Foundation.listen(descriptor, backlog) == 0 else { throw Failure() }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// A port without a listener at this moment.
    static func freePort() throws -> UInt16 {
        let (descriptor, port) = try listen()
        close(descriptor)
        return port
    }

    /// Waits until somebody listens, five seconds at most.
    static func waitForPort(_ port: UInt16) -> Bool {
        for _ in 0..<100 {
            let descriptor = socket(AF_INET, streamType, 0)
            defer { close(descriptor) }
            var address = address(port: port)
            let isOpen = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isOpen { return true }
            usleep(50_000)
        }
        return false
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    #if canImport(Darwin)
    private static let streamType = SOCK_STREAM
    /// Keeps `send` from ending the process by SIGPIPE after the peer has closed the connection.
    public static let noSignal = Int32(0)
    #else
    private static let streamType = Int32(SOCK_STREAM.rawValue)
    /// Keeps `send` from ending the process by SIGPIPE after the peer has closed the connection.
    public static let noSignal = Int32(MSG_NOSIGNAL)
    #endif
}
