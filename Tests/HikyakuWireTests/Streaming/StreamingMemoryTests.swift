#if os(Linux)
import Foundation
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

/// Each in a process of its own, where no other test takes memory.
@Suite(.timeLimit(.minutes(5)))
struct StreamingMemoryTests {
    private static let bytes = 1 << 30
    /// Before each part, the side that reads stops until the other one sends no more.
    private static let parts = 8
    private static let partBytes = bytes / parts

    @Test func aSlowReaderHoldsLittle() async throws {
        await #expect(processExitsWith: .success) {
            let server = try ByteServer.sending(Self.bytes)
            let transport = WireTransport()
            let request = HTTPRequest(url: try server.url)
            // What is taken once for all streams.
            for try await _ in try await transport.send(request, options: .streaming).body {}
            let memory = try ProcessMemory.beginPeak()
            var (count, pauseAt) = (0, 0)
            for try await piece in try await transport.send(request, options: .streaming).body {
                if count >= pauseAt {
                    // Without backpressure, all that is left of the body would be held by then.
                    _ = try await settledValue { server.bytesSent }
                    pauseAt += Self.partBytes
                }
                count += piece.count
            }
            try #require(count == Self.bytes)
            let growth = try ProcessMemory.peakBytes() - memory
            try #require(growth < ProcessMemory.growthMax, "grew by \(growth) bytes")
        }
    }

    @Test func aSlowServerLetsAnUploadHoldLittle() async throws {
        await #expect(processExitsWith: .success) {
            let mayRead = DispatchSemaphore(value: 0)
            let server = try ByteServer { connection in
                while !connection.readHead().isEmpty {
                    for _ in 0..<Self.parts {
                        var left = Self.partBytes
                        mayRead.wait()
                        while left > 0, let bytes = connection.read(upTo: min(left, 1 << 18)) { left -= bytes.count }
                    }
                    connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                }
            }
            let transport = WireTransport()
            let pieces = Self.bytes >> 16
            func send() async throws {
                // Each piece is memory of its own, as a source's are.
                let source = TestSource { $0 < pieces ? .piece(Data(repeating: 0x63, count: 1 << 16)) : nil }
                let body = HTTPBody(source, count: Self.bytes)
                let request = HTTPRequest(method: .put, url: try server.url, body: body)
                async let response = transport.send(request, options: TransportOptions())
                try #require(try await holds { source.record.withLock(\.pulledBytes) > 0 })
                for number in 1...Self.parts {
                    // The server reads a part when the source gives no more. Without backpressure, it has given all.
                    let pulledBytes = try await settledValue { source.record.withLock(\.pulledBytes) }
                    try #require(pulledBytes < number * Self.partBytes)
                    mayRead.signal()
                }
                try #require(try await response.status == .ok)
            }
            try await send()
            let memory = try ProcessMemory.beginPeak()
            try await send()
            let growth = try ProcessMemory.peakBytes() - memory
            try #require(growth < ProcessMemory.growthMax, "grew by \(growth) bytes")
        }
    }
}

/// What the process has in use, as the system counts it.
private enum ProcessMemory {
    /// The sanitizers keep memory beside every byte, and what was freed for some time.
    static var growthMax: Int {
        let isSanitized = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
        return isSanitized ? 128 << 20 : 4 << 20
    }

    /// Forgets the peak so far, and gives what is in use now, in bytes.
    static func beginPeak() throws -> Int {
        try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        return try peakBytes()
    }

    /// The most that was in use since, in bytes.
    static func peakBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }) * 1024
    }
}
#endif
