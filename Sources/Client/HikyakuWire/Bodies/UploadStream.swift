#if os(Linux)
import HikyakuBase
import FoundationEssentials
import HikyakuHTTP

/// A request's body between its source, a file or a sequence, and the loop, with backpressure up to the source.
///
/// A separate task reads the source, from when the loop reads the first byte until the exchange is over. It waits while
/// enough is held; the loop's sending is paused while nothing is held. If the body is sent again, a new task reads it:
/// the old task is cancelled and not waited for, since its source may hang.
///
/// If the body's length is known, the last piece is held back until the source has ended: so a body that is too long is
/// never sent as a complete one.
final class UploadStream: Sendable {
    /// From how many held bytes, or pieces, on nothing more is read from the source.
    ///
    /// One piece, of any size, may exceed it.
    private static let heldBytesMax = 1 << 20
    private static let heldPiecesMax = 256

    /// The result of reading.
    enum Answer {
        /// How many bytes were copied.
        case bytes(Int)
        /// A whole piece, which was not copied.
        case piece(Data)
        case end
        case pause
        case failure
    }

    private struct State {
        /// How often the body was begun; 0 before the loop has read from it.
        var round = 0
        var pieces: ArraySlice<Data> = []
        /// How much of the first piece was sent.
        var position = 0
        var heldBytes = 0
        var isWhole = false
        var failure: (any Error)?
        /// Whether sending is paused until there is something to send.
        var isStarved = false
        var isStopped = false
        /// The task that starts the pulling ones, and its wait for the next round.
        var task: Task<Void, Never>?
        var starter: CheckedContinuation<Void, Never>?
        /// The pulling task of this round, and its wait for room.
        var puller: Task<Void, Never>?
        var waiter: CheckedContinuation<Void, Never>?
        var goOn: (@Sendable () -> Void)?

        var hasRoom: Bool { heldBytes < UploadStream.heldBytesMax && pieces.count < UploadStream.heldPiecesMax }

        mutating func add(_ piece: Data) {
            pieces.append(piece)
            heldBytes += piece.count
        }

        /// The first piece, if it has one of the sizes and no part of it was copied.
        func wholePiece(of sizes: ClosedRange<Int>?) -> Data? {
            guard let sizes, position == 0, let piece = pieces.first, sizes.contains(piece.count) else { return nil }
            return piece
        }

        mutating func removeFirst() {
            // The slice would keep a removed piece in memory until it is reallocated.
            pieces[pieces.startIndex] = Data()
            pieces.removeFirst()
            position = 0
        }
    }

    let body: HTTPBody
    private let state = Lock(State())

    init(_ body: HTTPBody) {
        self.body = body
    }

    // MARK: - The caller

    /// Starts the tasks, which inherit the caller's task-local values.
    ///
    /// - Parameter goOn: Has the loop continue the exchange; called from any thread.
    func start(goOn: @escaping @Sendable () -> Void) {
        state.withLock { $0.goOn = goOn }
        let task = Task { await run() }
        let isStopped = state.withLock { state in
            state.task = task
            return state.isStopped
        }
        if isStopped { task.cancel() }
    }

    // MARK: - The loop

    /// Why the body can't be sent as a whole; the exchange has to be ended.
    var failure: (any Error)? { state.withLock(\.failure) }

    /// Whether sending has to wait for the source.
    var isStarved: Bool { state.withLock(\.isStarved) }

    /// Takes bytes for the loop to send: copies of some pieces, or one large piece itself.
    ///
    /// - Parameters:
    ///   - room: Where the copies go.
    ///   - wholeBytes: The sizes of pieces that are returned as they are; `nil` copies every piece.
    /// - Returns: What was taken, or why nothing was.
    func read(into room: UnsafeMutableRawBufferPointer, orWhole wholeBytes: ClosedRange<Int>? = nil) -> Answer {
        let (answer, waiter) = state.withLock { state in
            let answer = Self.take(from: &state, into: room, orWhole: wholeBytes)
            guard state.round > 0 else {
                state.round = 1
                return (answer, state.starter.take())
            }
            return (answer, state.heldBytes <= Self.heldBytesMax / 4 ? state.waiter.take() : nil)
        }
        waiter?.resume()
        return answer
    }

    private static func take(
        from state: inout State,
        into room: UnsafeMutableRawBufferPointer,
        orWhole wholeBytes: ClosedRange<Int>?,
    ) -> Answer {
        guard state.failure == nil, !state.isStopped else { return .failure }
        if let piece = state.wholePiece(of: wholeBytes) {
            state.removeFirst()
            state.heldBytes -= piece.count
            return .piece(piece)
        }
        var copied = 0
        while copied < room.count, let piece = state.pieces.first {
            let start = piece.startIndex + state.position
            let end = min(piece.endIndex, start + room.count - copied)
            copied += piece.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: room[copied...]), from: start..<end)
            if end == piece.endIndex {
                state.removeFirst()
            } else {
                state.position += end - start
            }
            if state.wholePiece(of: wholeBytes) != nil { break }
        }
        state.heldBytes -= copied
        if copied > 0 { return .bytes(copied) }
        if state.isWhole { return .end }
        state.isStarved = true
        return .pause
    }

    /// Begins the body again, for a request that is sent again; `false` if it can't be read again.
    func restart() -> Bool {
        let (mayRestart, endPulling) = state.withLock { state -> (Bool, (() -> Void)?) in
            state.isStarved = false
            guard state.round > 0 else { return (true, nil) }
            guard body.isReplayable, state.failure == nil else { return (false, nil) }
            state.round += 1
            (state.pieces, state.position, state.isWhole) = ([], 0, false)
            state.heldBytes = 0
            return (true, Self.takePulling(from: &state))
        }
        endPulling?()
        return mayRestart
    }

    /// Ends the pulling: the exchange is over.
    func stop() {
        let (task, endPulling) = state.withLock { state in
            (state.isStopped, state.goOn, state.pieces, state.heldBytes) = (true, nil, [], 0)
            return (state.task, Self.takePulling(from: &state))
        }
        task?.cancel()
        endPulling()
    }

    /// What ends the pulling of this round, to be called outside of the lock.
    private static func takePulling(from state: inout State) -> () -> Void {
        let (puller, waiter, starter) = (state.puller.take(), state.waiter.take(), state.starter.take())
        return {
            puller?.cancel()
            waiter?.resume()
            starter?.resume()
        }
    }

    // MARK: - The tasks

    private func run() async {
        var lastRound = 0
        while true {
            await wait(in: \.starter) { [lastRound] in $0.round > lastRound }
            let round = state.withLock { $0.isStopped ? 0 : $0.round }
            guard round > 0 else { return }
            lastRound = round
            let puller = Task {
                do {
                    try await pull(in: round)
                } catch {
                    update(in: round) { $0.failure = error }
                }
            }
            let isCurrent = state.withLock { state in
                guard state.round == round, !state.isStopped else { return false }
                state.puller = puller
                return true
            }
            if !isCurrent { puller.cancel() }
        }
    }

    private func pull(in round: Int) async throws {
        var iterator = body.makeAsyncIterator()
        var pulledBytes = 0
        while let piece = try await iterator.next() {
            pulledBytes += piece.count
            // BodyReader throws if there are more or fewer bytes than announced.
            if pulledBytes == body.count, try await iterator.next() == nil {
                update(in: round) { state in
                    state.add(piece)
                    state.isWhole = true
                }
                return
            }
            guard update(in: round, { $0.add(piece) }) else { return }
            await wait(in: \.waiter) { $0.hasRoom || $0.round != round }
            try Task.checkCancellation()
        }
        update(in: round) { $0.isWhole = true }
    }

    /// Changes the state, unless the round is over, and wakes the loop if it waits.
    ///
    /// - Returns: `false` if the round is over.
    @discardableResult
    private func update(in round: Int, _ change: (inout State) -> Void) -> Bool {
        let (isCurrent, goOn) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard state.round == round, !state.isStopped else { return (false, nil) }
            change(&state)
            guard state.isStarved || state.failure != nil else { return (true, nil) }
            state.isStarved = false
            return (true, state.goOn)
        }
        goOn?()
        return isCurrent
    }

    /// Waits until the condition holds, or the upload is stopped.
    private func wait(
        in place: any (WritableKeyPath<State, CheckedContinuation<Void, Never>?> & Sendable),
        until isDue: @Sendable (borrowing State) -> Bool,
    ) async {
        while !state.withLock({ $0.isStopped || isDue($0) }) {
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    if state.isStopped || isDue(state) { return true }
                    state[keyPath: place] = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        }
    }
}
#endif
