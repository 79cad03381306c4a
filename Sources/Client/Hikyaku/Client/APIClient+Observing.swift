extension APIClient {
    /// A client whose calls send their events to an observer, in addition to the existing observers.
    ///
    /// ```swift
    /// let observed = client.observing(Metrics())
    /// ```
    /// The observer gets the events of all exchanges of its calls, including redirects and further attempts, each with
    /// its own number. A call that a stub answers has none.
    ///
    /// If a ``HikyakuJSONDecoder`` read a response that its model only tolerates, `drifted` events follow, with the
    /// number of the call's last exchange: at most 100 path patterns, and the number of the others for each kind and
    /// type. Drift in a streamed body that is read after the call is not reported.
    ///
    /// - Parameter observer: The observer; called on the transport's thread, so it must not block.
    /// - Returns: The client with the observer.
    public func observing(_ observer: any EventObserver) -> APIClient {
        with { $0.observers.append(observer) }
    }

    /// A client whose calls send their events to a closure, for example to show the progress of one call.
    ///
    /// ```swift
    /// let file = try await client.observing { event in
    ///     if case .bytesReceived(let count, let expected?) = event.kind { log("\(count) of \(expected) bytes") }
    /// }.send(Shop.Export())
    /// ```
    ///
    /// - Parameter observe: Called with each event on the transport's thread; it must not block.
    /// - Returns: The client with the observer.
    public func observing(_ observe: @escaping @Sendable (TransportEvent) -> Void) -> APIClient {
        observing(ClosureObserver(closure: observe))
    }
}

private struct ClosureObserver: EventObserver {
    let closure: @Sendable (TransportEvent) -> Void

    func observe(_ event: TransportEvent) { closure(event) }
}

/// Observes the results of a client's calls.
///
/// An observer that keeps models needs to know which of two results is newer. So it returns a token before an exchange
/// starts, and gets it back with the result. A call that joins the exchange of an equal one has the token of that one.
package protocol ResultObserver: ExchangeObserver {
    /// Called with the result of a call, before the call returns; not for a call that fails, and not for the fallback
    /// that it returns then, which the service has not sent.
    ///
    /// - Parameters:
    ///   - result: The result.
    ///   - shape: The definition that read it; it knows the parts of the result.
    ///   - source: The source of the result.
    ///   - token: The token of the exchange: the earliest if there were several.
    func resultReceived<Shape: ResponseDefinition>(
        _ result: Shape.Result,
        of shape: Shape.Type,
        from source: ResponseSource,
        token: Int?,
    )
}
