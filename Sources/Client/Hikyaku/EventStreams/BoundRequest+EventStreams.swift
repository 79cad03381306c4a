extension BoundRequest where R: EventStreamRequest {
    /// The events of the request, over as many connections as are needed.
    ///
    /// See ``ReconnectingEventStream``. Nothing is sent until it is read. ``events()`` is what happens on the wire.
    ///
    /// - Parameter lastEventID: The id after which the stream starts, such as one that an earlier process has stored;
    ///   empty to start where the service does.
    /// - Returns: The events.
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

// Former names of clients.
extension APIClient {
    /// Unavailable: write `client.bind(request).eventStream()`.
    @available(*, unavailable, renamed: "bind(_:)", message: "write client.bind(request).eventStream()")
    public func events<R: EventStreamRequest>(
        of request: R,
        after lastEventID: String = "",
    ) -> ReconnectingEventStream<R, APIError<R.Failure>> {
        BoundRequest(request: request, core: core).eventStream(after: lastEventID)
    }
}
