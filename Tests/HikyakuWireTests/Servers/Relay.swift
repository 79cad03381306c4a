#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

/// A Unix domain socket whose connections lead to a server's port, and that can keep back what the server sends.
final class Relay: Sendable {
    /// One client's connection and its way on; both are closed when the threads that copy have ended.
    private final class Way: Sendable {
        let client: Int32
        let server: Int32

        init(_ client: Int32, _ server: Int32) {
            (self.client, self.server) = (client, server)
        }

        deinit {
            close(client)
            close(server)
        }

        func end() {
            for descriptor in [client, server] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private struct State {
        var ways: [Way] = []
        var isHolding = false
        var held: [UInt8] = []
        /// Whether the server has closed its side while its bytes were held.
        var hasServerEnded = false
    }

    let path: String
    private let folder: URL
    private let listener: Int32
    private let state = Lock(State())

    /// Leads to a server's port on loopback.
    init(to port: Int) throws {
        folder = try Program.makeFolder()
        path = folder.appending(path: "relay").path()
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isListening = withUnsafePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 16) == 0
            }
        }
        try #require(isListening)
        Thread.detachNewThread { [listener, state] in
            // Ends when the listener is shut down.
            while case let client = uninterrupted({ accept(listener, nil, nil) }), client >= 0 {
                let way = Way(client, Self.connect(to: port))
                // So that all that is held can be written at once.
                var room: Int32 = 1 << 21
                setsockopt(client, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
                state.withLock { $0.ways.append(way) }
                Thread.detachNewThread { Self.copy(from: way.client, to: way.server, way) { $0 } }
                Thread.detachNewThread { Self.copy(from: way.server, to: way.client, way) { Self.keep($0, state) } }
            }
            close(listener)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        for way in state.withLock({ $0.ways }) { way.end() }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Whether the server has closed its side since ``hold()``.
    var hasServerEnded: Bool { state.withLock(\.hasServerEnded) }

    /// Keeps what the server sends from now on.
    func hold() {
        state.withLock { $0.isHolding = true }
    }

    /// Hands the client all that is held at once, and closes its connections; later ones aren't held.
    ///
    /// - Returns: Whether the system has taken all of it.
    func releaseAndClose() -> Bool {
        state.withLock { state in
            defer { (state.ways, state.held, state.isHolding) = ([], [], false) }
            let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
            let count = state.held.withUnsafeBytes { bytes in
                state.ways.last.map { send($0.client, bytes.baseAddress, bytes.count, flags) }
            }
            for way in state.ways { way.end() }
            return count == state.held.count
        }
    }

    private static func connect(to port: Int) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    /// What may go on of the server's bytes, of which there are none at its end.
    private static func keep(_ bytes: [UInt8], _ state: Lock<State>) -> [UInt8]? {
        state.withLock { state in
            guard state.isHolding else { return bytes }
            state.held += bytes
            state.hasServerEnded = state.hasServerEnded || bytes.isEmpty
            return nil
        }
    }

    /// Copies what `step` lets pass until one side ends, and then ends the other.
    private static func copy(from source: Int32, to target: Int32, _ way: Way, _ step: ([UInt8]) -> [UInt8]?) {
        while true {
            let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = max(uninterrupted { recv(source, buffer.baseAddress, 65_536, 0) }, 0)
            }
            guard var rest = step(bytes)?[...] else {
                if bytes.isEmpty { return }
                continue
            }
            if rest.isEmpty { return way.end() }
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { return way.end() }
                rest.removeFirst(count)
            }
        }
    }
}
#endif
