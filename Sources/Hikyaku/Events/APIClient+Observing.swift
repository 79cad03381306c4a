extension APIClient {
    /// A client whose calls are observed on the wire, beside those who observe them already.
    ///
    /// ```swift
    /// let client = client.observing(metrics)
    /// ```
    /// All exchanges of its calls are heard of, redirects and further attempts among them, each under a number of its
    /// own. A call that a stub answers has none.
    ///
    /// Where a ``HikyakuJSONDecoder`` read a response that its model tolerates only, `drifted` events follow, under the
    /// number of the call's last exchange: at most 100 kinds of place, and for each kind and type the number of the
    /// others. What is read of a streamed body after the call isn't heard of.
    ///
    /// - Parameter observer: Who hears; called on whatever thread the transport works, so that it must not block.
    /// - Returns: The client that tells.
    public func observing(_ observer: any EventObserver) -> APIClient {
        with { $0.observers.append(observer) }
    }

    /// A client whose calls are observed by a closure: for the progress of one call, say.
    ///
    /// ```swift
    /// let items = try await client.observing { event in
    ///     if case .bytesReceived(let count, let expected?) = event.kind { show(count, of: expected) }
    /// }.send(Export())
    /// ```
    ///
    /// - Parameter observe: Called on whatever thread the transport works with each event; it must not block.
    /// - Returns: The client that tells.
    public func observing(_ observe: @escaping @Sendable (TransportEvent) -> Void) -> APIClient {
        observing(ClosureObserver(closure: observe))
    }
}

private struct ClosureObserver: EventObserver {
    let closure: @Sendable (TransportEvent) -> Void

    func observe(_ event: TransportEvent) { closure(event) }
}

/// Hears what the calls of a client have read.
///
/// An observer that keeps models has to know which of two results is the newer one. So it gives a token before the
/// service is asked, and gets it back with the result. A call that joins the exchange of an equal one has the token of
/// that one.
package protocol ResultObserver: Sendable {
    /// Called before the service is asked.
    ///
    /// - Returns: The token, which is greater than all before.
    func exchangeBegins() -> Int

    /// Called with the result of a call, before the call returns; not for one that fails.
    ///
    /// - Parameters:
    ///   - result: What was read.
    ///   - shape: How; it knows the parts of the result.
    ///   - source: Where it came from.
    ///   - token: The token of the exchange: the earliest where there were several.
    func resultCame<Shape: ResponseDefinition>(
        _ result: Shape.Result,
        of shape: Shape.Type,
        from source: ResponseSource,
        token: Int?,
    )
}
