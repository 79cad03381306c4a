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

    @Test func aSlowReaderHoldsLittle() async throws {
        await #expect(processExitsWith: .success) {
            let server = try ByteServer.sending(Self.bytes)
            let transport = WireTransport()
            let request = HTTPRequest(url: try server.url)
            // What is taken once for all streams.
            for try await _ in try await transport.send(request, options: .streaming).body {}
            let memory = try ProcessMemory.beginPeak()
            var count = 0
            for try await piece in try await transport.send(request, options: .streaming).body {
                // So much may come that all of it would be there by then.
                if count == 0 { _ = try await settledValue { server.bytesSent } }
                count += piece.count
                // Slower than the server, so that there is always more to come.
                try await spendRealTime(.milliseconds(1))
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
                    var left = Self.bytes
                    mayRead.wait()
                    while left > 0, let bytes = connection.read(upTo: min(left, 1 << 18)) {
                        left -= bytes.count
                        // Slower than the client, so that the source is held back all the time.
                        spendRealTime(.microseconds(200))
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
                // The server reads when the source gives no more: one that isn't held back has given all by then.
                let held = try await settledValue { source.record.withLock(\.pulledBytes) }
                try #require(held > 0 && held < Self.bytes)
                mayRead.signal()
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
