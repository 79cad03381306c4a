import Foundation
import HikyakuBase
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
/// The stream's events come on a queue of their own, so that no thread waits for room.
final class UploadPump: NSObject, StreamDelegate, Sendable {
    private static let bufferBytes = 256 * 1024
    private static let queue = DispatchQueue(label: "hikyaku.upload")

    private let room = RoomSignal()

    static func start(_ body: HTTPBody, of exchange: Exchange) -> InputStream? {
        var input: InputStream?
        var output: OutputStream?
        unsafe Stream.getBoundStreams(withBufferSize: bufferBytes, inputStream: &input, outputStream: &output)
        guard let output else { return input }
        let pump = UploadPump()
        output.delegate = pump
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, queue)
        // The compiler can't see that only this one task uses it from here on; its events touch only the signal.
        nonisolated(unsafe) let sink = output
        let task = Task {
            unsafe sink.open()
            defer { unsafe sink.delegate = nil }
            do {
                for try await piece in body {
                    // The session reports why it stopped reading: it may want another stream, or have the response.
                    guard try await unsafe pump.write(piece, to: sink) else { return }
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

    func stream(_ stream: Stream, handle event: Stream.Event) {
        room.signal()
    }

    /// Writes a piece.
    ///
    /// - Returns: Whether all of it was taken; `false` if the session reads no more.
    /// - Throws: `CancellationError`.
    private func write(_ piece: Data, to sink: OutputStream) async throws -> Bool {
        var rest = [UInt8](piece)[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            guard sink.hasSpaceAvailable else {
                // The session has closed its end.
                if sink.streamStatus == .error || sink.streamStatus == .closed { return false }
                await room.wait()
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
