import Foundation
import HikyakuBase
import HikyakuHTTP

/// The unread part of a streamed body; the session's task is suspended while it is too large.
///
/// Suspending is a request that the session may follow late, so the unread part has a bound, at which the call ends.
final class DownloadStream: BodySource {
    /// Resumes or suspends the task, in the order of the calls.
    typealias Flow = @Sendable (_ isHeld: @escaping @Sendable () -> Bool) -> Void

    private struct State {
        var pieces: [Data] = []
        var bytes = 0
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<Data?, any Error>?
        var isHeld = false
    }

    private static let heldBytesMax = 512 * 1024
    /// More than the session delivers after it was suspended, in any case that is known.
    static let unreadBytesMax = 64 * 1024 * 1024

    static let tooSlow = SessionCause.readerTooSlow.error(
        "more than \(unreadBytesMax) bytes of the body were received and not read"
    )

    private let state = Lock(State())
    private let flow: Flow
    private let didCancel: @Sendable () -> Void

    init(flow: @escaping Flow, didCancel: @escaping @Sendable () -> Void) {
        self.flow = flow
        self.didCancel = didCancel
    }

    /// Whether the task should be suspended until the reader has caught up.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// Takes bytes.
    ///
    /// - Returns: `false` if too many are unread; all of them are dropped then.
    func push(_ data: Data) -> Bool {
        var fits = true
        let (reader, isHeldNow) = state.withLock { state -> (CheckedContinuation<Data?, any Error>?, Bool) in
            if let reader = state.reader {
                state.reader = nil
                return (reader, false)
            }
            guard state.end == nil else { return (nil, false) }
            guard state.bytes + data.count <= Self.unreadBytesMax else {
                (state.pieces, state.bytes, fits) = ([], 0, false)
                return (nil, false)
            }
            state.pieces.append(data)
            state.bytes += data.count
            guard !state.isHeld, state.bytes > Self.heldBytesMax else { return (nil, false) }
            state.isHeld = true
            return (nil, true)
        }
        reader?.resume(returning: data)
        if isHeldNow { adjustFlow() }
        return fits
    }

    /// Ends the body after the bytes that were pushed.
    func finish(_ end: Result<Void, any Error>) {
        let reader = state.withLock { state in
            guard state.end == nil else { return nil as CheckedContinuation<Data?, any Error>? }
            state.end = end
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(with: end.map { nil })
    }

    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { read(with: $0) }
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        let dropped = state.withLock { state in
            let dropped = (state.pieces, state.reader)
            (state.pieces, state.bytes, state.reader) = ([], 0, nil)
            if state.end == nil { state.end = .failure(CancellationError()) }
            return dropped
        }
        dropped.1?.resume(throwing: CancellationError())
        didCancel()
    }

    private func read(with continuation: CheckedContinuation<Data?, any Error>) {
        let (outcome, goesOn): (Result<Data?, any Error>?, Bool) = state.withLock { state in
            if !state.pieces.isEmpty {
                let pieces = state.pieces
                (state.pieces, state.bytes) = ([], 0)
                defer { state.isHeld = false }
                return (.success(Self.joined(pieces)), state.isHeld)
            }
            if let end = state.end { return (end.map { nil }, false) }
            state.reader = continuation
            return (nil, false)
        }
        if let outcome { continuation.resume(with: outcome) }
        if goesOn { adjustFlow() }
    }

    /// Joins pieces by `append`, since a joined sequence is copied byte by byte.
    private static func joined(_ pieces: [Data]) -> Data {
        pieces.dropFirst().reduce(into: pieces.first ?? Data()) { $0.append($1) }
    }

    private func adjustFlow() {
        flow { [weak self] in self?.isHeld ?? false }
    }
}
