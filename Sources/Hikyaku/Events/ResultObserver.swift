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
