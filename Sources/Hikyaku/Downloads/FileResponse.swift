import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The body in a file, written while it is received: for a download that may not fit into memory.
///
/// ```swift
/// struct Export: FileRequest {
///     var destination: FileDestination { .file(at: "/tmp/menu.csv") }
///     …
/// }
/// let file = try await client.send(Export())
/// ```
/// Without a ``FileRequest`` the file is temporary. The file gets its name when the whole body was received. If the
/// call ends before that, because of a limit, a lost connection, the deadline or a cancellation, no partial file
/// remains, and an existing file is unchanged. Only one piece of the body is in memory at a time, and the connection
/// waits for the disk: the pieces are written on the thread of the call's task.
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
    /// - Parameters:
    ///   - response: The response; its body is read.
    ///   - destination: The destination of the file.
    /// - Returns: The file with the whole body.
    /// - Throws: ``TransportError`` with ``FailureReason/bodyTooLarge`` or ``FailureReason/fileNotWritten``, and the
    ///   error of the body.
    public static func write(_ response: HTTPResponse, to destination: FileDestination) async throws -> ResponseFile {
        if let count = response.body.count, count > destination.bytesMax {
            throw TransportError(
                .bodyTooLarge,
                "the body has \(count) bytes, but the limit for its file is \(destination.bytesMax)",
            )
        }
        let draft = try FileDraft(for: destination)
        for try await piece in response.body {
            guard piece.count <= destination.bytesMax - draft.count else {
                throw TransportError(
                    .bodyTooLarge,
                    "the body is larger than the limit of \(destination.bytesMax) bytes for its file",
                )
            }
            try draft.append(piece)
        }
        // A stream may end without an error when its task is cancelled.
        try Task.checkCancellation()
        return try draft.finish()
    }
}

/// A request whose response is written to a file.
///
/// Conform to it instead of ``APIRequest``; proxies around the request support it.
public protocol FileRequest: APIRequest where Definition == FileResponse, Response == ResponseFile {
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

/// The path and the maximum size of the file for a response's body.
public struct FileDestination: Sendable, Hashable {
    /// The default maximum size: 4 GiB, or 2 GiB if `Int` has 32 bits.
    public static let bytesMaxDefault = Int(clamping: 4 << 30 as Int64)

    /// The file's path; `nil` for a file in the system's temporary folder.
    public let path: String?
    /// The maximum size in bytes; a larger body ends the call as ``FailureReason/bodyTooLarge``.
    public let bytesMax: Int

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
    /// - Parameters:
    ///   - path: The path of the file; its folder must exist.
    ///   - bytesMax: The maximum size in bytes.
    /// - Returns: The destination.
    public static func file(at path: String, bytesMax: Int = bytesMaxDefault) -> FileDestination {
        FileDestination(path: path, bytesMax: bytesMax)
    }
}

/// A file with the body of a response.
///
/// A temporary file is removed when the last reference to it is released, unless it was moved.
public final class ResponseFile: Sendable {
    private struct Place: Sendable {
        var path: String
        var isTemporary: Bool
    }

    private let place: Lock<Place>
    /// The body's size in bytes.
    public let count: Int

    fileprivate init(path: String, isTemporary: Bool, count: Int) {
        place = Lock(Place(path: path, isTemporary: isTemporary))
        self.count = count
    }

    deinit {
        let place = place.withLock { $0 }
        if place.isTemporary { unsafe unlink(place.path) }
    }

    /// The path of the file.
    public var path: String { place.withLock { $0.path } }
    /// Whether the file is removed when the last reference is released.
    public var isTemporary: Bool { place.withLock { $0.isTemporary } }

    /// Moves the file to a permanent path; an existing file is replaced atomically.
    ///
    /// - Parameter path: The new path, on the same volume; its folder must exist.
    /// - Throws: ``TransportError`` with ``FailureReason/fileNotWritten``; the file then keeps its old path.
    public func move(to path: String) throws(TransportError) {
        let code: Int32 = place.withLock { place in
            guard unsafe rename(place.path, path) == 0 else { return errno }
            place = Place(path: path, isTemporary: false)
            return 0
        }
        guard code == 0 else { throw TransportError(.fileNotWritten, "the file can't be moved: errno \(code)") }
    }
}

extension ResponseFile: CustomStringConvertible, CustomReflectable {
    /// The path and the size.
    public var description: String { "\(path), \(count) bytes" }

    /// The path and the size, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["file": description]) }
}

/// A file that is written next to its destination, and removed unless it is finished.
///
/// If the process dies before that, the next download to the same destination removes the leftover. The system cleans
/// its temporary folder itself.
///
/// It is not sendable: only the task that reads the body uses it, and writes one piece at a time on its own thread. No
/// call waits for a lock.
private final class FileDraft {
    private let draft: LockedDraft
    private let destination: FileDestination
    private var isFinished = false
    private(set) var count = 0

    init(for destination: FileDestination) throws(TransportError) {
        self.destination = destination
        let family = Self.family(of: destination)
        if destination.path != nil { LockedDraft.removeLeftovers(of: family) }
        do throws(Errno) {
            // A permanent file gets the process' default permissions; a temporary one is private to the user.
            draft = try LockedDraft.make(of: family, mode: destination.path == nil ? 0o600 : 0o666)
        } catch {
            throw TransportError(.fileNotWritten, "no file can be created in the folder: errno \(error.code)")
        }
    }

    deinit {
        if isFinished { draft.finish() } else { draft.abandon() }
    }

    func append(_ piece: Data) throws(TransportError) {
        let code = unsafe piece.withUnsafeBytes { unsafe $0.writeAll(to: draft.descriptor) }
        guard code == 0 else { throw TransportError(.fileNotWritten, "the file can't be written: errno \(code)") }
        count += piece.count
    }

    /// Renames the file to its destination, after its whole content is on the disk.
    func finish() throws(TransportError) -> ResponseFile {
        guard let path = destination.path else {
            isFinished = true
            return ResponseFile(path: draft.path, isTemporary: true, count: count)
        }
        guard fsync(draft.descriptor) == 0, unsafe rename(draft.path, path) == 0 else {
            throw TransportError(.fileNotWritten, "the file can't be moved to its final path: errno \(errno)")
        }
        isFinished = true
        return ResponseFile(path: path, isTemporary: false, count: count)
    }

    /// In the same folder, since a file can't be renamed to another volume.
    private static func family(of destination: FileDestination) -> LockedDraft.Family {
        guard let path = destination.path else {
            return LockedDraft.Family(folder: temporaryFolder, prefix: ".hikyaku-", suffix: "")
        }
        let parts = PathParts(path)
        // The name itself with a prefix and a suffix could be too long for the file system.
        let hash = String(hash(of: parts.name), radix: 36)
        return LockedDraft.Family(folder: parts.folder, prefix: ".hikyaku-\(hash).", suffix: ".new")
    }

    /// FNV-1a: the same in every process.
    private static func hash(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    private static var temporaryFolder: String {
        let path = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        return path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
    }
}
