// The gate again, as for `send`: only these overloads compare a request's Access with the client's Level.
extension APIClient {
    /// The events of a request, over as many connections as are needed.
    ///
    /// See ``ReconnectingEventStream``. Nothing is sent until it is read.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - lastEventID: The id after which the stream starts, such as one that an earlier process has stored; empty to
    ///     start where the service does.
    /// - Returns: The events.
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, APIError<R.Failure>> where R.Access: OpenLevel {
        bind(request).eventStream(after: lastEventID)
    }

    /// The events of a request of the client's own level.
    @_disfavoredOverload
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, APIError<R.Failure>> where R.Access == Level {
        bind(request).eventStream(after: lastEventID)
    }

    /// The events of a request of the level below.
    @_disfavoredOverload
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, APIError<R.Failure>> where R.Access == Level.Includes {
        bind(request).eventStream(after: lastEventID)
    }

    /// The events of a request of the level two below.
    @_disfavoredOverload
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, APIError<R.Failure>> where R.Access == Level.Includes.Includes {
        bind(request).eventStream(after: lastEventID)
    }
}

@available(
    *,
    unavailable,
    message: "this client's level does not include what the request needs: client.authorized(by:for:)"
)
extension APIClient {
    /// Rejects a request that needs more than the client's level includes.
    @_disfavoredOverload
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, APIError<R.Failure>> where R.Access.Includes.Includes.Includes == Public {
        BoundRequest(request: request, core: core).eventStream(after: lastEventID)
    }
}

extension MappedClient {
    /// The events of a request, over as many connections as are needed; its errors are converted.
    ///
    /// See ``ReconnectingEventStream``.
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, Mapped> where R.Access: OpenLevel {
        bind(request).eventStream(after: lastEventID)
    }

    /// The events of a request of the client's own level.
    @_disfavoredOverload
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, Mapped> where R.Access == Level {
        bind(request).eventStream(after: lastEventID)
    }

    /// The events of a request of the level below.
    @_disfavoredOverload
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, Mapped> where R.Access == Level.Includes {
        bind(request).eventStream(after: lastEventID)
    }

    /// The events of a request of the level two below.
    @_disfavoredOverload
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, Mapped> where R.Access == Level.Includes.Includes {
        bind(request).eventStream(after: lastEventID)
    }
}

extension BoundRequest where R: EventStreamRequest {
    /// The events of the request, over as many connections as are needed.
    ///
    /// See ``ReconnectingEventStream``; ``events()`` is the sequence of what happens on the wire.
    public func eventStream(after lastEventID: String = "") -> ReconnectingEventStream<R, APIError<R.Failure>> {
        ReconnectingEventStream(request, by: core, after: lastEventID) { $0 }
    }
}

extension MappedRequest where R: EventStreamRequest {
    /// The events of the request, over as many connections as are needed; its errors are converted.
    public func eventStream(after lastEventID: String = "") -> ReconnectingEventStream<R, Mapped> {
        ReconnectingEventStream(request, by: bound.core, after: lastEventID) { [map] in map($0) }
    }
}
