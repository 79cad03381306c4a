/// The body as a stream: `Response` is ``HTTPBody``, which is read piece by piece, once.
///
/// ```swift
/// for try await piece in try await client.send(Export()) { try file.write(contentsOf: piece) }
/// ```
/// The call is over when the header block is there, but its deadline holds until the stream's end. What breaks off
/// meanwhile is thrown by the stream, as a ``TransportError``.
public enum StreamedResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }
    /// The body is handed on as it comes.
    public static var streamsBody: Bool { true }

    /// Hands the body on.
    public static func read(streaming response: HTTPResponse, context: ResponseContext) -> HTTPBody { response.body }

    /// Hands on what is in memory.
    public static func read(_ response: BufferedResponse) -> HTTPBody { HTTPBody(response.body) }
}
