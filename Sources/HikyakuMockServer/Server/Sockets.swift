#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The calls of the system that differ between platforms, or whose names methods would hide.
///
/// Every descriptor is closed on `exec`, so that a program that a test starts can't hold a connection open; none
/// blocks. (`accept4` and `pipe2` would do that in one step; Swift sees them nowhere.)
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

    /// The next connection; fails with EAGAIN where there is none.
    static func acceptConnection(_ listener: Int32) -> Result<Int32, SystemFailure> {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else { return .failure(SystemFailure(code: errno)) }
        prepare(descriptor)
        setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        return .success(descriptor)
    }

    /// A socket that is about to be connected to a port of 127.0.0.1, without waiting for it; -1 where there is none.
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

    /// Says to the peer that nothing more comes.
    static func endSending(_ descriptor: Int32) {
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Has a later close send RST instead of FIN.
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

    /// Calls the system with the address 127.0.0.1.
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

/// A call of the system that failed, by its `errno`.
struct SystemFailure: Error {
    let code: Int32

    var isTemporary: Bool { code == EAGAIN || code == EWOULDBLOCK || code == EINTR }
}

/// A port of loopback on which a connection is never made: its queue is full, and nobody takes from it.
package final class UnansweredPort: Sendable {
    /// The number of the port.
    package let number: UInt16
    private let descriptors: [Int32]

    /// Listens, and fills the queue.
    package init() throws(MockServerError) {
        let (listener, port) = try Sockets.makeListener(port: 0, backlog: 0)
        number = port
        // One fits into the queue as a rule; what is over waits for ever, as whoever comes next.
        let clients = (0..<4).map { _ in Sockets.beginConnecting(port: port) }
        descriptors = clients.filter { $0 >= 0 } + [listener]
    }

    /// Closes all sockets; to be called once.
    package func close() {
        for descriptor in descriptors { Sockets.closeDescriptor(descriptor) }
    }
}
