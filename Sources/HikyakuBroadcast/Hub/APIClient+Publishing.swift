import Hikyaku

extension APIClient {
    /// A client that tells a hub of every ``HubModel`` that its responses bring, in whatever shape.
    ///
    /// ```swift
    /// let client = APIClient().publishing(to: hub)
    /// ```
    /// Published before the call returns, with the `APIResponse.source` of the response; what a call throws publishes
    /// nothing. A second hub takes the place of the first.
    ///
    /// - Parameter hub: Who is told.
    /// - Returns: The client that publishes.
    public func publishing(to hub: ModelHub) -> APIClient {
        telling(hub)
    }
}
