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

/// One socket, used by one thread, whose waits end when the server stops.
struct Channel {
    /// Why nothing more can be done with a connection.
    enum Interruption: Error {
        case peerClosed
        case serverStopped
        case timedOut
    }

    let descriptor: Int32
    let stopSignal: WakeSignal

    /// Returns when one of the events, or an error, is there to be looked at.
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

    /// Reads what is there, waiting for it; 0 bytes are the peer's end.
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

    /// Sends everything; the peer may take as long as it likes, but not be silent longer than `idleTimeMax`.
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

    /// Takes and drops what the peer still sends, until it closes or the time is over.
    func discard(until deadline: ContinuousClock.Instant?) throws(Interruption) {
        var scratch = [UInt8](repeating: 0, count: 64 * 1024)
        while try !receive(into: &scratch, until: deadline).isEmpty {
            if let deadline, deadline <= .now { throw .timedOut }
        }
    }

    /// Closes in order.
    ///
    /// Bytes that nobody has read would make the system send RST, and the peer might then lose the answer: so they are
    /// taken, and a peer that is still sending is listened to for `grace`.
    func close(grace: Duration = .zero) {
        Sockets.endSending(descriptor)
        if grace > .zero { try? discard(until: .after(grace)) }
        takePending()
        Sockets.closeDescriptor(descriptor)
    }

    private func takePending() {
        var scratch = [UInt8](repeating: 0, count: 16 * 1024)
        for _ in 0..<256 {
            guard scratch.withUnsafeMutableBytes({ Sockets.receiveBytes(descriptor, $0) }) > 0 else { return }
        }
    }

    /// Closes with RST.
    func reset() {
        Sockets.makeCloseReset(descriptor)
        Sockets.closeDescriptor(descriptor)
    }

    /// The time left in the system's form, rounded up; -1 waits without end.
    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = min(max(.zero, deadline - .now), .seconds(86_400))
        return Int32((left / .milliseconds(1)).rounded(.up))
    }
}

extension ContinuousClock.Instant {
    /// The instant after a duration, which may be of any size.
    static func after(_ duration: Duration) -> Self {
        .now + min(max(.zero, duration), .seconds(365 * 86_400))
    }
}

/// A pipe that wakes threads out of `poll`: it can be read from the moment it is raised until it is cleared.
final class WakeSignal: Sendable {
    /// What waiting threads poll for reading.
    let readEnd: Int32
    private let writeEnd: Int32
    private let isClosed = Lock(false)

    init() throws(MockServerError) {
        (readEnd, writeEnd) = try Sockets.pipeEnds()
    }

    deinit {
        close()
    }

    /// Wakes who waits and who will; safe from any thread, also after ``close()``.
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

    /// Gives the descriptors back; nobody may be waiting any more.
    func close() {
        isClosed.withLock { isClosed in
            guard !isClosed else { return }
            isClosed = true
            Sockets.closeDescriptor(readEnd)
            Sockets.closeDescriptor(writeEnd)
        }
    }
}
