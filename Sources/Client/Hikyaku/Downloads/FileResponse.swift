import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body in a file, written while it is received: for a download that may not fit into memory.
///
/// ```swift
/// struct Export: FileRequest {
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/export.csv" }
///     var destination: FileDestination { .file(at: "/tmp/menu.csv") }
/// }
/// let file = try await client.send(Export())
/// ```
/// Without a ``FileRequest`` the file is temporary. The file gets its name when the whole body was received and is on
/// the disk. If the call ends before that, because of a limit, a lost connection, the deadline or a cancellation, no
/// partial file remains, and an existing file is unchanged. What was received by then is kept for the next call only
/// for a ``FileDestination/resumable(at:bytesMax:digest:)-(String,_,_)``. Only one piece of the body is in memory at a
/// time, and the connection waits for the disk: the pieces are written on the thread of the call's task.
///
/// If the service sends a digest of the body (`Repr-Digest` with SHA-256 or SHA-512, RFC 9530; or `Content-MD5`), the
/// file is checked against it, unless the body had a content coding.
///
/// A content coding of the body is decoded, unless the request's own `Accept-Encoding` is `identity`: then the file has
/// the bytes as they came, and ``ResponseFile/contentCoding`` says so.
public enum FileResponse: ResponseDefinition {
    /// Anything.
    public static var acceptedMediaTypes: String? { "*/*" }
    /// The body is written while it is received.
    public static var streamsBody: Bool { true }

    /// Writes the body to a temporary file.
    public static func read(
        streaming response: HTTPResponse,
        context: ResponseContext,
    ) async throws -> ResponseFile {
        try await write(response, to: .temporary)
    }

    /// Writes a body in memory to a temporary file.
    public static func read(_ response: BufferedResponse) throws -> ResponseFile {
        let draft = try FileDraft(for: .temporary)
        try draft.append(response.body)
        return try draft.finish()
    }

    /// Writes the body of a response to a file, for your own `response(streaming:context:)`.
    ///
    /// It can't send another request, so it never resumes.
    ///
    /// - Parameters:
    ///   - response: The response; its body is read.
    ///   - destination: The destination of the file.
    /// - Returns: The file with the whole body.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge``, ``FailureReason/diskFull``,
    ///   ``FailureReason/digestMismatch`` or ``FailureReason/fileNotWritten``, and the error of the body.
    public static func write(_ response: HTTPResponse, to destination: FileDestination) async throws -> ResponseFile {
        let check = try DigestCheck(destination.digest, ServiceDigest.read(from: response), note: response.codingNote)
        if let path = destination.path, let descriptor = destination.descriptor {
            let count = try await write(response, into: descriptor, upTo: destination.bytesMax, check)
            return ResponseFile(path: path, isTemporary: false, count: count, contentCoding: response.contentCoding)
        }
        let draft = try FileDraft(for: destination)
        if let count = response.body.count { try draft.checkRoom(for: count) }
        for try await piece in response.body {
            try draft.append(piece)
            try check?.update(piece)
        }
        // A stream may end without an error when its task is cancelled.
        try Task.checkCancellation()
        try check?.verify()
        return try draft.finish(contentCoding: response.contentCoding)
    }

    /// Writes the body of a response into an open file.
    private static func write(
        _ response: HTTPResponse,
        into descriptor: Int32,
        upTo bytesMax: Int,
        _ check: DigestCheck?,
    ) async throws -> Int {
        var count = 0
        for try await piece in response.body {
            guard piece.count <= bytesMax - count else {
                throw ResponseCause.bodyTooLarge.error("the body is larger than the limit of \(bytesMax) bytes")
            }
            let code = unsafe piece.withUnsafeBytes { unsafe $0.writeAll(to: descriptor) }
            guard code == 0 else {
                throw FileCause.fileNotWritten.error("it can't be written: \(SystemErrors.text(of: code))")
            }
            count += piece.count
            try check?.update(piece)
        }
        try Task.checkCancellation()
        try check?.verify()
        return count
    }
}

extension FileResponse: FileDefinition {}

/// The names of ``FileRequest``'s own requirements, whatever their types, as in `_RequestSpelling`.
public protocol _FileSpelling: Sendable {
    /// The type of the ``destination`` that was written.
    associatedtype WrittenDestination = FileDestination

    /// The destination as it was written.
    var destination: WrittenDestination { get }
}

/// The type of a request's ``FileRequest/destination``: ``FileDestination``.
///
/// "Type 'URL' does not conform to protocol '_RequestDestination'" means: write
/// `FileDestination.file(at: url)`.
public protocol _RequestDestination {}

extension FileDestination: _RequestDestination {}

/// A request whose response is written to a file.
///
/// ```swift
/// struct Export: FileRequest {
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/export.csv" }
/// }
/// let file = try await client.send(Export())  // a temporary file, which is removed with this object
/// show(file.path)
/// ```
/// Conform to it instead of ``APIRequest``; proxies around the request support it.
public protocol FileRequest: APIRequest, _FileSpelling
where Definition == FileResponse, Response == ResponseFile, WrittenDestination: _RequestDestination {
    /// The destination of the file. Default: ``FileDestination/temporary``.
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
