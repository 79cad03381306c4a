#if os(Linux)
import CEpoll
import Glibc

/// Waits for events of all sockets, and of a descriptor by which other threads wake the loop.
///
/// All events are edge-triggered: each is reported once, and its handler reads or writes until the call would block.
/// Several threads may make the system calls at once; the descriptors are closed with the last reference.
final class Poller: Sendable {
    /// An event of a socket.
    struct Event {
        /// The key with which the socket was added; ``wakeUp`` for the descriptor that wakes the loop.
        let key: UInt64
        private let flags: UInt32

        static let wakeUp = UInt64.max

        fileprivate init(_ event: epoll_event) {
            (key, flags) = (event.data.u64, event.events)
        }

        /// Whether the peer has closed its side, or the connection is broken.
        var isEnding: Bool {
            flags & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        }
    }

    private let descriptor: Int32
    private let waker: Int32

    /// `nil` if the system has no more descriptors.
    init?() {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        waker = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0, waker >= 0, add(waker, key: Event.wakeUp) else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if waker >= 0 { close(waker) }
    }

    /// Begins to watch a socket, for everything.
    func add(_ socket: Int32, key: UInt64) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        event.data.u64 = key
        return epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0
    }

    /// Stops watching a socket; closing it does so, too.
    func remove(_ socket: Int32) {
        _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil)
    }

    /// Ends the present or else the next ``wait(into:milliseconds:lookout:)``.
    func wakeUp() {
        var one: UInt64 = 1
        _ = write(waker, &one, MemoryLayout<UInt64>.size)
    }

    /// Waits for events; returns early, and without events, on a signal.
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - milliseconds: How long to wait; -1 for ever.
    ///   - lookout: For how many nanoseconds the thread stays awake, and yields to others, before it sleeps.
    func wait(into events: inout [Event], milliseconds: Int32, lookout: Int64 = 0) {
        events.removeAll(keepingCapacity: true)
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventsMax) { room in
            var count: Int32 = 0
            if lookout > 0 {
                let end = Nanoseconds.sum(Nanoseconds.now, lookout)
                while true {
                    count = epoll_wait(descriptor, room.baseAddress, Int32(room.count), 0)
                    if count != 0 || Nanoseconds.now >= end { break }
                    sched_yield()
                }
            }
            if count == 0 { count = epoll_wait(descriptor, room.baseAddress, Int32(room.count), milliseconds) }
            guard count > 0 else { return }
            for event in room[..<Int(count)] {
                if event.data.u64 == Event.wakeUp { calmDown() }
                events.append(Event(event))
            }
        }
    }

    private static let eventsMax = 128

    private func calmDown() {
        var value: UInt64 = 0
        _ = read(waker, &value, MemoryLayout<UInt64>.size)
    }
}
#endif
