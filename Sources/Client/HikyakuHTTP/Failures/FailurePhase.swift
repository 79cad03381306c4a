/// The stage at which a call failed.
///
/// ```swift
/// do {
///     show(try await client.send(Shop.Dishes()))
/// } catch where error.phase == .transport || error.phase == .timedOut {
///     show("The service can't be reached at the moment.")
/// } catch {
///     show(error.localizedDescription)
/// }
/// ```
/// Its cases are those of `APIError` and don't grow.
public enum FailurePhase: String, Sendable, Hashable, CaseIterable {
    /// The request is invalid; nothing was sent.
    case invalidRequest
    /// No usable credential; nothing was sent.
    case unauthorized
    /// No complete response was received.
    case transport
    /// The service responded with its own failure.
    case service
    /// The service responded with a status that isn't accepted, and no failure could be read.
    case unacceptableStatus
    /// The response does not match the request's model.
    case decoding
    /// A limit was exceeded: one of the client's, or the available memory.
    case limit
    /// A deadline passed.
    case timedOut
    /// The caller cancelled the call.
    case cancelled
    /// A middleware, or another part that the app provides, threw another error.
    case other
}
