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

/// A file that is written beside its destination, and removed unless it is finished.
///
/// If the process dies before that, the next download to the same destination removes the leftover. The system cleans
/// its folder for temporary files itself.
///
/// Not sendable: the task that reads the body uses it, and writes one piece at a time on its own thread. No call waits
/// for a lock.
final class FileDraft {
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
            throw TransportError(.fileNotWritten, "no file can be made in the folder: errno \(error.code)")
        }
    }

    deinit {
        if isFinished { draft.finish() } else { draft.abandon() }
    }

    func append(_ piece: Data) throws(TransportError) {
        let code = piece.withUnsafeBytes { $0.writeAll(to: draft.descriptor) }
        guard code == 0 else { throw TransportError(.fileNotWritten, "the file can't be written: errno \(code)") }
        count += piece.count
    }

    /// Gives the file its name, with all of it on the disk.
    func finish() throws(TransportError) -> ResponseFile {
        guard let path = destination.path else {
            isFinished = true
            return ResponseFile(path: draft.path, isTemporary: true, count: count)
        }
        guard fsync(draft.descriptor) == 0, rename(draft.path, path) == 0 else {
            throw TransportError(.fileNotWritten, "the file can't be put in its place: errno \(errno)")
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
