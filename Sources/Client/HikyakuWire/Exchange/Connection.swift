#if os(Linux)
import Glibc
import HikyakuHTTP

/// One socket, with TLS over it or without.
///
/// At any time it has one owner (``use``), and only the owner reads and writes it: the loop, or the thread of a caller
/// that sends its request over it. So a descriptor is never closed while it is in use, and OpenSSL never runs on two
/// threads. The loop owns idle connections and those of HTTP/2. A caller becomes the owner by taking a connection from
/// the pool, under the engine's lock, and gives it back under that lock. Only the loop closes connections.
///
/// `@unchecked`: the compiler can't see that. The properties marked as the engine's are used under its lock, those
/// marked as the loop's on its thread, and all others by the owner.
final class Connection: @unchecked Sendable {
    let descriptor: Int32
    let site: Site
    let origin: Int
    let poller: Poller
    /// Identifies the connection in the poller's events.
    let key: UInt64
    var slot: Int { Int(key & 0xFFFF_FFFF) }

    // The engine's.
    var use = ConnectionUse.loop
    var idleSince: Int64 = 0
    var timer = 0

    // The loop's, also while a caller owns the connection.
    var life: ConnectionLife
    /// The dial that opens it, and the number of the dial's attempt.
    var dial: (Dial, attempt: Int)?
    /// The exchanges of HTTP/2.
    var carrier: HTTP2Carrier?

    // The owner's.
    var tls: TLSStream?
    var exchange: Exchange?
    /// When the steps of its handshake happened, until the first exchange emits them as events.
    var marks: HandshakeMarks?
    /// Whether it has carried an exchange, was idle, or received anything, so that it may be dead by now.
    var isKept = false
    /// Whether it received anything without a request, so that nothing may be sent.
    var isSuspect = false
    /// Whether the loop's poller watches it.
    var isWatched = true
    /// The round in which the loop postponed its reading to let others go first; 0 if it did not.
    var postponedIn: UInt64 = 0
    /// Whether the connection waits for many bytes at once while a large body is streamed.
    var gathering: Gathering

    init(_ descriptor: Int32, for dial: Dial, attempt: Int, _ poller: Poller, key: UInt64, _ gathering: Gathering) {
        self.descriptor = descriptor
        (site, origin) = (dial.site, dial.origin)
        self.poller = poller
        self.key = key
        self.gathering = gathering
        life = ConnectionLife(dial.route)
        self.dial = (dial, attempt)
    }

    var protocolName: String { tls?.chosenProtocol ?? "http/1.1" }

    /// Has the loop's poller watch the connection, which reports at once what came before; `false` if it can't.
    func watch() -> Bool {
        if !isWatched { isWatched = poller.add(descriptor, key: key) }
        return isWatched
    }

    // MARK: - Gathering

    /// Notes that a part of a large body was read; if bytes come quickly, the system then reports them only when there
    /// are many.
    func noteRead(bytesLeft: Int) {
        guard gathering.note(Nanoseconds.now, bytesLeft: bytesLeft) else { return }
        setLowWater(gathering.isOn ? Gathering.bytesMin : 1)
    }

    /// Has the system report all bytes again if none came for a while or the body is over; `true` if there may be some
    /// that it has not reported.
    @discardableResult
    func endGathering(at now: Int64, isOver: Bool = false) -> Bool {
        guard gathering.end(at: now, isOver: isOver) else { return false }
        setLowWater(1)
        return true
    }

    private func setLowWater(_ count: Int) {
        var count = Int32(count)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &count, socklen_t(MemoryLayout<Int32>.size))
    }

    // MARK: - Reading and writing

    /// Reads what has been received.
    func receive(into room: UnsafeMutableRawBufferPointer) -> Received {
        tls?.receive(into: room) ?? Socket(descriptor: descriptor).receive(into: room)
    }

    /// Writes as much as the socket takes.
    func send(_ bytes: UnsafeRawBufferPointer) -> Sent {
        tls?.send(bytes) ?? Socket(descriptor: descriptor).send(bytes)
    }

    /// Whether there are bytes, or the end, to read from the socket; others than the owner may call only this.
    var hasBytesOrEnd: Bool {
        var byte: UInt8 = 0
        guard recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 else { return true }
        return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR
    }

    /// Whether nothing, not even the connection's end, was received without a request.
    ///
    /// Over TLS, a session ticket may come between two exchanges.
    func isSilent() -> Bool {
        guard hasPending || hasBytesOrEnd else { return true }
        guard let tls else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { room in
            if case .blocked = tls.receive(into: room) { true } else { false }
        }
    }

    /// Whether OpenSSL holds received bytes, which no event reports.
    var hasPending: Bool { tls?.hasPending == true }

    /// Closes the socket; called once, by the loop.
    func close() {
        (dial, carrier) = (nil, nil)
        tls?.close()
        tls = nil
        Glibc.close(descriptor)
    }

    var isClosed: Bool { life.stage == .closed }
}
#endif
