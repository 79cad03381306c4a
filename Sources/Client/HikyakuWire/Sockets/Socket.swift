#if os(Linux)
import Glibc

/// The result of reading.
enum Received {
    case bytes(Int)
    /// There is nothing to read now; an event reports when there is.
    case blocked
    /// The peer has closed its side; over TLS, `isProven` is `true` if it has sent close_notify.
    case end(isProven: Bool)
    case failed(IOFault)
}

/// The result of writing.
enum Sent {
    case bytes(Int)
    /// There is no room now; an event reports when there is.
    case blocked
    case failed(IOFault)
}

/// A connected socket, which is never waited for.
struct Socket {
    let descriptor: Int32

    /// Reads what has been received.
    func receive(into room: UnsafeMutableRawBufferPointer) -> Received {
        while true {
            let count = recv(descriptor, room.baseAddress, room.count, Int32(MSG_DONTWAIT))
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end(isProven: true) }
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .blocked
            case EINTR: continue
            case let error: return .failed(IOFault(systemError: error))
            }
        }
    }

    /// Writes as much as the socket takes, and never raises SIGPIPE.
    func send(_ bytes: UnsafeRawBufferPointer) -> Sent {
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .blocked
            case EINTR: continue
            case let error: return .failed(IOFault(systemError: error))
            }
        }
    }
}
#endif
