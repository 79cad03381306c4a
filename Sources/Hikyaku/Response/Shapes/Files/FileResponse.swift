/// The body in a file, written as it comes: what a download is that needn't fit into memory.
///
/// ```swift
/// struct Export: FileRequest {
///     var destination: FileDestination { .file(at: "/tmp/menu.csv") }
///     …
/// }
/// let file = try await client.send(Export())
/// ```
/// Without a ``FileRequest`` it is a temporary file. The file has its name when all of the body has come; whatever ends
/// the call before, a limit, a lost connection, the deadline or a cancellation, leaves nothing behind, and a file that
/// was there before as it was. Of the body only one piece at a time is in memory, and the connection waits for the
/// disk: the pieces are written on the thread of the call's task.
public enum FileResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }
    /// The body is written as it comes.
    public static var streamsBody: Bool { true }

    /// Writes the body to a temporary file.
    public static func read(
        streaming response: HTTPResponse,
        context: ResponseContext,
    ) async throws -> ResponseFile {
        try await write(response, to: .temporary)
    }

    /// Writes what is in memory to a temporary file.
    public static func read(_ response: BufferedResponse) throws -> ResponseFile {
        let draft = try FileDraft(for: .temporary)
        try draft.append(response.body)
        return try draft.finish()
    }

    /// Writes the body of a response to a file, for a `response(streaming:context:)` of one's own.
    ///
    /// - Parameters:
    ///   - response: The response; its body is read.
    ///   - destination: Where the file is to be.
    /// - Returns: The file with all of the body.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` or ``FailureReason/fileNotWritten``; what the
    ///   body throws.
    public static func write(_ response: HTTPResponse, to destination: FileDestination) async throws -> ResponseFile {
        if let count = response.body.count, count > destination.bytesMax {
            throw TransportError(
                .bodyTooLarge,
                "the body has \(count) bytes, the limit of its file is \(destination.bytesMax)",
            )
        }
        let draft = try FileDraft(for: destination)
        for try await piece in response.body {
            guard piece.count <= destination.bytesMax - draft.count else {
                throw TransportError(
                    .bodyTooLarge,
                    "the body has more than the \(destination.bytesMax) bytes of its file",
                )
            }
            try draft.append(piece)
        }
        // A stream may end instead of throwing when its task is cancelled.
        try Task.checkCancellation()
        return try draft.finish()
    }
}

/// A request whose response goes to a file that it names.
///
/// It is a protocol to conform to instead of ``APIRequest``; proxies around it know of it.
public protocol FileRequest: APIRequest where Definition == FileResponse, Response == ResponseFile {
    /// Where the file is to be. Default: ``FileDestination/temporary``.
    var destination: FileDestination { get }
}

extension FileRequest {
    /// A temporary file.
    public var destination: FileDestination { .temporary }

    /// Writes the body to the destination.
    public func response(streaming response: HTTPResponse, context: ResponseContext) async throws -> ResponseFile {
        try await FileResponse.write(response, to: destination)
    }
}
