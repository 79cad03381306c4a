#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The system calls that differ between platforms, or whose names are hidden by methods.
///
/// Every descriptor is closed on `exec`, so that a program that a test starts can't keep a connection open, and is
/// non-blocking. (`accept4` and `pipe2` do that in one step, but aren't available in Swift.)
enum Sockets {
    #if canImport(Darwin)
    static let streamType = SOCK_STREAM
    // A socket has SO_NOSIGPIPE instead.
    private static let sendFlags: Int32 = 0
    #else
    static let streamType = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    /// A socket that listens on 127.0.0.1, and its port.
    static func makeListener(
        port: UInt16,
        backlog: Int32 = SOMAXCONN,
    ) throws(MockServerError) -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { throw .startFailed("socket", code: errno) }
        do throws(MockServerError) {
            prepare(descriptor)
            setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, Int32(1))
            let code = withLoopbackAddress(port: port) { bind(descriptor, $0, $1) }
            guard code == 0 else { throw .startFailed("listening on 127.0.0.1:\(port)", code: errno) }
            guard listen(descriptor, backlog) == 0 else { throw .startFailed("listen", code: errno) }
            return (descriptor, try boundPort(descriptor))
        } catch {
            closeDescriptor(descriptor)
            throw error
        }
    }

    /// The next connection; fails with EAGAIN if there is none.
    static func acceptConnection(_ listener: Int32) -> Result<Int32, SystemFailure> {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return .failure(SystemFailure(code: errno)) }
        prepare(descriptor)
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        return .success(descriptor)
    }

    /// A socket that starts to connect to a port of 127.0.0.1, without waiting; -1 if it can't be made.
    fileprivate static func beginConnecting(port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, streamType, 0)
        guard descriptor >= 0 else { return -1 }
        prepare(descriptor)
        _ = withLoopbackAddress(port: port) { connect(descriptor, $0, $1) }
        return descriptor
    }

    /// Two ends of a pipe.
    static func pipeEnds() throws(MockServerError) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .startFailed("pipe", code: errno) }
        for end in ends { prepare(end, isSocket: false) }
        return (ends[0], ends[1])
    }

    static func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
    }

    static func receiveBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
        recv(descriptor, bytes.baseAddress, bytes.count, 0)
    }

    /// Closes the sending side.
    static func endSending(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Makes a later close send RST instead of FIN.
    static func makeCloseReset(_ descriptor: Int32) {
        setOption(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
    }

    static func closeDescriptor(_ descriptor: Int32) {
        _ = close(descriptor)
    }

    private static func prepare(_ descriptor: Int32, isSocket: Bool = true) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        #if canImport(Darwin)
        if isSocket { setOption(descriptor, SOL_SOCKET, SO_NOSIGPIPE, Int32(1)) }
        #endif
    }

    private static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: some BitwiseCopyable) {
        _ = withUnsafeBytes(of: value) { bytes in
            setsockopt(descriptor, level, name, bytes.baseAddress, socklen_t(bytes.count))
        }
    }

    /// Runs a system call with the address 127.0.0.1.
    static func withLoopbackAddress(port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_in()
        let size = MemoryLayout<sockaddr_in>.size
        #if canImport(Darwin)
        address.sin_len = UInt8(size)
        #endif
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, socklen_t(size)) }
        }
    }

    private static func boundPort(_ descriptor: Int32) throws(MockServerError) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard code == 0 else { throw .startFailed("getsockname", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// The `errno` of a failed system call.
struct SystemFailure: Error {
    let code: Int32

    var isTemporary: Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}

/// A port of loopback on which no connection is established: its queue is full, and nothing is accepted.
package final class UnansweredPort: Sendable {
    /// The number of the port.
    package let number: UInt16
    private let descriptors: [Int32]

    /// Listens, and fills the queue.
    package init() throws(MockServerError) {
        let (listener, port) = try Sockets.makeListener(port: 0, backlog: 0)
        number = port
        // Usually one fits into the queue; further ones wait for ever, and so does the next client.
        let clients = (0..<4).map { _ in Sockets.beginConnecting(port: port) }
        descriptors = clients.filter { $0 >= 0 } + [listener]
    }

    /// Closes all sockets; to be called once.
    package func close() {
        for descriptor in descriptors { Sockets.closeDescriptor(descriptor) }
    }
}
