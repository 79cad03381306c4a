import HikyakuBase

/// The events of a request over as many connections as are needed; see ``BoundRequest/eventStream(after:)``.
///
/// ```swift
/// for try await price in client.bind(Shop.Prices()).eventStream() { show(price) }
/// ```
/// When a connection is lost, is idle for too long, or is closed by the service, the next one continues after the last
/// event (`Last-Event-ID`). Before it, the client waits for the time that the service requires (`retry`, `Retry-After`)
/// and for a random back-off: see ``EventStreamRequest/reconnection``. A client never connects again after the
/// ``EventStreamRequest/terminator``, 204 No Content, a status that isn't transient, another `Content-Type`, or an
/// event that can't be read or is too large. Neither does it for a request that isn't ``APIRequest/isIdempotent``, such
/// as a POST.
///
/// It is cold: each iterator connects by itself, with its first ``AsyncIterator/next()``. An iterator holds at most one
/// piece of the body and one event, so that a slow reader slows the service down. Releasing the iterator, or cancelling
/// its task, closes the connection.
///
/// `Problem` is the ``APIError`` of the request, or the app's own error on a ``MappedClient``.
public struct ReconnectingEventStream<R: EventStreamRequest, Problem: Error>: AsyncSequence, Sendable {
    /// The events.
    public typealias Element = R.Event
    typealias Map = @Sendable (APIError<R.Failure>) -> Problem

    private let request: R
    private let core: ClientCore
    private let lastEventID: String
    private let map: Map

    init(_ request: R, by core: ClientCore, after lastEventID: String, map: @escaping Map) {
        (self.request, self.lastEventID, self.map) = (request, lastEventID, map)
        self.core = core.with { parts in
            // The stream itself decides about each further connection.
            if request.isIdempotent { parts.options.retryPolicy = .never }
            if let idle = request.writtenIdleTimeout { parts.options.timeouts.idle = idle }
        }
    }

    /// Creates a stream that connects when it is read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(EventConnections(request, by: core, after: lastEventID), map: map)
    }

    /// One reader of the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var connections: EventConnections<R>
        private let map: Map

        fileprivate init(_ connections: EventConnections<R>, map: @escaping Map) {
            (self.connections, self.map) = (connections, map)
        }

        /// The id of the last event that was complete; empty if there is none.
        ///
        /// Store it to continue later, even in another process: ``BoundRequest/eventStream(after:)``.
        public var lastEventID: String { connections.lastEventID }

        /// The next event; `nil` at the end of the stream, and after an error.
        ///
        /// - Throws: The error that ended the last connection, or the attempt to open one.
        public mutating func next() async throws(Problem) -> R.Event? {
            do throws(APIError<R.Failure>) {
                return try await connections.next()
            } catch {
                throw map(error)
            }
        }
    }
}

/// The connections of one reader, one after the other.
private struct EventConnections<R: EventStreamRequest> {
    /// One connection, from its call to its end.
    struct Connection {
        let call: Call
        let request: ResumedEvents<R>
        let response: HTTPResponse
        var events: EventStream<R.Event>.AsyncIterator
    }

    private let request: R
    private let core: ClientCore
    private(set) var lastEventID: String
    private var retry: Duration?
    private var machine: EventStreamMachine
    private var connection: Connection?
    private var isOver = false

    init(_ request: R, by core: ClientCore, after lastEventID: String) {
        (self.request, self.core, self.lastEventID) = (request, core, lastEventID)
        let policy = request.reconnection
        machine = EventStreamMachine(policy, mayReconnect: request.isIdempotent && policy.attemptsMax > 1)
    }

    mutating func next() async throws(APIError<R.Failure>) -> R.Event? {
        while !isOver {
            guard connection != nil else {
                try await connect()
                continue
            }
            let result = await Result { try await connection?.events.next() }
            note(connection)
            switch result {
            case .success(let event?): return event
            case .success(nil): try await finish(throwing: nil)
            case .failure(let error): try await finish(throwing: error)
            }
        }
        return nil
    }

    /// Keeps what the next connection needs.
    private mutating func note(_ connection: Connection?) {
        guard let reader = connection?.events.reader else { return }
        lastEventID = reader.lastEventID
        retry = reader.retry ?? retry
        if reader.hasEvent { machine.received() }
    }

    private mutating func connect() async throws(APIError<R.Failure>) {
        let request = ResumedEvents(request: request, lastEventID: lastEventID)
        let call = Call(of: request, by: core)
        do {
            let (events, response, source) = try await call.run(request)
            // A stub or a fallback has nothing to connect to.
            if source == .stub || source == .fallback { machine.mayReconnect = false }
            machine.connected(at: core.parts.options.clock.now)
            if let budget = self.request.reconnection.budget {
                core.parts.retryBudgets.deposit(budget, for: call.origin, at: core.parts.options.clock.now)
            }
            connection = Connection(
                call: call,
                request: request,
                response: response,
                events: events.makeAsyncIterator(),
            )
        } catch {
            let error = APIError<R.Failure>(settled: error)
            try await decide(after: end(error), error, call)
        }
    }

    /// Ends the connection, and decides what follows.
    private mutating func finish(throwing error: (any Error)?) async throws(APIError<R.Failure>) {
        guard let ended = connection else { return }
        // It is closed before the pause.
        connection = nil
        guard let error else {
            let end: EventStreamMachine.End =
                if ended.events.reader.isTerminated { .terminated } else if ended.response.status == .noContent {
                    .noContent
                } else { .closed }
            return try await decide(after: end, nil, ended.call)
        }
        let failure = ended.failure(error, by: core)
        try await decide(after: end(failure), failure, ended.call)
    }

    /// How a connection ended that failed with an error.
    private func end(_ error: APIError<R.Failure>) -> EventStreamMachine.End {
        // A deadline around the whole stream has passed for the next connection too, but not the timeout of a head.
        let isPassed = CallDeadline.current.map { $0 <= core.parts.options.clock.now } ?? false
        guard error.reason != .deadline || !isPassed, mayPass(error) else { return .failed }
        return .transient(error.reason, retryAfter: error.retryAfter)
    }

    /// Whether another connection may succeed, also by the statuses that the stream's own policy names.
    private func mayPass(_ error: APIError<R.Failure>) -> Bool {
        let policy = request.reconnection
        guard policy.transientStatuses != nil, error.phase == .service || error.phase == .unacceptableStatus,
            let status = error.response?.status
        else { return Transience(error) != nil }
        return policy.transience(of: status) != nil
    }

    private mutating func decide(
        after end: EventStreamMachine.End,
        _ error: APIError<R.Failure>?,
        _ call: Call,
    ) async throws(APIError<R.Failure>) {
        let now = core.parts.options.clock.now
        if call.context.sent?.body?.isReplayable == false { machine.mayReconnect = false }
        let decision = machine.decision(
            after: end,
            at: now,
            retry: retry,
            unit: core.parts.options.random(),
        ) { [core, request] in
            request.reconnection.budget.map { core.parts.retryBudgets.withdraw($0, for: call.origin, at: now) } ?? true
        }
        switch decision {
        case .end: isOver = true
        case .fail:
            isOver = true
            let count = machine.failuresCount
            let closed = "the service closed \(count) connections in a row without sending an event"
            throw error ?? call.failure(EventStreamCause.streamsEnded.error(closed), of: R.Failure.self)
        case .connect(let pause):
            core.observer?.observe(
                TransportEvent(
                    exchange: call.context.call.recorder?.exchange ?? 0,
                    instant: now,
                    kind: .reconnecting(error?.reason, after: pause),
                )
            )
            let end = now.advanced(by: pause)
            do {
                // At the deadline of the reader's scope the next call fails before it sends anything.
                try await core.parts.options.clock.sleep(until: min(end, CallDeadline.current ?? end))
            } catch {
                isOver = true
                throw call.failure(error, of: R.Failure.self)
            }
        }
    }
}

extension EventConnections.Connection {
    /// The error of a connection that failed after its header block.
    fileprivate func failure(_ error: any Error, by core: ClientCore) -> APIError<R.Failure> {
        let reading = ResponseContext(of: ResumedEvents<R>.self, call.context, by: core)
        let sent = call.sent
        let settled = request.settled(error, BufferedResponse(response, reading), sent, call.context)
        return call.error(settled, of: request, sent)
    }
}

extension Call {
    fileprivate var origin: HTTPOrigin { context.environment.base.origin }

    /// The request as it was sent last.
    fileprivate var sent: HTTPRequest {
        context.sent ?? HTTPRequest(method: context.call.questions.method, urlText: "", headers: [:])
    }

    fileprivate func failure<Failure: ServiceFailure>(
        _ error: any Error,
        of type: Failure.Type,
    ) -> APIError<Failure> {
        self.error(error, sent)
    }
}
