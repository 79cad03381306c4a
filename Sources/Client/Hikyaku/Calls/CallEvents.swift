import HikyakuBase

/// One thing that happens in a call that is read as a sequence.
public enum CallEvent<Value: Sendable>: Sendable {
    /// An event on the wire.
    case wire(TransportEvent)
    /// The model was received; nothing follows.
    case response(APIResponse<Value>)
}

/// A call as the sequence of its events, with the model at the end.
///
/// ```swift
/// for try await event in client.bind(Qiita.Items()).events() {
///     switch event {
///     case .wire(let event): log(event)
///     case .response(let response): show(response.value)
///     }
/// }
/// ```
/// It is cold: each iterator makes its own call, which starts with its first ``AsyncIterator/next()``. The call is
/// cancelled when the iterator is released, or its task is cancelled. The error that ends the call early is thrown.
///
/// Unread byte counts are replaced by newer ones, and at most 10,000 events are queued, so a slow reader needs little
/// memory.
///
/// `Problem` is the ``APIError`` of the request, or the app's own error on a ``MappedClient``.
public struct CallEvents<Value: Sendable, Problem: Error>: AsyncSequence, Sendable {
    /// The events.
    public typealias Element = CallEvent<Value>
    /// Sends the request, sends its events to an observer, and returns the response.
    typealias Respond = @Sendable (any EventObserver) async throws(Problem) -> APIResponse<Value>

    let respond: Respond

    /// Creates a call that starts when it is read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(run: CallRun(respond))
    }

    /// One call, read event by event.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let run: CallRun<Value, Problem>

        /// The next event; `nil` after the response, and after an error.
        ///
        /// - Throws: The error that ended the call.
        public mutating func next() async throws(Problem) -> CallEvent<Value>? {
            try await run.next()
        }
    }
}

/// Owns a call that is read as events: the call ends when this object is released.
private final class CallRun<Value: Sendable, Problem: Error>: Sendable {
    private let respond: CallEvents<Value, Problem>.Respond
    private let events = EventQueue<Value, Problem>()
    private let task = Lock<Task<Void, Never>?>(nil)

    init(_ respond: @escaping CallEvents<Value, Problem>.Respond) {
        self.respond = respond
    }

    deinit {
        task.withLock(\.self)?.cancel()
    }

    func next() async throws(Problem) -> CallEvent<Value>? {
        start()
        let outcome = await CallCancellation.withHandler {
            await events.next()
        } onCancel: {
            // Then the call's own end, `.cancelled`, is read.
            self.task.withLock(\.self)?.cancel()
        }
        return try outcome.get()
    }

    private func start() {
        task.withLock { task in
            guard task == nil else { return }
            // The call in which it is read cancels the reading, as above.
            task = CallCancellation.$scope.withValue(nil) {
                UnstructuredTask.start { [respond, events] in
                    do throws(Problem) {
                        events.end(with: .success(.response(try await respond(events))))
                    } catch {
                        events.end(with: .failure(error))
                    }
                }
            }
        }
        // For a cancellation before there was a call to cancel.
        if CallCancellation.isCancelled { task.withLock(\.self)?.cancel() }
    }
}

/// The events that were not read yet.
private final class EventQueue<Value: Sendable, Problem: Error>: EventObserver {
    typealias Outcome = Result<CallEvent<Value>?, Problem>

    fileprivate struct State: Sendable {
        var waiting: [TransportEvent] = []
        /// How many elements at the front were read.
        var taken = 0
        /// The response, or the error; `nil` of the sequence once that was read.
        var end: Outcome?
        var reader: CheckedContinuation<Outcome, Never>?

        mutating func add(_ event: TransportEvent, upTo eventsMax: Int) {
            if taken < waiting.count, event.replaces(waiting[waiting.count - 1]) { waiting.removeLast() }
            if waiting.count - taken < eventsMax { waiting.append(event) }
        }

        mutating func take() -> TransportEvent? {
            guard taken < waiting.count else { return nil }
            defer {
                taken += 1
                // Moving the remaining elements costs no more than the elements that were read.
                if taken * 2 > waiting.count {
                    waiting.removeFirst(taken)
                    taken = 0
                }
            }
            return waiting[taken]
        }
    }

    /// Redirects and retries have their own, much lower limits; events over this limit are dropped.
    private static var eventsMax: Int { 10_000 }

    private let state = Lock(State())

    func observe(_ event: TransportEvent) {
        let reader: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            defer { state.reader = nil }
            if state.end == nil, state.reader == nil { state.add(event, upTo: Self.eventsMax) }
            return state.reader
        }
        reader?.resume(returning: .success(.wire(event)))
    }

    func end(with outcome: Outcome) {
        let reader: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            defer { state.reader = nil }
            state.end = state.reader == nil ? outcome : .success(nil)
            return state.reader
        }
        reader?.resume(returning: outcome)
    }

    func next() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome: Outcome? = state.withLock { state in
                if let event = state.take() { return .success(.wire(event)) }
                if let end = state.end {
                    state.end = .success(nil)
                    return end
                }
                // A copy of the iterator that reads at the same time gets nothing.
                if state.reader != nil { return .success(nil) }
                state.reader = continuation
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}

extension TransportEvent {
    /// Whether it replaces an earlier event.
    fileprivate func replaces(_ earlier: TransportEvent) -> Bool {
        guard exchange == earlier.exchange else { return false }
        return switch (earlier.kind, kind) {
        case (.bytesSent, .bytesSent), (.bytesReceived, .bytesReceived): true
        default: false
        }
    }
}
