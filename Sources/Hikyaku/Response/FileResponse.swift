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

/// Where a response's body goes on the disk, and how much of it may.
public struct FileDestination: Sendable, Hashable {
    /// The most that is written unless a destination says otherwise: 4 GiB, or 2 GiB where `Int` has 32 bits.
    public static let bytesMaxDefault = Int(clamping: 4 << 30 as Int64)

    /// The file's path; `nil` for one in the system's folder for temporary files.
    public let path: String?
    /// The most that is written, in bytes; a larger body ends the call as ``FailureReason/bodyTooLarge``.
    public let bytesMax: Int

    /// A file in the system's folder for temporary files, which only this user can read and which goes with the last
    /// reference to its ``ResponseFile``.
    public static let temporary = temporary()

    /// A temporary file of a size of one's own: see ``temporary``.
    public static func temporary(bytesMax: Int = bytesMaxDefault) -> FileDestination {
        FileDestination(path: nil, bytesMax: bytesMax)
    }

    /// A file that stays; one that is there is replaced when the whole body has come, and not before.
    ///
    /// - Parameters:
    ///   - path: The file; its folder has to be there.
    ///   - bytesMax: The most that is written, in bytes.
    /// - Returns: The destination.
    public static func file(at path: String, bytesMax: Int = bytesMaxDefault) -> FileDestination {
        FileDestination(path: path, bytesMax: bytesMax)
    }
}

/// A file that a response's body was written to.
///
/// A temporary one is removed with the last reference to it, unless it was moved.
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

    /// Where the file is.
    public var path: String { place.withLock { $0.path } }
    /// Whether the file goes with the last reference.
    public var isTemporary: Bool { place.withLock { $0.isTemporary } }

    /// Moves the file to where it stays; a file that is there is replaced at once.
    ///
    /// - Parameter path: The new place, on the same volume; its folder has to be there.
    /// - Throws: ``TransportError`` with ``FailureReason/fileNotWritten``; the file is then where it was.
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

/// A file that is written beside its destination, and removed unless it is finished.
///
/// If the process dies before that, the next download to the same destination removes the leftover. The system cleans
/// its folder for temporary files itself.
///
/// Not sendable: the task that reads the body uses it, and writes one piece at a time on its own thread. No call waits
/// for a lock.
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
            // What stays is as open to others as the process' files are; what is temporary is nobody else's.
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

    /// Gives the file its name, with all of it on the disk.
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
        // The name itself, with more around it, could be too long for the file system.
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
