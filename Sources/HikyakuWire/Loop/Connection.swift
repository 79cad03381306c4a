#if os(Linux)
import Glibc
import HikyakuHTTP

/// One socket, with TLS over it or without.
///
/// At any time it has one owner, who alone reads, writes and closes it: the loop, or the thread of a caller that sends
/// its request over it. So a descriptor is never closed while it may still be used, and OpenSSL never sees two
/// threads. An idle connection is the loop's; a caller becomes the owner under the engine's lock, by taking it from the
/// pool, and gives it back under that lock. One that speaks HTTP/2 is always the loop's. Only the loop closes.
///
/// `@unchecked`: the compiler can't see that. What is marked as the engine's is read and written under its lock, and
/// all else by the owner.
final class Connection: @unchecked Sendable {
    enum Owner {
        case loop, caller
    }

    /// What the connection is used for; each is driven by what the loop reads.
    enum Stage {
        /// TCP is being opened, as the dial's attempt of this number. Next: `tunneling`, `securing`, `open`.
        case connecting(Dial, Int)
        /// The proxy is asked for a connection to the origin. Next: `securing`, `open`.
        case tunneling(Dial)
        /// The TLS handshake with the proxy or with the origin is in progress. Next: `tunneling`, `open`, `http2`.
        case securing(Dial)
        /// It carries exchanges of HTTP/1.1, one after the other.
        case open
        /// It carries exchanges of HTTP/2, several at a time.
        case http2(HTTP2Carrier)
        case closed
    }

    let descriptor: Int32
    let site: Site
    let origin: Int
    let poller: Poller
    /// What the loop finds the connection by when an event comes.
    let key: UInt64
    var slot: Int { Int(key & 0xFFFF_FFFF) }

    // The engine's.
    var owner = Owner.loop
    /// Whether the pool has it.
    var isIdle = false
    /// Whether the loop took it out of the pool to look at it.
    var isTakenOut = false
    /// Whether an event came while a caller was the owner, which the loop has to look after.
    var hasMissedEvent = false
    var idleSince: Int64 = 0
    var timer = 0

    // The owner's.
    var stage: Stage
    var tls: TLSStream?
    var exchange: Exchange?
    /// How the connection was made, until its first exchange tells of it.
    var marks: HandshakeMarks?
    /// Whether it has carried an exchange, or was idle, or something has come over it since it was opened, so that it
    /// may be dead by now.
    var isKept = false
    /// Whether something came over it that no request asked for, so that nothing may be sent.
    var isSuspect = false
    /// Whether the loop's poller watches it.
    var isWatched = true
    /// The round in which the loop has let others go first, since when it has more to read; 0 where it hasn't.
    var postponedIn: UInt64 = 0
    /// Gathers what comes quickly, while a large body is streamed.
    var gathering: Gathering

    init(_ descriptor: Int32, for dial: Dial, attempt: Int, _ poller: Poller, key: UInt64, _ gathering: Gathering) {
        self.descriptor = descriptor
        (site, origin) = (dial.site, dial.origin)
        self.poller = poller
        self.key = key
        self.gathering = gathering
        stage = .connecting(dial, attempt)
    }

    var protocolName: String { tls?.chosenProtocol ?? "http/1.1" }

    // MARK: - Gathering

    /// Notes that a part of a large body was read; asks the system, if bytes come quickly, to tell of them when there
    /// are many.
    func noteRead(bytesLeft: Int) {
        guard gathering.note(Nanoseconds.now, bytesLeft: bytesLeft) else { return }
        setLowWater(gathering.isOn ? Gathering.bytesMin : 1)
    }

    /// Has the system tell of all bytes again, where none came for a while, or the body is over; `true` if some may
    /// have come that it didn't tell of.
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

    /// Reads what is there.
    func receive(into room: UnsafeMutableRawBufferPointer) -> Received {
        if let tls { return tls.receive(into: room) }
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
        if let tls { return tls.send(bytes) }
        while true {
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EAGAIN, EWOULDBLOCK: return .blocked
            case EINTR: continue
            case let error: return .failed(IOFault(systemError: error))
            }
        }
    }

    /// Whether there is something to read from the socket, be it its end; only here, the owner may be another one.
    var hasBytesOrEnd: Bool {
        var byte: UInt8 = 0
        guard recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 else { return true }
        return errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR
    }

    /// Whether nothing came that no request asked for, the connection's end included.
    ///
    /// What comes over TLS between two exchanges may be no more than a session for later.
    func isSilent() -> Bool {
        guard tls?.hasPending == true || hasBytesOrEnd else { return true }
        guard let tls else { return false }
        return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { room in
            if case .blocked = tls.receive(into: room) { true } else { false }
        }
    }

    /// Closes the socket; the loop's part alone.
    func close() {
        if case .closed = stage { return }
        stage = .closed
        tls?.close()
        tls = nil
        Glibc.close(descriptor)
    }

    var isClosed: Bool { if case .closed = stage { true } else { false } }
}
#endif
