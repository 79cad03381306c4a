/// The error that a service answers with, as a type of its own.
///
/// A `Decodable` one is read from the body and has nothing to write:
/// ```swift
/// struct QiitaError: ServiceFailure, Decodable {
///     let message: String
///     let type: String
/// }
/// ```
public protocol ServiceFailure: Error, Sendable {
    /// Reads the failure from a response; `nil` where it is none.
    ///
    /// Called for responses whose status isn't accepted, unless the request writes its own `failure(in:)`.
    init?(response: BufferedResponse)
}

extension ServiceFailure where Self: Decodable {
    /// Decodes the body by the request's decoder; a body that doesn't fit gives `nil`.
    public init?(response: BufferedResponse) {
        guard let failure = try? response.decode(Self.self) else { return nil }
        self = failure
    }
}
