import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The path and the maximum size of the file for a response's body, its digest, and whether its download resumes.
///
/// ```swift
/// struct Export: FileRequest {
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/export.csv" }
///     var destination: FileDestination { .file(at: "/data/menu.csv", bytesMax: 100 << 20) }
/// }
/// ```
public struct FileDestination: Sendable, Hashable {
    /// The default maximum size: 4 GiB, or 2 GiB if `Int` has 32 bits.
    public static let bytesMaxDefault = Int(clamping: 4 << 30 as Int64)

    /// The file's path; `nil` for a file in the system's temporary folder.
    public let path: String?
    /// The maximum size in bytes; a larger body ends the call as ``FailureReason/bodyTooLarge``.
    public let bytesMax: Int
    /// The digest that the whole file must have; `nil` if only the service's is checked.
    public let digest: ContentDigest?
    /// Whether a download that was cut goes on where it ended.
    package let isResumable: Bool

    /// Whether a file at the path stays, unless it is there since an earlier call has begun to download it.
    private(set) var keepsFile = false
    /// The open file of ``stream(into:at:bytesMax:digest:)``.
    private(set) var descriptor: Int32?

    private init(path: String?, bytesMax: Int, digest: ContentDigest? = nil, isResumable: Bool = false) {
        self.path = path
        self.bytesMax = bytesMax
        self.digest = digest
        self.isResumable = isResumable
    }

    /// A file in the system's temporary folder that only this user can read.
    ///
    /// It is removed when the last reference to its ``ResponseFile`` is released.
    public static let temporary = temporary()

    /// A temporary file with a custom maximum size: see ``temporary``.
    public static func temporary(bytesMax: Int = bytesMaxDefault) -> FileDestination {
        FileDestination(path: nil, bytesMax: bytesMax)
    }

    /// A permanent file; an existing file is replaced only when the whole body was received.
    ///
    /// A device, a pipe, a socket, a folder and a link to one of them can't be a destination: the call fails as
    /// ``FailureReason/fileNotWritten`` before anything is sent. A link to a regular file, or to nothing, is replaced
    /// itself, except in `/dev` and `/proc`.
    ///
    /// - Parameters:
    ///   - path: The path of the file, without a NUL; its folder must exist.
    ///   - bytesMax: The maximum size in bytes.
    ///   - digest: The digest that the file must have; with another one the call fails as
    ///     ``FailureReason/digestMismatch``.
    /// - Returns: The destination.
    public static func file(
        at path: String,
        bytesMax: Int = bytesMaxDefault,
        digest: ContentDigest? = nil,
    ) -> FileDestination {
        FileDestination(path: path, bytesMax: bytesMax, digest: digest)
    }

    /// A permanent file whose download goes on where an earlier one ended, however that ended.
    ///
    /// ```swift
    /// struct Export: FileRequest {
    ///     var environment: APIEnvironment { .shop }
    ///     var path: RequestPath { "/export.csv" }
    ///     var destination: FileDestination { .resumable(at: "/data/menu.csv") }
    /// }
    /// let file = try await client.send(Export())
    /// ```
    /// If the connection is lost inside the body, the same call requests the rest, as the client's ``RetryPolicy``
    /// says. A call that has received at least 1 MiB since the last cut begins its series of attempts anew, and takes
    /// nothing from the retry budget: it makes the service do nothing twice. If the call fails, is cancelled, or its
    /// process dies, the next call with this destination requests the rest.
    ///
    /// Until then two files lie beside the destination, whose names begin with `.hikyaku-`: the draft, and a record of
    /// what it is a part of. The rest is requested by `Range` and `If-Range` (RFC 9110, sections 14.2 and 13.1.5), and
    /// only for a GET with the same URL, whose response had a strong `ETag`, or a `Last-Modified` that counts as strong
    /// (section 8.8.2.2). In all other cases, or if the service's file has changed, the download begins anew. Every
    /// request accepts the coding `identity` only, since a part of a coded body can't be decoded on its own.
    ///
    /// One call at a time writes the file, in all processes. Another one waits for it for two seconds, and then fails
    /// as ``FailureReason/fileInUse``. Middleware sees each request of the call, and the response is the last one's.
    /// The request's own `response(streaming:context:)` isn't called.
    ///
    /// - Parameters:
    ///   - path: The path of the file, as for ``file(at:bytesMax:digest:)-(String,_,_)``; its folder must exist.
    ///   - bytesMax: The maximum size in bytes.
    ///   - digest: The digest that the file must have. If it has another one, the draft is removed, and the call fails
    ///     as ``FailureReason/digestMismatch``.
    /// - Returns: The destination.
    public static func resumable(
        at path: String,
        bytesMax: Int = bytesMaxDefault,
        digest: ContentDigest? = nil,
    ) -> FileDestination {
        FileDestination(path: path, bytesMax: bytesMax, digest: digest, isResumable: true)
    }

    /// A permanent file by its URL: see ``file(at:bytesMax:digest:)-(String,_,_)``.
    public static func file(
        at url: URL,
        bytesMax: Int = bytesMaxDefault,
        digest: ContentDigest? = nil,
    ) -> FileDestination {
        file(at: url.filePath, bytesMax: bytesMax, digest: digest)
    }

    /// A resumable file by its URL: see ``resumable(at:bytesMax:digest:)-(String,_,_)``.
    public static func resumable(
        at url: URL,
        bytesMax: Int = bytesMaxDefault,
        digest: ContentDigest? = nil,
    ) -> FileDestination {
        resumable(at: url.filePath, bytesMax: bytesMax, digest: digest)
    }

    /// The same resumable destination, whose call fails if there is a file, unless an earlier download of the same URL
    /// was allowed to replace it.
    package func keepingFile() -> FileDestination {
        var destination = self
        destination.keepsFile = true
        return destination
    }

    /// Whether there is something at the path that ``keepingFile()`` keeps from a download of the URL.
    package func isTaken(for url: URL) -> Bool {
        guard let path, FileTarget.isTaken(path) else { return false }
        return DownloadRecord.resource(of: url).map { !ResumableDraft.mayReplace(self, at: path, resource: $0) } ?? true
    }

    /// A file that is open already, and is written into while the body is received: a device or a pipe.
    ///
    /// - Parameters:
    ///   - descriptor: The file; it stays open.
    ///   - path: Its path.
    ///   - bytesMax: The maximum size of the body in bytes.
    ///   - digest: The digest that the body must have; what was written stays if it has another one.
    /// - Returns: The destination.
    package static func stream(
        into descriptor: Int32,
        at path: String,
        bytesMax: Int,
        digest: ContentDigest?,
    ) -> FileDestination {
        var destination = FileDestination(path: path, bytesMax: bytesMax, digest: digest)
        destination.descriptor = descriptor
        return destination
    }

    /// Rejects a path at which no file may be put.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/fileNotWritten``.
    func check() throws(TransportError) {
        guard descriptor == nil, let path, let problem = FileTarget.problem(at: path) else { return }
        throw FileCause.fileNotRegular.error("the destination \(problem)")
    }

    /// How many bytes an unfinished download of ``resumable(at:bytesMax:digest:)-(String,_,_)`` has left beside the
    /// destination; `nil` if there is none that can be resumed.
    ///
    /// It reads two small files. The service may still have another version by now.
    public var keptBytes: Int? {
        guard isResumable, let path else { return nil }
        return ResumableDraft.keptBytes(for: path)
    }

    /// Removes what an unfinished download of ``resumable(at:bytesMax:digest:)-(String,_,_)`` has left, if its user no
    /// longer wants it.
    ///
    /// - Throws: ``TransportError`` with ``FailureReason/fileInUse`` while a call writes it, and
    ///   ``FailureReason/fileNotWritten`` if it can't be removed.
    public func removeKeptBytes() throws(TransportError) {
        guard isResumable, let path else { return }
        try ResumableDraft.remove(for: path)
    }
}

/// The digest that a file must have, as its publisher shows it beside the link.
///
/// ```swift
/// struct Installer: FileRequest {
///     let sha256: String      // as the publisher shows it beside the link
///     var environment: APIEnvironment { .shop }
///     var path: RequestPath { "/installer.pkg" }
///     var destination: FileDestination { .resumable(at: "/data/installer.pkg", digest: .sha256(sha256)) }
/// }
/// ```
public struct ContentDigest: Sendable, Hashable {
    let algorithm: DigestAlgorithm
    private let hexadecimal: String

    /// A SHA-256 digest: 64 hexadecimal digits; with another text the call fails as ``FailureReason/digestMismatch``.
    public static func sha256(_ hexadecimal: String) -> ContentDigest {
        ContentDigest(algorithm: .sha256, hexadecimal: hexadecimal)
    }

    /// A SHA-512 digest: 128 hexadecimal digits; with another text the call fails as ``FailureReason/digestMismatch``.
    public static func sha512(_ hexadecimal: String) -> ContentDigest {
        ContentDigest(algorithm: .sha512, hexadecimal: hexadecimal)
    }

    /// The digest itself; `nil` if the text isn't one.
    var bytes: Data? {
        let digits = hexadecimal.utf8.compactMap(ASCII.hexadecimalValue)
        guard digits.count == hexadecimal.utf8.count, digits.count == algorithm.count * 2 else { return nil }
        return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
    }
}
