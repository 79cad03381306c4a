import Foundation
import HikyakuBase
import HikyakuHTTP

#if canImport(Darwin)
import CFNetwork
import Dispatch
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
            throw SessionCause.bodyTooLong.error(
                "URLSession on Linux sends at most \(limit) bytes of a file or a stream"
            )
        }
    }
    #endif
}

/// Wakes one task when there is room again; a signal that comes before the task waits is kept.
final class RoomSignal: Sendable {
    private struct State {
        var isSignalled = false
        var hasEnded = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    /// Wakes the task that waits, now or next.
    func signal() { resume { $0.isSignalled = true } }

    /// Wakes the task, and lets it wait no more.
    func end() { resume { $0.hasEnded = true } }

    /// Returns after the next signal, or when the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let goesOn = state.withLock { state in
                    if !state.isSignalled && !state.hasEnded { state.waiter = continuation }
                    defer { state.isSignalled = false }
                    return state.waiter == nil
                }
                if goesOn { continuation.resume() }
            }
        } onCancel: {
            end()
        }
    }

    private func resume(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            guard state.waiter != nil else { return nil as CheckedContinuation<Void, Never>? }
            defer { (state.waiter, state.isSignalled) = (nil, false) }
            return state.waiter
        }
        waiter?.resume()
    }
}

#if canImport(Darwin)
/// Writes a body into one stream of a bound pair; URLSession reads the other one.
///
/// Everything about the stream happens on one queue, also its events, so that no thread waits for room. The stream
/// stays open until the task has ended, unless the whole body was written: closing it is the end of the body, and a
/// server could take a part for the whole.
///
/// `@unchecked`: the compiler can't see that only the queue uses the stream. It can go when `Stream` is made for that.
final class UploadPump: NSObject, StreamDelegate, @unchecked Sendable {
    private static let bufferBytes = 256 * 1024
    private static let queue = DispatchQueue(label: "hikyaku.upload")

    private let output: OutputStream
    private let room = RoomSignal()

    private init(_ output: OutputStream) {
        self.output = output
    }

    /// Begins to write a body.
    ///
    /// - Returns: The stream to read.
    static func start(_ body: HTTPBody, of exchange: Exchange) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        unsafe Stream.getBoundStreams(withBufferSize: bufferBytes, inputStream: &input, outputStream: &output)
        guard let output else { return input }
        let pump = UploadPump(output)
        queue.async { pump.open() }
        let task = Task { await pump.write(body, of: exchange) }
        exchange.onEnd { task.cancel() }
        // The system does not retain a delegate, so the pump stays until then.
        exchange.onTaskEnd {
            task.cancel()
            queue.async { pump.close() }
        }
        return input
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        room.signal()
    }

    private func open() {
        output.delegate = self
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, Self.queue)
        output.open()
    }

    private func close() {
        output.delegate = nil
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
        output.close()
        room.end()
    }

    private func write(_ body: HTTPBody, of exchange: Exchange) async {
        // A pump that another one replaces is cancelled, and says nothing of the exchange any more.
        defer { if !Task.isCancelled { exchange.noteUpload(goesOn: false, waitsForSource: false) } }
        var pieces = body.makeAsyncIterator()
        do {
            while true {
                exchange.noteUpload(goesOn: true, waitsForSource: true)
                guard let piece = try await pieces.next() else { break }
                try Task.checkCancellation()
                exchange.noteUpload(goesOn: true, waitsForSource: false)
                // The session reports why it stopped reading: it may want another stream, or have the response.
                guard try await write([UInt8](piece)[...]) else { return }
            }
            Self.queue.async { [output] in output.close() }
        } catch {
            if !Task.isCancelled { exchange.finish(.failure(error)) }
        }
    }

    /// Writes a piece.
    ///
    /// - Returns: Whether all of it was taken; `false` if the session reads no more.
    /// - Throws: `CancellationError`.
    private func write(_ piece: ArraySlice<UInt8>) async throws -> Bool {
        var rest = piece
        while !rest.isEmpty {
            try Task.checkCancellation()
            guard let count = await put(rest) else { return false }
            if count == 0 { await room.wait() }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes as many bytes as there is room for; `nil` if the session reads no more.
    private func put(_ bytes: ArraySlice<UInt8>) async -> Int? {
        await withCheckedContinuation { continuation in
            Self.queue.async { [output] in
                guard output.hasSpaceAvailable else {
                    let isOver = output.streamStatus == .error || output.streamStatus == .closed
                    return continuation.resume(returning: isOver ? nil : 0)
                }
                let count = unsafe bytes.withUnsafeBufferPointer { buffer in
                    unsafe buffer.baseAddress.map { unsafe output.write($0, maxLength: buffer.count) } ?? 0
                }
                continuation.resume(returning: count > 0 ? count : nil)
            }
        }
    }
}
#endif
