import HikyakuBase

/// One thing that happens in a call that is read as a sequence.
public enum CallEvent<Value: Sendable>: Sendable {
    /// Something happened on the wire.
    case wire(TransportEvent)
    /// The model came; nothing follows.
    case response(APIResponse<Value>)
}

/// A call as the sequence of what happens in it, with the model at its end.
///
/// ```swift
/// for try await event in client.bind(Qiita.Items()).events() {
///     switch event {
///     case .wire(let event): log(event)
///     case .response(let response): show(response.value)
///     }
/// }
/// ```
/// It is cold: each iterator makes a call of its own, which starts with its first ``AsyncIterator/next()``, and ends
/// when nobody has the iterator any more, or its task is cancelled. What ends the call early is thrown.
///
/// Counts of bytes that nobody has read yet give way to newer ones, and at most 10,000 events wait, so that a slow
/// reader keeps little in memory.
///
/// `Problem` is the ``APIError`` of the request, or the app's own error on a ``MappedClient``.
public struct CallEvents<Value: Sendable, Problem: Error>: AsyncSequence, Sendable {
    /// What happens.
    public typealias Element = CallEvent<Value>
    /// Sends the request, tells an observer what happens, and returns the response.
    typealias Respond = @Sendable (any EventObserver) async throws(Problem) -> APIResponse<Value>

    let respond: Respond

    /// Makes a call that starts when it is read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(run: CallRun(respond))
    }

    /// One call, read event by event.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let run: CallRun<Value, Problem>

        /// The next event; `nil` behind the response, and behind an error.
        ///
        /// - Throws: What ended the call.
        public mutating func next() async throws(Problem) -> CallEvent<Value>? {
            try await run.next()
        }
    }
}

/// Owns a call that is read as events: it ends when this does.
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
            // The call's own end, `.cancelled`, is what is read then.
            self.task.withLock(\.self)?.cancel()
        }
        return try outcome.get()
    }

    private func start() {
        task.withLock { task in
            guard task == nil else { return }
            // The call that it is read in ends the reading, as above.
            task = CallCancellation.$current.withValue(nil) {
                Task { [respond, events] in
                    do throws(Problem) {
                        events.end(with: .success(.response(try await respond(events))))
                    } catch {
                        events.end(with: .failure(error))
                    }
                }
            }
        }
        // What was cancelled before there was a call to cancel.
        if CallCancellation.isCancelled { task.withLock(\.self)?.cancel() }
    }
}

/// What happened and wasn't read yet.
private final class EventQueue<Value: Sendable, Problem: Error>: EventObserver {
    typealias Outcome = Result<CallEvent<Value>?, Problem>

    fileprivate struct State: Sendable {
        var waiting: [TransportEvent] = []
        /// How many in front were taken.
        var taken = 0
        /// The response, or the error, once.
        var end: Outcome?
        var isOver = false
        var reader: CheckedContinuation<Outcome, Never>?
    }

    /// Redirects have a bound of their own that keeps far below this; what comes behind it is dropped.
    private static var eventsMax: Int { 10_000 }

    private let state = Lock(State())

    func observe(_ event: TransportEvent) {
        let reader: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            guard !state.isOver, state.end == nil else { return nil }
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            state.add(event, upTo: Self.eventsMax)
            return nil
        }
        reader?.resume(returning: .success(.wire(event)))
    }

    func end(with outcome: Outcome) {
        let reader: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            guard let reader = state.reader else {
                state.end = outcome
                return nil
            }
            state.reader = nil
            state.isOver = true
            return reader
        }
        reader?.resume(returning: outcome)
    }

    func next() async -> Outcome {
        await withCheckedContinuation { continuation in
            let outcome: Outcome? = state.withLock { state in
                if let event = state.take() { return .success(.wire(event)) }
                if let end = state.end {
                    state.end = nil
                    state.isOver = true
                    return end
                }
                // A copy of the iterator that reads beside another one gets nothing.
                if state.isOver || state.reader != nil { return .success(nil) }
                state.reader = continuation
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}

extension EventQueue.State {
    fileprivate mutating func add(_ event: TransportEvent, upTo eventsMax: Int) {
        if taken < waiting.count, event.overtakes(waiting[waiting.count - 1]) { waiting.removeLast() }
        if waiting.count - taken < eventsMax { waiting.append(event) }
    }

    fileprivate mutating func take() -> TransportEvent? {
        guard taken < waiting.count else { return nil }
        defer {
            taken += 1
            // Moving up what is left costs no more than what was taken has.
            if taken * 2 > waiting.count {
                waiting.removeFirst(taken)
                taken = 0
            }
        }
        return waiting[taken]
    }
}

extension TransportEvent {
    /// Whether it says all that an event before it has said.
    fileprivate func overtakes(_ earlier: TransportEvent) -> Bool {
        guard exchange == earlier.exchange else { return false }
        return switch (earlier.kind, kind) {
        case (.bytesSent, .bytesSent), (.bytesReceived, .bytesReceived): true
        default: false
        }
    }
}

extension BoundRequest {
    /// The call as the sequence of what happens in it; nothing is sent until it is read.
    public func events() -> CallEvents<R.Response, APIError<R.Failure>> {
        CallEvents { listener async throws(APIError<R.Failure>) in try await response(telling: listener) }
    }
}

extension MappedRequest {
    /// The call as the sequence of what happens in it; nothing is sent until it is read.
    public func events() -> CallEvents<R.Response, Mapped> {
        CallEvents { listener async throws(Mapped) in try await response(telling: listener) }
    }
}
