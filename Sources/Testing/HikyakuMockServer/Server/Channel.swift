import HikyakuBase
import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// One socket, used by one thread; a wait for it ends when the server stops.
struct Channel {
    /// Why a connection can't be used any more.
    enum Interruption: Error {
        case peerClosed
        case serverStopped
        case timedOut
    }

    let descriptor: Int32
    let stopSignal: WakeSignal

    /// Waits for one of the events, or an error.
    func wait(for events: Int32, until deadline: ContinuousClock.Instant?) throws(Interruption) {
        while true {
            var watched = [
                pollfd(fd: descriptor, events: Int16(events), revents: 0),
                pollfd(fd: stopSignal.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&watched, nfds_t(watched.count), Self.milliseconds(until: deadline))
            if watched[1].revents != 0 { throw .serverStopped }
            if watched[0].revents != 0 { return }
            if count < 0, errno != EINTR { throw .peerClosed }
            if let deadline, count == 0, deadline <= .now { throw .timedOut }
        }
    }

    /// Waits for bytes and reads them; an empty result is the end of the peer's bytes.
    func receive(
        into scratch: inout [UInt8],
        until deadline: ContinuousClock.Instant?,
    ) throws(Interruption) -> ArraySlice<UInt8> {
        while true {
            try wait(for: POLLIN, until: deadline)
            let count = scratch.withUnsafeMutableBytes { Sockets.receiveBytes(descriptor, $0) }
            if count >= 0 { return scratch[..<count] }
            guard SystemFailure(code: errno).isTemporary else { throw .peerClosed }
        }
    }

    /// Sends everything; the peer may read slowly, but must not stop reading for longer than `idleTimeMax`.
    func send(_ bytes: Data, idleTimeMax: Duration) throws {
        try bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Sockets.sendBytes(descriptor, UnsafeRawBufferPointer(rebasing: rest))
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if SystemFailure(code: errno).isTemporary {
                    try wait(for: POLLOUT, until: .after(idleTimeMax))
                } else {
                    throw Interruption.peerClosed
                }
            }
        }
    }

    /// Reads and drops the peer's bytes, until it closes the connection or the time is over.
    func discard(until deadline: ContinuousClock.Instant?) throws(Interruption) {
        var scratch = [UInt8](repeating: 0, count: 64 * 1024)
        while try !receive(into: &scratch, until: deadline).isEmpty {
            if let deadline, deadline <= .now { throw .timedOut }
        }
    }

    /// Closes with FIN.
    ///
    /// If bytes are unread, the system sends RST, and the peer may lose the answer. So they are read, for up to `grace`
    /// while the peer is still sending.
    func close(grace: Duration = .zero) {
        Sockets.endSending(descriptor)
        if grace > .zero { try? discard(until: .after(grace)) }
        var scratch = [UInt8](repeating: 0, count: 16 * 1024)
        for _ in 0..<256 {
            guard scratch.withUnsafeMutableBytes({ Sockets.receiveBytes(descriptor, $0) }) > 0 else { break }
        }
        Sockets.closeDescriptor(descriptor)
    }

    /// Closes with RST.
    func reset() {
        Sockets.makeCloseReset(descriptor)
        Sockets.closeDescriptor(descriptor)
    }

    /// The remaining time for `poll`, rounded up; -1 for no limit.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = min(max(.zero, deadline - .now), .seconds(86_400))
        return Int32((left / .milliseconds(1)).rounded(.up))
    }
}

/// A pipe that ends the `poll` of waiting threads: it is readable while it is raised.
final class WakeSignal: Sendable {
    /// The descriptor that waiting threads poll for reading.
    let readEnd: Int32
    private let writeEnd: Int32
    private let isClosed = Lock(false)

    init() throws(MockServerError) {
        (readEnd, writeEnd) = try Sockets.pipeEnds()
    }

    deinit {
        close()
    }

    /// Ends all waits, including later ones; safe on any thread, also after ``close()``.
    func raise() {
        isClosed.withLock { isClosed in
            // A full pipe is raised already.
            if !isClosed { _ = write(writeEnd, "!", 1) }
        }
    }

    func clear() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            var scratch = [UInt8](repeating: 0, count: 256)
            while read(readEnd, &scratch, scratch.count) > 0 {}
        }
    }

    /// Closes the descriptors; no thread may be waiting any more.
    func close() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            Sockets.closeDescriptor(readEnd)
            Sockets.closeDescriptor(writeEnd)
        }
    }
}
