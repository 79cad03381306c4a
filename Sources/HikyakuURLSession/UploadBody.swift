import Foundation
import HikyakuHTTP

#if canImport(Darwin)
import CFNetwork
#endif
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    #if canImport(Darwin)
    /// Streams a body that isn't in memory, piece by piece; if it can't be read, the exchange ends.
    mutating func stream(_ body: HTTPBody, of exchange: Exchange) {
        // With an announced length, URLSession doesn't use chunks.
        if let count = body.count { setValue(String(count), forHTTPHeaderField: "Content-Length") }
        httpBodyStream = UploadPump.start(body, of: exchange)
    }
    #else
    /// Collects a body that isn't in memory.
    ///
    /// Foundation on Linux has no pair of bound streams, and does not read a custom stream correctly.
    ///
    /// - Throws: The error of the body; ``TransportError`` with ``FailureReason/body`` if it is too large.
    mutating func collect(_ body: HTTPBody) async throws {
        do {
            httpBody = try await body.collect(upTo: URLSessionTransport.collectedUploadBytesMax)
        } catch let error as TransportError where error.reason == .bodyTooLarge {
            let limit = URLSessionTransport.collectedUploadBytesMax
            throw TransportError(.body, "URLSession on Linux sends at most \(limit) bytes of a file or a stream")
        }
    }
    #endif
}

#if canImport(Darwin)
/// Writes a body into one stream of a bound pair; URLSession reads the other one.
enum UploadPump {
    private static let bufferBytes = 256 * 1024

    static func start(_ body: HTTPBody, of exchange: Exchange) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        unsafe Stream.getBoundStreams(withBufferSize: bufferBytes, inputStream: &input, outputStream: &output)
        guard let output else { return input }
        // The compiler can't see that only this one task uses it from here on.
        nonisolated(unsafe) let sink = output
        let task = Task {
            unsafe sink.open()
            do {
                for try await piece in body {
                    // The session reports why it stopped reading: it may want another stream, or have the response.
                    guard try await unsafe write(piece, to: sink) else { return }
                }
                unsafe sink.close()
            } catch {
                // The stream stays open until the exchange has ended: closing it would mark the end of the body. A pump
                // that another one replaces is cancelled, and has no say.
                if !Task.isCancelled { exchange.finish(.failure(error)) }
            }
        }
        exchange.onEnd { task.cancel() }
        return input
    }

    /// Writes a piece.
    ///
    /// - Returns: Whether all of it was taken; `false` if the session reads no more.
    /// - Throws: `CancellationError`.
    private static func write(_ piece: Data, to sink: OutputStream) async throws -> Bool {
        var rest = [UInt8](piece)[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            // It is polled, since a write would block the thread, and a delegate needs a run loop.
            guard sink.hasSpaceAvailable else {
                try await Task.sleep(for: .milliseconds(2))
                continue
            }
            let count = unsafe rest.withUnsafeBufferPointer { buffer in
                unsafe buffer.baseAddress.map { unsafe sink.write($0, maxLength: buffer.count) } ?? 0
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
#endif
