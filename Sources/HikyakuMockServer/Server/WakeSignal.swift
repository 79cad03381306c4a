import HikyakuHTTP

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

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
