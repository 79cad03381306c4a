import BenchmarkSupport
import Foundation

/// Reads whatever is uploaded, and answers with the number of bytes of the body; nginx would write it to a disk, or
/// answer before it came.
struct SinkServer {
    let url: String

    static func start() throws -> SinkServer {
        let (listener, port) = try Loopback.listen()
        Thread.detachNewThread {
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { return }
                Thread.detachNewThread {
                    serve(descriptor)
                    close(descriptor)
                }
            }
        }
        return SinkServer(url: "http://127.0.0.1:\(port)/")
    }

    private static func serve(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 256 * 1024)
        var head: [UInt8] = []
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            head += buffer[..<count]
            guard let end = head.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { continue }
            let length = announcedLength(String(decoding: head[..<end], as: UTF8.self))
            var received = head.count - end
            while received < length {
                let count = recv(descriptor, &buffer, min(buffer.count, length - received), 0)
                guard count > 0 else { return }
                received += count
            }
            head = []
            let text = String(received)
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
            guard send(descriptor, answer, answer.utf8.count, Loopback.noSignal) == answer.utf8.count else { return }
        }
    }

    private static func announcedLength(_ head: String) -> Int {
        for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("content-length:") {
            return line.split(separator: ":").last.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) } ?? 0
        }
        return 0
    }
}
