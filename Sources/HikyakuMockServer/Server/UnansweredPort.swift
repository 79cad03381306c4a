#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A port of loopback on which a connection is never made: its queue is full, and nobody takes from it.
package final class UnansweredPort: Sendable {
    /// The number of the port.
    package let number: UInt16
    private let descriptors: [Int32]

    /// Listens, and fills the queue.
    package init() throws(MockServerError) {
        let (listener, port) = try Sockets.listen(port: 0, backlog: 0)
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
