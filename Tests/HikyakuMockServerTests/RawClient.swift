@testable import HikyakuMockServer

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A blocking client that sends and shows bytes as they are.
final class RawClient {
    struct Failure: Error, Equatable {
        let step: String
        let code: Int32
    }

    struct Answer {
        let head: String
        let body: String

        var statusLine: String { String(head.prefix { $0 != "\r\n" }) }
    }

    private static let timeMax = 10

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true

    init(_ server: MockServer) throws {
        let descriptor = socket(AF_INET, Sockets.streamType, 0)
        self.descriptor = descriptor
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var limit = timeval()
        limit.tv_sec = Self.timeMax
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let code = Sockets.withLoopbackAddress(port: UInt16(server.port)) { connect(descriptor, $0, $1) }
        guard code == 0 else {
            let failure = Failure(step: "connect", code: errno)
            close()
            throw failure
        }
    }

    deinit {
        close()
    }

    func close() {
        if isOpen { Sockets.closeDescriptor(descriptor) }
        isOpen = false
    }

    /// Sends text; a failure is left to the read that follows.
    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Sockets.sendBytes(descriptor, $0) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func get(_ target: String) throws -> Answer {
        send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return try readAnswer()
    }

    /// Reads one answer by its `Content-Length`, by its chunks, or without a body.
    func readAnswer(hasBody: Bool = true) throws -> Answer {
        let head = try read(through: "\r\n\r\n")
        guard hasBody else { return Answer(head: head, body: "") }
        let lines = head.split(separator: "\r\n").map { $0.lowercased() }
        if lines.contains("transfer-encoding: chunked") { return Answer(head: head, body: try readChunks()) }
        let field = lines.first { $0.hasPrefix("content-length: ") }
        let count = field.flatMap { Int($0.dropFirst("content-length: ".count)) } ?? 0
        return Answer(head: head, body: try read(count))
    }

    /// Undoes the chunks, showing them with bars between.
    private func readChunks() throws -> String {
        var pieces: [String] = []
        while true {
            let size = Int(try read(through: "\r\n").dropLast(1), radix: 16) ?? 0
            let piece = try read(size)
            _ = try read(2)
            if size == 0 { return pieces.joined(separator: "|") }
            pieces.append(piece)
        }
    }

    /// Everything up to the server's end of the connection.
    func readToEnd() throws -> String {
        while try fill() > 0 {}
        return take(buffer.count)
    }

    func read(through delimiter: String) throws -> String {
        let wanted = Array(delimiter.utf8)
        while true {
            for end in buffer.indices.dropLast(wanted.count - 1)
            where Array(buffer[end..<(end + wanted.count)]) == wanted {
                return take(end + wanted.count)
            }
            guard try fill() > 0 else { throw Failure(step: "read", code: 0) }
        }
    }

    func read(_ count: Int) throws -> String {
        while buffer.count < count {
            guard try fill() > 0 else { throw Failure(step: "read", code: 0) }
        }
        return take(count)
    }

    /// Reads once; 0 is the end.
    func fill() throws -> Int {
        var scratch = [UInt8](repeating: 0, count: 64 * 1024)
        let count = scratch.withUnsafeMutableBytes { Sockets.receiveBytes(descriptor, $0) }
        guard count >= 0 else { throw Failure(step: "read", code: errno) }
        buffer += scratch[..<count]
        return count
    }

    private func take(_ count: Int) -> String {
        defer { buffer.removeFirst(count) }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }
}
