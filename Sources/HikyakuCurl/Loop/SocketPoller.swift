import CCurl
import Glibc

/// Waits for libcurl's sockets with epoll, and for ``wakeUp()``.
///
/// libcurl names a socket when a request begins to use it and takes it back when the request is over. Between two requests
/// on a kept connection the socket stays registered, since registering costs two calls of the system each time. So this
/// must know when a number stands for another socket: it opens and closes them.
///
/// `@unchecked`: the compiler can't see that all of it is used on the loop's thread alone, except for ``wakeUp()``, which
/// touches nothing but a descriptor that never changes.
final class SocketPoller: @unchecked Sendable {
    /// What is known of a descriptor; the masks are of `CURL_CSELECT_IN` and `CURL_CSELECT_OUT`.
    private struct Entry {
        /// What libcurl waits for; 0 between two requests.
        var wanted: UInt8 = 0
        /// What epoll was told.
        var registered: UInt8 = 0
        /// Whether the socket was opened here, so that its end will be seen.
        var isOwn = false
    }

    struct Ready {
        let socket: curl_socket_t
        /// What the socket is ready for, as `curl_multi_socket_action` takes it.
        let mask: Int32
    }

    private let epoll: Int32
    private let wakeDescriptor: Int32
    private var entries: [Entry] = []
    /// Whether the system refused to watch a socket, whose transfer would now wait for ever.
    var hasLostSocket = false
    private let events: UnsafeMutableBufferPointer<epoll_event>

    private static let readable = UInt8(CURL_CSELECT_IN)
    private static let writable = UInt8(CURL_CSELECT_OUT)

    init?() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        events = .allocate(capacity: 128)
        // Edge-triggered, so that the counter needs no reading: each wakeup is an edge of its own.
        var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data(fd: wakeDescriptor))
        guard epoll >= 0, wakeDescriptor >= 0, epoll_ctl(epoll, EPOLL_CTL_ADD, wakeDescriptor, &event) == 0 else {
            return nil
        }
    }

    deinit {
        if epoll >= 0 { _ = Glibc.close(epoll) }
        if wakeDescriptor >= 0 { _ = Glibc.close(wakeDescriptor) }
        events.deallocate()
    }

    /// Ends the present or else the next ``wait(milliseconds:_:)``; can be called on any thread.
    func wakeUp() {
        eventfd_write(wakeDescriptor, 1)
    }

    /// Waits until sockets are ready, and calls `body` for each.
    func wait(milliseconds: Int32, _ body: (Ready) -> Void) {
        let count = epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)
        guard count > 0 else { return }
        for event in events.prefix(Int(count)) where event.data.fd != wakeDescriptor {
            if let ready = ready(event) { body(ready) }
        }
    }

    private func ready(_ event: epoll_event) -> Ready? {
        let socket = event.data.fd
        let wanted = entry(socket).wanted
        guard wanted != 0 else {
            // The server closed a kept connection, or sent something that nobody asked for: libcurl looks when it wants to
            // use the connection again.
            unregister(socket)
            return nil
        }
        var mask: UInt8 = 0
        if event.events & EPOLLIN.rawValue != 0 { mask |= Self.readable }
        if event.events & EPOLLOUT.rawValue != 0 { mask |= Self.writable }
        // libcurl finds the error where it reads or writes.
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { mask |= wanted }
        return Ready(socket: socket, mask: Int32(mask))
    }

    // MARK: - libcurl's callbacks

    /// Takes `CURL_POLL_IN`, `CURL_POLL_OUT`, `CURL_POLL_INOUT` or `CURL_POLL_REMOVE`.
    func watch(_ socket: curl_socket_t, _ what: Int32) {
        guard socket >= 0 else { return }
        var entry = entry(socket)
        guard what != CURL_POLL_REMOVE else {
            entry.wanted = 0
            entries[Int(socket)] = entry
            if !entry.isOwn { unregister(socket) }
            return
        }
        entry.wanted = UInt8(truncatingIfNeeded: what) & (Self.readable | Self.writable)
        // Of a socket that isn't the poller's own it can't be known whether epoll still has it.
        let isRegistered =
            entry.registered == entry.wanted && entry.isOwn
            || register(socket, entry.wanted, isNew: entry.registered == 0)
            || !entry.isOwn && register(socket, entry.wanted, isNew: true)
        entry.registered = isRegistered ? entry.wanted : 0
        entries[Int(socket)] = entry
        if !isRegistered { hasLostSocket = true }
    }

    /// As libcurl does it by itself, but a child process doesn't inherit the socket.
    func open(_ address: curl_sockaddr) -> curl_socket_t {
        let descriptor = socket(address.family, address.socktype | Int32(SOCK_CLOEXEC.rawValue), address.protocol)
        guard descriptor >= 0 else { return descriptor }
        _ = entry(descriptor)
        entries[Int(descriptor)] = Entry(isOwn: true)
        return descriptor
    }

    func close(_ socket: curl_socket_t) -> Int32 {
        if entries.indices.contains(Int(socket)) { entries[Int(socket)] = Entry() }
        // epoll forgets a socket by itself when it is closed.
        return Glibc.close(socket)
    }

    // MARK: - Registration

    private func entry(_ socket: curl_socket_t) -> Entry {
        let index = Int(socket)
        if index >= entries.count {
            entries.append(contentsOf: repeatElement(Entry(), count: index + 64 - entries.count))
        }
        return entries[index]
    }

    private func register(_ socket: curl_socket_t, _ mask: UInt8, isNew: Bool) -> Bool {
        var bits: UInt32 = 0
        if mask & Self.readable != 0 { bits |= EPOLLIN.rawValue }
        if mask & Self.writable != 0 { bits |= EPOLLOUT.rawValue }
        var event = epoll_event(events: bits, data: epoll_data(fd: socket))
        return epoll_ctl(epoll, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event) == 0
    }

    private func unregister(_ socket: curl_socket_t) {
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &event)
        if entries.indices.contains(Int(socket)) { entries[Int(socket)].registered = 0 }
    }
}
