#if os(Linux)
import HikyakuBase
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// A response's body between the loop and its reader, with backpressure up to the server.
///
/// The loop adds received bytes and then makes them available to the reader at once. If it holds too much, it stops
/// reading; it continues when the reader has taken everything. Over HTTP/2, other responses share the connection, so
/// the loop reads on: the stream's window is updated by what the reader took, and the server can send no more than a
/// window of ``PieceMemory/capacity`` bytes in the meantime.
///
/// States: open → ended, with the exchange's outcome or by the reader. Bytes that are held at the end are read before
/// a failure is thrown, except if the reader was cancelled.
final class ResponseStream: BodySource {
    /// From how many held bytes on the loop stops reading until the reader has taken them.
    static let pauseBytes = PieceMemory.capacity - 256 * 1024
    /// From how many bytes on that its reader took the loop is woken to update the window.
    ///
    /// nghttp2 sends an update from half a window on. So if the window is used up, the bytes that it lacks are still
    /// held here, or are at least this many.
    private static let creditMin = PieceMemory.capacity / 4

    private struct State {
        var memory: UnsafeMutableRawPointer?
        var count = 0
        var isPaused = false
        /// Whether the window is updated by what was read, and by how much it was not updated yet.
        var givesBack = false
        var credit = 0
        /// When the reader took something for the last time.
        var lastTaken: Int64 = 0
        var end: Result<Void, any Error>?
        var trailers: HTTPHeaders = [:]
        var waiter: CheckedContinuation<Data?, any Error>?
        /// The stream keeps its transport until its end.
        var transport: (any AnyObject & Sendable)?
    }

    /// What the reader gets: a piece, the end, or nothing yet.
    private typealias Taken = Result<Data?, any Error>?

    private let state: Lock<State>
    private let pieces = PieceMemory()
    /// Has the exchange continue, now that there is room or the window can be updated.
    private let goOn: @Sendable () -> Void
    /// Cancels the exchange.
    private let cancelExchange: @Sendable () -> Void

    /// - Parameters:
    ///   - transport: What the stream keeps until its end.
    ///   - goOn: Has the exchange continue after the reader has taken what was held.
    ///   - cancel: Cancels the exchange.
    init(
        keeping transport: any AnyObject & Sendable,
        goOn: @escaping @Sendable () -> Void,
        cancel: @escaping @Sendable () -> Void,
    ) {
        (self.goOn, cancelExchange) = (goOn, cancel)
        state = Lock(State(transport: transport))
    }

    deinit {
        if let memory = state.withLock(\.memory) { free(memory) }
    }

    // MARK: - The reader

    func next() async throws -> Data? {
        if Task.isCancelled { cancel() }
        let (taken, mustGoOn) = state.withLock { take(from: &$0) }
        if mustGoOn { goOn() }
        if let taken { return try taken.get() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { wait(with: $0) }
        } onCancel: {
            cancel()
        }
    }

    private func wait(with continuation: CheckedContinuation<Data?, any Error>) {
        let (taken, mustGoOn) = state.withLock { state in
            let (taken, mustGoOn) = take(from: &state)
            if taken == nil { state.waiter = continuation }
            return (taken, mustGoOn)
        }
        if mustGoOn { goOn() }
        if let taken { continuation.resume(with: taken) }
    }

    private func take(from state: inout State) -> (Taken, mustGoOn: Bool) {
        if let memory = state.memory, state.count > 0 {
            let piece = pieces.piece(memory, count: state.count)
            if state.givesBack {
                state.credit += state.count
                state.lastTaken = Nanoseconds.coarseNow
                state.isPaused = state.credit >= Self.creditMin
            }
            let mustGoOn = state.isPaused && state.end == nil
            (state.memory, state.count, state.isPaused) = (nil, 0, false)
            return (.success(piece), mustGoOn)
        }
        return (state.end.map { $0.map { nil } }, false)
    }

    /// Ends the exchange, and drops what is held.
    func cancel() {
        let isOpen = state.withLock { state in
            let isOpen = state.end == nil
            // What isn't read any more must not be missing from a success.
            if isOpen || state.count > 0 { state.end = .failure(CancellationError()) }
            state.count = 0
            return isOpen
        }
        guard isOpen else { return }
        // Before the transport is released: its end would end the exchange with another error.
        cancelExchange()
        end(with: .failure(CancellationError()))
    }

    var trailers: HTTPHeaders { state.withLock(\.trailers) }

    // MARK: - The loop

    /// Keeps the fields that came after the body, before its end.
    func keep(_ trailers: HTTPHeaders) {
        state.withLock { $0.trailers = trailers }
    }

    /// Takes what is held away from the reader, so that more can be added without a lock; `nil` if the system has no
    /// memory.
    func openPiece() -> OpenPiece? {
        let (memory, count) = state.withLock { state in
            defer { (state.memory, state.count) = (nil, 0) }
            return (state.memory, state.count)
        }
        return (memory ?? pieces.take()).map { OpenPiece($0, count: count) }
    }

    /// Has the bytes counted that the reader takes, to update the window of HTTP/2.
    func giveBack() {
        state.withLock { $0.givesBack = true }
    }

    /// How many bytes the reader has taken since the last call.
    func takeCredit() -> Int {
        state.withLock { state in
            defer { state.credit = 0 }
            return state.credit
        }
    }

    /// Since when the server is expected to send, by the coarse clock; `nil` while the reader has something to read.
    var readSince: Int64? { state.withLock { $0.count > 0 ? nil : $0.lastTaken } }

    /// Makes everything that was added available to the reader.
    ///
    /// - Parameter piece: The piece from ``openPiece()``.
    /// - Returns: Whether so much is still held that reading has to stop.
    func close(_ piece: consuming OpenPiece) -> Bool {
        let (memory, count) = piece.close()
        let (waiter, taken, mustPause) = state.withLock { state in
            // After a cancellation, the bytes are dropped; the exchange is about to end.
            if state.end == nil {
                (state.memory, state.count) = (memory, count)
            } else {
                pieces.giveBack(memory)
            }
            let taken = state.waiter == nil ? nil : take(from: &state).0
            guard taken == nil else { return (state.waiter.take(), taken, false) }
            state.isPaused = !state.givesBack && state.end == nil && state.count >= Self.pauseBytes
            return (nil, nil, state.isPaused)
        }
        if let taken { waiter?.resume(with: taken) }
        return mustPause
    }

    /// Ends the stream with the exchange's outcome; a second call changes nothing.
    func end(with outcome: Result<Void, any Error>) {
        let (waiter, taken, transport) = state.withLock { state in
            if state.end == nil { state.end = outcome }
            let taken = state.waiter == nil ? nil : take(from: &state).0
            return (state.waiter.take(), taken, state.transport.take())
        }
        if let taken { waiter?.resume(with: taken) }
        // The last reference ends the transport: not inside of the lock.
        withExtendedLifetime(transport) {}
    }
}
#endif
