#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

/// A server for more bytes than a script holds: each connection is handed to a function on a thread of its own.
final class ByteServer: Sendable {
    /// One client's connection, with blocking calls that fail once the server is stopped.
    struct Connection: Sendable {
        fileprivate let descriptor: Int32
        fileprivate let counts: Lock<(sent: Int, received: Int)>

        /// Reads up to the end of the header block, one byte at a time, so that the body is left.
        func readHead() -> String {
            var head: [UInt8] = []
            while head.count < 65_536, !head.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = read(upTo: 1)?.first {
                head.append(byte)
            }
            return String(decoding: head, as: UTF8.self)
        }

        /// What comes next; `nil` at the end.
        func read(upTo count: Int) -> [UInt8]? {
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
                initialized = max(uninterrupted { recv(descriptor, buffer.baseAddress, count, 0) }, 0)
            }
            counts.withLock { $0.received += bytes.count }
            return bytes.isEmpty ? nil : bytes
        }

        /// Returns whether all was taken by the system.
        @discardableResult
        func write(_ text: String) -> Bool { write(Array(text.utf8)) }

        @discardableResult
        func write(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { bytes in
                    uninterrupted { send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
                }
                guard count > 0 else { return false }
                counts.withLock { $0.sent += count }
                rest = rest.dropFirst(count)
            }
            return true
        }

        /// The descriptor of the client's end, which is of this process, too.
        func clientDescriptor() -> Int32? {
            typealias Name = (Int32, UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Int32
            func port(_ descriptor: Int32, _ name: Name) -> in_port_t? {
                var address = sockaddr_in()
                var length = socklen_t(MemoryLayout<sockaddr_in>.size)
                let isFound = withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &length) == 0 }
                }
                return isFound && address.sin_family == sa_family_t(AF_INET) ? address.sin_port : nil
            }
            let own = port(descriptor) { getsockname($0, $1, &$2) }
            guard let client = port(descriptor, { getpeername($0, $1, &$2) }) else { return nil }
            return (0..<4096).first { candidate in
                port(candidate) { getsockname($0, $1, &$2) } == client
                    && port(candidate) { getpeername($0, $1, &$2) } == own
            }
        }

        /// Waits until the client, whose end has that descriptor, has read all bytes that have arrived there.
        func waitUntilRead(by client: Int32) -> Bool {
            var byte: UInt8 = 0
            return holdsBlocking {
                uninterrupted { recv(client, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) } <= 0
            }
        }

        /// Closes the sending side in order, and takes what the client still sends, so that nothing is reset.
        func finish() {
            shutdown(descriptor, Int32(SHUT_WR))
            drain()
        }

        /// Reads and drops whatever comes, until the client closes the connection.
        func drain() {
            while read(upTo: 65_536) != nil {}
        }
    }

    let port: Int
    private let listener: Int32
    private let counts = Lock((sent: 0, received: 0))
    private let open = Lock<[Int32]?>([])

    init(_ serve: @escaping @Sendable (Connection) -> Void) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        try #require(isListening)
        Thread.detachNewThread { [listener, counts, open] in
            // Here, so that no other thread can get the number while this one may still accept connections by it.
            defer { close(listener) }
            while true {
                let descriptor = accept(listener, nil, nil)
                // Without a free descriptor, the connection waits until there is one.
                if descriptor < 0, [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) { continue }
                guard descriptor >= 0 else { return }
                let isOpen = open.withLock { descriptors in
                    descriptors?.append(descriptor)
                    return descriptors != nil
                }
                guard isOpen else { return _ = close(descriptor) }
                Thread.detachNewThread {
                    serve(Connection(descriptor: descriptor, counts: counts))
                    // Inside of the lock, since the number may be another socket's once it is closed.
                    open.withLock { descriptors in
                        descriptors?.removeAll { $0 == descriptor }
                        _ = close(descriptor)
                    }
                }
            }
        }
    }

    /// How many bytes the system took from the server, and the server from the system.
    var bytesSent: Int { counts.withLock(\.sent) }
    var bytesReceived: Int { counts.withLock(\.received) }
    var openConnectionCount: Int { open.withLock { $0?.count ?? 0 } }

    var url: URL {
        get throws { try #require(URL(string: "http://127.0.0.1:\(port)/")) }
    }

    func stop() {
        open.withLock { descriptors in
            guard let open = descriptors.take() else { return }
            for descriptor in open + [listener] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    deinit {
        stop()
    }
}

extension ByteServer {
    /// Answers each request with `count` bytes.
    static func sending(_ count: Int, pieceBytes: Int = 256 * 1024) throws -> ByteServer {
        try ByteServer { connection in
            let piece = [UInt8](repeating: 0x61, count: pieceBytes)
            while !connection.readHead().isEmpty {
                var isOpen = connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
                var left = count
                while isOpen, left > 0 {
                    isOpen = left >= piece.count ? connection.write(piece) : connection.write(Array(piece.prefix(left)))
                    left -= piece.count
                }
                guard isOpen else { return }
            }
        }
    }
}

/// Polls a number until it has stayed the same for a while, and gives it.
func settledValue(_ value: () -> Int) async throws -> Int {
    var last = value()
    var sameCount = 0
    for _ in 0..<2000 where sameCount < 25 {
        // That nothing happens any more has no event.
        try await spendRealTime(.milliseconds(4))
        let now = value()
        sameCount = now == last ? sameCount + 1 : 0
        last = now
    }
    return last
}
#endif
